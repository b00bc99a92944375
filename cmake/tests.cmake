# SPDX-License-Identifier: Apache-2.0 OR MIT
# Each tests/<folder>/test_<name>.c is one program and one test. Folders mirror src, shaders and tools. Tests that concern all of
# these have folders of their own. Each program is listed here once, under its label.

# quick: they take seconds and need no GPU.
set(tests_quick
    base/test_base base/test_number base/test_parallel base/test_private_file
    bench/test_tune_groups
    command/test_memory_limit command/test_sandbox
    exact/test_exact exact/test_exact_strokes
    font/test_embolden font/test_font font/test_font_files font/test_glyph_run font/test_hostile_fonts font/test_matching font/test_pictures
    font/test_system_fonts
    fuzz/test_seeds
    image/test_image_memory image/test_image_profile image/test_png_colors
    lib/test_blend lib/test_box_shadow lib/test_coverage_walk lib/test_power lib/test_stroke_quad lib/test_subdivision lib/test_tile_lines lib/test_turn
    memory/test_out_of_memory memory/test_out_of_memory_of_fonts
    png/test_png
    render/test_paint_cover
    render/bounds/test_bounds
    render/cpu/test_chords render/cpu/test_coverage render/cpu/test_effects render/cpu/test_effects_memory render/cpu/test_image_rows render/cpu/test_kernel_sets render/cpu/test_occlusion render/cpu/test_part_counts
    render/cpu/test_spans render/cpu/test_strokes render/cpu/test_threads
    render/effect/test_blur render/effect/test_blur_error render/effect/test_demand render/effect/test_light render/effect/test_matrix render/effect/test_noise
    render/effect/test_point
    render/reference/test_explain render/reference/test_heatmap render/reference/test_images render/reference/test_layers
    render/reference/test_outlines render/reference/test_shared_edges render/reference/test_surfaces render/sheet/test_pack
    render/frame/test_cancel render/frame/test_small_budgets
    render/test_arguments render/test_arguments_of_frames render/test_backdrops render/test_convenience render/test_effect_budget
    render/test_effect_steps render/test_effect_turns render/test_far_coordinates render/test_hit_test
    render/test_paint_steps render/test_pyramid render/test_stroke_outline render/test_stroke_steps render/test_damage render/test_externals render/test_instance_frames render/test_view render/test_warm_frames
    scene/build/test_effect scene/build/test_path scene/build/test_scene
    scene/compose/test_composition scene/compose/test_composition_memory
    scene/encode/test_encode scene/encode/test_encode_box_shadow scene/encode/test_encode_paint scene/encode/test_encode_threads
    scene/test_labels
    scene/validate/test_validate scene/validate/test_validate_elements scene/validate/test_validate_faults
    scene/validate/test_validate_box_shadows scene/validate/test_validate_surfaces
    svg/css/test_svg_growth
    svg/draw/test_kept_style svg/draw/test_svg_clips svg/draw/test_svg_filters svg/draw/test_svg_font_faces svg/draw/test_svg_large_texts svg/draw/test_svg_nests svg/draw/test_svg_origins svg/draw/test_svg_paint_servers svg/draw/test_svg_reported
    svg/draw/test_svg_shapes svg/draw/test_svg_text_styles
    svg/style/test_svg_cascade svg/style/test_svg_colors svg/style/test_svg_style_sheets svg/style/test_svg_values
    svg/tree/test_limits svg/tree/test_svg_colliding_names svg/tree/test_svg_document_table
    svg/xml/test_svg_bad_input svg/xml/test_svg_encodings svg/xml/test_svg_entities svg/xml/test_svg_lifted_attributes
    svg/xml/test_svg_resources svg/xml/test_svg_warnings
    text/test_bidi text/test_breaks text/test_clusters text/test_lay_out text/test_letter_case text/test_lines text/test_shape
    vulkan/test_cache_file vulkan/test_candidates vulkan/test_device_memory_kind vulkan/test_device_requirements)
# gpu: they need a Vulkan device, which may be lavapipe.
set(tests_gpu
    bench/test_bench
    golden/test_drawn golden/test_golden golden/test_nests
    lib/test_effect_cases
    primitive/device_wide/test_compact primitive/device_wide/test_histogram primitive/device_wide/test_ranges primitive/device_wide/test_rows
    primitive/device_wide/test_scan primitive/device_wide/test_segmented_scan primitive/device_wide/test_stack_monoid
    primitive/test_look_back primitive/test_sort primitive/test_sort_ring primitive/test_tuning
    property/test_compositions property/test_crowds property/test_effect_frames property/test_hidden_dashes property/test_image_edges
    property/test_paint_refusals property/test_property property/test_property_strokes property/test_regions
    render/gpu/test_windows render/gpu/test_boxes_in_flight render/gpu/test_effect_kernels render/gpu/test_gpu_cancel render/gpu/test_decode_to_flatten render/gpu/test_faults render/gpu/test_flight render/gpu/test_record render/gpu/test_when_full render/gpu/test_shrink render/gpu/test_resident_stream render/gpu/test_instance_frames_in_flight render/gpu/test_external_images render/frame/test_frame_work
    render/gpu/test_image_target render/gpu/test_packed_sheets
    render/gpu/test_portable
    render/gpu/test_programs render/gpu/test_stage_compare render/gpu/test_stages render/gpu/test_tile_lines_to_range
    vulkan/test_cache vulkan/test_open vulkan/test_recorder vulkan/test_reload vulkan/test_without)
# slow: they take minutes and run at night.
set(tests_slow
    memory/test_out_of_memory_of_scenes
    render/gpu/test_packed_surfaces render/gpu/test_target)

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(SPIRV_DIS spirv-dis REQUIRED)

set(test_environment "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0")
if(PIETRA_SANITIZE)
    # An error must not look like one of the command's statuses. A failed allocation must reach the code, which handles it.
    list(APPEND test_environment PIETRA_SANITIZED=1 ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1)
endif()

# What the quick tests need. The sanitized build makes no more.
add_custom_target(quick_tests)

# The time limit ends tests that hang. The longest test takes minutes on two idle cores, and cores may be busy.
function(pietra_describe_test test label)
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT 3000 ENVIRONMENT "${test_environment}")
endfunction()

# Several tests share the other sources below tests, except the fuzz targets.
file(GLOB support_sources CONFIGURE_DEPENDS tests/*/*.c tests/*/*/*.c)
list(FILTER support_sources EXCLUDE REGEX "/(test|fuzz)_[^/]*$|/tests/(command|package|view)/")
if(support_sources)
    add_library(pietra_test_support STATIC ${support_sources})
    target_link_libraries(pietra_test_support PUBLIC pietra_internal PkgConfig::PNG PkgConfig::LIBDEFLATE m)
    target_compile_options(pietra_test_support PRIVATE -UNDEBUG)
    target_compile_definitions(pietra_test_support PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PIETRA_BINARY_DIR="${CMAKE_BINARY_DIR}")
endif()

function(pietra_add_test program label)
    cmake_path(GET program FILENAME test)
    add_executable(${test} tests/${program}.c)
    target_link_libraries(${test} PRIVATE $<$<TARGET_EXISTS:pietra_test_support>:pietra_test_support> pietra_primitives pietra_internal PkgConfig::CMOCKA)
    target_compile_definitions(${test} PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PIETRA_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_compile_options(${test} PRIVATE -UNDEBUG)
    set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${test} COMMAND ${test} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_describe_test(${test} ${label})
    if(label STREQUAL quick)
        add_dependencies(quick_tests ${test})
    endif()
endfunction()

file(GLOB_RECURSE unlisted CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/test_*.c)
list(TRANSFORM unlisted REPLACE "\\.c$" "")
list(REMOVE_ITEM unlisted ${tests_quick} ${tests_gpu} ${tests_slow})
if(unlisted)
    message(FATAL_ERROR "cmake/tests.cmake gives no label to: ${unlisted}")
endif()
if(NOT PIETRA_DEV)
    list(REMOVE_ITEM tests_gpu vulkan/test_reload)
endif()
foreach(label quick gpu slow)
    foreach(program IN LISTS tests_${label})
        pietra_add_test(${program} ${label})
    endforeach()
endforeach()

function(pietra_test_portable test label)
    string(REPLACE _portable "" program ${test})
    add_test(NAME ${test} COMMAND ${program} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_describe_test(${test} ${label})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT PIETRA_TEST_WITHOUT=all)
endfunction()

# Tests the primitives again on a device that lacks every optional feature. Those that take longest run at night;
# test_portable draws whole frames with the same kernels by day.
foreach(test test_effect_kernels_portable test_histogram_portable test_look_back_portable)
    pietra_test_portable(${test} gpu)
endforeach()
foreach(test test_compact_portable test_scan_portable test_segmented_scan_portable test_sort_portable test_sort_ring_portable test_stack_monoid_portable)
    pietra_test_portable(${test} slow)
endforeach()

# Tests every size. The default run tests the sizes at which something changes (tests/all_sizes.h).
foreach(name blur_error bounds compact crowds decode_to_flatten effect_kernels exact_strokes faults golden instance_frames_in_flight kernel_sets look_back nests out_of_memory outlines packed_sheets png
             portable power property property_strokes scan segmented_scan small_budgets sort sort_ring stack_monoid stages svg_bad_input threads tile_lines_to_range
             warm_frames)
    set(test test_${name})
    add_test(NAME ${test}_all_sizes COMMAND ${test} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_describe_test(${test}_all_sizes slow)
    set_property(TEST ${test}_all_sizes APPEND PROPERTY ENVIRONMENT PIETRA_TEST_ALL_SIZES=1)
endforeach()

# The longest tests start first if several run at once. One of them at the end would leave cores idle. Before them comes one that
# draws whole frames, beside primitives: the driver keeps the programs that it compiles, and two such tests at a time would compile
# the same ones.
set_property(TEST test_drawn test_sort test_sort_ring test_stack_monoid PROPERTY COST 2000)
set_property(TEST test_nests test_property test_golden test_portable PROPERTY COST 1000)

# This test counts the library's allocations.
foreach(function malloc calloc realloc aligned_alloc posix_memalign)
    target_link_options(test_warm_frames PRIVATE -Wl,--wrap=${function})
endforeach()

# These tests make them fail.
foreach(function malloc calloc posix_memalign)
    target_link_options(test_effects_memory PRIVATE -Wl,--wrap=${function})
    target_link_options(test_composition_memory PRIVATE -Wl,--wrap=${function})
endforeach()
target_link_options(test_composition_memory PRIVATE -Wl,--wrap=realloc)

# This test counts the effects that run.
target_link_options(test_effect_budget PRIVATE -Wl,--wrap=effect_run)

# This test reads what is bound, and makes submissions fail.
foreach(function gpu_dispatch gpu_dispatch_indirect gpu_recorder_submit)
    target_link_options(test_windows PRIVATE -Wl,--wrap=${function})
endforeach()

# This test also puts sheets into other places.
foreach(function gpu_dispatch gpu_dispatch_indirect gpu_recorder_submit gpu_effects_run effect_dispatches_make sheet_pack)
    target_link_options(test_packed_sheets PRIVATE -Wl,--wrap=${function})
endforeach()

# This test counts what the CPU draws for the GPU, too.
foreach(function malloc calloc realloc gpu_recorder_submit cpu_renderer_draw sheet_pack)
    target_link_options(test_packed_surfaces PRIVATE -Wl,--wrap=${function})
endforeach()

# This program makes stages of the reference do something wrong.
foreach(stage 01_decode 03_cull 04_flatten 05_tile_lines 06_sort 07_wind 09_coarse 10_fine)
    target_link_options(test_stage_compare PRIVATE -Wl,--wrap=reference_${stage})
endforeach()

foreach(test test_png test_out_of_memory test_out_of_memory_of_scenes)
    target_link_libraries(${test} PRIVATE pietra_png)
endforeach()
target_sources(test_memory_limit PRIVATE ${CMAKE_SOURCE_DIR}/tools/render/memory_limit.c)
target_include_directories(test_memory_limit PRIVATE tools/render)
set(sandbox_sources sandbox sandbox_calls sandbox_files sandbox_fonts sandbox_libraries sandbox_links sandbox_plain line name path sources report progress temporary)
list(TRANSFORM sandbox_sources PREPEND ${CMAKE_SOURCE_DIR}/tools/render/)
list(TRANSFORM sandbox_sources APPEND .c)
target_sources(test_sandbox PRIVATE ${sandbox_sources})
target_include_directories(test_sandbox PRIVATE tools/render)
target_compile_definitions(test_sandbox PRIVATE ${opened_names})

# Reading fails on demand.
target_link_options(test_private_file PRIVATE -Wl,--wrap=read)

# The benchmark without its main function. What it calls fails on demand or is replaced.
list(FILTER bench_sources EXCLUDE REGEX "/main\\.c$")
set(test_bench_wraps gpu_buffer_create gpu_dispatch gpu_dispatch_indirect)
set(test_tune_groups_wraps gpu_get_limits gpu_program_create gpu_program_destroy gpu_dispatch gpu_dispatch_indirect gpu_barrier
    gpu_barrier_dispatches gpu_fill bench_seconds case_make_buffers case_fill case_time fill_words)
foreach(test test_bench test_tune_groups)
    target_sources(${test} PRIVATE ${bench_sources})
    target_include_directories(${test} PRIVATE tools/bench)
    target_link_libraries(${test} PRIVATE m)
    list(TRANSFORM ${test}_wraps PREPEND "-Wl,--wrap=" OUTPUT_VARIABLE wraps)
    target_link_options(${test} PRIVATE ${wraps})
endforeach()

# Scripts, which need no compiler.
add_test(NAME spirv_check COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/spirv_check/spirv_check.py ${PIETRA_GENERATED}/spv)
pietra_describe_test(spirv_check quick)

foreach(name usage options outputs formats names tiles info trace heatmap report bad_input sandbox fonts)
    add_test(NAME command_${name} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/${name}.py)
    pietra_describe_test(command_${name} quick)
endforeach()
add_test(NAME command_bad_input_all_sizes COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/bad_input.py)
pietra_describe_test(command_bad_input_all_sizes slow)
set_property(TEST command_bad_input_all_sizes APPEND PROPERTY ENVIRONMENT PIETRA_TEST_ALL_SIZES=1)
foreach(name usage options outputs formats names tiles info trace heatmap report bad_input bad_input_all_sizes sandbox fonts)
    set_property(TEST command_${name} APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render> PIETRA_SOURCE=${CMAKE_SOURCE_DIR})
endforeach()

# Tests --explain, and batches, also of a command with faults.
add_executable(render_faulty ${render_sources} tests/command/fault.c)
target_include_directories(render_faulty PRIVATE src)
target_include_directories(render_faulty SYSTEM PRIVATE ${IMAGES_INCLUDE_DIRS})
target_link_libraries(render_faulty PRIVATE pietra_internal pietra_png m)
target_link_options(render_faulty PRIVATE -Wl,--wrap=reference_07_wind,--wrap=pietra_render)
target_compile_definitions(render_faulty PRIVATE $<TARGET_PROPERTY:render,COMPILE_DEFINITIONS>)
set_target_properties(render_faulty PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME command_explain COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/explain.py)
add_test(NAME command_explain_gpu COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/explain_gpu.py)
pietra_describe_test(command_explain quick)
pietra_describe_test(command_explain_gpu gpu)
set_property(TEST command_outputs APPEND PROPERTY ENVIRONMENT PIETRA_FAULTY_RENDER=$<TARGET_FILE:render_faulty>)
foreach(name explain explain_gpu)
    set_property(TEST command_${name} APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render> PIETRA_SOURCE=${CMAKE_SOURCE_DIR}
                                                                  PIETRA_FAULTY_RENDER=$<TARGET_FILE:render_faulty>)
endforeach()

# Draws hostile documents by the release, under limits of time and memory. Documents that end soon are drawn by day, all at night.
if(NOT PIETRA_SANITIZE)
    add_test(NAME command_replay COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.py --few)
    add_test(NAME command_replay_all COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.py)
    pietra_describe_test(command_replay quick)
    set_property(TEST command_replay PROPERTY COST 1000)
    pietra_describe_test(command_replay_all slow)
    set_property(TEST command_replay command_replay_all
                 APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render>)
endif()

add_test(NAME includes COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/architecture/includes.py ${CMAKE_SOURCE_DIR})
pietra_describe_test(includes quick)

# The programs that use the package are not compiled with our sanitizers.
if(NOT PIETRA_SANITIZE)
    add_test(NAME package COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/package/package.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}
                                  ${CMAKE_C_COMPILER})
    pietra_describe_test(package quick)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PIETRA_SANITIZE)
    if(TARGET pietra-view)
        set(viewer $<TARGET_FILE:pietra-view>)
    endif()
    add_test(NAME hardened COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/package/hardened.py ${CMAKE_READELF} $<TARGET_FILE:render>
                                   $<TARGET_FILE:pietra> ${viewer})
    pietra_describe_test(hardened quick)
endif()

add_test(NAME distinct COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/package/distinct.py ${CMAKE_NM} $<TARGET_FILE:pietra_internal>
                               $<TARGET_FILE:pietra_primitives>)
pietra_describe_test(distinct quick)

add_test(NAME command_bench COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/bench.py)
pietra_describe_test(command_bench gpu)
set_property(TEST command_bench APPEND PROPERTY ENVIRONMENT PIETRA_BENCH=$<TARGET_FILE:bench> PIETRA_SOURCE=${CMAKE_SOURCE_DIR})

add_test(NAME command_coverage_error COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/coverage_error.py)
pietra_describe_test(command_coverage_error quick)
set_property(TEST command_coverage_error APPEND PROPERTY ENVIRONMENT PIETRA_COVERAGE_ERROR=$<TARGET_FILE:coverage_error>)

# The viewer and the example in windows of Xvfb, also a viewer whose device is lost. Without SDL2 their tests stand in the list as
# ones that are not run.
if(TARGET pietra-view)
    add_executable(pietra-view-faulty ${view_sources} tests/view/fault.c)
    target_include_directories(pietra-view-faulty PRIVATE src tools)
    target_link_libraries(pietra-view-faulty PRIVATE pietra_options pietra_static PkgConfig::SDL2 m)
    target_link_options(pietra-view-faulty PRIVATE -Wl,--wrap=pietra_view_submit,--wrap=pietra_view_submit_vulkan,--wrap=pietra_view_wait,--wrap=SDL_Vulkan_GetVkGetInstanceProcAddr)
    # Windows are found by the name of the program.
    set_target_properties(pietra-view-faulty PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/view OUTPUT_NAME pietra-view)
    add_dependencies(quick_tests pietra-view pietra-view-faulty)
    set(windows PIETRA_VIEW=$<TARGET_FILE:pietra-view> PIETRA_FAULTY_VIEW=$<TARGET_FILE:pietra-view-faulty> PIETRA_WINDOW=$<TARGET_FILE:example_window>)
endif()
foreach(name view view_gpu window)
    add_test(NAME ${name} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/view/${name}.py)
    if(name STREQUAL view)
        pietra_describe_test(${name} quick)
    else()
        pietra_describe_test(${name} gpu)
    endif()
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render> PIETRA_SOURCE=${CMAKE_SOURCE_DIR} ${windows})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    if(NOT TARGET pietra-view)
        set_tests_properties(${name} PROPERTIES DISABLED TRUE)
    endif()
endforeach()

# The Python package from the build tree, by pytest.
if(PIETRA_PYTHON)
    set(pytest ${python} -B -m pytest -q -p no:cacheprovider ${CMAKE_SOURCE_DIR}/tests/python)
    add_test(NAME python COMMAND ${pytest} -m "not gpu")
    add_test(NAME python_gpu COMMAND ${pytest} -m gpu)
    pietra_describe_test(python quick)
    pietra_describe_test(python_gpu gpu)
    foreach(test python python_gpu)
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT PIETRA_SOURCE=${CMAKE_SOURCE_DIR} PIETRA_RENDER=$<TARGET_FILE:render>
                                                              PYTHONPATH=${CMAKE_BINARY_DIR}/python)
    endforeach()
    add_dependencies(quick_tests python_native python_pixels)
endif()

# Scripts that are quick tests run these.
add_dependencies(quick_tests coverage_error pietra pietra_primitives pietra_static render render_faulty)
