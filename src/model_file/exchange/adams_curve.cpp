#include "model_file/exchange/adams_curve.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "curves/profile.h"
#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Space = Planar<double>;

}  // namespace

void AdamsCurves::read_matrix(const AdamsStatement& s) {
    const auto rows = values_.reference(s, "ROWS"), columns = values_.reference(s, "COLUMNS");
    const AdamsArgument* values = s.find("VALUES");
    if (!rows || !columns) return;
    if (*columns != 3 || *rows < 1)
        return diagnostics_.error(s.span, s.title() + ": a curve needs three COLUMNS, x, y and z");
    if (!values) return diagnostics_.error(s.end, s.title() + " needs VALUES");
    const AdamsArgument* full = s.find("FULL");
    const bool by_columns =
        full && !full->values.empty() &&
        std::tolower(static_cast<unsigned char>(full->values.front().text.front())) == 'c';
    std::vector<std::vector<const AdamsWord*>> lines;
    for (const AdamsWord& word : values->values) {
        if (lines.empty() || lines.back().front()->span.line != word.span.line)
            lines.emplace_back();
        lines.back().push_back(&word);
    }
    std::vector<double> flat;
    const auto count = static_cast<std::size_t>(*rows) * 3;
    const bool line_is_row = !by_columns && lines.size() == static_cast<std::size_t>(*rows);
    for (const auto& line : lines) {
        for (const AdamsWord* word : line)
            if (const auto x = adams_number(*word, diagnostics_)) flat.push_back(*x);
        if (!line_is_row || line.size() >= 3) continue;
        diagnostics_.warning(line.front()->span,
                             fmt::format("{}: this row has {} of 3 numbers; the missing ones "
                                         "are taken as 0",
                                         s.title(), line.size()));
        flat.resize(flat.size() + 3 - line.size(), 0.0);
    }
    if (diagnostics_.has_errors()) return;
    if (flat.size() != count)
        return diagnostics_.error(
            s.end, fmt::format("{}: {} numbers expected, found {}", s.title(), count, flat.size()));
    std::vector<PlaneVector> points;
    const auto n = static_cast<std::size_t>(*rows);
    for (std::size_t r = 0; r < n; ++r)
        points.push_back(by_columns ? PlaneVector{flat[r], flat[n + r]}
                                    : PlaneVector{flat[3 * r], flat[3 * r + 1]});
    matrices_[s.id] = std::move(points);
}

bool AdamsCurves::has_equal_neighbours(const std::vector<PlaneVector>& points) const {
    double way = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
        way += std::hypot(points[k].x - points[k - 1].x, points[k].y - points[k - 1].y);
    for (std::size_t k = 1; k < points.size(); ++k) {
        constexpr double same =
            tolerance::foreign_same_point;  // of the whole way: below the digits of a file
        const PlaneVector d = points[k] - points[k - 1];
        if (!(std::hypot(d.x, d.y) > same * way)) return true;
    }
    return false;
}

std::string AdamsCurves::add_profile(const AdamsStatement& curve, const AdamsMarker& marker) {
    const auto fail = [&](Span span, const std::string& message) {
        diagnostics_.error(span, curve.title() + message);
        return std::string();
    };
    const auto matrix = values_.reference(curve, "MATRIX");
    if (!matrix) return "";
    if (!matrices_.contains(*matrix))
        return fail(curve.find("MATRIX")->span, fmt::format(": there is no MATRIX/{}", *matrix));
    std::vector<PlaneVector> points = matrices_.at(*matrix);
    if (!marker.upright()) fail(marker.span, " is turned out of the plane");
    const Similarity<Space> map{1, marker.turn(), marker.at};
    double area = 0, size = 0;
    for (PlaneVector& p : points) {
        p = map.of({p.x, marker.side() * p.y});
        size = std::max(size, std::hypot(p.x - points[0].x, p.y - points[0].y));
    }
    for (std::size_t k = 0; k < points.size(); ++k)
        area += Space::cross(points[k] - points[0], points[(k + 1) % points.size()] - points[0]);
    if (area < 0) std::reverse(points.begin(), points.end());
    const bool closed = curve.find("CLOSED") != nullptr;
    const bool straight = std::abs(area) < tolerance::foreign_straight * size * size;
    model_.assumptions.push_back(curve.title() +
                                 " is a cubic spline through its points; its material lies " +
                                 (closed     ? "inside"
                                  : straight ? "on the left of the order of its points"
                                             : "on its concave side"));
    ExchangeProfile out{"curve_" + std::to_string(curve.id), marker.body, {}};
    while (std::any_of(model_.profiles.begin(), model_.profiles.end(),
                       [&](const ExchangeProfile& p) { return p.name == out.name; }))
        out.name += "_";
    if (has_equal_neighbours(points))
        return fail(curve.span, ": two neighbouring points are the same");
    const SplineCurve<Space> spline(points, closed ? Ends::periodic : Ends::natural);
    if (const auto problem = spline.problem()) return fail(curve.span, ": " + *problem);
    out.curves.push_back(spline);
    Profile<Space> ignored;
    if (const auto problem = make_profile<Space>(out.curves, closed, ignored))
        fail(curve.span, ": " + problem->message);
    model_.profiles.push_back(out);
    return out.name;
}

}  // namespace pawl
