#include "simulation/record/clearance_record.h"

#include <algorithm>
#include <cmath>

#include "simulation/stepping/remember.h"

namespace pawl {

void ClearanceReport::add_impulse(double impulse) {
    if (!(impulse > 0)) return;
    ++impulses[static_cast<int>(std::floor(std::log10(impulse)))];
    largest_impulse = std::max(largest_impulse, impulse);
}

ClearanceRecord::ClearanceRecord(const PlanarMechanism& mechanism, ContactCycle& contacts)
    : mechanism_(mechanism), contacts_(contacts) {
    for (const auto& pair : mechanism.contacts) {
        if (pair.play_of >= 0 && (joints_.empty() || joints_.back() != pair.play_of))
            joints_.push_back(pair.play_of);
        joint_of_pair_.push_back(pair.play_of >= 0 ? static_cast<int>(joints_.size()) - 1 : -1);
    }
    for (const int j : joints_)
        reports_.emplace_back().joint = mechanism.joints[static_cast<std::size_t>(j)].name;
    mode_.assign(joints_.size(), -1);
}

ClearanceRecord::Loads ClearanceRecord::loads_at(const State& state) {
    Loads loads;
    loads.power.assign(joints_.size(), 0);
    loads.normals = contacts_.normal_forces(state);
    for (std::size_t i = 0; i < loads.normals.size(); ++i) {
        double& normal = loads.normals[i];
        normal = std::isfinite(normal) ? std::max(0.0, normal) : 0.0;
        const auto& point = contacts_.point(i);
        const int joint = joint_of_pair_[static_cast<std::size_t>(point.pair)];
        if (joint >= 0)
            loads.power[static_cast<std::size_t>(joint)] += normal * std::abs(point.rates.slip);
    }
    return loads;
}

void ClearanceRecord::count_mode(std::size_t i, double duration) {
    std::vector<int> sides;  // the profiles on body a that are touched
    for (const auto& point : contacts_.closed())
        if (joint_of_pair_[static_cast<std::size_t>(point.pair)] == static_cast<int>(i))
            sides.push_back(mechanism_.contacts[static_cast<std::size_t>(point.pair)].profile_a);
    const int points = static_cast<int>(sides.size());
    const int mode = points < 2 ? points : points > 2 ? 4 : sides[0] != sides[1] ? 2 : 3;
    auto& entry = reports_[i].modes[static_cast<std::size_t>(mode)];
    entry.share += duration;
    if (mode != mode_[i]) ++entry.count;
    mode_[i] = mode;
}

// Compliant contacts that are no longer closed.
void ClearanceRecord::end_contacts() {
    for (auto it = impulses_.begin(); it != impulses_.end();) {
        const auto& closed = contacts_.closed();
        const bool lasts = std::any_of(closed.begin(), closed.end(), [&](const auto& point) {
            return std::pair{point.pair, point.number} == it->first;
        });
        if (!lasts)
            reports_[static_cast<std::size_t>(
                         joint_of_pair_[static_cast<std::size_t>(it->first.first)])]
                .add_impulse(it->second);
        it = lasts ? std::next(it) : impulses_.erase(it);
    }
}

// Simpson's rule over the step.
void ClearanceRecord::step(double t_old, double t_new, const StateAt& state_at) {
    const double h = t_new - t_old;
    end_contacts();
    time_ += h;
    for (std::size_t i = 0; i < joints_.size(); ++i) count_mode(i, h);
    const auto& closed = contacts_.closed();
    if (std::none_of(closed.begin(), closed.end(), [&](const auto& point) {
            return joint_of_pair_[static_cast<std::size_t>(point.pair)] >= 0;
        }))
        return;
    constexpr double weights[] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    const double times[] = {t_old, t_old + 0.5 * h, t_new};
    for (int k = 0; k < 3; ++k) {
        const Loads loads = loads_at(state_at(times[k]));
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            reports_[i].mean_power += weights[k] * h * loads.power[i];
            reports_[i].max_power = std::max(reports_[i].max_power, loads.power[i]);
        }
        for (std::size_t c = 0; c < closed.size(); ++c)
            if (closed[c].compliant &&
                joint_of_pair_[static_cast<std::size_t>(closed[c].pair)] >= 0)
                impulses_[{closed[c].pair, closed[c].number}] += weights[k] * h * loads.normals[c];
    }
}

void ClearanceRecord::remember(Memory& memory) { memory(reports_, mode_, impulses_, time_); }

std::vector<ClearanceReport> ClearanceRecord::close(const std::vector<Event>& events) {
    end_contacts();
    for (const Event& event : events) {
        if (event.kind != EventKind::impact) continue;
        const std::string pair = event.element.substr(0, event.element.find('#'));
        for (std::size_t p = 0; p < mechanism_.contacts.size(); ++p)
            if (joint_of_pair_[p] >= 0 && mechanism_.contacts[p].name == pair)
                reports_[static_cast<std::size_t>(joint_of_pair_[p])].add_impulse(event.impulse);
    }
    for (ClearanceReport& report : reports_) {
        for (auto& mode : report.modes) mode.share /= time_ > 0 ? time_ : 1;
        report.mean_power /= time_ > 0 ? time_ : 1;
    }
    return std::move(reports_);
}

}  // namespace pawl
