# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the headers, both libraries, the command with its man page and completions, the viewer where it was built, the licences, a pkg-config file and a
# CMake package. The components are the packages of cmake/package.cmake.

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pietra)

install(TARGETS pietra pietra_static EXPORT pietra_targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development)
install(TARGETS render RUNTIME COMPONENT command)
install(DIRECTORY include/pietra TYPE INCLUDE COMPONENT development)
install(FILES LICENSE LICENSE-APACHE LICENSE-MIT TYPE DOC COMPONENT licences)
install(FILES docs/render.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)

if(TARGET pietra-view)
    install(TARGETS pietra-view RUNTIME COMPONENT viewer)
    install(FILES docs/pietra-view.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT viewer)
endif()

# The completions come from the command's own table of options. Debian's zsh looks for them in a folder of its own.
set(PIETRA_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of completions for zsh")
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    set(completions)
    foreach(shell bash zsh fish)
        set(script ${CMAKE_BINARY_DIR}/completions/${shell})
        add_custom_command(OUTPUT ${script} COMMAND render --completions ${shell} > ${script} DEPENDS render VERBATIM)
        list(APPEND completions ${script})
    endforeach()
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completions)
    add_custom_target(completions ALL DEPENDS ${completions})
    install(FILES ${CMAKE_BINARY_DIR}/completions/bash RENAME render COMPONENT command
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CMAKE_BINARY_DIR}/completions/zsh RENAME _render COMPONENT command DESTINATION ${PIETRA_ZSH_COMPLETIONS})
    install(FILES ${CMAKE_BINARY_DIR}/completions/fish RENAME render.fish COMPONENT command
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Paths are relative to the file itself, so that they hold under any prefix.
file(RELATIVE_PATH prefix_from_package ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH libraries_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH includes_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/pietra.pc.in pietra.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pietra.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

configure_package_config_file(cmake/pietraConfig.cmake.in pietraConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(pietraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pietraConfig.cmake ${CMAKE_BINARY_DIR}/pietraConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)
install(EXPORT pietra_targets NAMESPACE pietra:: DESTINATION ${package_folder} COMPONENT development)

# All that the packages hold.
add_custom_target(packaged)
add_dependencies(packaged pietra pietra_static render)
foreach(target completions pietra-view)
    if(TARGET ${target})
        add_dependencies(packaged ${target})
    endif()
endforeach()
