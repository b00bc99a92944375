# tests/<module>/test_<name>.c is one program and one test. Its label follows from its name: test_gpu_* needs a Vulkan device
# (lavapipe will do), test_slow_* takes minutes, all others are quick.

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(SPIRV_DIS spirv-dis REQUIRED)

set(test_environment "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0")
if(PIETRA_SANITIZE)
    # An error must not look like one of the command's statuses, and memory that cannot be had is for the code to handle.
    list(APPEND test_environment PIETRA_SANITIZED=1 ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1)
endif()

# The limit of time is for what hangs: the longest test takes minutes on two idle cores and may find busy ones.
function(pietra_describe_test test label)
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT 3000 ENVIRONMENT "${test_environment}")
endfunction()

# What several tests share: every other source below tests, but for the fuzz targets.
file(GLOB support_sources CONFIGURE_DEPENDS tests/*/*.c tests/*/*/*.c)
list(FILTER support_sources EXCLUDE REGEX "/(test|fuzz)_[^/]*$|/tests/(command|package)/")
if(support_sources)
    add_library(pietra_test_support STATIC ${support_sources})
    target_link_libraries(pietra_test_support PUBLIC pietra_internal PkgConfig::PNG m)
    target_compile_options(pietra_test_support PRIVATE -UNDEBUG)
    target_compile_definitions(pietra_test_support PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PIETRA_BINARY_DIR="${CMAKE_BINARY_DIR}")
endif()

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c tests/*/*/test_*.c)
if(NOT PIETRA_DEV)
    list(FILTER test_sources EXCLUDE REGEX "/test_gpu_reload\\.c$")
endif()
foreach(source IN LISTS test_sources)
    cmake_path(GET source STEM stem)
    add_executable(${stem} ${source})
    target_link_libraries(${stem} PRIVATE $<$<TARGET_EXISTS:pietra_test_support>:pietra_test_support> pietra_primitives pietra_internal PkgConfig::CMOCKA)
    target_compile_definitions(${stem} PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PIETRA_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_compile_options(${stem} PRIVATE -UNDEBUG)
    set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${stem} COMMAND ${stem} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set(label quick)
    if(stem MATCHES "^test_(gpu|slow)_")
        set(label ${CMAKE_MATCH_1})
    endif()
    pietra_describe_test(${stem} ${label})
endforeach()

# The primitives again on a device that lacks all that it may lack.
foreach(primitive compact histogram look_back scan segmented_scan sort stack_monoid)
    set(test test_gpu_${primitive})
    add_test(NAME ${test}_portable COMMAND ${test} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_describe_test(${test}_portable gpu)
    set_property(TEST ${test}_portable APPEND PROPERTY ENVIRONMENT PIETRA_TEST_WITHOUT=all)
endforeach()

# Every size, where the default run takes those at which something changes (tests/all_sizes.h).
foreach(name compact scan segmented_scan sort stack_monoid nests property stages)
    set(test test_gpu_${name})
    add_test(NAME ${test}_all_sizes COMMAND ${test} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_describe_test(${test}_all_sizes slow)
    set_property(TEST ${test}_all_sizes APPEND PROPERTY ENVIRONMENT PIETRA_TEST_ALL_SIZES=1)
endforeach()

# The longest, first where several run at once: one of them at the end leaves cores idle.
set_property(TEST test_gpu_sort test_gpu_sort_portable test_gpu_nests test_gpu_property PROPERTY COST 1000)

# Counts what the library allocates.
foreach(function malloc calloc realloc aligned_alloc posix_memalign)
    target_link_options(test_warm_frames PRIVATE -Wl,--wrap=${function})
endforeach()

# Looks at what is bound, and makes submissions fail.
foreach(function gpu_dispatch gpu_dispatch_indirect gpu_recorder_submit)
    target_link_options(test_gpu_bands PRIVATE -Wl,--wrap=${function})
endforeach()

# Makes stages of the reference do something wrong.
foreach(stage 01_decode 07_wind 09_coarse 10_fine)
    target_link_options(test_gpu_explain PRIVATE -Wl,--wrap=reference_${stage})
endforeach()

foreach(test test_png test_out_of_memory test_slow_out_of_memory)
    target_link_libraries(${test} PRIVATE pietra_png)
endforeach()
target_sources(test_memory_limit PRIVATE ${CMAKE_SOURCE_DIR}/tools/render/memory_limit.c)
target_include_directories(test_memory_limit PRIVATE tools/render)
set(sandbox_sources sandbox sandbox_calls sandbox_files sandbox_libraries sources report progress temporary)
list(TRANSFORM sandbox_sources PREPEND ${CMAKE_SOURCE_DIR}/tools/render/)
list(TRANSFORM sandbox_sources APPEND .c)
target_sources(test_sandbox PRIVATE ${sandbox_sources})
target_include_directories(test_sandbox PRIVATE tools/render)
target_compile_definitions(test_sandbox PRIVATE ${image_names})

# The benchmark without its main function; what stands behind it fails on demand, or is replaced.
list(FILTER bench_sources EXCLUDE REGEX "/main\\.c$")
set(test_gpu_bench_wraps gpu_buffer_create gpu_dispatch gpu_dispatch_indirect)
set(test_tune_groups_wraps gpu_get_limits gpu_program_create gpu_program_destroy gpu_dispatch gpu_dispatch_indirect gpu_barrier
    gpu_barrier_dispatches gpu_fill bench_seconds case_make_buffers case_fill case_time fill_words)
foreach(test test_gpu_bench test_tune_groups)
    target_sources(${test} PRIVATE ${bench_sources})
    target_include_directories(${test} PRIVATE tools/bench)
    target_link_libraries(${test} PRIVATE m)
    list(TRANSFORM ${test}_wraps PREPEND "-Wl,--wrap=" OUTPUT_VARIABLE wraps)
    target_link_options(${test} PRIVATE ${wraps})
endforeach()

# What needs no compiler: scripts.
add_test(NAME spirv_check COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/spirv_check/spirv_check.py ${PIETRA_GENERATED}/spv)
pietra_describe_test(spirv_check quick)

foreach(name usage outputs bad_input sandbox)
    add_test(NAME command_${name} COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/${name}.py)
    pietra_describe_test(command_${name} quick)
    set_property(TEST command_${name} APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render> PIETRA_SOURCE=${CMAKE_SOURCE_DIR})
endforeach()

# --explain, also of a command with a fault.
add_executable(render_faulty ${render_sources} tests/command/fault.c)
target_include_directories(render_faulty PRIVATE src)
target_link_libraries(render_faulty PRIVATE pietra_internal pietra_png m)
target_link_options(render_faulty PRIVATE -Wl,--wrap=reference_07_wind)
target_compile_definitions(render_faulty PRIVATE $<TARGET_PROPERTY:render,COMPILE_DEFINITIONS>)
set_target_properties(render_faulty PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME command_explain COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/explain.py)
add_test(NAME command_explain_gpu COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/explain_gpu.py)
pietra_describe_test(command_explain quick)
pietra_describe_test(command_explain_gpu gpu)
foreach(name explain explain_gpu)
    set_property(TEST command_${name} APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render> PIETRA_SOURCE=${CMAKE_SOURCE_DIR}
                                                                  PIETRA_FAULTY_RENDER=$<TARGET_FILE:render_faulty>)
endforeach()

# Hostile documents against limits of time and memory, as released.
if(NOT PIETRA_SANITIZE)
    add_test(NAME command_replay COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.py)
    pietra_describe_test(command_replay quick)
    set_property(TEST command_replay APPEND PROPERTY ENVIRONMENT PIETRA_RENDER=$<TARGET_FILE:render>)
endif()

add_test(NAME includes COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/architecture/includes.py ${CMAKE_SOURCE_DIR})
pietra_describe_test(includes quick)

# Strangers are not compiled with our sanitizers.
if(NOT PIETRA_SANITIZE)
    add_test(NAME package COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/package/package.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}
                                  ${CMAKE_C_COMPILER})
    pietra_describe_test(package quick)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PIETRA_SANITIZE)
    add_test(NAME hardened COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/package/hardened.py ${CMAKE_READELF} $<TARGET_FILE:render>
                                   $<TARGET_FILE:pietra>)
    pietra_describe_test(hardened quick)
endif()

add_test(NAME command_bench COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tests/command/bench.py)
pietra_describe_test(command_bench gpu)
set_property(TEST command_bench APPEND PROPERTY ENVIRONMENT PIETRA_BENCH=$<TARGET_FILE:bench> PIETRA_SOURCE=${CMAKE_SOURCE_DIR})
