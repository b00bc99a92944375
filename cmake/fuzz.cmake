# tests/fuzz/fuzz_<name>.c is one libFuzzer target; its seeds lie in tests/fuzz/corpus/<name>/.

target_compile_options(pietra_options INTERFACE -fsanitize=fuzzer-no-link)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM stem)
    add_executable(${stem} ${source})
    target_link_libraries(${stem} PRIVATE pietra_internal)
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
endforeach()
