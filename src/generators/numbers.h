// What a generator is made of: its fields, the values given for them, and the draft of a model that
// it fills. Knows no mechanism.
#pragma once

#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/units.h"

namespace pawl::generating {

inline constexpr double pi = std::numbers::pi;

struct Field {
    enum class Sort { positive, not_negative, number, count, choice, list };
    std::string name;
    std::string standard;  // empty: the generator finds it
    std::string meaning;
    std::string unit{};  // of a plain number: "mm"; empty: it has none
    Sort sort = Sort::positive;
    std::vector<std::string> choices{};
};

using Sort = Field::Sort;

// The values of the fields: in SI, and as texts for the model file.
class Numbers {
public:
    // What is wrong with the values is added to `problems`.
    Numbers(std::vector<Field> fields,
            const std::vector<std::pair<std::string, std::string>>& values,
            std::vector<std::string>& problems);

    [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) != 0; }
    [[nodiscard]] double operator[](const std::string& name) const { return list(name).at(0); }
    [[nodiscard]] int count(const std::string& name) const;
    [[nodiscard]] const std::vector<double>& list(const std::string& name) const;
    [[nodiscard]] const std::string& text(const std::string& name) const;
    // Settles a field that was left open, in its own unit: "12.3 mm".
    void settle(const std::string& name, double si);

private:
    struct Value {
        std::vector<double> si;
        std::string text;
    };
    void read(const Field& field, const std::string& text, std::vector<std::string>& problems);
    std::vector<Field> fields_;
    std::map<std::string, Value> values_;
};

// What a generator leaves behind.
struct Draft {
    std::string text;
    std::vector<std::string> facts, problems;

    // Refuses the numbers where the condition does not hold.
    void require(bool condition, std::string reason) {
        if (!condition) problems.push_back(std::move(reason));
    }
    [[nodiscard]] bool refused() const { return !problems.empty(); }
};

// The template with every @name replaced by the value of the field or of `more`.
std::string filled(std::string_view text, const Numbers& numbers,
                   const std::map<std::string, std::string>& more = {});

// "12.3 mm", "41.2 deg", "5.41": a value in SI in the unit, rounded for the eye.
std::string shown(double si, const std::string& unit, int digits = 4);
// The same with all digits that the next program needs to find the value again to 1e-12.
std::string exact(double si, const std::string& unit);

// One mechanism.
struct Generator {
    std::string name, summary;
    std::vector<Field> fields;
    void (*make)(Numbers& numbers, Draft& draft);
};

Generator fourbar();
Generator slider_crank();
Generator cam();
Generator geneva();
Generator ratchet();
Generator escapement();
Generator latch();
Generator gear_train();

}  // namespace pawl::generating
