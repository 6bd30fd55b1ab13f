// Curves of an ADAMS data set: matrices of points, and profiles through them on the bodies of
// markers.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "math/tolerances/outside.h"
#include "model_file/exchange/adams_text.h"
#include "model_file/exchange/exchange_model.h"

namespace pawl {

struct AdamsMarker {
    // Euler angles are printed with a few digits; more than this is not rounding.
    static constexpr double rounding = tolerance::foreign_rounding;
    Span span;
    int body = 0;
    PlaneVector at;
    double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};  // its axes, in those of the part

    [[nodiscard]] bool upright() const { return std::abs(std::abs(z[2]) - 1) < rounding; }
    [[nodiscard]] double side() const { return z[2] < 0 ? -1 : 1; }
    [[nodiscard]] double turn() const { return std::atan2(x[1], x[0]); }       // where upright
    [[nodiscard]] double direction() const { return std::atan2(z[1], z[0]); }  // where it slides
};

class AdamsCurves {
public:
    // Profiles and assumptions are added to the model.
    AdamsCurves(ExchangeModel& model, Diagnostics& diagnostics)
        : model_(model), diagnostics_(diagnostics), values_(diagnostics) {}

    // Values in rows. Where every line is a row, a short line lacks its last numbers.
    void read_matrix(const AdamsStatement& s);
    // Adds the profile of a curve on the body of its reference marker, with the material on the
    // left: inside a closed curve, on the hollow side of an open one. Its name; empty with an
    // error.
    std::string add_profile(const AdamsStatement& curve, const AdamsMarker& marker);

private:
    bool has_equal_neighbours(const std::vector<PlaneVector>& points) const;

    ExchangeModel& model_;
    Diagnostics& diagnostics_;
    AdamsValues values_;
    std::map<int, std::vector<PlaneVector>> matrices_;
};

}  // namespace pawl
