# Finds ARKODE of SUNDIALS 6 and defines the target ARKODE::arkode. The library holds the serial vectors
# and dense matrices that go with it. SUNDIALS' own package file is not used: it asks for every parallel
# library (MPI, OpenMP, PETSc, hypre) that SUNDIALS was built with.
find_path(ARKODE_INCLUDE_DIR arkode/arkode_arkstep.h)
find_library(ARKODE_LIBRARY sundials_arkode)
mark_as_advanced(ARKODE_INCLUDE_DIR ARKODE_LIBRARY)

if(EXISTS "${ARKODE_INCLUDE_DIR}/sundials/sundials_config.h")
    file(STRINGS ${ARKODE_INCLUDE_DIR}/sundials/sundials_config.h version_line
         REGEX "#define SUNDIALS_VERSION \"")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" ARKODE_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ARKODE
    REQUIRED_VARS ARKODE_LIBRARY ARKODE_INCLUDE_DIR VERSION_VAR ARKODE_VERSION HANDLE_VERSION_RANGE)

if(ARKODE_FOUND AND NOT TARGET ARKODE::arkode)
    add_library(ARKODE::arkode UNKNOWN IMPORTED)
    set_target_properties(ARKODE::arkode PROPERTIES
        IMPORTED_LOCATION ${ARKODE_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${ARKODE_INCLUDE_DIR})
endif()
