# SPDX-License-Identifier: Apache-2.0 OR MIT
# What cpack makes: Debian packages of the library, of what is built with it, of the command, and of the viewer where it is built. `cmake --preset deb` configures
# a build for them; .ci/nightly builds, checks and installs them.

# The packages of the libraries that are opened at run time: those in which dpkg found what this build found.
set(recommended libvulkan1)
get_cmake_property(variables CACHE_VARIABLES)
find_program(DPKG_QUERY dpkg-query)
mark_as_advanced(DPKG_QUERY)
foreach(variable IN LISTS variables)
    if(DPKG_QUERY AND variable MATCHES "^PIETRA_(IMAGE|FONT|TEXT|PACKING)_[A-Z_]+_LIBRARY$")
        file(REAL_PATH ${${variable}} file)
        cmake_path(GET file FILENAME file)
        execute_process(COMMAND ${DPKG_QUERY} -S "*/${file}" OUTPUT_VARIABLE found ERROR_QUIET)
        if(found MATCHES "^([a-z0-9.+-]+):")
            list(APPEND recommended ${CMAKE_MATCH_1})
        endif()
    endif()
endforeach()
list(REMOVE_DUPLICATES recommended)
list(SORT recommended)
list(JOIN recommended ", " recommended)

set(PIETRA_MAINTAINER "The Pietra authors <maintainers@pietra.invalid>" CACHE STRING "Whom Debian packages name as their maintainer")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pietra)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # else it becomes the first line of each description
set(CPACK_PACKAGE_CONTACT "${PIETRA_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development command)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_BINARY_DIR}/package_files.cmake)
configure_file(cmake/package_files.cmake.in package_files.cmake @ONLY)

function(pietra_package component name section summary text)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
endfunction()
set(what "Pietra draws 2D vector scenes and SVG documents by a compute pipeline,
on a GPU through Vulkan or on the CPU, with the same bytes on every device.")
pietra_package(library libpietra0 libs "2D vector scenes on the GPU or the CPU (library)"
"${what}

This is the shared library. It opens the libraries of Vulkan, of image
formats, of fonts, of text and of packed files when a picture needs them.")
pietra_package(development libpietra-dev libdevel "2D vector scenes on the GPU or the CPU (development files)"
"${what}

These are the headers, the static library, and what pkg-config and CMake
read.")
pietra_package(command pietra graphics "SVG files drawn as PNG, JPEG, WebP and other pictures"
"render draws SVG documents on a GPU through Vulkan or on the CPU, with the
same bytes on every device: one file, or folders of them on all cores, in
several sizes, or by their elements. It gives up the rights that drawing
does not need before it reads a document.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/triggers)
file(WRITE ${CMAKE_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "${recommended}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpietra0 (= ${PROJECT_VERSION}-1), libexpat1-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libvulkan-dev") # for pietra_vulkan.h
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "${recommended}")
if(TARGET pietra-view)
    list(APPEND CPACK_COMPONENTS_ALL viewer)
    pietra_package(viewer pietra-view graphics "SVG files in a window"
"${what}

pietra-view shows SVG documents in a window, and shows them anew when they
change. It tells which element lies under the pointer and where the work of
a frame lies.")
    set(CPACK_DEBIAN_VIEWER_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_VIEWER_PACKAGE_RECOMMENDS "${recommended}")
endif()
include(CPack)
