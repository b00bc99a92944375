# tests/<module>/test_<name>.c is one program and one test. Its label follows from its name: test_gpu_* needs a Vulkan device
# (lavapipe will do), test_slow_* runs at night only when its name says so in ctest -L slow, all others are quick.

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)

function(pietra_label test)
    if(test MATCHES "^test_gpu_")
        set(labels gpu)
    elseif(test MATCHES "^test_slow_")
        set(labels slow)
    else()
        set(labels quick)
    endif()
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT 600)
endfunction()

# What several tests share: every other source below tests, but for the fuzz targets.
file(GLOB support_sources CONFIGURE_DEPENDS tests/*/*.c)
list(FILTER support_sources EXCLUDE REGEX "/(test|fuzz)_[^/]*$")
if(support_sources)
    add_library(pietra_test_support STATIC ${support_sources})
    target_link_libraries(pietra_test_support PUBLIC pietra_internal PkgConfig::PNG m)
    target_compile_options(pietra_test_support PRIVATE -UNDEBUG)
endif()

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source IN LISTS test_sources)
    cmake_path(GET source STEM stem)
    add_executable(${stem} ${source})
    target_link_libraries(${stem} PRIVATE $<$<TARGET_EXISTS:pietra_test_support>:pietra_test_support> pietra_internal PkgConfig::CMOCKA)
    target_compile_definitions(${stem} PRIVATE PIETRA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PIETRA_BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_compile_options(${stem} PRIVATE -UNDEBUG)
    set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${stem} COMMAND ${stem} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    pietra_label(${stem})
endforeach()
