# Writes a C++ file that holds the given model files as text.
# Usage: cmake -D OUTPUT=file.cpp -P embed_models.cmake -- model.toml ...
# The text is written byte by byte: no limit on its length, no delimiter it could contain.

set(arrays "")
set(entries "")
set(count 0)
set(past_separator FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    set(path "${CMAKE_ARGV${i}}")
    if(NOT past_separator)
        if(path STREQUAL "--")
            set(past_separator TRUE)
        endif()
        continue()
    endif()
    get_filename_component(name "${path}" NAME_WLE)
    file(READ "${path}" bytes HEX)
    string(REPEAT "[0-9a-f]" 32 sixteen_bytes)
    string(REGEX REPLACE "(${sixteen_bytes})" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "constexpr char text_${count}[] = {\n    ${bytes}'\\0'};\n\n")
    string(APPEND entries
        "    EmbeddedModel{\"${name}\", {text_${count}, sizeof(text_${count}) - 1}},\n")
    math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUTPUT}" "// Generated from models/*.toml: do not edit.
#include \"model_file/embedded_models.h\"

#include <array>

namespace pawl {
namespace {

${arrays}constexpr std::array<EmbeddedModel, ${count}> models{
${entries}};

}  // namespace

std::span<const EmbeddedModel> embedded_models() { return models; }

}  // namespace pawl
")
