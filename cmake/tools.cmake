# SPDX-License-Identifier: Apache-2.0 OR MIT
# tools/render/*.c is the command and tools/view/*.c the viewer, which use the public interface. tools/bench/*.c and each tools/<name>.c are programs for
# developers.

# The encoder of PNG files once more, for the command, which writes its files itself, and for the programs that test and measure the encoder.
file(GLOB png_sources CONFIGURE_DEPENDS src/png/*.c)
# The encoder needs these files of src/base, because the command's static library exports only pietra_*.
list(APPEND png_sources src/base/clock.c src/base/library.c src/base/memory.c src/base/packing.c src/base/parallel.c)
# The row filters and checksums are loops over bytes, which need to be vectorized and unrolled.
set_source_files_properties(src/png/checksum.c src/png/png_rows.c PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
add_library(pietra_png STATIC ${png_sources})
target_include_directories(pietra_png PUBLIC src)
target_link_libraries(pietra_png PUBLIC pietra_options Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(pietra_png SYSTEM PRIVATE ${LIBDEFLATE_INCLUDE_DIRS})
target_compile_definitions(pietra_png PRIVATE ${opened_names})

file(GLOB render_sources CONFIGURE_DEPENDS tools/render/*.c)
if(render_sources)
    add_executable(render ${render_sources})
    # The command shares the rules of printable text, of growing arrays and of opening libraries. The static library exports only pietra_*.
    target_sources(render PRIVATE ${CMAKE_SOURCE_DIR}/src/base/array.c ${CMAKE_SOURCE_DIR}/src/base/library.c
                   ${CMAKE_SOURCE_DIR}/src/base/hash.c ${CMAKE_SOURCE_DIR}/src/base/memory.c ${CMAKE_SOURCE_DIR}/src/base/utf8.c)
    target_include_directories(render PRIVATE src shaders)
    target_include_directories(render SYSTEM PRIVATE ${IMAGES_INCLUDE_DIRS})
    target_link_libraries(render PRIVATE pietra_static pietra_png m ${CMAKE_DL_LIBS})
    target_compile_definitions(render PRIVATE ${opened_names})
    # These builds themselves need rights that the sandbox gives up.
    if(PIETRA_DEV)
        target_compile_definitions(render PRIVATE SANDBOX_LEFT_OUT="this build compiles kernels while it draws")
    elseif(PIETRA_SANITIZE)
        target_compile_definitions(render PRIVATE SANDBOX_LEFT_OUT="the sanitizers of this build start processes and read files of their own")
    endif()
endif()

# The viewer, where SDL2 is. It shares with the command how it prints lines and where elements come from, and what names of files say.
pkg_check_modules(SDL2 IMPORTED_TARGET sdl2>=2.26)
if(SDL2_FOUND)
    file(GLOB view_sources CONFIGURE_DEPENDS tools/view/*.c)
    list(APPEND view_sources tools/render/line.c tools/render/name.c tools/render/origins.c tools/render/path.c src/base/array.c src/base/error.c src/base/memory.c
         src/base/utf8.c)
    add_executable(pietra-view ${view_sources})
    target_include_directories(pietra-view PRIVATE src tools)
    target_link_libraries(pietra-view PRIVATE pietra_options pietra_static PkgConfig::SDL2 m)

    # The example for programs with a window, which links to Vulkan itself.
    pkg_check_modules(VULKAN REQUIRED IMPORTED_TARGET vulkan)
    add_executable(example_window examples/window.c)
    set_target_properties(example_window PROPERTIES OUTPUT_NAME window)
    target_link_libraries(example_window PRIVATE pietra_options pietra_static PkgConfig::SDL2 PkgConfig::VULKAN m)
else()
    message(STATUS "pietra-view and examples/window.c are not built: there is no SDL2")
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS tools/bench/*.c)
add_executable(bench ${bench_sources})
target_link_libraries(bench PRIVATE pietra_primitives)

file(GLOB tool_sources CONFIGURE_DEPENDS tools/*.c)
foreach(source IN LISTS tool_sources)
    cmake_path(GET source STEM stem)
    add_executable(${stem} ${source})
    target_link_libraries(${stem} PRIVATE pietra_internal)
endforeach()

target_link_libraries(png_speed PRIVATE pietra_png PkgConfig::LIBDEFLATE)
