# tools/render/*.c is the command, on the public interface; tools/bench/*.c and every tools/<name>.c a program for developers.

# The encoder of PNG files: for the command, and for what tests and measures it.
file(GLOB png_sources CONFIGURE_DEPENDS src/png/*.c)
# What it takes of src/base: the static library of the command's shows pietra_* alone.
list(APPEND png_sources src/base/clock.c src/base/memory.c src/base/parallel.c)
# The row filters are byte loops that want vectors.
set_source_files_properties(src/png/png_rows.c PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
add_library(pietra_png STATIC ${png_sources})
target_include_directories(pietra_png PUBLIC src)
target_link_libraries(pietra_png PUBLIC pietra_options PkgConfig::LIBDEFLATE Threads::Threads)

file(GLOB render_sources CONFIGURE_DEPENDS tools/render/*.c)
if(render_sources)
    add_executable(render ${render_sources})
    # What is printable is said once, as is how arrays grow. The static library shows pietra_* alone.
    target_sources(render PRIVATE ${CMAKE_SOURCE_DIR}/src/base/array.c ${CMAKE_SOURCE_DIR}/src/base/memory.c
                   ${CMAKE_SOURCE_DIR}/src/base/utf8.c)
    target_include_directories(render PRIVATE src)
    target_link_libraries(render PRIVATE pietra_static pietra_png m)
    # What a build itself needs rights for.
    if(PIETRA_DEV)
        target_compile_definitions(render PRIVATE SANDBOX_LEFT_OUT="this build compiles kernels while it draws")
    elseif(PIETRA_SANITIZE)
        target_compile_definitions(render PRIVATE SANDBOX_LEFT_OUT="the sanitizers of this build start processes and read files of their own")
    endif()
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

target_link_libraries(png_speed PRIVATE pietra_png)
