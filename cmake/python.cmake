# SPDX-License-Identifier: Apache-2.0 OR MIT
# The Python package: two modules of C, made for the stable interface of Python 3.9 and later, beside python/pietra. In a build
# tree it lies in <build>/python, for the tests. A wheel has what the component `python` installs, and the files of
# python/pietra (pyproject.toml). Nothing else installs that component.

# Any interpreter with cffi and headers will do, because the modules depend on none. The tests also need numpy and pytest.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(needed "cffi")
if(BUILD_TESTING)
    set(needed "cffi, numpy, pytest")
endif()
set(ask_python "import ${needed}, os, sysconfig; path = sysconfig.get_path('include'); os.stat(path + '/Python.h'); print(path, end='')")
foreach(candidate ${PIETRA_PYTHON_EXECUTABLE} ${Python3_EXECUTABLE} /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "${ask_python}" OUTPUT_VARIABLE python_include RESULT_VARIABLE failed ERROR_QUIET)
    if(failed EQUAL 0)
        set(python ${candidate})
        break()
    endif()
endforeach()
if(NOT python)
    message(FATAL_ERROR "No Python has ${needed} and Python.h (Debian: python3-cffi python3-numpy python3-pytest python3-dev). -DPIETRA_PYTHON=OFF leaves its package out.")
endif()

set(native_source ${CMAKE_BINARY_DIR}/generated/python/native_module.c)
file(GLOB public_headers CONFIGURE_DEPENDS include/pietra/*.h)
add_custom_command(
    OUTPUT ${native_source}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/python
    COMMAND ${python} ${CMAKE_SOURCE_DIR}/python/native/make_module.py ${CMAKE_C_COMPILER} ${CMAKE_SOURCE_DIR}/include ${native_source}
    DEPENDS python/native/make_module.py python/native/native.h ${public_headers}
    COMMENT "Making Python's view of the public headers"
    VERBATIM)

set(python_tree ${CMAKE_BINARY_DIR}/python/pietra)
function(pietra_add_python_module name limited_api)
    add_library(python_${name} MODULE ${ARGN})
    set_target_properties(python_${name} PROPERTIES OUTPUT_NAME _${name} PREFIX "" SUFFIX .abi3.so LIBRARY_OUTPUT_DIRECTORY ${python_tree})
    target_include_directories(python_${name} SYSTEM PRIVATE ${python_include})
    target_compile_definitions(python_${name} PRIVATE Py_LIMITED_API=${limited_api})
    target_link_libraries(python_${name} PRIVATE pietra_options)
    install(TARGETS python_${name} LIBRARY DESTINATION pietra COMPONENT python EXCLUDE_FROM_ALL)
endfunction()

pietra_add_python_module(native 0x03090000 ${native_source} python/native/native.c)
target_include_directories(python_native PRIVATE python/native include)
target_link_libraries(python_native PRIVATE pietra_static)
# The library's functions are the module's own: other modules of the process may have another version of it.
target_link_options(python_native PRIVATE LINKER:--exclude-libs,ALL)
# What cffi writes converts numbers without casts.
set_source_files_properties(${native_source} PROPERTIES COMPILE_OPTIONS "-w;$<$<CONFIG:Release>:-O1>")

# Packed documents need libdeflate, which few systems are sure to have. So a wheel has it beside the module that opens it.
file(REAL_PATH ${PIETRA_PACKING_DEFLATE_LIBRARY} deflate_file)
install(FILES ${deflate_file} DESTINATION pietra COMPONENT python EXCLUDE_FROM_ALL RENAME ${PACKING_DEFLATE_SONAME})
set_target_properties(python_native PROPERTIES INSTALL_RPATH "$ORIGIN")

# Buffers are in the stable interface since 3.11. pixels.c says why it runs on 3.9.
pietra_add_python_module(pixels 0x030b0000 python/native/pixels.c)

# The tree for tests has links to the sources, so that a change needs no build.
file(GLOB python_sources CONFIGURE_DEPENDS python/pietra/*.py python/pietra/*.pyi python/pietra/py.typed)
file(MAKE_DIRECTORY ${python_tree})
foreach(source IN LISTS python_sources)
    cmake_path(GET source FILENAME name)
    file(CREATE_LINK ${source} ${python_tree}/${name} SYMBOLIC)
endforeach()
