# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every entry point becomes <build>/generated/spv/<stem>.inc: SPIR-V as numbers, to be included in a C array.

find_program(GLSLC glslc REQUIRED)
file(GLOB shader_sources CONFIGURE_DEPENDS shaders/primitive/*.comp shaders/stages/*.comp tests/*/*.comp tests/*/*/*.comp)
set(PIETRA_GENERATED ${CMAKE_BINARY_DIR}/generated)
set(shader_outputs)
file(MAKE_DIRECTORY ${PIETRA_GENERATED}/spv)

# pietra_compile_kernel(<stem> <source> <defines>...)
function(pietra_compile_kernel stem source)
    set(output ${PIETRA_GENERATED}/spv/${stem}.inc)
    list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE defines)
    add_custom_command(
        OUTPUT ${output}
        COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/compile_shader.sh ${output} ${output}.d "${PIETRA_SHADER_CACHE}"
                ${GLSLC} --target-env=vulkan1.2 -O -Werror -I ${CMAKE_SOURCE_DIR}/shaders ${defines} ${source}
        DEPENDS ${source} cmake/compile_shader.sh
        DEPFILE ${output}.d
        COMMENT "Compiling ${stem}"
        VERBATIM)
    set(shader_outputs ${shader_outputs} ${output} PARENT_SCOPE)
endfunction()

# A source with variants is compiled once for each variant. variants/<group>.inc has the arrays of a group.
set(variant_list ${CMAKE_SOURCE_DIR}/shaders/primitive/variants.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${variant_list})
file(READ ${variant_list} variant_text)
string(REGEX MATCHALL "\nVARIANT\\([^)]*\\)" variants "${variant_text}")
set(variant_groups)
foreach(variant IN LISTS variants)
    string(REGEX REPLACE "\nVARIANT\\((.*)\\)" "\\1" fields "${variant}")
    string(REGEX REPLACE ",[ \n]+" ";" fields "${fields}")
    list(POP_FRONT fields group role stem source)
    pietra_compile_kernel(${stem} ${CMAKE_SOURCE_DIR}/shaders/primitive/${source}.comp ${fields})
    list(REMOVE_ITEM shader_sources ${CMAKE_SOURCE_DIR}/shaders/primitive/${source}.comp)
    list(APPEND variant_groups ${group})
    string(APPEND arrays_of_${group} "static const uint32_t ${role}_spv[] = {\n#include \"spv/${stem}.inc\"\n};\n")
endforeach()
list(REMOVE_DUPLICATES variant_groups)
foreach(group IN LISTS variant_groups)
    file(CONFIGURE OUTPUT ${PIETRA_GENERATED}/variants/${group}.inc CONTENT "${arrays_of_${group}}")
endforeach()

foreach(source IN LISTS shader_sources)
    cmake_path(GET source STEM stem)
    pietra_compile_kernel(${stem} ${source})
endforeach()
add_custom_target(pietra_shaders DEPENDS ${shader_outputs})

# One file has the arrays of all stages, static const uint32_t spv_<stem>[], so that there is no second list of stages.
file(GLOB pipeline_sources CONFIGURE_DEPENDS shaders/stages/*.comp)
set(pipeline_arrays "")
foreach(source IN LISTS pipeline_sources)
    cmake_path(GET source STEM stem)
    string(APPEND pipeline_arrays "static const uint32_t spv_${stem}[] = {\n#include \"spv/${stem}.inc\"\n};\n")
endforeach()
file(CONFIGURE OUTPUT ${PIETRA_GENERATED}/spv/pipeline_arrays.inc CONTENT "${pipeline_arrays}")
