# Installation: headers, library, program, models, and the package files for find_package(pawl).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pawl)

install(TARGETS pawl EXPORT pawl-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Libraries that travel with the program (the tarball of `./dev package`) are found beside it.
set_target_properties(pawl_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/pawl")
install(TARGETS pawl_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The Python package as Debian has them; elsewhere set it to the site-packages of a Python.
set(PAWL_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python package is installed")
if(TARGET pawl_core)
    set_target_properties(pawl_core PROPERTIES INSTALL_RPATH "$ORIGIN/../../../pawl")
    install(TARGETS pawl_core LIBRARY DESTINATION ${PAWL_PYTHON_DIR}/pawl OPTIONAL)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/pawl DESTINATION ${PAWL_PYTHON_DIR}
            OPTIONAL FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
            PATTERN "__pycache__" EXCLUDE)
endif()
# The public headers: pawl.h and what it includes, directly or not. The others stay inside.
set(public_headers pawl.h)
set(to_read pawl.h)
while(to_read)
    list(POP_FRONT to_read header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/src/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "^#include \"")
    foreach(include IN LISTS includes)
        string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" include "${include}")
        if(NOT include IN_LIST public_headers)
            list(APPEND public_headers ${include})
            list(APPEND to_read ${include})
        endif()
    endforeach()
endwhile()
foreach(header IN LISTS public_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/src/${header}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pawl/${folder})
endforeach()
install(FILES ${model_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/pawl/models)
# The page of the studio, where ./dev studio has built it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/engine/studio/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pawl/studio OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT pawl-targets NAMESPACE pawl:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pawl-config.cmake.in
    ${PROJECT_BINARY_DIR}/pawl-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pawl-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pawl-config.cmake
              ${PROJECT_BINARY_DIR}/pawl-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindARKODE.cmake
        DESTINATION ${package_dir})
