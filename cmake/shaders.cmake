# Every entry point becomes <build>/generated/spv/<stem>.inc: SPIR-V as numbers, to be included in a C array.

find_program(GLSLC glslc REQUIRED)
file(GLOB shader_sources CONFIGURE_DEPENDS shaders/primitive/*.comp shaders/pipeline/*.comp tests/*/*.comp)
set(PIETRA_GENERATED ${CMAKE_BINARY_DIR}/generated)
set(shader_outputs)
file(MAKE_DIRECTORY ${PIETRA_GENERATED}/spv)

foreach(source IN LISTS shader_sources)
    cmake_path(GET source STEM stem)
    set(output ${PIETRA_GENERATED}/spv/${stem}.inc)
    cmake_path(RELATIVE_PATH source OUTPUT_VARIABLE name)
    add_custom_command(
        OUTPUT ${output}
        COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/compile_shader.sh ${output} ${output}.d "${PIETRA_SHADER_CACHE}"
                ${GLSLC} --target-env=vulkan1.2 -O -Werror -I ${CMAKE_SOURCE_DIR}/shaders ${source}
        DEPENDS ${source} cmake/compile_shader.sh
        DEPFILE ${output}.d
        COMMENT "Compiling ${name}"
        VERBATIM)
    list(APPEND shader_outputs ${output})
endforeach()
add_custom_target(pietra_shaders DEPENDS ${shader_outputs})

# The arrays of all stages in one file, static const uint32_t spv_<stem>[], so that no second list of stages is kept.
file(GLOB pipeline_sources CONFIGURE_DEPENDS shaders/pipeline/*.comp)
set(pipeline_arrays "")
foreach(source IN LISTS pipeline_sources)
    cmake_path(GET source STEM stem)
    string(APPEND pipeline_arrays "static const uint32_t spv_${stem}[] = {\n#include \"spv/${stem}.inc\"\n};\n")
endforeach()
file(CONFIGURE OUTPUT ${PIETRA_GENERATED}/spv/pipeline_arrays.inc CONTENT "${pipeline_arrays}")
