# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the headers, both libraries, the command and its man page, the licences, a pkg-config file and a CMake package.

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pietra)

install(TARGETS pietra pietra_static EXPORT pietra_targets)
install(TARGETS render)
install(DIRECTORY include/pietra TYPE INCLUDE)
install(FILES LICENSE LICENSE-APACHE LICENSE-MIT TYPE DOC)
install(FILES docs/render.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Paths are relative to the file itself, so that they hold under any prefix.
file(RELATIVE_PATH prefix_from_package ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH libraries_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH includes_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/pietra.pc.in pietra.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pietra.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/pietraConfig.cmake.in pietraConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(pietraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pietraConfig.cmake ${CMAKE_BINARY_DIR}/pietraConfigVersion.cmake
        DESTINATION ${package_folder})
install(EXPORT pietra_targets NAMESPACE pietra:: DESTINATION ${package_folder})
