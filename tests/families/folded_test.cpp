// Linkages that fold flat, in every combination of coordinates, formulation and integrator and at
// every tolerance: the motion passes straight through each singular position, which is reported,
// and every row obeys the linkage's own equation of motion.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/folded_linkages.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

// The error of the classical method with this step on the reduced equation.
double rk4_error(const FoldedLinkage& l, double h) {
    const auto f = [&](double s, double v) { return l.motion.acceleration(s, v); };
    double s = l.motion.start, v = l.motion.rate, t = 0, worst = 0;
    ReferenceMotion reference(l.motion, s, v, 1e-12);
    while (t < l.end) {
        const double k1 = v, a1 = f(s, v), k2 = v + h / 2 * a1, a2 = f(s + h / 2 * k1, k2),
                     k3 = v + h / 2 * a2, a3 = f(s + h / 2 * k2, k3), k4 = v + h * a3,
                     a4 = f(s + h * k3, k4);
        s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        t += h;
        reference.advance(t);
        worst = std::max(worst, std::abs(s - reference.s()));
    }
    return worst;
}

// What a run may err in the parameter s. The root of rounding is what a singular position leaves
// open, each time it is passed.
double allowed(const FoldedLinkage& l, const Combination& c) {
    const double s = l.course.sensitivity;
    // The steps of other coordinates have other errors of the same order.
    if (c.integrator == "rk4") return 300 * rk4_error(l, c.integrator_step) + 1e-5 * s;
    // A thousand times the error allowed in a step: some tens of steps, each near its limit.
    return std::min(0.3, 1e3 * c.rtol * s + 1e-7 * s);
}

class FoldedJudge {
public:
    FoldedJudge(const FoldedLinkage& linkage, const DynamicResult& result, double allowed)
        : linkage_(linkage), trajectory_(result.trajectory), allowed_(allowed) {
        for (const Part& p : linkage.motion.parts)
            for (const auto& [list, name] :
                 {std::pair{&angle_, ".angle"}, {&omega_, ".omega"}, {&alpha_, ".alpha"}})
                list->push_back(trajectory_.find(p.name + name));
    }
    // What is wrong; empty when nothing is.
    std::string error(const std::vector<Event>& events) {
        ReferenceMotion reference(linkage_.motion, linkage_.motion.start, linkage_.motion.rate,
                                  1e-12);
        for (std::size_t r = 0; r < trajectory_.rows(); ++r) {
            const auto row = trajectory_.row(r);
            reference.advance(row[0]);
            if (std::string e = row_error(row, reference.s()); !e.empty())
                return fmt::format("t = {:.6g}: {}", row[0], e);
        }
        return passes_error(events);
    }

private:
    static std::vector<double> taken(std::span<const double> row, const std::vector<int>& columns) {
        std::vector<double> list;
        for (const int c : columns) list.push_back(row[static_cast<std::size_t>(c)]);
        return list;
    }
    std::string row_error(std::span<const double> row, double expected) const {
        const auto angle = taken(row, angle_), omega = taken(row, omega_),
                   alpha = taken(row, alpha_);
        const OneFreedom& m = linkage_.motion;
        const double zero = linkage_.parameter(angles_of(m.at(0)));
        const double s = linkage_.parameter(angle) - zero, rate = linkage_.parameter(omega);
        // Off its branch, where it is judged before its time: another branch is no small error.
        // The rows hold to 1e-13 of the size, which leaves the root of it in a singular position.
        const double distance = std::abs(std::remainder(s - m.singular, m.period));
        const std::vector<JetPose> poses = m.at(s);
        const double near = 1 / (0.01 + distance), second = m.acceleration(s, rate);
        const double speeds = linkage_.course.fastest;
        double largest = 0;
        for (const JetPose& p : poses)
            largest = std::max(largest, std::abs(p.angle.d * second) +
                                            std::abs(p.angle.dd) * rate * rate + speeds * speeds);
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const Jet& a = poses[i].angle;
            const std::string& name = m.parts[i].name;
            if (!(std::abs(angle[i] - a.v) < 1e-7 * near))
                return fmt::format("off its branch: {}.angle {:.9g} for {:.9g}", name, angle[i],
                                   a.v);
            if (!(std::abs(omega[i] - a.d * rate) < 1e-6 * near * speeds))
                return fmt::format("{}.omega {:.9g} for {:.9g}", name, omega[i], a.d * rate);
            const double expected_alpha = a.d * second + a.dd * rate * rate;
            if (!(std::abs(alpha[i] - expected_alpha) < 1e-6 * near * largest))
                return fmt::format("{}.alpha {:.9g} for {:.9g}, {:.2g} from singular", name,
                                   alpha[i], expected_alpha, distance);
        }
        if (!(std::abs(s - expected) < allowed_))
            return fmt::format("s {:.9g} for {:.9g}, allowed {:.2g}", s, expected, allowed_);
        return {};
    }
    static std::vector<double> angles_of(const std::vector<JetPose>& poses) {
        std::vector<double> list;
        for (const JetPose& p : poses) list.push_back(p.angle.v);
        return list;
    }
    [[nodiscard]] std::string passes_error(const std::vector<Event>& events) const {
        std::vector<double> found;
        for (const Event& e : events)
            if (e.kind == EventKind::bifurcation) found.push_back(e.t);
        const auto& passes = linkage_.course.passes;
        if (found.size() != passes.size())
            return fmt::format("{} of {} singular positions reported", found.size(), passes.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!(std::abs(found[i] - passes[i].t) < allowed_ / std::abs(passes[i].rate) + 1e-6))
                return fmt::format("singular position at {:.9g} s for {:.9g} s", found[i],
                                   passes[i].t);
        return {};
    }

    const FoldedLinkage& linkage_;
    const Trajectory& trajectory_;
    double allowed_;
    std::vector<int> angle_, omega_, alpha_;
};

TEST(FoldedLinkages, pass_their_singular_positions_straight_on_and_report_each) {
    Family family("folded linkages", 90);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed, random);
        auto l = std::make_shared<const FoldedLinkage>(folded_linkage(random));
        if (c.integrator == "rk4") {
            c.integrator_step = random.log_between(0.003, 0.03) / l->course.fastest;
            while (rk4_error(*l, c.integrator_step) > 1e-4) c.integrator_step /= 2;
        }
        const double step = l->end / random.between(20, 100);
        return Trial{c.label(), l->text, [=] {
                         const DynamicResult result =
                             run_dynamics(placed_of(l->text), c.options(l->end, step));
                         if (result.status != DynamicStatus::completed) return judged(result, {});
                         const std::string error =
                             FoldedJudge(*l, result, allowed(*l, c)).error(result.events);
                         return judged(result, error.empty() ? error : l->kind + ": " + error);
                     }};
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
