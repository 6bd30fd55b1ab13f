# Files as text inside the library.
# embed(<file.cpp> <header> <type> <function> <file>...): files as text inside the library.
function(embed output header type function)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${output}" -D "HEADER=${header}" -D "TYPE=${type}"
                -D "FUNCTION=${function}"
                -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake -- ${ARGN}
        DEPENDS ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake
        COMMENT "Embedding ${function}"
        VERBATIM)
endfunction()
