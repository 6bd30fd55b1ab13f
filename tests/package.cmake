# Installs the build to a temporary prefix, then builds and runs the outside program in package/
# with nothing but find_package(pawl).

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "failed (${result}): ${ARGN}")
    endif()
endfunction()

set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/package -B ${WORK_DIR}/build -G ${GENERATOR}
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DPAWL_EXPECTED_VERSION=${VERSION}")
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/outside ${VERSION})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/../models/toggle_latch.toml DESTINATION ${WORK_DIR})
run(${CMAKE_COMMAND} -E chdir ${WORK_DIR} ${WORK_DIR}/build/simulation)
run(${prefix}/bin/pawl --version)
