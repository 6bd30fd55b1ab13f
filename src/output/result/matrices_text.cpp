#include "output/result/matrices_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace pawl {

namespace {

// "B.x [m]" of a row, "crank.angle [/rad]" of a column: an entry there is in m/rad.
std::string row_label(const Column& c) {
    return c.unit == "1" ? c.name : c.name + " [" + c.unit + "]";
}
std::string column_label(const Column& c) {
    return c.unit == "1" ? c.name : c.name + " [/" + c.unit + "]";
}

std::string csv(const LabelledMatrix& m) {
    std::string out = csv_field(m.title);
    for (const Column& c : m.columns) out += ',' + csv_field(column_label(c));
    out += '\n';
    for (std::size_t r = 0; r < m.rows.size(); ++r) {
        out += csv_field(row_label(m.rows[r]));
        for (std::size_t c = 0; c < m.columns.size(); ++c) {
            out += ',';
            append_number(out, m.at(r, c));
        }
        out += '\n';
    }
    return out;
}

nlohmann::ordered_json labels_json(const std::vector<Column>& labels, const char* unit) {
    auto out = nlohmann::ordered_json::array();
    for (const Column& c : labels) out.push_back({{"name", c.name}, {unit, c.unit}});
    return out;
}

}  // namespace

// Columns side by side as far as a line of text goes, the rest below.
std::string matrix_text(const LabelledMatrix& m) {
    constexpr std::size_t line = 118;  // characters
    std::size_t head = 0;
    for (const Column& r : m.rows) head = std::max(head, row_label(r).size());
    const auto width = [&](std::size_t c) {
        return std::max<std::size_t>(column_label(m.columns[c]).size(), 13) + 2;
    };
    std::string out;
    for (std::size_t from = 0, to = 0; from < m.columns.size(); from = to) {
        std::size_t used = head;
        while (to < m.columns.size() && (to == from || used + width(to) <= line))
            used += width(to++);
        out += fmt::format("{:<{}}", "", head);
        for (std::size_t c = from; c < to; ++c)
            out += fmt::format("{:>{}}", column_label(m.columns[c]), width(c));
        for (std::size_t r = 0; r < m.rows.size(); ++r) {
            out += fmt::format("\n{:<{}}", row_label(m.rows[r]), head);
            for (std::size_t c = from; c < to; ++c)
                out += fmt::format("{:>{}.6g}", m.at(r, c) + 0.0, width(c));
        }
        out += '\n';
    }
    return out;
}

std::vector<NamedText> matrix_files(const MotionMatrices& matrices) {
    std::vector<NamedText> files;
    for (const LabelledMatrix& m : matrices.matrices)
        files.push_back({"matrix_" + m.name + ".csv", csv(m)});
    return files;
}

nlohmann::ordered_json matrices_json(const MotionMatrices& matrices) {
    nlohmann::ordered_json out{{"t_s", matrices.t}, {"singular", matrices.singular}};
    out["independent"] = nlohmann::ordered_json::array();
    for (const IndependentCoordinate& c : matrices.independent)
        out["independent"].push_back({{"name", c.name},
                                      {"coordinate", c.coordinate},
                                      {"unit", c.unit},
                                      {"driven", c.driven}});
    for (const LabelledMatrix& m : matrices.matrices) {
        auto values = nlohmann::ordered_json::array();
        for (std::size_t r = 0; r < m.rows.size(); ++r)
            values.push_back(std::vector<double>(
                m.values.begin() + static_cast<std::ptrdiff_t>(r * m.columns.size()),
                m.values.begin() + static_cast<std::ptrdiff_t>((r + 1) * m.columns.size())));
        out[m.name] = {{"title", m.title},
                       {"rows", labels_json(m.rows, "unit")},
                       {"columns", labels_json(m.columns, "per")},
                       {"values", std::move(values)}};
    }
    return out;
}

}  // namespace pawl
