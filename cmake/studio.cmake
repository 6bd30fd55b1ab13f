# The page of the studio (web/studio, on the stage of web/stage) from the engine, and its tests.
# Leaves a folder of files and the page as one file in build/engine/studio.

set(studio_dir ${root}/web/studio)
set(studio_tools ${PROJECT_BINARY_DIR}/studio_tools.stamp)
add_custom_command(
    OUTPUT ${studio_tools}
    COMMAND ${CMAKE_COMMAND} -D "NPM=${NPM_PROGRAM}" -D "FOLDER=${studio_dir}"
            -P ${root}/cmake/install_node_modules.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${studio_tools}
    DEPENDS ${studio_dir}/package.json ${studio_dir}/package-lock.json
            ${root}/cmake/install_node_modules.cmake
    COMMENT "Installing the tools of the studio"
    VERBATIM)

file(GLOB_RECURSE studio_sources CONFIGURE_DEPENDS ${studio_dir}/build.mjs ${studio_dir}/engine_in_node.mjs ${studio_dir}/src/*
     ${root}/web/stage/*.ts ${root}/web/stage/*.css ${root}/models/*.toml)
set(studio_page ${PROJECT_BINARY_DIR}/studio/pawl_studio.html)
add_custom_command(
    OUTPUT ${studio_page}
    COMMAND ${NODE_PROGRAM} --no-experimental-fetch ${studio_dir}/build.mjs ${PROJECT_BINARY_DIR}
            ${root}/models ${PROJECT_BINARY_DIR}/studio
    DEPENDS engine ${studio_sources} ${studio_tools}
    COMMENT "Building the page of the studio"
    VERBATIM)
add_custom_target(studio ALL DEPENDS ${studio_page})

enable_testing()
add_test(NAME studio_types
    COMMAND ${NODE_PROGRAM} ${studio_dir}/node_modules/typescript/bin/tsc -p ${studio_dir})
set_tests_properties(studio_types PROPERTIES LABELS structure TIMEOUT 120)

add_test(NAME engine_events
    COMMAND ${NODE_PROGRAM} --no-experimental-fetch --test ${root}/tests/browser/engine_test.mjs)
set_tests_properties(engine_events PROPERTIES LABELS agreement TIMEOUT 900
    ENVIRONMENT "PAWL=${PAWL_PROGRAM};ENGINE=${PROJECT_BINARY_DIR};STUDIO_SOURCE=${studio_dir};MODELS=${root}/models;WORK=${PROJECT_BINARY_DIR}/agreement")

# Alone, because it measures how fast a page answers.
find_program(CHROMIUM_PROGRAM NAMES chromium chromium-browser google-chrome)
if(CHROMIUM_PROGRAM)
    foreach(name IN ITEMS studio studio_hand studio_rules)
        add_test(NAME ${name}
            COMMAND ${NODE_PROGRAM} --test ${root}/tests/browser/${name}_test.mjs)
        set_tests_properties(${name} PROPERTIES LABELS browser TIMEOUT 600 RUN_SERIAL TRUE
            ENVIRONMENT "PAWL=${PAWL_PROGRAM};CHROMIUM=${CHROMIUM_PROGRAM};STUDIO=${PROJECT_BINARY_DIR}/studio;STUDIO_SOURCE=${studio_dir};MODELS=${root}/models;WORK=${PROJECT_BINARY_DIR}/screens/${name}")
    endforeach()
else()
    message(STATUS "No Chromium: the tests of the studio in a browser are left out")
endif()
