#include "analysis/flow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/tolerances/records.h"
#include "simulation/placement/clearance.h"

namespace pawl {

using Mechanics = MechanismEquations<PlanarSpace>;

Flow::Flow(const PlacedMechanism& placed, DynamicOptions options)
    : placed_(open_clearances(placed)), options_(std::move(options)) {
    options_.reactions = false;
    // Differences of runs are accurate only if the runs take similar steps.
    constexpr double close = tolerance::flow_close;
    if (options_.integrator == Integrator::automatic) options_.integrator = Integrator::dop853;
    if (options_.integrator == Integrator::dop853) {
        options_.rtol = std::min(options_.rtol, close);
        options_.atol = std::min(options_.atol, close);
    }
    Mechanics::Choice choice;
    choice.coordinates = options_.coordinates;
    Mechanics equations(placed_.mechanism, placed_.topology, choice);
    equations.set_model_size(size());
    const int n = equations.size(), own = static_cast<int>(placed_.mechanism.states.size());
    const double time = std::sqrt(size() / 9.81);
    scale_ = Eigen::VectorXd::Ones(2 * n + own);
    for (int c = 0; c < n; ++c) {
        scale_[c] = equations.column_scale()[c];
        scale_[n + c] = scale_[c] * time;
        names_.push_back(equations.column_name(c));
        is_angle_.push_back(equations.coordinates().column_component(c) == Component::angle);
    }
}

DynamicResult Flow::run(std::optional<DynamicStart> start, double t, RunCourse* course) const {
    DynamicOptions options = options_;
    options.start = std::move(start);
    options.end = t;
    options.course = course;
    return run_dynamics(placed_, options);
}

FlowTangent Flow::tangent(const DynamicStart& start, double t, const Eigen::MatrixXd& directions) {
    FlowTangent out;
    RunCourse course;
    out.run = run(start, t, &course);
    if (out.run.status != DynamicStatus::completed) return out;
    if (!neighbours_) neighbours_ = std::make_unique<Neighbours>(placed_, options_);
    const std::set<std::size_t> no_rows;
    out.at_start.resize(scale_.size(), directions.cols());
    out.at_end.resize(scale_.size(), directions.cols());
    for (Eigen::Index i = 0; i < directions.cols() && !out.missing; ++i) {
        TangentRun tangent(course, out.run.trajectory, no_rows, *neighbours_);
        // Of the model's size, as neighbours are a part of what they move by.
        const auto found = tangent.run_from(shift_of(size() * directions.col(i), start.state));
        out.missing = tangent.missing();
        if (!found) continue;
        out.at_start.col(i) = vector_of(found->at_start) / size();
        out.at_end.col(i) = vector_of(found->at_end) / size();
        out.error = std::max(out.error, tangent.error());
    }
    if (out.missing) return out;
    TangentRun going_on(course, out.run.trajectory, no_rows, *neighbours_);
    if (const auto rates = going_on.rates_at_start(); rates) out.rates = vector_of(*rates);
    return out;
}

State Flow::shift_of(const Eigen::VectorXd& vector, const State& state) const {
    DynamicStart zero{state, {}};
    for (auto* part : {&zero.state.q, &zero.state.v, &zero.state.z})
        std::fill(part->begin(), part->end(), 0.0);
    zero.state.t = 0;
    return moved(zero, vector).state;
}

Eigen::VectorXd Flow::vector_of(const State& state) const {
    const auto n = static_cast<Eigen::Index>(state.q.size()), own = scale_.size() - 2 * n;
    Eigen::VectorXd x(scale_.size());
    for (Eigen::Index c = 0; c < n; ++c) {
        x[c] = state.q[c];
        x[n + c] = state.v[c];
    }
    for (Eigen::Index i = 0; i < own; ++i) x[2 * n + i] = state.z[i];
    return x.cwiseProduct(scale_);
}

std::string Flow::name_of(Eigen::Index component) const {
    const auto n = static_cast<Eigen::Index>(names_.size());
    if (component < n) return names_[static_cast<std::size_t>(component)];
    if (component < 2 * n) return names_[static_cast<std::size_t>(component - n)] + ", rate";
    return placed_.mechanism.states[static_cast<std::size_t>(component - 2 * n)].name;
}

Eigen::Index Flow::find(std::string_view coordinate) const {
    const auto found = std::find_if(names_.begin(), names_.end(), [&](const std::string& name) {
        return name == coordinate || (name.starts_with("free:") && name.substr(5) == coordinate);
    });
    return found == names_.end() ? -1 : found - names_.begin();
}

DynamicStart Flow::moved(const DynamicStart& start, const Eigen::VectorXd& by) const {
    DynamicStart out = start;
    const Eigen::VectorXd step = by.cwiseQuotient(scale_);
    const auto n = static_cast<Eigen::Index>(start.state.q.size()), own = scale_.size() - 2 * n;
    for (Eigen::Index c = 0; c < n; ++c) {
        out.state.q[c] += step[c];
        out.state.v[c] += step[n + c];
    }
    for (Eigen::Index i = 0; i < own; ++i) out.state.z[i] += step[2 * n + i];
    return out;
}

Eigen::MatrixXd Flow::directions(const DynamicStart& start) const {
    Mechanics::Choice choice;
    choice.coordinates = options_.coordinates;
    std::vector<ContactPoint<PlanarSpace>> permanent;
    for (const auto& point : start.contacts)
        if (placed_.mechanism.contacts[static_cast<std::size_t>(point.pair)].permanent)
            permanent.push_back(point);
        else if (!point.compliant)
            choice.contacts.push_back(point);
    Mechanics equations(placed_.mechanism, placed_.topology, choice);
    equations.set_model_size(size());
    std::copy(permanent.begin(), permanent.end(), equations.contacts().begin());
    equations.set_position(start.state.q, start.state.t);
    const auto n = static_cast<Eigen::Index>(start.state.q.size()), own = scale_.size() - 2 * n;
    const Eigen::MatrixXd z =
        equations.pattern().rows() == 0
            ? Eigen::MatrixXd::Identity(n, n)
            : null_space(equations.pattern(), equations.jacobian(), equations.column_scale());
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(scale_.size(), 2 * z.cols() + own);
    out.block(0, 0, n, z.cols()) = z;
    out.block(n, z.cols(), n, z.cols()) = z;
    out.bottomRightCorner(own, own).setIdentity();
    return out;
}

Eigen::VectorXd Flow::whole_turns(const Eigen::VectorXd& difference) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(scale_.size());
    for (std::size_t c = 0; c < is_angle_.size(); ++c) {
        const auto i = static_cast<Eigen::Index>(c);
        const double turn = 2 * std::numbers::pi * scale_[i];
        if (is_angle_[c]) out[i] = turn * std::round(difference[i] / turn);
    }
    return out;
}

bool is_repeated_at_start(const Event& event, double start) {
    return event.t <= start && (event.kind == EventKind::stick || event.kind == EventKind::slip ||
                                event.kind == EventKind::slip_reversal);
}

bool same_events(const std::vector<Event>& a, const std::vector<Event>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Event& x, const Event& y) {
        return x.kind == y.kind && x.element == y.element && x.to == y.to;
    });
}

}  // namespace pawl
