#include "simulation/dynamic/running_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/tolerances/motion.h"
#include "mechanism/force_expressions.h"
#include "mechanism/joint_kind.h"
#include "mechanism/switch_numbers.h"
#include "results/text.h"
#include "simulation/placement/clearance.h"

namespace pawl {

using Space = PlanarSpace;

namespace {

std::string text_of(const Parameter& parameter, double value) {
    return fmt::format("{}", value) +
           (parameter.quality.is_known() ? " " + si_unit(parameter.quality.dimension) : "");
}

std::string shown(const Parameter& parameter) {
    return number_text(parameter.value) +
           (parameter.quality.is_known() ? " " + si_unit(parameter.quality.dimension) : "");
}

// Values that only say how things act on each other. The friction of a joint with play is that of
// the contacts which it was opened into.
bool changes_on_the_way(const PlanarMechanism& mechanism, const ParameterUse& use) {
    for (const char* law : {"force", "state", "driver", "measure", "contact", "event"})
        if (use.section == law) return true;
    return use.section == "joint" &&
           std::any_of(mechanism.joints.begin(), mechanism.joints.end(), [&](const auto& joint) {
               return !joint.clearance() &&
                      use.what.starts_with("joint '" + joint.name + "', friction");
           });
}

// Calls found(expression) for every expression that may use inputs.
template <class F>
void for_each_input_expression(const PlanarMechanism& mechanism, F&& found) {
    for (const auto& force : mechanism.forces) for_each_expression(force, found);
    for (const auto& state : mechanism.states) found(state.rate);
    for (const auto& event : mechanism.events) found(event.when);
    for (const auto& coupling : mechanism.couplings) found(coupling.engaged);
}

void settle(PlanarMechanism& mechanism, const std::vector<Space::Position>& ideal) {
    settle_drivers(mechanism, std::span<const Space::Position>(ideal));
    settle_forces(mechanism, std::span<const Space::Position>(ideal));
    settle_joints(mechanism, std::span<const Space::Position>(ideal));
    number_switches(mechanism);
}

void take_friction(const JointKind<Space>& from, JointKind<Space>& to) {
    std::visit(
        [&](auto& k) {
            using Kind = std::decay_t<decltype(k)>;
            if constexpr (requires { k.friction; })
                if (const auto* other = std::get_if<Kind>(&from)) k.friction = other->friction;
        },
        to);
}

}  // namespace

RunningModel::RunningModel(ModelData model)
    : first_(std::move(model)), begun_(first_), now_(first_), placed_(assemble(first_.mechanism)) {
    ideal_ = placed_.assembly.positions;
    if (placed_.ok() && has_clearance(placed_.mechanism)) placed_ = open_clearances(placed_);
    begin_history();
}

bool RunningModel::begin(const Overrides& changes, Diagnostics& diagnostics) {
    Overrides all = first_.overrides;
    for (const auto& change : changes) {
        std::erase_if(all, [&](const auto& entry) { return entry.first == change.first; });
        all.push_back(change);
    }
    auto next = read_model(first_, all, diagnostics);
    if (!next) return false;
    PlacedMechanism placed = assemble(next->mechanism);
    if (!placed.ok()) {
        diagnostics.error(placed.assembly.span, placed.assembly.message);
        return false;
    }
    begun_ = now_ = std::move(*next);
    ideal_ = placed.assembly.positions;
    placed_ = has_clearance(placed.mechanism) ? open_clearances(placed) : std::move(placed);
    begin_history();
    return true;
}

void RunningModel::begin() {
    now_ = begun_;
    begin_history();
}

const Parameter* RunningModel::find(std::string_view name, Diagnostics& diagnostics) const {
    diagnostics.file = now_.file;
    for (const Parameter& parameter : now_.parameters)
        if (parameter.name == name)
            return is_computed(parameter, diagnostics) ? nullptr : &parameter;
    std::vector<std::string> names;
    for (const Parameter& parameter : now_.parameters) names.push_back(parameter.name);
    diagnostics.error({}, "the model has no parameter or input '" + std::string(name) + "'" +
                              did_you_mean(name, names));
    return nullptr;
}

// With an error: what a program computes cannot be set.
bool RunningModel::is_computed(const Parameter& parameter, Diagnostics& diagnostics) const {
    const auto index = static_cast<std::size_t>(&parameter - now_.parameters.data());
    const bool computed =
        now_.computed && std::any_of(now_.computed->begin(), now_.computed->end(),
                                     [&](const auto& one) { return one.parameter == index; });
    if (computed)
        diagnostics.error(parameter.span, "input '" + parameter.name +
                                              "' is computed by a function: it cannot be "
                                              "set");
    return computed;
}

Overrides RunningModel::with(std::string_view name, std::string text) const {
    Overrides changed = now_.overrides;
    std::erase_if(changed, [&](const auto& entry) { return entry.first == name; });
    changed.emplace_back(name, std::move(text));
    return changed;
}

// An input is written into the expressions that use it: nothing else depends on it.
std::optional<RunningModel::Change> RunningModel::set(std::string_view name, double value, double t,
                                                      Diagnostics& diagnostics) {
    const Parameter* found = find(name, diagnostics);
    if (!found) return std::nullopt;
    if (!std::isfinite(value)) {
        diagnostics.error({}, "set " + std::string(name) + ": the value must be finite");
        return std::nullopt;
    }
    if (!found->is_input) return set(name, text_of(*found, value), t, diagnostics);
    if (found->value == value) return std::nullopt;
    auto& parameter = now_.parameters[static_cast<std::size_t>(found - now_.parameters.data())];
    const int slot = static_cast<int>(&parameter - now_.parameters.data()) + 1;
    Change change{parameter.name, shown(parameter), "", false, moves_times(slot)};
    parameter.value = value;
    put_inputs(inputs(), now_.mechanism);
    change.to = shown(parameter);
    now_.overrides = with(name, text_of(parameter, value));
    return change;
}

std::optional<RunningModel::Change> RunningModel::set(std::string_view name, std::string_view value,
                                                      double t, Diagnostics& diagnostics) {
    const Parameter* found = find(name, diagnostics);
    if (!found) return std::nullopt;
    const auto i = static_cast<std::size_t>(found - now_.parameters.data());
    auto next = read_model(now_, with(name, std::string(value)), diagnostics);
    if (!next) return std::nullopt;
    const Parameter& after = next->parameters[i];
    if (found->is_input) {
        const bool same = after.quality.is_bare() == found->quality.is_bare() &&
                          after.quality.dimension == found->quality.dimension;
        if (same) return set(name, after.value, t, diagnostics);
        diagnostics.error({}, "set " + std::string(name) + ": the input is given in " +
                                  (found->quality.is_known() ? si_unit(found->quality.dimension)
                                                             : "plain numbers") +
                                  ", and its unit stays");
        return std::nullopt;
    }
    if (after.value == found->value || !may_change(*next, t, diagnostics)) return std::nullopt;
    Change change{found->name, shown(*found), shown(after), true, true};
    now_ = std::move(*next);
    return change;
}

// Parameters may depend on each other: all that have another value count.
bool RunningModel::may_change(const ModelData& next, double t, Diagnostics& diagnostics) const {
    for (std::size_t i = 0; i < next.parameters.size(); ++i) {
        if (next.parameters[i].value == now_.parameters[i].value) continue;
        for (const ParameterUse& use : now_.uses) {
            if (use.slot != static_cast<int>(i) + 1 || changes_on_the_way(now_.mechanism, use))
                continue;
            diagnostics.error(now_.parameters[i].span,
                              "'" + now_.parameters[i].name +
                                  "' cannot change while the mechanism moves: " + use.what +
                                  " depends on it; restart with the new value (reset)");
            return false;
        }
    }
    return keeps_drivers(next, t, diagnostics);
}

bool RunningModel::keeps_drivers(const ModelData& next, double t, Diagnostics& diagnostics) const {
    constexpr double rounding = tolerance::start_of_law;
    PlanarMechanism before = now_.mechanism, after = next.mechanism;
    settle(before, ideal_);
    settle(after, ideal_);
    for (std::size_t i = 0; i < before.drivers.size(); ++i) {
        const auto old_jet = before.drivers[i].at(t), new_jet = after.drivers[i].at(t);
        const auto differ = [&](double a, double b) {
            return std::abs(a - b) > rounding * (1 + std::abs(a));
        };
        const bool jumps = differ(old_jet.value, new_jet.value);
        if (!jumps && !differ(old_jet.rate, new_jet.rate)) continue;
        const double from = jumps ? old_jet.value : old_jet.rate,
                     to = jumps ? new_jet.value : new_jet.rate;
        diagnostics.error(before.drivers[i].span,
                          std::string(jumps ? "" : "the velocity of ") + "driver '" +
                              before.drivers[i].name + "' would jump from " + number_text(from) +
                              " to " + number_text(to) + " at t = " + number_text(t) +
                              " s; only quantities that act through forces can change at any time");
        return false;
    }
    return true;
}

// Whether an expression of the time depends on it.
bool RunningModel::moves_times(int slot) const {
    bool any = false;
    for_each_input_expression(now_.mechanism, [&](const ForceExpression& e) {
        const auto& used = e.expression.slots_used();
        any |= !used.empty() && used.front() == 0 &&
               std::find(used.begin(), used.end(), slot) != used.end();
    });
    return any;
}

std::vector<double> RunningModel::inputs() const {
    std::vector<double> values;
    for (const Parameter& parameter : now_.parameters)
        if (parameter.is_input) values.push_back(parameter.value);
    return values;
}

// Into the expressions that use them: they are the last of the parameters.
void RunningModel::put_inputs(const std::vector<double>& inputs, PlanarMechanism& running) const {
    const std::size_t first = now_.parameters.size() - inputs.size();
    const auto put = [&](ForceExpression& e) {
        if (e.parameters.size() == now_.parameters.size())
            std::copy(inputs.begin(), inputs.end(),
                      e.parameters.begin() + static_cast<std::ptrdiff_t>(first));
    };
    for (auto& force : running.forces) change_expressions(force, put);
    for (auto& state : running.states) put(state.rate);
}

// Values that the model leaves open are those of the positions that it was assembled in.
void RunningModel::apply(const ModelData& model, PlanarMechanism& running) const {
    PlanarMechanism next = model.mechanism;
    settle(next, ideal_);
    running.forces = std::move(next.forces);
    running.drivers = std::move(next.drivers);
    running.measures = std::move(next.measures);
    for (std::size_t i = 0; i < next.states.size(); ++i)
        running.states[i].rate = std::move(next.states[i].rate);
    for (std::size_t i = 0; i < next.contacts.size(); ++i)
        static_cast<ContactRules<double>&>(running.contacts[i]) = next.contacts[i];
    for (std::size_t i = 0; i < next.joints.size(); ++i)
        take_friction(*next.joints[i].kind, *running.joints[i].kind);
}

void RunningModel::begin_history() {
    versions_ = {now_.overrides};
    stretches_ = {{0, 0, inputs()}};
    shown_ = 0;
}

void RunningModel::apply(const Change& change, std::size_t row, PlanarMechanism& running) {
    if (change.systems) {
        apply(now_, running);
        versions_.push_back(now_.overrides);
    } else {
        put_inputs(inputs(), running);
    }
    if (stretches_.back().row == row) stretches_.pop_back();
    stretches_.push_back({row, versions_.size() - 1, inputs()});
}

bool RunningModel::apply_of_row(std::size_t row, PlanarMechanism& running) {
    const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), row,
                                        [](std::size_t r, const Stretch& s) { return r < s.row; });
    const Stretch& stretch = *(after - 1);
    const bool anew = shown_ != stretch.version + 1;
    if (anew) {
        shown_ = stretch.version + 1;
        Diagnostics none;
        if (const auto model = read_model(now_, versions_[stretch.version], none))
            apply(*model, running);
    }
    put_inputs(stretch.inputs, running);
    return anew;
}

// The values of now follow from the last ones.
void RunningModel::remember(Memory& memory) {
    memory(now_.overrides, versions_, stretches_);
    if (memory.writes() || !memory.fits()) return;
    Diagnostics none;
    auto next = read_model(now_, now_.overrides, none);
    if (!next || stretches_.empty() || next->parameters.size() != now_.parameters.size())
        return memory.fail();
    for (const Stretch& stretch : stretches_)
        if (stretch.version >= versions_.size() || stretch.inputs.size() != inputs().size())
            return memory.fail();
    now_ = std::move(*next);
}

}  // namespace pawl
