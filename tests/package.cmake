# Installs the build to a temporary prefix, then builds and runs the outside program in package/
# and the program of docs/simulation.md, which must print what the page says, with nothing but
# find_package(pawl).

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "failed (${result}): ${ARGN}")
    endif()
endfunction()

set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
file(READ ${CMAKE_CURRENT_LIST_DIR}/../docs/simulation.md page)
string(REGEX MATCH "```cpp\n(.*)\n```\n\nIt prints\n\n```\n([^`]*)```" found "${page}")
if(NOT found)
    message(FATAL_ERROR "docs/simulation.md has no program with what it prints")
endif()
set(expected "${CMAKE_MATCH_2}")
file(WRITE ${WORK_DIR}/simulation.cpp "${CMAKE_MATCH_1}\n")
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/package -B ${WORK_DIR}/build -G ${GENERATOR}
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DPAWL_EXPECTED_VERSION=${VERSION}"
    "-DPAWL_PROGRAM_OF_PAGE=${WORK_DIR}/simulation.cpp")
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/outside ${VERSION})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/../models/toggle_latch.toml DESTINATION ${WORK_DIR})
execute_process(COMMAND ${WORK_DIR}/build/simulation WORKING_DIRECTORY ${WORK_DIR}
    OUTPUT_VARIABLE printed RESULT_VARIABLE result)
if(result OR NOT printed STREQUAL expected)
    message(FATAL_ERROR "the program of docs/simulation.md ends with ${result} and prints\n${printed}")
endif()
run(${prefix}/bin/pawl --version)
