#include "output/result/column_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "math/span.h"

namespace pawl {

namespace {

using Names = std::vector<std::string>;

std::string unknown(const std::string& pattern, const Names& valid, const char* what) {
    constexpr std::size_t max_listed = 8;
    Names near;
    for (const std::string& name : valid)
        if (name.starts_with(pattern + ".") && near.size() < max_listed) near.push_back(name);
    if (near.empty()) near = nearest_names(pattern, valid);
    const bool are_near = !near.empty();
    for (std::size_t i = 0; i < valid.size() && !are_near && i < max_listed; ++i)
        near.push_back(valid[i]);
    std::string out = fmt::format("no {} '{}'", what, pattern);
    for (std::size_t i = 0; i < near.size(); ++i)
        out += (i > 0 ? ", " : are_near ? "; near: " : "; there are: ") + near[i];
    if (!are_near && valid.size() > max_listed)
        out += fmt::format(" and {} more", valid.size() - max_listed);
    return out;
}

}  // namespace

bool fits(std::string_view name, std::string_view pattern) {
    if (pattern.empty()) return name.empty();
    if (pattern[0] == '*')
        return fits(name, pattern.substr(1)) || (!name.empty() && fits(name.substr(1), pattern));
    return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
           fits(name.substr(1), pattern.substr(1));
}

std::vector<std::string> names_fitting(const Names& patterns, const Names& valid, const char* what,
                                       std::string& problem) {
    Names out;
    for (const std::string& pattern : patterns) {
        bool any = false;
        for (const std::string& name : valid) {
            if (!fits(name, pattern)) continue;
            any = true;
            if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
        }
        if (!any && problem.empty()) problem = unknown(pattern, valid, what);
    }
    return out;
}

}  // namespace pawl
