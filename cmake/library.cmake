# SPDX-License-Identifier: Apache-2.0 OR MIT
# One set of objects becomes three libraries: the shared one, the static one that exports only pietra_*, and one for tests and
# developers' tools that exports everything.

include(cmake/dependencies.cmake)
# The libraries of image formats, colour profiles, fonts, text and packed files: their headers, and the names by which they are opened when a
# document needs them.
find_package(GIF REQUIRED)
pkg_check_modules(IMAGES REQUIRED libpng libjpeg libwebp libwebpdemux lcms2)
pkg_check_modules(FONTS REQUIRED harfbuzz freetype2 fontconfig icu-uc)
pietra_name_library(IMAGE_PNG png16)
pietra_name_library(IMAGE_JPEG jpeg)
pietra_name_library(IMAGE_GIF gif)
pietra_name_library(IMAGE_WEBP webpdemux)
pietra_name_library(IMAGE_WEBP_ENCODER webp)
pietra_name_library(IMAGE_LCMS lcms2)
pietra_name_library(FONT_HARFBUZZ harfbuzz)
pietra_name_library(FONT_FREETYPE freetype)
pietra_name_library(FONT_FONTCONFIG fontconfig)
pietra_name_library(TEXT_ICU icuuc)
# Only Vulkan's headers are needed here. The loader is opened at run time.
find_path(VULKAN_HEADERS vulkan/vulkan_core.h REQUIRED)

add_library(pietra_objects OBJECT ${library_sources})
target_include_directories(pietra_objects PRIVATE src shaders include ${PIETRA_GENERATED} ${VULKAN_HEADERS})
target_link_libraries(pietra_objects PRIVATE pietra_options ${library_dependencies})
target_include_directories(pietra_objects SYSTEM PRIVATE ${IMAGES_INCLUDE_DIRS} ${GIF_INCLUDE_DIR} ${FONTS_INCLUDE_DIRS} ${LIBDEFLATE_INCLUDE_DIRS})
target_compile_definitions(pietra_objects PRIVATE ${opened_names})
if(PIETRA_DEV)
    target_compile_definitions(pietra_objects PRIVATE PIETRA_DEV PIETRA_SHADER_DIR="${CMAKE_SOURCE_DIR}/shaders" PIETRA_GLSLC="${GLSLC}")
endif()
add_dependencies(pietra_objects pietra_shaders)

# GCC stops inlining when a file grows too much by it. flatten.c consists of a few loops that need all their calls inlined.
set(flatten_options $<$<CONFIG:Release>:-O3> $<$<C_COMPILER_ID:GNU>:--param=inline-unit-growth=200>)
set_source_files_properties(src/render/cpu/flatten.c PROPERTIES COMPILE_OPTIONS "${flatten_options}")
set_source_files_properties(src/scene/encode/encode_path.c src/scene/validate/validate_path.c PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
# The inner loops of the CPU device are compiled once for each instruction set, without fused multiply and add, as everywhere.
# No vector is passed from one file to another, so the warning about how it would be passed is off. Lanes whose results are
# not used may wrap around.
set(kernel_options "-Wno-psabi;-fwrapv;-fno-tree-slp-vectorize;$<$<CONFIG:Release>:-O3>")
set_source_files_properties(src/render/cpu/kernels_plain.c src/render/cpu/effects_plain.c PROPERTIES COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(src/render/cpu/kernels_avx2.c src/render/cpu/effects_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;${kernel_options}")
    set_source_files_properties(src/render/cpu/kernels_avx512.c src/render/cpu/effects_avx512.c PROPERTIES
                                COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-mprefer-vector-width=256;${kernel_options}")
endif()

# The library for tests exports everything.
add_library(pietra_internal STATIC $<TARGET_OBJECTS:pietra_objects>)
set_target_properties(pietra_internal PROPERTIES LINKER_LANGUAGE C)
target_include_directories(pietra_internal INTERFACE src shaders include tests ${PIETRA_GENERATED} ${VULKAN_HEADERS})
# Fonts have parts that are HarfBuzz's, which tests look into.
target_include_directories(pietra_internal SYSTEM INTERFACE ${FONTS_INCLUDE_DIRS} ${LIBDEFLATE_INCLUDE_DIRS})
target_link_libraries(pietra_internal INTERFACE pietra_options ${library_dependencies})
add_dependencies(pietra_internal pietra_shaders)

# The primitives that no frame runs serve the benchmark and the tests.
add_library(pietra_primitives STATIC ${primitive_sources})
target_link_libraries(pietra_primitives PUBLIC pietra_internal)

# While the interface is young (0.x) every minor version may break it.
set(abi_version ${PROJECT_VERSION_MAJOR})
if(abi_version EQUAL 0)
    set(abi_version 0.${PROJECT_VERSION_MINOR})
endif()

add_library(pietra SHARED $<TARGET_OBJECTS:pietra_objects>)
set_target_properties(pietra PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${abi_version})
target_include_directories(pietra PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(pietra PRIVATE $<BUILD_INTERFACE:pietra_options> "$<BUILD_INTERFACE:${library_dependencies}>")

# An archive has no visibility. So the objects are joined into one object, and hidden symbols become local.
set(joined ${CMAKE_BINARY_DIR}/pietra_joined.o)
add_custom_command(
    OUTPUT ${joined}
    COMMAND ${CMAKE_LINKER} -r -o ${joined} $<TARGET_OBJECTS:pietra_objects>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
    DEPENDS pietra_objects $<TARGET_OBJECTS:pietra_objects>
    COMMENT "Joining the objects of the static library"
    COMMAND_EXPAND_LISTS
    VERBATIM)
add_library(pietra_static STATIC ${joined})
set_source_files_properties(${joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(pietra_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME pietra)
target_include_directories(pietra_static PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Users of an installed library name the others to the linker alone. So those of the shared one need no headers of theirs.
target_link_libraries(pietra_static PRIVATE $<BUILD_INTERFACE:pietra_options> "$<BUILD_INTERFACE:${library_dependencies}>"
                      $<INSTALL_INTERFACE:expat> $<INSTALL_INTERFACE:m> $<INSTALL_INTERFACE:${CMAKE_DL_LIBS}>
                      $<INSTALL_INTERFACE:-pthread>)
