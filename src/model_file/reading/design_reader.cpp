#include "model_file/reading/design_reader.h"

#include <algorithm>
#include <array>

#include "model_file/reading/responses.h"
#include "model_file/text/table_reader.h"
#include "results/text.h"

namespace pawl {

namespace {

class DesignReader {
public:
    DesignReader(const Node& table, const DesignNames& names, ReadingContext& context)
        : names_(names), context_(context), reader_(table, "design", context) {}

    std::optional<OptimisationSettings> read() {
        DesignElement element;
        element.fields(reader_);
        reader_.finish();
        settings_.method = element.method;
        settings_.span = reader_.table_span();
        read_variables();
        if (reader_.has("minimise") && reader_.has("maximise"))
            reader_.error(reader_.span_of("maximise"),
                          "design: choose one of minimise and maximise");
        settings_.maximise = reader_.has("maximise");
        const char* key = settings_.maximise ? "maximise" : "minimise";
        if (const Node* node = reader_.take(key, false); node && node->kind == Node::Kind::text)
            settings_.objective = response(*node, node->text, 0, reader_.what(key));
        if (const auto* nodes = reader_.take_array("constraints", false))
            for (const Node& node : *nodes)
                if (node.kind == Node::Kind::text) read_constraint(node);
        reader_.require(settings_.objective || !settings_.constraints.empty(), "variables",
                        "the design has no goal: give minimise, maximise or constraints");
        if (reader_.failed()) return std::nullopt;
        return std::move(settings_);
    }

private:
    void read_variables() {
        const auto* nodes = reader_.take_array("variables", true);
        if (!nodes) return;
        reader_.require(!nodes->empty(), "variables", "needs at least one name");
        for (const Node& node : *nodes) {
            if (node.kind != Node::Kind::text) continue;
            const auto& all = names_.parameters.all();
            const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& p) {
                return p.name == node.text && !p.is_input;
            });
            if (found == all.end()) {
                reader_.error(node.inside(0),
                              "design, variables: there is no parameter '" + node.text + "'" +
                                  did_you_mean(node.text, names_.parameters.names()));
                continue;
            }
            if (!found->min || !found->max || !(*found->min < *found->max))
                reader_.error(node.inside(0),
                              "design, variables: parameter '" + node.text +
                                  "' needs bounds, min less than max: " + node.text +
                                  " = { value = ..., min = ..., max = ... }");
            const auto same = [&](const DesignVariable& v) { return v.name == node.text; };
            if (std::any_of(settings_.variables.begin(), settings_.variables.end(), same))
                reader_.error(node.inside(0),
                              "design, variables: '" + node.text + "' appears twice");
            settings_.variables.push_back({node.text, node.begin});
        }
    }

    // The response of the model with this name, or the one that the text describes.
    std::optional<Response> response(const Node& node, std::string text, std::size_t offset,
                                     const std::string& what) {
        while (!text.empty() && text.back() == ' ') text.pop_back();
        for (const Response& r : names_.responses)
            if (r.name == text) return r;
        ResponseProblem problem;
        auto found = read_response(text, names_.mechanism, problem);
        if (!found) {
            std::vector<std::string> known;
            for (const Response& r : names_.responses) known.push_back(r.name);
            reader_.error(
                node.inside(offset + problem.offset),
                what + ": " + problem.message + (known.empty() ? "" : did_you_mean(text, known)));
        }
        if (found && found->name.empty()) found->name = text;
        return found;
    }

    void read_constraint(const Node& node) {
        static constexpr std::array operators{"<=", ">=", "=="};
        using Kind = DesignConstraint::Kind;
        constexpr std::array kinds{Kind::at_most, Kind::at_least, Kind::equal};
        DesignConstraint constraint;
        constraint.text = node.text;
        constraint.span = node.begin;
        for (std::size_t k = 0; k < operators.size(); ++k) {
            const std::size_t at = node.text.find(operators[k]);
            if (at == std::string::npos) continue;
            constraint.kind = kinds[k];
            auto of = response(node, node.text.substr(0, at), 0, "design, constraints");
            if (!of || !read_bound(node, at + 2, constraint)) return reader_.fail();
            constraint.response = std::move(*of);
            settings_.constraints.push_back(std::move(constraint));
            return;
        }
        if (!add_limits(node))
            reader_.error(node.inside(0),
                          "design, constraints: expected RESPONSE <= VALUE, >= or ==, as in "
                          "\"max:bolt.x <= 5 mm\", or the name of a response with min or max");
    }

    // The limits that a response has of its own.
    bool add_limits(const Node& node) {
        const auto found = std::find_if(
            names_.responses.begin(), names_.responses.end(),
            [&](const Response& r) { return r.name == node.text && (r.min || r.max); });
        if (found == names_.responses.end()) return false;
        using Kind = DesignConstraint::Kind;
        const auto add = [&](Kind kind, double bound, const char* sign) {
            settings_.constraints.push_back({found->name + sign + number_text(bound), node.begin,
                                             *found, kind, bound, std::nullopt});
        };
        if (found->min && found->min == found->max) {
            add(Kind::equal, *found->min, " == ");
            return true;
        }
        if (found->min) add(Kind::at_least, *found->min, " >= ");
        if (found->max) add(Kind::at_most, *found->max, " <= ");
        return true;
    }

    bool read_bound(const Node& node, std::size_t from, DesignConstraint& constraint) {
        Node bound;
        bound.kind = Node::Kind::text;
        bound.text =
            node.text.substr(std::min(node.text.find_first_not_of(' ', from), node.text.size()));
        bound.begin = node.inside(from);
        bound.end = node.end;
        const auto value =
            read_expression(bound, "design, constraints", names_.parameters, context_);
        if (!value) return false;
        const std::vector<double> slots = names_.parameters.slots<double>();
        constraint.bound = value->evaluate(std::span<const double>(slots));
        if (value->quality().is_known()) constraint.dimension = value->quality().dimension;
        return check_finite(constraint.bound, bound, "design, constraints", context_);
    }

    const DesignNames& names_;
    ReadingContext& context_;
    TableReader reader_;
    OptimisationSettings settings_;
};

}  // namespace

std::optional<OptimisationSettings> read_design(const Node& root, const DesignNames& names,
                                                ReadingContext& context) {
    const Node* node = root.find("design");
    if (node == nullptr) return std::nullopt;
    if (node->kind != Node::Kind::table) {
        context.diagnostics.error(node->begin, "design: expected a table [design], not " +
                                                   std::string(node->kind_name()));
        return std::nullopt;
    }
    context.section = "design";
    return DesignReader(*node, names, context).read();
}

}  // namespace pawl
