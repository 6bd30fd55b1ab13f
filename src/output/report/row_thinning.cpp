#include "output/report/row_thinning.h"

#include <algorithm>
#include <cmath>

namespace pawl {

namespace {

// The slopes of lines from the first row of a piece that miss none of the rows since then.
class Piece {
public:
    Piece(std::span<const ThinnedColumn> columns, double tolerance)
        : columns_(columns),
          tolerance_(tolerance),
          first_(columns.size()),
          slopes_(first_.size()) {}

    void begin(std::span<const double> row) {
        t_ = row[0];
        for (std::size_t i = 0; i < columns_.size(); ++i) first_[i] = row[columns_[i].column];
        std::fill(slopes_.begin(), slopes_.end(), Slopes{});
    }
    // Whether the piece may end at this row; then the row counts as one inside it.
    bool reaches(std::span<const double> row) {
        const double h = row[0] - t_;
        if (!(h > 0)) return false;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const double slope = (row[columns_[i].column] - first_[i]) / h;
            // A number that appears or disappears is a change of its own.
            if (std::isnan(slope) && std::isnan(row[columns_[i].column]) && std::isnan(first_[i]))
                continue;
            if (!(slope >= slopes_[i].low && slope <= slopes_[i].high)) return false;
        }
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const double value = row[columns_[i].column] - first_[i],
                         off = tolerance_ / columns_[i].weight;
            if (std::isnan(value)) continue;
            slopes_[i].low = std::max(slopes_[i].low, (value - off) / h);
            slopes_[i].high = std::min(slopes_[i].high, (value + off) / h);
        }
        return true;
    }

private:
    struct Slopes {
        double low = -INFINITY, high = INFINITY;
    };
    std::span<const ThinnedColumn> columns_;
    double tolerance_, t_ = 0;
    std::vector<double> first_;
    std::vector<Slopes> slopes_;
};

}  // namespace

std::optional<std::vector<std::size_t>> rows_within(const Trajectory& trajectory,
                                                    std::span<const ThinnedColumn> columns,
                                                    double tolerance,
                                                    std::span<const std::size_t> always,
                                                    std::size_t max_rows) {
    std::vector<std::size_t> kept;
    Piece piece(columns, tolerance);
    const auto keep = [&](std::size_t row) {
        kept.push_back(row);
        piece.begin(trajectory.row(row));
    };
    auto next = always.begin();
    for (std::size_t row = 0; row < trajectory.rows(); ++row) {
        const bool last = row + 1 == trajectory.rows();
        while (next != always.end() && *next < row) ++next;
        const bool needed = row == 0 || last || (next != always.end() && *next == row);
        if (row > 0 && !piece.reaches(trajectory.row(row)) && kept.back() != row - 1) {
            keep(row - 1);
            if (!piece.reaches(trajectory.row(row))) keep(row);
        }
        if (needed && (kept.empty() || kept.back() != row)) keep(row);
        if (kept.size() > max_rows) return std::nullopt;
    }
    return kept;
}

}  // namespace pawl
