# SPDX-License-Identifier: Apache-2.0 OR MIT
# Takes the static library of another build tree, with what it links. So a wheel is made without building the library again.

include(cmake/dependencies.cmake)
add_library(pietra_static STATIC IMPORTED)
set_target_properties(pietra_static PROPERTIES IMPORTED_LOCATION ${PIETRA_BUILT}/libpietra.a)
target_link_libraries(pietra_static INTERFACE ${library_dependencies})
