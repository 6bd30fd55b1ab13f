# The player of reports (web/player, on the stage of web/stage): npm installs its tools, esbuild bundles it, and the bundle
# travels inside the library, so that the installed program needs no Node.
# Sets player_files: the page, its style, its script and its policy, to be embedded.

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH pawl_root)
set(player_dir ${pawl_root}/web/player)
set(player_build_dir ${PROJECT_BINARY_DIR}/player)

find_program(NODE_PROGRAM NAMES node nodejs)
find_program(NPM_PROGRAM npm)
if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    message(FATAL_ERROR
        "Node.js and npm are needed to build the player of reports; the installed program does not "
        "need them. Please install them, on Debian: apt-get install nodejs npm")
endif()

# Installed once for all build folders, beside the sources; again only when the lock file changes.
set(player_tools ${PROJECT_BINARY_DIR}/player_tools.stamp)
add_custom_command(
    OUTPUT ${player_tools}
    COMMAND ${CMAKE_COMMAND} -D "NPM=${NPM_PROGRAM}" -D "FOLDER=${player_dir}"
            -P ${pawl_root}/cmake/install_node_modules.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${player_tools}
    DEPENDS ${player_dir}/package.json ${player_dir}/package-lock.json
            ${pawl_root}/cmake/install_node_modules.cmake
    COMMENT "Installing the tools of the player"
    VERBATIM)

file(GLOB player_sources CONFIGURE_DEPENDS ${player_dir}/src/*.ts ${player_dir}/src/*.css
     ${pawl_root}/web/stage/*.ts ${pawl_root}/web/stage/*.css)
set(player_files ${player_dir}/src/page.html ${player_build_dir}/style.css
    ${player_build_dir}/player.js ${player_build_dir}/policy.txt)
add_custom_command(
    OUTPUT ${player_build_dir}/style.css ${player_build_dir}/player.js ${player_build_dir}/policy.txt
    COMMAND ${NODE_PROGRAM} ${player_dir}/node_modules/esbuild/bin/esbuild ${player_dir}/src/player.ts
            ${player_dir}/src/style.css --bundle --minify --charset=utf8 --target=es2020
            --log-level=warning --outdir=${player_build_dir}
    COMMAND ${NODE_PROGRAM} ${player_dir}/policy.mjs ${player_build_dir}/style.css
            ${player_build_dir}/player.js ${player_build_dir}/policy.txt
    DEPENDS ${player_dir}/policy.mjs ${player_sources} ${player_tools}
    COMMENT "Bundling the player"
    VERBATIM)
