// Low hops of contacts that strike each other, as of balls in a column: they end together, by the
// limit of all of them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "simulation/event_cycle/transition_work.h"

namespace pawl {

namespace {

bool is_same(const Mode::Point& a, const Mode::Point& b) {
    return a.pair == b.pair && a.a == b.a && a.b == b.b;
}

}  // namespace

// Bodies that joints and closed contacts connect, by a number of their group; ground connects none.
std::vector<int> TransitionWork::connected_bodies() const {
    std::vector<int> group(world_.mechanism.bodies.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int body) {
        while (group[static_cast<std::size_t>(body)] != body)
            body = group[static_cast<std::size_t>(body)];
        return body;
    };
    const auto connect = [&](int a, int b) {
        if (a > 0 && b > 0) group[static_cast<std::size_t>(root(a))] = root(b);
    };
    for (const auto& joint : world_.mechanism.joints) connect(joint.a(), joint.b());
    for (const Point& point : before_.closed)
        connect(world_.pair_of(point).a, world_.pair_of(point).b);
    for (int& body : group) body = root(body);
    return group;
}

// Whether a blow at one contact acts at the other.
bool TransitionWork::feels(const std::vector<int>& group, const Point& a, const Point& b) const {
    for (const int mine : {world_.pair_of(a).a, world_.pair_of(a).b})
        for (const int body : {world_.pair_of(b).a, world_.pair_of(b).b})
            if (mine > 0 && body > 0 &&
                group[static_cast<std::size_t>(mine)] == group[static_cast<std::size_t>(body)])
                return true;
    return false;
}

// Whether within the time an open contact besides the touching ones may close whose blow these
// would feel, by a hop of a size like theirs: they accumulate together.
bool TransitionWork::is_struck_in(double time, const std::vector<Touching>& touching,
                                  const State& after) {
    const auto group = connected_bodies();
    auto& equations = *system_->equations;
    equations.set_position(after.q, after.t);
    equations.coordinates().set_velocity(after.v);
    const double falls = 0.5 * before_.typical_acceleration * time * time;
    std::vector<Point> points;
    for (const int pair : world_.watch.pairs()) {
        world_.watch.open_points(equations.coordinates(), pair, 100 * lowest_hop(), before_.closed,
                                 points);
        for (const Point& point : points)
            if (point.touch.gap > world_.touching &&
                std::any_of(touching.begin(), touching.end(),
                            [&](const Touching& x) { return feels(group, x.point, point); }) &&
                std::none_of(touching.begin(), touching.end(),
                             [&](const Touching& x) { return is_same(x.point, point); }) &&
                point.touch.gap < falls - std::min(0.0, point.rates.closing) * time)
                return true;
    }
    return false;
}

// An impact with a rebound that counts as low, while other contacts it feels are open by no more
// than such hops: they end together, if their common limit is known.
std::optional<TransitionWork::Accumulation> TransitionWork::hop_together(
    const ContactOccurrence& meets, std::vector<Touching>& touching) {
    const auto& pair = world_.pair_of(meets.point);
    auto& equations = *system_->equations;
    equations.set_position(result_.state.q, result_.state.t);
    const double approach =
        -world_.watch.locate(equations.coordinates(), meets.point, result_.state.v).rates.closing;
    const double e = pair.restitution_at(std::max(0.0, approach)), rebound = e * approach;
    if (pair.capture || !(e > 0) || !(e < 1) || !(rebound > still_) ||
        rebound * rebound > 2 * before_.typical_acceleration * lowest_hop())
        return std::nullopt;
    const std::vector<int> group = connected_bodies();
    std::vector<Touching> all = collect(lowest_hop());
    // Open ones that hop with it, or with others that do.
    std::vector<Point> hopping{meets.point};
    std::vector<char> hops(all.size(), 0);
    for (std::size_t i = 0; i < hopping.size(); ++i)
        for (std::size_t k = 0; k < all.size(); ++k)
            if (const Point& point = all[k].point;
                is_open(all[k]) && !hops[k] && feels(group, hopping[i], point) &&
                ends_with_the_others(std::abs(point.rates.closing), before_.typical_acceleration)) {
                hops[k] = 1;
                hopping.push_back(point);
            }
    std::size_t k = 0;
    std::erase_if(all, [&](const Touching& x) { return !hops[k++] && is_open(x); });
    const auto meeting = [&](const Touching& x) {
        return is_same(x.point, meets.point) && !is_open(x);
    };
    if (std::none_of(all.begin(), all.end(), meeting) || !any_open(all)) return std::nullopt;
    touching = std::move(all);
    return Accumulation{result_.state.t, 1, false};
}

// The impact that ends those that accumulate, on all contacts concerned; nothing where there are
// none, or their end is not known.
std::optional<Transition::Outcome> TransitionWork::end_together(const ContactOccurrence& meets) {
    std::vector<Touching> touching;
    Given given;
    given.ending = accumulation(meets);
    if (given.ending) {
        touching = collect(lowest_hop());
        add_meeting(meets, touching);
    } else {
        given.ending = hop_together(meets, touching);
    }
    if (!given.ending) return std::nullopt;
    const Transition before = result_;
    const Outcome outcome = solve(std::move(touching), given);
    if (!std::exchange(ends_apart_, false)) return outcome;
    result_ = before;
    return std::nullopt;
}

bool TransitionWork::any_open(const std::vector<Touching>& touching) const {
    return std::any_of(touching.begin(), touching.end(),
                       [&](const Touching& x) { return is_open(x); });
}

// The blow at the contacts that touch now; those that are open within a hop take no part in it.
TransitionWork::Struck TransitionWork::strike_now(TouchingProblem& together,
                                                  const std::vector<Touching>& touching,
                                                  const Eigen::VectorXd& restitution) {
    ImpactSystem whole = impact_system(together, touching, restitution), system;
    follow_speeds(whole, touching, restitution);
    std::vector<int> rows;
    for (std::size_t i = 0; i < touching.size(); ++i) {
        if (is_open(touching[i])) continue;
        const auto row = static_cast<int>(3 * i);
        rows.insert(rows.end(), {row, row + 1, row + 2});
        system.laws.push_back(whole.laws[i]);
    }
    system.still = whole.still;
    system.response = whole.response(rows, rows);
    system.velocity = whole.velocity(rows);
    Struck struck;
    const ImpactSystemResult result = solve_impacts(system, struck.order);
    struck.friction.resize(touching.size());
    // It may be that only open contacts approach.
    struck.solved = result.outcome == ImpactOutcome::solved ||
                    result.outcome == ImpactOutcome::wedged ||
                    result.outcome == ImpactOutcome::none;
    if (!struck.solved) return struck;
    const auto [row, scale] = impact_rows(*together.all, touching.size());
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(together.problem.velocity().size()),
                    work = impulse;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (const auto own = static_cast<std::size_t>(rows[k]); row[own] >= 0) {
            impulse[row[own]] = result.impulse[static_cast<int>(k)] / scale[own];
            work[row[own]] = result.work[static_cast<int>(k)];
        }
    together.problem.set_impulses(impulse, work);
    return struck;
}

}  // namespace pawl
