// Every driven example model and one more, in both coordinates: the same motion, rates that are the
// derivatives of the positions, joints that stay closed, and influence coefficients that reproduce
// the rates.
#include <cmath>

#include <gtest/gtest.h>

#include "agreement/columns.h"
#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::both_coordinates;
using test::ColumnScale;

std::string_view text_of(const std::string& name) {
    return name == "telescope" ? test::telescope : test::embedded_text(name);
}

std::vector<std::string> driven_models() {
    std::vector<std::string> names{"telescope"};
    for (const EmbeddedModel& model : embedded_models())
        if (model.text.find("\n[driver.") != std::string_view::npos &&
            model.text.find("analysis = \"kinematics\"") != std::string_view::npos)
            names.emplace_back(model.name);
    return names;
}

class DrivenModel : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        settings_ = test::model_of(text_of(GetParam())).run;
        placed_ = test::placed_of(text_of(GetParam()));
        size_ = placed_.assembly.model_size;
    }
    [[nodiscard]] KinematicResult run(CoordinateKind kind, double step,
                                      bool influence = false) const {
        return test::run_of(placed_, settings_.end, step, kind, influence);
    }
    // The last row of a run that a dead point ended lies on the dead point, where rates are
    // infinite.
    static std::size_t regular_rows(const KinematicResult& result) {
        return result.trajectory.rows() - (result.status == KinematicStatus::completed ? 0 : 1);
    }

    RunSettings settings_;
    PlacedMechanism placed_;
    double size_ = 1;
};

INSTANTIATE_TEST_SUITE_P(models, DrivenModel, testing::ValuesIn(driven_models()),
                         [](const auto& info) { return info.param; });

// Positions are solved to 2e-14 of the size; the condition number carries that to the coordinates,
// and their error once more to each derivative. What is left of these powers in the models
// (condition at most 500) fits in 1e-13, 1e-12, 1e-10 times the condition number.
constexpr double agreement[] = {1e-13, 1e-12, 1e-10};

TEST_P(DrivenModel, moves_alike_in_relative_and_absolute_coordinates) {
    const KinematicResult a = run(CoordinateKind::relative, settings_.step);
    const KinematicResult b = run(CoordinateKind::absolute, settings_.step);
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.trajectory.rows(), b.trajectory.rows());
    const double condition =
        std::max(a.statistics.largest_condition, b.statistics.largest_condition);
    const ColumnScale scale(a.trajectory, size_);
    for (std::size_t r = 0; r < regular_rows(a); ++r)
        for (std::size_t c = 0; c < a.trajectory.columns.size(); ++c)
            ASSERT_NEAR(a.trajectory.row(r)[c], b.trajectory.row(r)[c],
                        agreement[scale.order(c)] * condition * scale.at(r, c))
                << a.trajectory.columns[c].name << " at t = " << a.trajectory.row(r)[0]
                << ", condition " << condition << ", scale " << scale.at(r, c);
}

TEST_P(DrivenModel, meets_the_same_events_in_relative_and_absolute_coordinates) {
    const KinematicResult a = run(CoordinateKind::relative, settings_.step);
    const KinematicResult b = run(CoordinateKind::absolute, settings_.step);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        EXPECT_EQ(a.events[i].kind, b.events[i].kind);
        EXPECT_EQ(a.events[i].to, b.events[i].to);
        EXPECT_NEAR(a.events[i].t, b.events[i].t, 1e-9);  // s, what events promise
    }
}

TEST_P(DrivenModel, keeps_every_joint_closed_at_every_output) {
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = run(kind, settings_.step);
        // Every joint and driver as rows on the poses that were written, whatever the run computed
        // with.
        MechanismEquations<PlanarSpace> eq(placed_.mechanism, placed_.topology,
                                           {.coordinates = CoordinateKind::absolute});
        eq.set_model_size(size_);
        std::vector<double> q(static_cast<std::size_t>(eq.size()));
        for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
            const auto row = result.trajectory.row(r);
            for (std::size_t i = 0; i < q.size(); ++i)
                q[i] = row[1 + 9 * (i / 3) + i % 3];  // nine columns a body
            eq.set_position(q, row[0]);
            ASSERT_LE(eq.residual(), 1e-12 * size_) << test::name_of(kind) << " at t = " << row[0];
        }
        EXPECT_LE(result.statistics.largest_residual, 1e-12 * size_);
    }
}

// Times at which a derivative of a driver law up to the seventh jumps, within `reach` of t.
bool near_kink(const PlanarMechanism& mechanism, double t, double reach) {
    for (const auto& driver : mechanism.drivers) {
        if (const auto* table = std::get_if<TableLaw<double>>(&driver.law)) {
            const double period = table->times.back() - table->times.front();
            for (const double knot : table->times)
                if (std::abs(std::remainder(t - knot, period)) < reach) return true;
        } else if (const auto* cam = std::get_if<CamLaw<double>>(&driver.law)) {
            double begin = 0;
            for (const auto& segment : cam->segments) {
                // The modified laws change their formula at eighths of the segment.
                for (int eighth = 0; eighth <= 8; ++eighth) {
                    const double border = begin + segment.time * eighth / 8;
                    if (std::abs(std::remainder(t - border, cam->total_time)) < reach) return true;
                }
                begin += segment.time;
            }
        }
    }
    return false;
}

// A change point is passed smoothly, but within 5 ms of it the condition number exceeds 1000 and
// its square carries the 2e-14 of a position to 1e-8 of an acceleration.
bool near_event(const KinematicResult& result, double t, double reach) {
    return std::any_of(result.events.begin(), result.events.end(),
                       [&](const Event& e) { return std::abs(e.t - t) < reach; });
}

// Fourth-order central difference with its Richardson partner on equal samples 1 step apart: error
// h^6 f7 / 210.
double difference(const Trajectory& t, std::size_t row, std::size_t column, double h) {
    const auto f = [&](int k) {
        return t.row(static_cast<std::size_t>(static_cast<int>(row) + k))[column];
    };
    const auto d = [&](int k) {
        return (8 * (f(k) - f(-k)) - (f(2 * k) - f(-2 * k))) / (12 * k * h);
    };
    return (16 * d(1) - d(2)) / 15;
}

// The column that holds the derivative of this one; 0 when there is none.
std::size_t derivative_of(const Trajectory& trajectory, std::size_t column, std::size_t bodies) {
    if (column == 0) return 0;
    const std::size_t body_columns =
        9 * bodies;  // x y angle vx vy omega ax ay alpha, then measures in threes
    if (column <= body_columns) return (column - 1) % 9 < 6 ? column + 3 : 0;
    return (column - body_columns - 1) % 3 < 2 && column + 1 < trajectory.columns.size()
               ? column + 1
               : 0;
}

TEST_P(DrivenModel, has_rates_that_are_the_derivatives_of_its_positions) {
    const double h = settings_.step / 5;
    const auto bodies = static_cast<std::size_t>(placed_.mechanism.moving_bodies());
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = run(kind, h);
        const Trajectory& trajectory = result.trajectory;
        const ColumnScale scale(trajectory, size_);
        // A dead point that ends the run is a square root in time: half a second before it h^6 f7
        // is below 1e-9.
        const double end =
            result.status == KinematicStatus::completed ? INFINITY : result.events.back().t - 0.5;
        int compared = 0;
        for (std::size_t r = 4; r + 4 < trajectory.rows() && trajectory.row(r)[0] < end; ++r) {
            const double t = trajectory.row(r)[0];
            if (near_kink(placed_.mechanism, t, 4.5 * h) || near_event(result, t, 5e-3)) continue;
            for (std::size_t c = 1; c < trajectory.columns.size(); ++c) {
                const std::size_t rate = derivative_of(trajectory, c, bodies);
                if (rate == 0) continue;
                ++compared;
                // 1e-7 of the rate, as asked; rounding, 1e-15 x condition / (h rate), is far below.
                ASSERT_NEAR(trajectory.row(r)[rate], difference(trajectory, r, c, h),
                            1e-7 * scale.over_run(r, rate))
                    << trajectory.columns[rate].name << " at t = " << trajectory.row(r)[0] << ", "
                    << test::name_of(kind);
            }
        }
        EXPECT_GT(compared, 1000);
    }
}

// The columns of the rate and the acceleration of an output of the influence table.
std::pair<std::string, std::string> rate_columns(const std::string& output, bool of_body) {
    if (!of_body) return {output + ".rate", output + ".acceleration"};
    const auto dot = output.rfind('.');
    const std::string body = output.substr(0, dot), component = output.substr(dot + 1);
    if (component == "angle") return {body + ".omega", body + ".alpha"};
    return {body + ".v" + component, body + ".a" + component};
}

TEST_P(DrivenModel, has_influence_coefficients_that_reproduce_its_rates) {
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = run(kind, settings_.step, true);
        const Trajectory &motion = result.trajectory, &table = result.influence;
        ASSERT_EQ(motion.rows(), table.rows());
        const ColumnScale scale(motion, size_);
        std::vector<std::pair<std::string, bool>> outputs;
        for (std::size_t b = 1; b < placed_.mechanism.bodies.size(); ++b)
            for (const char* tail : {".x", ".y", ".angle"})
                outputs.emplace_back(placed_.mechanism.bodies[b].name + tail, true);
        for (const auto& m : placed_.mechanism.measures) outputs.emplace_back(m.name, false);
        for (std::size_t r = 0; r < regular_rows(result); ++r) {
            std::vector<std::pair<std::string, TimeJet<double>>> drives;
            for (const auto& d : placed_.mechanism.drivers)
                drives.emplace_back(d.name, d.at(motion.row(r)[0]));
            for (const auto& [output, of_body] : outputs) {
                // x' = K f',  x'' = K f'' + f'^T L f'
                double rate = 0, acceleration = 0;
                for (std::size_t j = 0; j < drives.size(); ++j) {
                    const auto& [name, f] = drives[j];
                    const double k = test::value(table, r, "d(" + output + ")/d(" + name + ")");
                    rate += k * f.rate;
                    acceleration += k * f.acceleration;
                    for (std::size_t i = j; i < drives.size(); ++i)
                        acceleration += (i == j ? 1 : 2) * f.rate * drives[i].second.rate *
                                        test::value(table, r,
                                                    "d2(" + output + ")/d(" + name + ")d(" +
                                                        drives[i].first + ")");
                }
                const auto [first, second] = rate_columns(output, of_body);
                const auto index_of = [&](const std::string& c) {
                    return static_cast<std::size_t>(motion.find(c));
                };
                // The coefficients come from the same position and factors, so only rounding is
                // carried.
                const double room = 1e-12 * result.statistics.largest_condition;
                ASSERT_NEAR(rate, test::value(motion, r, first),
                            room * scale.at(r, index_of(first)))
                    << first << " row " << r;
                ASSERT_NEAR(acceleration, test::value(motion, r, second),
                            room * scale.at(r, index_of(second)))
                    << second << " row " << r << ", " << test::name_of(kind);
            }
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
