# compile_rooms_together(<target> <src> <source>...): the headers of a room are read once for all its
# files, which takes less than half the time. Rooms whose files instantiate one template each are compiled
# file by file.
function(compile_rooms_together target src)
    set(rooms_apart coordinates equations)
    foreach(source IN LISTS ARGN)
        cmake_path(GET source PARENT_PATH room)
        cmake_path(RELATIVE_PATH room BASE_DIRECTORY ${src})
        if(NOT room IN_LIST rooms_apart)
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
