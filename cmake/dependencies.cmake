# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the library links, whether it is built here or taken from another build tree.

find_package(EXPAT 2.4.0 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET libdeflate)
set(library_dependencies EXPAT::EXPAT PkgConfig::LIBDEFLATE Threads::Threads m ${CMAKE_DL_LIBS})
