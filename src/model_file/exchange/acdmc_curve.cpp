#include "model_file/exchange/acdmc_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "curves/profile.h"

namespace pawl {

namespace {

using Space = Planar<double>;
using std::numbers::pi;
constexpr double degree = pi / 180;

// Gaps below this part of the curve's size are rounding of the data and are closed, as Pawl does.
constexpr double closed_gap = 1e-5;
// Below this part there is no gap: it is rounding of our own.
constexpr double no_gap = 1e-13;
// An arc of less, rad, has no length: it is a whole turn.
constexpr double no_turn = 1e-9;

enum Kind { point, line, arc, circle, polynomial };

// One element as the file has it.
struct Part {
    Kind kind = point;
    const AcdmcField* head = nullptr;
    std::optional<PlaneVector> centre, pinit, pend;
    std::optional<double> radius;
    bool convex = true;
    std::vector<double> coefficients, orders;
    double first = 0, divisor = 1;  // Ao and Ko, degrees
};

double length(PlaneVector v) { return std::hypot(v.x, v.y); }
double angle_of(PlaneVector v) { return std::atan2(v.y, v.x); }

class CurveReader {
public:
    CurveReader(const AcdmcEntity& surface, const std::string& title,
                std::vector<std::string>& assumptions, Diagnostics& diagnostics)
        : surface_(surface), title_(title), assumptions_(assumptions), diagnostics_(diagnostics) {}

    std::optional<PlaneCurves> read() {
        if (!read_normal() || !read_parts() || !build()) return std::nullopt;
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

    bool read_normal() {
        const AcdmcField* field = surface_.find("NORMAL VECTOR");
        if (!field) return true;
        const auto n = acdmc_numbers(*field, 3, diagnostics_);
        if (!n) return false;
        if ((*n)[0] != 0 || (*n)[1] != 0 || std::abs((*n)[2]) != 1)
            return fail(field->span, "the normal of a plane curve is 0 0 1 or 0 0 -1");
        flipped_ = (*n)[2] < 0;
        return true;
    }

    // Seen from the side of the normal: with the normal -z, y is turned round.
    std::optional<PlaneVector> vector(const AcdmcField& field) {
        const auto n = acdmc_numbers(field, 3, diagnostics_);
        if (!n) return std::nullopt;
        if ((*n)[2] != 0)
            diagnostics_.warning(field.span, title_ + ": z = " + exchange_number((*n)[2]) +
                                                 " is left out: the mechanism is plane");
        return PlaneVector{(*n)[0], flipped_ ? -(*n)[1] : (*n)[1]};
    }

    bool read_parts() {
        bool finished = false;
        for (const AcdmcField& field : surface_.fields) {
            if (field.key == "TYPE OF CURVE") {
                if (finished) return fail(field.span, "an element after FIN : YES");
                const int kind = acdmc_choice(field,
                                              {"POINT", "SEGMENT|SEG|LINE|LIGNE", "ARC",
                                               "CIRCLE|CERCLE", "POLY|POLYLN|POLYNOMIAL|POLYNOME"},
                                              diagnostics_);
                if (kind < 0) return false;
                parts_.emplace_back();
                parts_.back().kind = static_cast<Kind>(kind);
                parts_.back().head = &field;
            } else if (field.key == "FIN") {
                const int yes = acdmc_choice(field, {"NO|NON", "YES|OUI"}, diagnostics_);
                if (yes < 0) return false;
                finished = yes == 1;
            } else if (!parts_.empty() && !read_field(parts_.back(), field)) {
                return false;
            }
        }
        if (parts_.empty()) return fail(surface_.span, "a curve needs TYPE OF CURVE");
        if (!finished)
            return fail(surface_.fields.back().end,
                        "the curve ends without FIN : YES; is the file truncated?");
        for (const Part& part : parts_)
            if (!complete(part)) return false;
        return true;
    }

    bool read_field(Part& part, const AcdmcField& field) {
        const auto one = [&](double& value) {
            const auto n = acdmc_numbers(field, 1, diagnostics_);
            if (n) value = n->front();
            return n.has_value();
        };
        if (field.key == "CENTRE") return (part.centre = vector(field)).has_value();
        if (field.key == "PINIT") return (part.pinit = vector(field)).has_value();
        if (field.key == "PEND") return (part.pend = vector(field)).has_value();
        if (field.key == "RADIAL") return one(part.radius.emplace());
        if (field.key == "AO") return one(part.first);
        if (field.key == "KO") {
            if (!one(part.divisor)) return false;
            return part.divisor != 0 || fail(field.span, "KO must not be 0");
        }
        if (field.key == "RO") {
            double ro = 1;
            if (!one(ro)) return false;
            if (ro != 1)
                diagnostics_.warning(field.span, title_ +
                                                     ": RO is left out: its meaning is known "
                                                     "for the value 1 only");
            return true;
        }
        if (field.key == "CONCAVE OR CONVEX") {
            const int concave = acdmc_choice(field, {"CONVEX|CONVEXE", "CONCAVE"}, diagnostics_);
            part.convex = concave != 1;
            return concave >= 0;
        }
        if (field.key == "COEFFI" || field.key == "ORDER") {
            const auto n = acdmc_numbers(field, field.words.size(), diagnostics_);
            if (n) (field.key == "ORDER" ? part.orders : part.coefficients) = *n;
            return n.has_value();
        }
        if (field.key == "NUM") {
            double number = 0;
            return one(number);  // it is checked by the lengths of COEFFI and ORDER
        }
        return fail(field.span, field.key + " has no meaning inside a curve");
    }

    bool complete(const Part& part) {
        const auto need = [&](bool given, const char* what) {
            return given || fail(part.head->span, part.head->words.front().text + " needs " + what);
        };
        if (part.kind == arc) return need(part.centre.has_value(), "CENTRE");
        if (part.kind == circle)
            return need(part.centre.has_value(), "CENTRE") &&
                   need(part.radius || part.pinit, "RADIAL or PINIT");
        if (part.kind == polynomial)
            return need(!part.coefficients.empty(), "COEFFI") &&
                   need(part.coefficients.size() == part.orders.size(),
                        "as many numbers in ORDER as in COEFFI");
        return true;
    }

    bool build() {
        drawn_.clear();
        for (const Part& part : parts_)
            if (part.kind != point) drawn_.push_back(&part);
        if (drawn_.empty() || drawn_.front()->kind == circle) return build_single();
        const Part& first = *drawn_.front();
        if (!first.pinit) return fail(first.head->span, "the first element needs PINIT");
        measure();
        begin_ = at_ = *first.pinit;
        for (std::size_t i = 0; i < drawn_.size(); ++i) {
            const Part& part = *drawn_[i];
            if (part.pinit && i > 0 && !note_gap(part, i, length(*part.pinit - at_))) return false;
            const bool done = part.kind == line  ? add_line(i)
                              : part.kind == arc ? add_arc(i)
                              : part.kind == polynomial
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
        const Part& part = drawn_.empty() ? parts_.front() : *drawn_.front();
        if (parts_.size() > 1)
            return fail(parts_[1].head->span, "a circle must be the only element");
        if (part.kind == point) {
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
        for (const Part* part : drawn_) {
            for (const auto& p : {part->pinit, part->pend})
                if (p) size_ = std::max(size_, length(*p - *drawn_.front()->pinit));
            if (part->centre && part->pinit)
                size_ = std::max(size_, length(*part->pinit - *part->centre));
        }
    }

    bool note_gap(const Part& part, std::size_t i, double gap) {
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
    bool no_end(const Part& part) {
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

    // Where the two ends are not as far from the centre, the centre goes to the nearest place that
    // is: its projection on the perpendicular bisector of the chord.
    bool add_arc(std::size_t i) {
        const Part& part = *drawn_[i];
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
        const Part& part = *drawn_[i];
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
            assumptions_.push_back(fmt::format(
                "{}: the file does not say where the polynomial of element {} ends; it ends "
                "after {} deg, where it meets the next element",
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
        const Part& next = *drawn_[i + 1];
        const PlaneVector centre = next.centre.value_or(PlaneVector{});
        if (length(centre - origin) > no_gap * size_) return std::nullopt;
        if (next.kind == arc) {
            const auto place = next.pinit ? next.pinit : end_of(i + 1);
            if (!place) return std::nullopt;
            return Meeting{length(*place - centre), 0};
        }
        if (next.kind != polynomial) return std::nullopt;
        PolarPolynomial<Space> p;
        p.coefficients = next.coefficients;
        p.exponents = next.orders;
        p.scale = next.divisor * degree;
        const auto r = p.radius(TimeJet<double>(next.first * degree, 1.0));
        return Meeting{r.value, r.rate};
    }

    // How far a polynomial runs, degrees: to where it meets the next element in place and slope, or
    // else in place alone. Whole degrees first, where the gap that they leave is rounding.
    std::optional<double> travel_of(std::size_t i, const PolarPolynomial<Space>& p) {
        const auto meeting = meeting_of(i, p.origin);
        if (!meeting) return std::nullopt;
        const double side = drawn_[i]->convex ? 1 : -1, tolerance = closed_gap * size_;
        const double same_slope = 1e-3 * size_;  // far above rounding, far below a visible corner
        const auto at = [&](double travel) {
            return p.radius(TimeJet<double>(p.from + side * travel * degree, side));
        };
        const auto miss = [&](double travel) { return at(travel).value - meeting->radius; };
        const auto smooth = [&](double travel) {
            return std::abs(at(travel).rate - meeting->slope) <= same_slope;
        };
        std::vector<double> places;
        for (int k = 1; k < 360; ++k)
            if (std::abs(miss(k)) <= tolerance && std::abs(miss(k)) <= std::abs(miss(k - 1)) &&
                std::abs(miss(k)) <= std::abs(miss(k + 1)))
                places.push_back(k);
        constexpr double step = 0.25;
        for (double u = step; u < 360 && places.empty(); u += step) {
            if ((miss(u) < 0) == (miss(u + step) < 0)) continue;
            double low = u, high = u + step;
            while (high - low > 1e-13 * high)
                ((miss(0.5 * (low + high)) < 0) == (miss(low) < 0) ? low : high) =
                    0.5 * (low + high);
            places.push_back(low);
        }
        const auto best = std::find_if(places.begin(), places.end(), smooth);
        if (best != places.end()) return *best;
        return places.empty() ? std::nullopt : std::optional(places.front());
    }

    const AcdmcEntity& surface_;
    const std::string& title_;
    std::vector<std::string>& assumptions_;
    Diagnostics& diagnostics_;
    bool flipped_ = false;
    std::vector<Part> parts_;
    std::vector<const Part*> drawn_;
    double size_ = 0;
    PlaneVector begin_, at_;  // of the chain; the end of what is there
    double direction_ = 0;    // of the end, seen from the centre of the element there
    PlaneCurves curves_;
};

}  // namespace

std::optional<PlaneCurves> read_acdmc_curve(const AcdmcEntity& surface, const std::string& title,
                                            std::vector<std::string>& assumptions,
                                            Diagnostics& diagnostics) {
    return CurveReader(surface, title, assumptions, diagnostics).read();
}

}  // namespace pawl
