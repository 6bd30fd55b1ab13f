#include "model_file/exchange/acdmc_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "curves/profile.h"
#include "math/roots.h"
#include "math/tolerances/geometry.h"
#include "math/tolerances/outside.h"
#include "model_file/exchange/acdmc_part.h"

namespace pawl {

namespace {

using Space = Planar<double>;
using std::numbers::pi;
constexpr double degree = pi / 180;

// Gaps below this part of the curve's size are rounding of the data and are closed, as Pawl does.
constexpr double closed_gap = tolerance::closed_gap;
// Below this part there is no gap: it is rounding of our own.
constexpr double no_gap = tolerance::foreign_gap;
// An arc of less, rad, has no length: it is a whole turn.
constexpr double no_turn = tolerance::foreign_turn;

double length(PlaneVector v) { return std::hypot(v.x, v.y); }
double angle_of(PlaneVector v) { return std::atan2(v.y, v.x); }

class CurveBuilder {
public:
    CurveBuilder(AcdmcParts given, const std::string& title, std::vector<std::string>& assumptions,
                 Diagnostics& diagnostics)
        : title_(title),
          assumptions_(assumptions),
          diagnostics_(diagnostics),
          flipped_(given.flipped),
          parts_(std::move(given.parts)) {}

    std::optional<PlaneCurves> curves() {
        if (!build()) return std::nullopt;
        if (flipped_) {
            std::reverse(curves_.begin(), curves_.end());
            for (auto& curve : curves_) curve = mirrored<Space>(curve);
        }
        return curves_;
    }

private:
    bool fail(Span span, const std::string& message) {
        diagnostics_.error(span, title_ + ": " + message);
        return false;
    }

    bool build() {
        drawn_.clear();
        for (const AcdmcPart& part : parts_)
            if (part.kind != AcdmcPart::point) drawn_.push_back(&part);
        if (drawn_.empty() || drawn_.front()->kind == AcdmcPart::circle) return build_single();
        const AcdmcPart& first = *drawn_.front();
        if (!first.pinit) return fail(first.head->span, "the first element needs PINIT");
        measure();
        begin_ = at_ = *first.pinit;
        for (std::size_t i = 0; i < drawn_.size(); ++i) {
            const AcdmcPart& part = *drawn_[i];
            if (part.pinit && i > 0 && !note_gap(part, i, length(*part.pinit - at_))) return false;
            const bool done = part.kind == AcdmcPart::line  ? add_line(i)
                              : part.kind == AcdmcPart::arc ? add_arc(i)
                              : part.kind == AcdmcPart::polynomial
                                  ? add_polynomial(i)
                                  : fail(part.head->span, "a circle must be the only element");
            if (!done) return false;
            std::visit([](auto& c) { round(c); }, curves_.back());
            const auto problem =
                std::visit([](const auto& c) { return c.problem(); }, curves_.back());
            if (problem) return fail(part.head->span, *problem);
            at_ = point_of<Space>(curves_.back(), 1).p;
            if (i == 0) begin_ = point_of<Space>(curves_.back(), 0).p;
        }
        Profile<Space> ignored;
        const auto problem = make_profile<Space>(curves_, ends_meet<Space>(curves_), ignored);
        return !problem || fail(drawn_[static_cast<std::size_t>(problem->element)]->head->span,
                                problem->message);
    }

    // As the model file will have it, so that the next element begins where this one ends there.
    template <class Curve>
    static void round(Curve&) {}
    static void round(ArcCurve<Space>& c) {
        c.centre = {exchange_rounded(c.centre.x), exchange_rounded(c.centre.y)};
        c.radius = exchange_rounded(c.radius);
        const double to = exchange_angle(c.from + c.sweep);
        c.from = exchange_angle(c.from);
        c.sweep = to - c.from;
    }
    static void round(PolarPolynomial<Space>& c) {
        for (double* angle : {&c.from, &c.to, &c.start, &c.scale}) *angle = exchange_angle(*angle);
        for (double& x : c.coefficients) x = exchange_rounded(x);
    }

    // A circle, or a point alone.
    bool build_single() {
        const AcdmcPart& part = drawn_.empty() ? parts_.front() : *drawn_.front();
        if (parts_.size() > 1)
            return fail(parts_[1].head->span, "a circle must be the only element");
        if (part.kind == AcdmcPart::point) {
            if (!part.pinit)
                return fail(part.head->span, "a point that is the only element needs PINIT");
            curves_.push_back(Corner<Space>{*part.pinit, 0, 2 * pi});
            return true;
        }
        const double radius = part.radius ? *part.radius : length(*part.pinit - *part.centre);
        const PlaneVector arm = part.pinit ? *part.pinit - *part.centre : PlaneVector{radius, 0};
        size_ = radius;
        if (!note_gap(part, 0, std::abs(length(arm) - radius))) return false;
        curves_.push_back(CircleCurve<Space>{*part.centre, radius, angle_of(arm), !part.convex});
        return radius > 0 || fail(part.head->span, "the radius must be positive");
    }

    void measure() {
        for (const AcdmcPart* part : drawn_) {
            for (const auto& p : {part->pinit, part->pend})
                if (p) size_ = std::max(size_, length(*p - *drawn_.front()->pinit));
            if (part->centre && part->pinit)
                size_ = std::max(size_, length(*part->pinit - *part->centre));
        }
    }

    bool note_gap(const AcdmcPart& part, std::size_t i, double gap) {
        if (gap <= no_gap * size_) return true;
        if (gap > closed_gap * size_)
            return fail(part.head->span,
                        fmt::format("element {} misses the one before it, or its own centre, by {}",
                                    i + 1, fmt::format("{:.3g}", gap)));
        assumptions_.push_back(fmt::format(
            "{}: element {} misses its neighbour by {:.3g}, which is closed", title_, i + 1, gap));
        return true;
    }

    // PEND; or the start of the chain where the last element has none.
    std::optional<PlaneVector> end_of(std::size_t i) {
        const bool last = i + 1 == drawn_.size();
        if (last && drawn_[i]->pend && length(*drawn_[i]->pend - begin_) <= closed_gap * size_)
            return begin_;
        if (drawn_[i]->pend) return drawn_[i]->pend;
        if (last) return begin_;
        return std::nullopt;
    }
    bool no_end(const AcdmcPart& part) {
        return fail(part.head->span, part.head->words.front().text + " needs PEND");
    }

    // The angle of a vector, counted on from where the element before ended.
    [[nodiscard]] double direction(PlaneVector v) const {
        return direction_ + wrapped(angle_of(v) - direction_);
    }

    bool add_line(std::size_t i) {
        const auto end = end_of(i);
        if (!end) return no_end(*drawn_[i]);
        curves_.push_back(LineCurve<Space>{at_, *end});
        return true;
    }

    // Where the two ends are not as far from the centre, the centre goes to the nearest point that
    // is: its projection on the perpendicular bisector of the chord.
    bool add_arc(std::size_t i) {
        const AcdmcPart& part = *drawn_[i];
        const auto end = end_of(i);
        if (!end) return no_end(part);
        PlaneVector centre = *part.centre;
        const double miss = std::abs(length(at_ - centre) - length(*end - centre));
        if (!note_gap(part, i, miss)) return false;
        const PlaneVector chord = *end - at_, middle = 0.5 * (at_ + *end);
        if (miss > no_gap * size_)
            centre = centre - Space::dot(centre - middle, chord) / Space::dot(chord, chord) * chord;
        const double from = direction(at_ - centre);
        double sweep = angle_of(*end - centre) - from;
        while (sweep <= no_turn) sweep += 2 * pi;
        while (sweep > 2 * pi + no_turn) sweep -= 2 * pi;
        if (!part.convex) sweep -= 2 * pi;
        const double radius = length(at_ - centre);
        if (drawn_.size() == 1 && std::abs(std::abs(sweep) - 2 * pi) < no_turn)
            curves_.push_back(CircleCurve<Space>{centre, radius, from, !part.convex});
        else
            curves_.push_back(ArcCurve<Space>{centre, radius, from, sweep});
        direction_ = from + sweep;
        return true;
    }

    // u = Ao + the angle travelled, in degrees; r = sum of c (u/Ko)^e. A convex one runs
    // counter-clockwise. The missing part of r at its start is added to its constant term, at a
    // given end to a linear one.
    bool add_polynomial(std::size_t i) {
        const AcdmcPart& part = *drawn_[i];
        const double side = part.convex ? 1 : -1;
        PolarPolynomial<Space> p;
        p.origin = part.centre.value_or(PlaneVector{});
        p.from = direction(at_ - p.origin);
        p.start = p.from - side * part.first * degree;
        p.scale = side * part.divisor * degree;
        p.coefficients = part.coefficients;
        p.exponents = part.orders;
        const auto end = end_of(i);
        if (end) {
            double turn = wrapped(angle_of(*end - p.origin) - p.from);
            if (side * turn <= no_turn) turn += side * 2 * pi;
            p.to = p.from + turn;
        } else if (const auto travel = travel_of(i, p)) {
            p.to = p.from + side * *travel * degree;
            assumptions_.push_back(
                fmt::format("{}: the file does not say where the polynomial of element {} ends; it "
                            "is taken to end after {} deg, where it meets the next element",
                            title_, i + 1, exchange_number(*travel)));
        } else {
            return fail(part.head->span,
                        "the end of the polynomial cannot be found: no place where "
                        "it meets the next element; give PEND");
        }
        const double miss = length(at_ - p.origin) - p.radius(p.from).value;
        if (!note_gap(part, i, std::abs(miss))) return false;
        if (std::abs(miss) > no_gap * size_) add_term(p, 0, miss);
        const double rest = end ? length(*end - p.origin) - p.radius(p.to).value : 0;
        if (!note_gap(part, i, std::abs(rest))) return false;
        if (std::abs(rest) > no_gap * size_) {
            const double tilt = rest * p.scale / (p.to - p.from);
            add_term(p, 1, tilt);
            add_term(p, 0, -tilt * (p.from - p.start) / p.scale);
        }
        direction_ = p.to;
        curves_.push_back(std::move(p));
        return true;
    }

    static void add_term(PolarPolynomial<Space>& p, double exponent, double coefficient) {
        for (std::size_t k = 0; k < p.exponents.size(); ++k)
            if (p.exponents[k] == exponent) {
                p.coefficients[k] += coefficient;
                return;
            }
        p.exponents.push_back(exponent);
        p.coefficients.push_back(coefficient);
    }

    // Radius and slope (per radian travelled) at which the next element begins, about an origin.
    struct Meeting {
        double radius = 0, slope = 0;
    };
    std::optional<Meeting> meeting_of(std::size_t i, PlaneVector origin) {
        if (i + 1 >= drawn_.size()) return std::nullopt;
        const AcdmcPart& next = *drawn_[i + 1];
        const PlaneVector centre = next.centre.value_or(PlaneVector{});
        if (length(centre - origin) > no_gap * size_) return std::nullopt;
        if (next.kind == AcdmcPart::arc) {
            const auto point = next.pinit ? next.pinit : end_of(i + 1);
            if (!point) return std::nullopt;
            return Meeting{length(*point - centre), 0};
        }
        if (next.kind != AcdmcPart::polynomial) return std::nullopt;
        PolarPolynomial<Space> p;
        p.coefficients = next.coefficients;
        p.exponents = next.orders;
        p.scale = next.divisor * degree;
        const auto r = p.radius(TimeJet<double>(next.first * degree, 1.0));
        return Meeting{r.value, r.rate};
    }

    // How far a polynomial runs, degrees: to where it meets the next element in position and slope,
    // or else in position alone. Whole degrees first, where the gap that they leave is rounding.
    std::optional<double> travel_of(std::size_t i, const PolarPolynomial<Space>& p) {
        const auto meeting = meeting_of(i, p.origin);
        if (!meeting) return std::nullopt;
        const double side = drawn_[i]->convex ? 1 : -1, tolerance = closed_gap * size_;
        const double same_slope =
            tolerance::foreign_slope * size_;  // far above rounding, far below a visible corner
        const auto at = [&](double travel) {
            return p.radius(TimeJet<double>(p.from + side * travel * degree, side));
        };
        const auto miss = [&](double travel) { return at(travel).value - meeting->radius; };
        const auto smooth = [&](double travel) {
            return std::abs(at(travel).rate - meeting->slope) <= same_slope;
        };
        std::vector<double> angles;
        for (int k = 1; k < 360; ++k)
            if (std::abs(miss(k)) <= tolerance && std::abs(miss(k)) <= std::abs(miss(k - 1)) &&
                std::abs(miss(k)) <= std::abs(miss(k + 1)))
                angles.push_back(k);
        constexpr double step = 0.25;
        for (double u = step; u < 360 && angles.empty(); u += step) {
            if ((miss(u) < 0) == (miss(u + step) < 0)) continue;
            const bool below = miss(u) < 0;
            const auto is_before = [&](double at) { return (miss(at) < 0) == below; };
            const auto is_narrow = [](double a, double b) {
                return b - a <= tolerance::foreign_root * b;
            };
            angles.push_back(bisect(u, u + step, 100, is_before, is_narrow).low);
        }
        const auto best = std::find_if(angles.begin(), angles.end(), smooth);
        if (best != angles.end()) return *best;
        return angles.empty() ? std::nullopt : std::optional(angles.front());
    }

    const std::string& title_;
    std::vector<std::string>& assumptions_;
    Diagnostics& diagnostics_;
    bool flipped_;
    std::vector<AcdmcPart> parts_;
    std::vector<const AcdmcPart*> drawn_;
    double size_ = 0;
    PlaneVector begin_, at_;  // of the chain; the end of what is there
    double direction_ = 0;    // of the end, seen from the centre of the element there
    PlaneCurves curves_;
};

}  // namespace

std::optional<PlaneCurves> read_acdmc_curve(const AcdmcEntity& surface, const std::string& title,
                                            std::vector<std::string>& assumptions,
                                            Diagnostics& diagnostics) {
    auto parts = read_acdmc_parts(surface, title, diagnostics);
    if (!parts) return std::nullopt;
    return CurveBuilder(std::move(*parts), title, assumptions, diagnostics).curves();
}

}  // namespace pawl
