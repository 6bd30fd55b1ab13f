# The Python package `pawl`: the module _core, the files of apps/python/pawl, and what follows from
# the field lists of the library (generate.py), together in python/pawl of the build folder.
find_package(Python 3.9 COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 CONFIG QUIET)
if(NOT Python_FOUND OR NOT pybind11_FOUND)
    message(STATUS "No pybind11: the Python module is left out (Debian: pybind11-dev, python3-dev)")
    return()
endif()

set(package_source ${PROJECT_SOURCE_DIR}/apps/python)
set(package_build ${PROJECT_BINARY_DIR}/python/pawl)
pybind11_add_module(pawl_core MODULE NO_EXTRAS
    ${package_source}/module.cpp ${package_source}/facts.cpp ${package_source}/studies.cpp)
set_target_properties(pawl_core PROPERTIES
    OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package_build})
target_link_libraries(pawl_core PRIVATE pawl)
# Only the module's entry is seen from outside: another library of the process may bring its own copies.
target_link_options(pawl_core PRIVATE -Wl,--exclude-libs,ALL)
pawl_compile_options(pawl_core)

file(GLOB package_files CONFIGURE_DEPENDS ${package_source}/pawl/*.py ${package_source}/pawl/*.pyi
     ${package_source}/pawl/py.typed)
add_custom_command(
    OUTPUT ${package_build}/builder.py ${package_build}/facts.py
    COMMAND ${CMAKE_COMMAND} -E copy ${package_files} ${package_build}
    COMMAND ${Python_EXECUTABLE} ${package_source}/generate.py ${package_build}
    DEPENDS pawl_core ${package_files} ${package_source}/generate.py
    COMMENT "Completing the Python package"
    VERBATIM)
add_custom_target(pawl_python ALL DEPENDS ${package_build}/builder.py)
