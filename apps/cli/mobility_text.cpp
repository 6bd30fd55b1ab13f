#include "mobility_text.h"

#include <fmt/format.h>

namespace pawl::cli {

Json mobility_json(const Mobility& m) {
    Json redundant = Json::array();
    for (const auto& r : m.redundant)
        redundant.push_back({{"row", r.row}, {"joint", r.joint}, {"implied_by", r.implied_by}});
    return {{"moving_bodies", m.bodies},
            {"joint_rows", m.joint_rows},
            {"gruebler", m.gruebler},
            {"freedoms_here", m.freedoms_here},
            {"freedoms_nearby", m.freedoms_nearby},
            {"drivers", m.drivers},
            {"independent", m.independent},
            {"redundant", redundant},
            {"suggestions", m.suggestions}};
}

void print_mobility(const Mobility& m) {
    fmt::print(
        "mobility      Grübler's count 3 x {} - {} = {}, actual degrees of freedom {} here, {} "
        "nearby{}\n",
        m.bodies, m.joint_rows, m.gruebler, m.freedoms_here, m.freedoms_nearby,
        m.singular_here() ? " (singular position)" : "");
    if (!m.independent.empty())
        fmt::print("independent   {}{}\n", joined(m.independent),
                   m.independent_problem.empty() ? "" : " (" + m.independent_problem + ")");
    fmt::print("drivers       {} for {}{}\n", m.drivers,
               plural(m.freedoms_nearby, "degree of freedom", "degrees of freedom"),
               m.drivers < m.freedoms_nearby ? "; undriven degrees of freedom stay at rest" : "");
    for (const auto& r : m.redundant)
        fmt::print("redundant     {}{}\n", r.row,
                   r.implied_by.empty() ? std::string(" has no effect")
                                        : " is implied by " + joined(r.implied_by));
    for (const auto& s : m.suggestions) fmt::print("suggestion    {}\n", s);
}

}  // namespace pawl::cli
