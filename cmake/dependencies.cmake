# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the library needs, whether it is built here or taken from another build tree.

find_package(EXPAT 2.4.0 REQUIRED)
find_package(Threads REQUIRED)
set(library_dependencies EXPAT::EXPAT Threads::Threads m ${CMAKE_DL_LIBS})

# Finds a library that is opened when something needs it, and the name by which it is opened.
set(opened_names)
function(pietra_name_library kind library)
    find_library(PIETRA_${kind}_LIBRARY ${library} HINTS ${IMAGES_LIBRARY_DIRS} ${FONTS_LIBRARY_DIRS} ${LIBDEFLATE_LIBRARY_DIRS} REQUIRED)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${PIETRA_${kind}_LIBRARY} OUTPUT_VARIABLE facts COMMAND_ERROR_IS_FATAL ANY)
    if(NOT facts MATCHES "SONAME +([^ \n]+)")
        message(FATAL_ERROR "${PIETRA_${kind}_LIBRARY} is no shared library")
    endif()
    set(${kind}_SONAME ${CMAKE_MATCH_1} PARENT_SCOPE)
    set(opened_names ${opened_names} ${kind}_LIBRARY="${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pietra_name_library(PACKING_DEFLATE deflate)
