// The parameters of a model: read in any order, each an expression of the others. Inputs are
// parameters whose value may be set at any time, and which only forces and states can use. Knows
// nothing of bodies and joints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mechanism/design_settings.h"
#include "model_file/text/values.h"

namespace pawl {

struct Parameter {
    std::string name;
    Span span;
    Quality quality;   // a bare parameter takes the unit of the place where it is used
    double value = 0;  // SI if the quality is known
    std::string written_unit;  // of a number with a unit, as "N/mm"; empty: an expression or bare
    std::optional<double> min, max, tolerance;
    Distribution distribution = Distribution::normal;  // within the tolerance
    bool is_input = false;  // of [inputs]: what sets it is outside the model
};

// Names of parameters and the texts that replace their values, as of `--set L1="15 mm"`; with dots,
// the path of any value of the file, as ModelText has it.
using Overrides = std::vector<std::pair<std::string, std::string>>;

// As symbols: slot 0 is kept for the time, parameter i has slot i + 1.
class ParameterSet : public ModelSymbols {
public:
    // A table may be missing. Errors go to the context; a parameter with an error has the value 1
    // and an unknown dimension, so that it causes no further errors.
    void read(const Node* table, const Node* inputs, const Overrides& overrides,
              ReadingContext& context);

    [[nodiscard]] const std::vector<Parameter>& all() const { return parameters_; }

    // Slot values of the expressions of a model: 0 for the time, then the parameters. With T a dual
    // number the derivatives are those by the parameter of the given index.
    template <class T>
    [[nodiscard]] std::vector<T> slots(int differentiated = -1) const;

    // No inputs.
    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override;
    [[nodiscard]] std::optional<Symbol> find_input(std::string_view name) const;
    // "parameter" or "input", where there is one of the name; else empty.
    [[nodiscard]] std::string_view kind_of(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const override;
    [[nodiscard]] std::vector<std::string> input_names() const;
    [[nodiscard]] std::string reason_against(std::string_view name) const override;

private:
    struct Source {
        Node value;                   // of the file or of an override
        std::string what;             // begins its messages
        const Node* table = nullptr;  // its long form
        std::vector<int> uses;        // the parameters in its expression
        Distribution distribution = Distribution::normal;
        bool failed = false;
        Quality in_file = Quality::bare();  // of what an override replaces
    };
    void collect(const Node* table, bool inputs, ReadingContext& context);
    void collect_long_form(const Node& node, Source& source, ReadingContext& context);
    [[nodiscard]] std::optional<Symbol> symbol(std::string_view name, bool is_input) const;
    void note_file(const Node* table, const Node* inputs, const ReadingContext& context);
    void apply(const Overrides& overrides, ReadingContext& context);
    void find_uses(ReadingContext& context);
    void sort(ReadingContext& context);
    void report_cycle(const std::vector<int>& path, int start, ReadingContext& context);
    void evaluate(int index, ReadingContext& context);
    void read_limits(int index, ReadingContext& context);

    std::vector<Parameter> parameters_;
    std::vector<Source> sources_;
    std::vector<Expression> expressions_;
    std::vector<int> order_;  // each after those it uses
    NameIndex index_;
    mutable int suggestions_left_ = 100;
};

extern template std::vector<double> ParameterSet::slots(int) const;
extern template std::vector<Dual> ParameterSet::slots(int) const;

}  // namespace pawl
