#include "design/synthesis/task_file.h"

#include <algorithm>
#include <cmath>

#include "model_file/reading/parameters.h"
#include "model_file/text/document.h"
#include "model_file/text/table_reader.h"

namespace pawl {

namespace {

// Reads a task from the root of a document.
class TaskReader {
public:
    TaskReader(const Node& root, SynthesisTask task, std::optional<LinkageKind> asked,
               Diagnostics& diagnostics)
        : context_{diagnostics},
          reader_(root, "", context_),
          task_(std::move(task)),
          asked_(asked) {}

    std::optional<SynthesisTask> read() {
        if (reader_.has("format")) {
            reader_.error(reader_.span_of("format"),
                          "this is a model, not a task with points, pairs or poses; a model to "
                          "start from is given by --model");
            return std::nullopt;
        }
        read_units();
        parameters_.read(reader_.take("parameters", false), nullptr, {}, context_);
        reader_.text("name", task_.name, "");
        std::optional<LinkageKind> linkage;
        reader_.choice("mechanism", linkage, names_of<LinkageKind>(), "");
        if (linkage) task_.linkage = *linkage;
        if (asked_) task_.linkage = *asked_;
        reader_.flag("ordered", task_.ordered, "");
        std::string angles = "relative";
        reader_.choice("angles", angles, {"relative", "absolute"}, "");
        task_.absolute_angles = angles == "absolute";
        number("tolerance", dimension::length, task_.tolerance);
        number("angle_tolerance", dimension::angle, task_.angle_tolerance);
        number("least_transmission", dimension::angle, task_.least_transmission);
        read_positions();
        read_fixed();
        reader_.finish();
        if (context_.diagnostics.has_errors()) return std::nullopt;
        if (!complete_task(task_, positions_span_, context_.diagnostics)) return std::nullopt;
        return task_;
    }

private:
    void read_units() {
        const Node* units = reader_.take("units", false);
        if (!units) return;
        TableReader table(*units, "units", context_);
        std::optional<double> factor, angle;
        table.unit("length", factor, dimension::length, "");
        table.unit("angle", angle, dimension::angle, "");
        table.finish();
        context_.units.length = factor.value_or(1);
        context_.units.angle = angle.value_or(1);
        if (const Node* name = units->find("length"); name && factor) task_.unit = name->text;
    }

    bool value(const Node& node, const std::string& what, const Dimension& dimension, double& out) {
        if (node.is_number()) {
            out = node.number * context_.units.factor(dimension);
        } else {
            const auto quantity = read_quantity(node, what, dimension, parameters_, context_);
            if (!quantity) return false;
            const std::vector<double> slots = parameters_.slots<double>();
            out = quantity->evaluate(std::span<const double>(slots));
        }
        return check_finite(out, node, what, context_);
    }

    void number(const char* name, const Dimension& dimension, double& out) {
        const Node* node = reader_.take(name, false);
        if (!node || !value(*node, name, dimension, out)) return;
        if (!(out > 0))
            context_.diagnostics.error(node->begin, std::string(name) + " must be positive");
    }

    // Rows of so many numbers, each with its dimension.
    void read_rows(const char* name, const std::vector<Dimension>& dimensions, const char* form) {
        const auto* rows = reader_.take_array(name, true);
        if (!rows) return;
        positions_span_ = reader_.span_of(name);
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const Node& row = (*rows)[i];
            const std::string what = std::string(name) + ", position " + std::to_string(i + 1);
            if (row.kind != Node::Kind::array || row.children.size() != dimensions.size()) {
                context_.diagnostics.error(row.begin, what + ": expected " + form);
                continue;
            }
            std::vector<double> values(dimensions.size());
            bool good = true;
            for (std::size_t k = 0; k < values.size(); ++k)
                good = value(row.children[k], what, dimensions[k], values[k]) && good;
            if (good) add(values);
        }
    }

    void add(const std::vector<double>& values) {
        Requirement r;
        if (task_.kind == SynthesisKind::function) {
            r.input = values[0];
            r.output = values[1];
        } else {
            r.point = {values[0], values[1]};
            if (values.size() > 2) r.angle = values[2];
        }
        task_.positions.push_back(r);
    }

    void read_positions() {
        const bool slides = task_.linkage == LinkageKind::slider_crank;
        const Dimension length = dimension::length, angle = dimension::angle;
        if (task_.kind == SynthesisKind::path)
            read_rows("points", {length, length}, "[x, y]");
        else if (task_.kind == SynthesisKind::motion)
            read_rows("poses", {length, length, angle}, "[x, y, angle]");
        else
            read_rows("pairs", {angle, slides ? length : angle}, "[input, output]");
        const bool turns = task_.kind == SynthesisKind::function && !slides;
        if (task_.kind != SynthesisKind::function)
            read_list("crank", angle, [](Requirement& r, double v) { r.input = v; });
        read_list("tolerances", turns ? angle : length,
                  [](Requirement& r, double v) { r.tolerance = v; });
    }

    template <class Set>
    void read_list(const char* name, const Dimension& dimension, const Set& set) {
        const auto* nodes = reader_.take_array(name, false);
        if (!nodes) return;
        if (nodes->size() != task_.positions.size()) {
            if (!context_.diagnostics.has_errors())
                context_.diagnostics.error(
                    reader_.span_of(name),
                    std::string(name) + ": there are " + std::to_string(task_.positions.size()) +
                        " positions, but " + std::to_string(nodes->size()) + " values");
            return;
        }
        for (std::size_t i = 0; i < nodes->size(); ++i)
            if (double v = 0; value((*nodes)[i], name, dimension, v)) set(task_.positions[i], v);
    }

    void read_fixed() {
        const Node* table = reader_.take("fixed", false);
        if (!table) return;
        const Linkage linkage = make_linkage(task_.linkage, task_.kind != SynthesisKind::function);
        for (const Node& node : table->children) {
            const std::string what = "fixed, " + node.key;
            std::string name = node.key;
            std::replace(name.begin(), name.end(), '_', '.');
            if (node.kind == Node::Kind::array && node.children.size() == 2 &&
                linkage.find_number(name + ".x") >= 0) {
                for (std::size_t k = 0; k < 2; ++k)
                    if (double v = 0; value(node.children[k], what, dimension::length, v))
                        task_.fixed.emplace_back(name + (k == 0 ? ".x" : ".y"), v);
                continue;
            }
            const int number = linkage.find_number(name);
            if (number < 0) {
                context_.diagnostics.error(
                    node.key_span, linkage.find_number(name + ".x") >= 0
                                       ? what + ": expected [x, y]"
                                       : "fixed: a " + std::string(value_name(task_.linkage)) +
                                             " has no '" + node.key + "'" +
                                             context_.suggest(node.key, fixable_names(linkage)));
                continue;
            }
            const DesignNumber::Kind kind = linkage.numbers[index_of(number)].kind;
            const bool is_angle = kind == DesignNumber::Kind::angle;
            double v = 0;
            if (!value(node, what, is_angle ? dimension::angle : dimension::length, v)) continue;
            if (kind == DesignNumber::Kind::length && !(v > 0))
                context_.diagnostics.error(node.begin, what + " must be positive");
            task_.fixed.emplace_back(name, v);
        }
    }

    ReadingContext context_;
    TableReader reader_;
    ParameterSet parameters_;
    SynthesisTask task_;
    std::optional<LinkageKind> asked_;
    Span positions_span_;
};

// A table as lines of cells with their locations.
struct CsvCell {
    std::string text;
    Span span;
};

std::vector<std::vector<CsvCell>> csv_cells(std::string_view text) {
    std::vector<std::vector<CsvCell>> rows;
    int line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = text.find('\n');
        std::string_view row = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
        if (row.find_first_not_of(" \t") == std::string_view::npos || row.front() == '#') continue;
        std::vector<CsvCell>& cells = rows.emplace_back();
        for (std::size_t at = 0; at <= row.size();) {
            std::size_t stop = std::min(row.find(',', at), row.size());
            std::size_t first = at, last = stop;
            while (first < last && (row[first] == ' ' || row[first] == '\t')) ++first;
            while (last > first && (row[last - 1] == ' ' || row[last - 1] == '\t')) --last;
            cells.push_back({std::string(row.substr(first, last - first)),
                             {line, static_cast<int>(first) + 1}});
            at = stop + 1;
        }
    }
    return rows;
}

// Columns of positions: which number a column holds, and its unit.
struct CsvColumn {
    std::string name;
    double factor = 1;
};

std::optional<CsvColumn> read_head(const CsvCell& cell, const std::vector<std::string>& valid,
                                   SynthesisTask& task, Diagnostics& diagnostics) {
    const std::size_t bracket = cell.text.find('[');
    std::string name = cell.text.substr(0, bracket);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
        diagnostics.error(cell.span, "unknown column '" + name + "'" + did_you_mean(name, valid));
        return std::nullopt;
    }
    const bool slides = task.linkage == LinkageKind::slider_crank;
    const bool turns = task.kind == SynthesisKind::function && !slides;
    const bool is_angle = name == "angle" || name == "input" || name == "crank" ||
                          ((name == "output" || name == "tolerance") && turns);
    CsvColumn column{name};
    if (bracket == std::string::npos) return column;
    const std::size_t close = cell.text.find(']', bracket);
    const std::string unit_name = cell.text.substr(
        bracket + 1, (close == std::string::npos ? cell.text.size() : close) - bracket - 1);
    const auto unit = parse_unit(unit_name);
    if (!unit || !(unit->dimension == (is_angle ? dimension::angle : dimension::length))) {
        diagnostics.error(cell.span, "column '" + name + "': '" + unit_name +
                                         "' is not a unit of " +
                                         describe(is_angle ? dimension::angle : dimension::length));
        return std::nullopt;
    }
    column.factor = unit->factor;
    if (!is_angle) task.unit = unit_name;
    return column;
}

void set_cell(const std::string& column, double value, Requirement& r) {
    if (column == "x") r.point.x = value;
    if (column == "y") r.point.y = value;
    if (column == "angle") r.angle = value;
    if (column == "input" || column == "crank") r.input = value;
    if (column == "output") r.output = value;
    if (column == "tolerance") r.tolerance = value;
}

}  // namespace

std::optional<SynthesisTask> read_synthesis_task(std::string_view text, SynthesisTask task,
                                                 Diagnostics& diagnostics,
                                                 std::optional<LinkageKind> asked) {
    const auto root = parse_document(text, diagnostics);
    if (!root) return std::nullopt;
    return TaskReader(*root, std::move(task), asked, diagnostics).read();
}

std::optional<SynthesisTask> read_synthesis_table(std::string_view text, SynthesisTask task,
                                                  Diagnostics& diagnostics) {
    const auto rows = csv_cells(text);
    if (rows.empty()) {
        diagnostics.error({1, 1},
                          "the table is empty; it begins with a line such as x [mm],y [mm]");
        return std::nullopt;
    }
    std::vector<std::string> needed{"x", "y"};
    if (task.kind == SynthesisKind::motion) needed.emplace_back("angle");
    if (task.kind == SynthesisKind::function) needed = {"input", "output"};
    std::vector<std::string> valid = needed;
    if (task.kind != SynthesisKind::function) valid.emplace_back("crank");
    valid.emplace_back("tolerance");
    std::vector<CsvColumn> columns;
    for (const CsvCell& cell : rows[0])
        if (auto column = read_head(cell, valid, task, diagnostics))
            columns.push_back(std::move(*column));
    for (const std::string& name : needed)
        if (std::none_of(columns.begin(), columns.end(),
                         [&](const CsvColumn& c) { return c.name == name; }) &&
            !diagnostics.has_errors())
            diagnostics.error(rows[0][0].span, "there is no column '" + name + "'");
    if (diagnostics.has_errors()) return std::nullopt;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Requirement& r = task.positions.emplace_back();
        if (rows[i].size() != columns.size())
            diagnostics.error(rows[i][0].span, "expected " + std::to_string(columns.size()) +
                                                   " cells, not " + std::to_string(rows[i].size()));
        for (std::size_t k = 0; k < std::min(columns.size(), rows[i].size()); ++k) {
            char* tail = nullptr;
            const double v = std::strtod(rows[i][k].text.c_str(), &tail);
            if (*tail != 0 || rows[i][k].text.empty() || !std::isfinite(v))
                diagnostics.error(rows[i][k].span, "'" + rows[i][k].text + "' is not a number");
            set_cell(columns[k].name, v * columns[k].factor, r);
        }
    }
    if (diagnostics.has_errors() || !complete_task(task, rows[0][0].span, diagnostics))
        return std::nullopt;
    return task;
}

std::vector<std::string> fixable_names(const Linkage& linkage) {
    std::vector<std::string> names;
    for (const DesignNumber& number : linkage.numbers) {
        std::string name = number.name;
        if (name.ends_with(".y")) continue;
        if (name.ends_with(".x")) name.resize(name.size() - 2);
        std::replace(name.begin(), name.end(), '.', '_');
        names.push_back(name);
    }
    return names;
}

bool complete_task(SynthesisTask& task, Span span, Diagnostics& diagnostics) {
    const auto fixed = [&](std::string_view name) -> std::optional<double> {
        for (const auto& [known, value] : task.fixed)
            if (known == name) return value;
        return std::nullopt;
    };
    const auto choose = [&](const char* name, double value) {
        if (!fixed(name)) task.fixed.emplace_back(name, value);
    };
    const bool is_function = task.kind == SynthesisKind::function;
    if (is_function) {
        choose("A.x", 0);
        choose("A.y", 0);
    }
    if (is_function && task.linkage == LinkageKind::slider_crank) {
        choose("guide.angle", 0);
    } else if (is_function) {
        choose("B.x", 0.1);
        choose("B.y", 0);
    }
    std::string problem = task.problem();
    if (problem.empty() && fixed("A.x") && fixed("A.y") && fixed("A.x") == fixed("B.x") &&
        fixed("A.y") == fixed("B.y"))
        problem = "the fixed points A and B are the same; move one of them";
    if (!problem.empty()) diagnostics.error(span, problem);
    return problem.empty();
}

}  // namespace pawl
