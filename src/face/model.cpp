#include "face/model.h"

#include "face/result_inside.h"
#include "model_file/text/values.h"
#include "simulation/equilibrium/statics.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/placement/mobility.h"
#include "simulation/quasi_static/static_run.h"
#include "simulation/run_options.h"
#include "simulation/verdict.h"

namespace pawl {

namespace {

std::shared_ptr<Result::Inside> begun(std::shared_ptr<const ModelData> model,
                                      const PlacedMechanism& placed) {
    auto inside = std::make_shared<Result::Inside>();
    inside->model = std::move(model);
    inside->placed = placed;
    return inside;
}

// Of runs whose result has rows and events.
template <class Options, class Run>
Result result_with_rows(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
                        const Options& options, Run run, Audit audit) {
    auto inside = begun(std::move(model), placed);
    inside->summary = summary_of(*inside->model, placed, options, run);
    inside->status = inside->summary.at("status").template get<std::string>();
    inside->is_complete = inside->status == "completed";
    inside->message = std::move(run.message);
    inside->trajectory = std::move(run.trajectory);
    inside->events = std::move(run.events);
    inside->audit = std::move(audit);
    return Result(std::move(inside));
}

Result result_of_equilibrium(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
                             const StaticOptions& options, const StaticResult& found) {
    auto inside = begun(std::move(model), placed);
    inside->summary = summary_of(*inside->model, placed, options, found);
    inside->status = inside->summary.at("status").get<std::string>();
    inside->is_complete = found.status == StaticStatus::balanced;
    inside->message = found.message;
    inside->audit = audit_of(found, placed);
    if (!inside->is_complete) return Result(std::move(inside));
    Trajectory& table = inside->trajectory;
    std::vector<double> row{options.at};
    table.columns = {{"t", "s"}};
    for (std::size_t b = 1; b < found.positions.size(); ++b) {
        const std::string& name = placed.mechanism.bodies[b].name;
        table.columns.insert(table.columns.end(),
                             {{name + ".x", "m"}, {name + ".y", "m"}, {name + ".angle", "rad"}});
        row.insert(row.end(),
                   {found.positions[b].p.x, found.positions[b].p.y, found.positions[b].angle});
    }
    table.columns.insert(table.columns.end(), found.columns.begin(), found.columns.end());
    row.insert(row.end(), found.forces.begin(), found.forces.end());
    table.add(row);
    return Result(std::move(inside));
}

// Of a mechanism that could not be assembled.
Result not_assembled(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed) {
    auto inside = begun(std::move(model), placed);
    inside->summary = {{"status", "not_assembled"}, {"message", placed.assembly.message}};
    inside->status = "not_assembled";
    inside->message = placed.assembly.message;
    return Result(std::move(inside));
}

}  // namespace

Result result_of(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
                 const DynamicOptions& options, DynamicResult run) {
    if (!placed.ok()) return not_assembled(std::move(model), placed);
    Audit audit = run.audit;
    return result_with_rows(std::move(model), placed, options, std::move(run), std::move(audit));
}

Model::Model(std::shared_ptr<const ModelData> data) : run(data->run), data_(std::move(data)) {}

std::optional<Model> Model::read(std::string_view text, Diagnostics& problems, std::string file,
                                 const Values& values) {
    auto data = read_model(text, std::move(file), values, problems);
    if (!data) return std::nullopt;
    return Model(std::make_shared<const ModelData>(std::move(*data)));
}

std::optional<Model> Model::read_file(const std::filesystem::path& path, Diagnostics& problems,
                                      const Values& values) {
    auto data = read_model_file(path, values, problems);
    if (!data) return std::nullopt;
    return Model(std::make_shared<const ModelData>(std::move(*data)));
}

std::optional<Model> Model::with(const Values& values, Diagnostics& problems) const {
    Values all = data_->overrides;
    all.insert(all.end(), values.begin(), values.end());
    auto changed = read(data_->text, problems, data_->file, all);
    if (changed) changed->run = run;
    return changed;
}

std::vector<ParameterInfo> Model::parameters() const {
    std::vector<ParameterInfo> out;
    for (const Parameter& p : data_->parameters)
        out.push_back({p.name, p.value,
                       p.quality.is_known() ? si_unit(p.quality.dimension) : std::string(), p.min,
                       p.max, p.is_input});
    return out;
}

std::vector<PointInfo> Model::points() const {
    std::vector<PointInfo> out;
    for (const auto& body : data_->mechanism.bodies)
        for (const auto& point : body.points)
            out.push_back({body.name, point.name, point.at.x, point.at.y});
    return out;
}

const std::string& Model::text() const { return data_->text; }

std::optional<Freedom> Model::check(std::string& problem) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    problem = placed.assembly.message;
    if (!placed.ok()) return std::nullopt;
    const Mobility mobility = analyse_mobility(placed);
    Freedom out{mobility.freedoms_nearby, mobility.gruebler, {}, start_notes(*data_, placed)};
    for (const RedundantRow& row : mobility.redundant) out.redundant.push_back(row.row);
    return out;
}

Result Model::start() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    auto inside = begun(data_, placed);
    inside->summary = {{"status", "assembled"}};
    inside->status = "assembled";
    inside->is_complete = true;
    return Result(std::move(inside));
}

Result Model::kinematics() const { return driven(false); }

Result Model::inverse() const { return driven(true); }

Result Model::driven(bool with_forces) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    KinematicOptions options = kinematic_options(run);
    options.reactions = with_forces;
    KinematicResult found = run_kinematics(placed, options);
    Audit audit = audit_of(found, placed, with_forces);
    return result_with_rows(data_, placed, options, std::move(found), std::move(audit));
}

Result Model::dynamics() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    const DynamicOptions options = dynamic_options(run);
    return result_of(data_, placed, options,
                     placed.ok() ? run_dynamics(placed, options) : DynamicResult{});
}

Result Model::equilibrium() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    const StaticOptions options;
    return result_of_equilibrium(data_, placed, options, find_equilibrium(placed, options));
}

Result Model::quasi_static() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    StaticRunOptions options;
    options.end = run.end;
    options.step = run.step;
    StaticRunResult found = run_statics(placed, options);
    Audit audit = audit_of(found, placed);
    return result_with_rows(data_, placed, options, std::move(found), std::move(audit));
}

Result Model::analyse() const {
    switch (run.analysis) {
        case Analysis::dynamics:
            return dynamics();
        case Analysis::inverse:
            return inverse();
        case Analysis::statics:
            return data_->mechanism.drivers.empty() ? equilibrium() : quasi_static();
        case Analysis::kinematics:
        case Analysis::check:
            break;
    }
    return kinematics();
}

}  // namespace pawl
