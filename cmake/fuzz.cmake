# SPDX-License-Identifier: Apache-2.0 OR MIT
# Each tests/fuzz/fuzz_<name>.c is one libFuzzer target, but for fuzz_image.c, which is one for each format of images. Their
# seeds lie in tests/fuzz/corpus/<name>/. Some targets have a dictionary, which is made here. The limits of documents are a tenth of the usual ones, so that a document beyond them is
# small (src/svg/tree/budget.c).

target_compile_options(pietra_options INTERFACE -fsanitize=fuzzer-no-link)
target_compile_definitions(pietra_options INTERFACE PIETRA_FUZZ)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
set(image_formats png jpeg gif webp)
# What .ci/fuzz builds, and the names of what it runs.
add_custom_target(fuzz_targets)
set(fuzz_names)
function(pietra_add_fuzz name source)
    add_executable(fuzz_${name} ${source})
    target_link_libraries(fuzz_${name} PRIVATE pietra_internal)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_compile_definitions(fuzz_${name} PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    add_dependencies(fuzz_targets fuzz_${name})
    set(fuzz_names ${fuzz_names} ${name} PARENT_SCOPE)
endfunction()
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM stem)
    string(REPLACE fuzz_ "" name ${stem})
    if(name STREQUAL image)
        foreach(format IN LISTS image_formats)
            string(TOUPPER IMAGE_${format} kind)
            pietra_add_fuzz(${format} ${source})
            target_compile_definitions(fuzz_${format} PRIVATE FUZZ_IMAGE=${kind})
        endforeach()
    else()
        pietra_add_fuzz(${name} ${source})
    endif()
endforeach()
list(JOIN fuzz_names "\n" lines)
file(WRITE ${CMAKE_BINARY_DIR}/fuzz_names "${lines}\n")

target_sources(fuzz_stream PRIVATE tests/scene/describe_stream.c)
target_include_directories(fuzz_stream PRIVATE tests)
# It builds fonts.
target_sources(fuzz_colors PRIVATE tests/font/build_font.c tests/font/draw_pictures.c)
target_include_directories(fuzz_colors PRIVATE tests)

file(GLOB dictionary_sources CONFIGURE_DEPENDS src/svg/*/*.c src/svg/*/*.h)
add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/svg.dict ${CMAKE_BINARY_DIR}/css.dict ${CMAKE_BINARY_DIR}/path.dict
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/fuzz/dictionary.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
    DEPENDS tests/fuzz/dictionary.py ${dictionary_sources}
    COMMENT "Making dictionaries"
    VERBATIM)
add_custom_target(fuzz_dictionaries ALL DEPENDS ${CMAKE_BINARY_DIR}/svg.dict ${CMAKE_BINARY_DIR}/css.dict ${CMAKE_BINARY_DIR}/path.dict)
add_dependencies(fuzz_targets fuzz_dictionaries)
