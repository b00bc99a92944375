# SPDX-License-Identifier: Apache-2.0 OR MIT
# The target pietra_options has the options with which every C file is compiled.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
# Sanitizers name functions and lines; more would only make objects larger and links slower.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

add_library(pietra_options INTERFACE)
# Contraction would change the bytes of a picture from compiler to compiler.
target_compile_options(pietra_options INTERFACE -Wall -Wextra -Wconversion -ffp-contract=off -fno-math-errno)
target_compile_definitions(pietra_options INTERFACE _POSIX_C_SOURCE=200809L)
if(PIETRA_WERROR)
    target_compile_options(pietra_options INTERFACE -Werror)
endif()
if(PIETRA_SANITIZE)
    target_compile_options(pietra_options INTERFACE -fsanitize=${PIETRA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(pietra_options INTERFACE -fsanitize=${PIETRA_SANITIZE})
endif()

# Release is hardened against files from strangers. Stacks and buffers of known size are checked, large stack frames touch
# every page, and what the loader fills in is read-only before main. Sanitizers check more and exclude these options.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
if(NOT PIETRA_SANITIZE)
    include(CheckCCompilerFlag)
    set(hardened -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    # Clang supports this for some processors only, and warns for the others.
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(-fstack-clash-protection PIETRA_HAS_STACK_CLASH_PROTECTION)
    unset(CMAKE_REQUIRED_FLAGS)
    if(PIETRA_HAS_STACK_CLASH_PROTECTION)
        list(APPEND hardened -fstack-clash-protection)
    endif()
    target_compile_options(pietra_options INTERFACE "$<$<CONFIG:Release>:${hardened}>")
    target_link_options(pietra_options INTERFACE $<$<CONFIG:Release>:LINKER:-z,relro,-z,now>)
endif()
