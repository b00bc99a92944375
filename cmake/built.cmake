# SPDX-License-Identifier: Apache-2.0 OR MIT
# Takes the static library of another build tree, with what it links. So a wheel is made without building the library again.

find_package(EXPAT 2.4.0 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET libdeflate)
add_library(pietra_static STATIC IMPORTED)
set_target_properties(pietra_static PROPERTIES IMPORTED_LOCATION ${PIETRA_BUILT}/libpietra.a)
target_link_libraries(pietra_static INTERFACE EXPAT::EXPAT PkgConfig::LIBDEFLATE Threads::Threads m ${CMAKE_DL_LIBS})
