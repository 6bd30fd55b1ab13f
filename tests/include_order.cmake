# Checks the folder rule: a source folder includes only itself and the folders before it in the list,
# so that no two folders need each other.
# Files directly in src/ stand outside the list: version.h may be included by every folder, pawl.h
# by none. Before the real tree, the rule is tried on a seeded one with known violations.
# Usage: cmake -P include_order.cmake

set(order
    math math/tolerances math/expression math/linear
    results
    curves
    mechanism/contact mechanism/joints mechanism
    model_file/text model_file/reading model_file/exchange model_file/reference
    generators
    coordinates contact equations
    dynamics/response dynamics/formulations dynamics/contact dynamics/impact
    integration events
    simulation/placement simulation/columns simulation/kinematic simulation/equilibrium
    simulation/quasi_static simulation/stepping simulation
    simulation/time_stepping simulation/event_cycle simulation/record simulation/sensitivity
    simulation/dynamic
    analysis design/synthesis
    output/svg output/drawing output/result output/plot output/report
    face
    design verification)

# Sets `result` to the list of violations, each "file: reason".
function(find_violations source_dir result)
    set(violations "")
    file(GLOB_RECURSE files RELATIVE ${source_dir} ${source_dir}/*.h ${source_dir}/*.cpp)
    foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH folder)
        if(NOT folder)
            continue()
        endif()
        list(FIND order ${folder} rank)
        if(rank LESS 0)
            list(APPEND violations "${file}: the folder '${folder}' is not in the list")
            continue()
        endif()
        file(STRINGS ${source_dir}/${file} lines REGEX "^[ \t]*#[ \t]*include")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "include[ \t]*([\"<])([^\">]*)[\">]")
                continue()
            endif()
            set(quote "${CMAKE_MATCH_1}")
            set(target "${CMAKE_MATCH_2}")
            cmake_path(GET target PARENT_PATH target_folder)
            list(FIND order "${target_folder}" target_rank)
            if(target_rank GREATER rank)
                list(APPEND violations "${file}: '${folder}' may not include '${target}'")
            elseif(target STREQUAL "pawl.h" OR (quote STREQUAL "\"" AND target_rank LESS 0
                                                AND NOT target STREQUAL "version.h"))
                list(APPEND violations "${file}: '${target}' is not in a folder of the list")
            endif()
        endforeach()
    endforeach()
    set(${result} "${violations}" PARENT_SCOPE)
endfunction()

# The seeded tree: four files that keep the rule, six that break it.
string(RANDOM LENGTH 12 tag)
set(seeded "$ENV{TMPDIR}")
if(NOT seeded)
    set(seeded /tmp)
endif()
set(seeded ${seeded}/pawl_include_order_${tag})
file(WRITE ${seeded}/pawl.h "#include \"output/plot/a.h\"\n")
file(WRITE ${seeded}/math/good.h "#include <math.h>\n#include \"math/b.h\"\n#include \"version.h\"\n")
file(WRITE ${seeded}/curves/good.h "#include \"math/a.h\"  // a; b\n#include <fmt/core.h>\n")
file(WRITE ${seeded}/output/plot/good.cpp "#include \"events/a.h\"\n")
file(WRITE ${seeded}/math/bad_below.h "#pragma once\n#  include \"curves/a.h\"\n")
file(WRITE ${seeded}/math/bad_angle.cpp "#include <output/plot/a.h>\n")
file(WRITE ${seeded}/events/bad_sibling.h "#include \"guard.h\"\n")
file(WRITE ${seeded}/events/bad_path.h "#include \"../math/a.h\"\n")
file(WRITE ${seeded}/output/plot/bad_umbrella.h "#include <pawl.h>\n")
file(WRITE ${seeded}/elsewhere/bad_folder.h "#pragma once\n")
find_violations(${seeded} found)
file(REMOVE_RECURSE ${seeded})
list(LENGTH found found_count)
set(good_found ${found})
list(FILTER good_found INCLUDE REGEX "good|^pawl")
if(NOT found_count EQUAL 6 OR good_found)
    list(JOIN found "\n  " found)
    message(FATAL_ERROR "the check itself is broken; in the seeded tree it found:\n  ${found}")
endif()

find_violations(${CMAKE_CURRENT_LIST_DIR}/../src violations)
if(violations)
    list(JOIN violations "\n  " violations)
    message(FATAL_ERROR "folder rule broken:\n  ${violations}")
endif()
