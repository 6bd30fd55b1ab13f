# Installation: headers, library, program, models, and the package files for find_package(pawl).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pawl)

install(TARGETS pawl EXPORT pawl-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS pawl_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pawl
        FILES_MATCHING PATTERN "*.h")
install(FILES ${model_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/pawl/models)
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
