// What a run has left behind: columns by name, events, the audit. Cheap to copy.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"
#include "results/audit.h"
#include "results/column.h"
#include "results/event.h"
#include "results/response.h"

namespace pawl {

class Result {
public:
    [[nodiscard]] bool is_complete() const;
    // "completed", "jam", "painleve", ...; why a run ended early is the message.
    [[nodiscard]] const std::string& status() const;
    [[nodiscard]] const std::string& message() const;
    // The same with line and column; what a model lacks for a run comes with all locations.
    [[nodiscard]] const Diagnostics& problems() const;

    [[nodiscard]] const std::vector<Column>& columns() const;
    [[nodiscard]] std::size_t rows() const;
    // The values of a column one after the other in memory, as long as a copy of the result lives;
    // empty where there is none of the name. In the unit of the column: SI but for measures.
    [[nodiscard]] std::span<const double> column(std::string_view name) const;
    // All rows one after the other, where the run has written them.
    [[nodiscard]] std::span<const double> values() const;

    [[nodiscard]] const std::vector<Event>& events() const;
    [[nodiscard]] const Audit& audit() const;
    // A number of this run, and how it moves with its rows and events where that is asked for.
    [[nodiscard]] ResponseValue response(const Response& response,
                                         Linearisation* linearisation = nullptr) const;

    // The text of result.json, without timing.
    [[nodiscard]] std::string summary() const;
    // One HTML file with moving picture, events and plots; empty for an equilibrium.
    [[nodiscard]] std::string report() const;
    // What a page needs to play the result: the picture as SVG, a description, packed columns, as
    // the JSON that web/stage reads. The start position where there are no rows; where the
    // mechanism cannot be assembled, its parts as they were put, with "gaps" between what should
    // join.
    [[nodiscard]] std::string motion() const;
    // The mechanism as SVG in the last row that is not later than t (s); empty without rows.
    [[nodiscard]] std::string drawing(double t) const;
    // A result folder as the program writes it. What was wrong; empty: it is written.
    [[nodiscard]] std::string write(const std::filesystem::path& folder) const;

    struct Inside;
    explicit Result(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

private:
    [[nodiscard]] struct StoredResult stored() const;
    std::shared_ptr<const Inside> inside_;
};

}  // namespace pawl
