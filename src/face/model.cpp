#include "face/model.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "face/result_inside.h"
#include "math/units.h"
#include "model_file/reading/unused.h"
#include "model_file/text/values.h"
#include "results/text.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/placement/likely_mistakes.h"
#include "simulation/placement/mobility.h"
#include "simulation/quasi_static/quasi_static_run.h"
#include "simulation/run_options.h"
#include "simulation/verdict.h"

namespace pawl {

namespace {

std::shared_ptr<Result::Inside> begun(std::shared_ptr<const ModelData> model,
                                      PlacedMechanism placed) {
    auto inside = std::make_shared<Result::Inside>();
    inside->model = std::move(model);
    inside->placed = std::move(placed);
    inside->problems.file = inside->model->file;
    return inside;
}

// What no check can see.
Audit with_remarks(Audit audit, const ModelData& model) {
    if (!model.computed) return audit;
    std::string names;
    for (const ComputedInput& one : *model.computed)
        names += (names.empty() ? "'" : ", '") + model.parameters[one.parameter].name + "'";
    audit.remarks.push_back("jumps of inputs computed by a program (" + names +
                            ") are not located in time: around them only the error control of the "
                            "steps limits the error");
    return audit;
}

// Of runs whose result has rows and events.
template <class Options, class Run>
Result result_with_rows(std::shared_ptr<const ModelData> model, PlacedMechanism placed,
                        const Options& options, Run run, Audit audit) {
    auto inside = begun(std::move(model), std::move(placed));
    if (!run.message.empty()) inside->problems.error(run.span, run.message);
    inside->status = status_name(run.status);
    inside->is_complete = inside->status == "completed";
    inside->message = run.message;
    inside->audit = with_remarks(std::move(audit), *inside->model);
    const auto kept = std::make_shared<const Run>(std::move(run));
    inside->trajectory = {kept, &kept->trajectory};
    inside->events = {kept, &kept->events};
    inside->make_summary = [kept, options, inside = inside.get()] {
        return summary_of(*inside->model, inside->placed, options, *kept);
    };
    return Result(std::move(inside));
}

Result result_of_equilibrium(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
                             const EquilibriumOptions& options, const EquilibriumResult& found) {
    auto inside = begun(std::move(model), placed);
    const Json summary = summary_of(*inside->model, placed, options, found);
    inside->make_summary = [summary] { return summary; };
    inside->status = summary.at("status").get<std::string>();
    inside->is_complete = found.status == EquilibriumStatus::balanced;
    inside->message = found.message;
    inside->audit = with_remarks(audit_of(found, placed), *inside->model);
    if (!inside->is_complete) {
        inside->problems.error(found.span, found.message);
        return Result(std::move(inside));
    }
    Trajectory table;
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
    inside->trajectory = std::make_shared<const Trajectory>(std::move(table));
    return Result(std::move(inside));
}

// Of a run that could not begin.
Result refused(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
               const char* status, Diagnostics problems) {
    auto inside = begun(std::move(model), placed);
    inside->status = status;
    inside->message = problems.all().front().message;
    inside->make_summary = [status = inside->status, message = inside->message] {
        return Json{{"status", status}, {"message", message}};
    };
    inside->problems = std::move(problems);
    return Result(std::move(inside));
}

Diagnostics assembly_problems(const ModelData& model, const PlacedMechanism& placed) {
    Diagnostics problems;
    problems.file = model.file;
    if (!placed.ok()) problems.error(placed.assembly.span, placed.assembly.message);
    return problems;
}

Result not_assembled(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed) {
    Diagnostics problems = assembly_problems(*model, placed);
    return refused(std::move(model), placed, "not_assembled", std::move(problems));
}

// Errors for bodies whose mass dynamics asks for.
Diagnostics missing_masses(const ModelData& model) {
    Diagnostics problems;
    problems.file = model.file;
    require_masses(model.mechanism, problems);
    return problems;
}

}  // namespace

Result result_of(std::shared_ptr<const ModelData> model, PlacedMechanism placed,
                 const DynamicOptions& options, DynamicResult run) {
    if (!placed.ok()) return not_assembled(std::move(model), placed);
    Audit audit = run.audit;
    return result_with_rows(std::move(model), std::move(placed), options, std::move(run),
                            std::move(audit));
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
    Values all;
    for (const auto& old : data_->overrides)
        if (std::none_of(values.begin(), values.end(),
                         [&](const auto& value) { return value.first == old.first; }))
            all.push_back(old);
    all.insert(all.end(), values.begin(), values.end());
    auto data = read_model(*data_, all, problems);
    if (!data) return std::nullopt;
    std::optional<Model> changed = Model(std::make_shared<const ModelData>(std::move(*data)));
    const bool sets_run = std::any_of(values.begin(), values.end(), [](const auto& value) {
        return value.first.starts_with("run.");
    });
    if (!sets_run) changed->run = run;
    changed->reactions = reactions;
    return changed;
}

namespace {

// Sometimes calls the function twice: if the values differ, the function has a memory, which
// repeated trial steps would corrupt.
InputFunction checked(InputFunction function, std::string input) {
    constexpr long every = 256;
    const auto calls = std::make_shared<std::atomic<long>>(0);
    return [function = std::move(function), input = std::move(input),
            calls](std::span<const double> arguments) {
        const double value = function(arguments);
        if (calls->fetch_add(1, std::memory_order_relaxed) % every != 0) return value;
        const double again = function(arguments);
        if (again != value && !(std::isnan(again) && std::isnan(value)))
            throw std::runtime_error(
                "input '" + input + "': its function returned " + number_text(value) + ", then " +
                number_text(again) +
                " for the same arguments; it must depend on nothing else. A controller with memory "
                "must set the input at its sample times");
        return value;
    };
}

}  // namespace

std::optional<Model> Model::with_function(std::string_view input,
                                          const std::vector<std::string>& arguments,
                                          InputFunction function, Diagnostics& problems) const {
    problems.file = data_->file;
    auto computed = computed_input(*data_, input, arguments, problems);
    if (!computed) return std::nullopt;
    computed->value = checked(std::move(function), std::string(input));
    ModelData data = *data_;
    ComputedInputs all = data.computed ? *data.computed : ComputedInputs();
    std::erase_if(all, [&](const auto& other) { return other.parameter == computed->parameter; });
    all.push_back(std::move(*computed));
    data.computed = std::make_shared<const ComputedInputs>(std::move(all));
    put_computed(data);
    Model changed = *this;
    changed.data_ = std::make_shared<const ModelData>(std::move(data));
    return changed;
}

std::vector<ParameterInfo> Model::parameters() const {
    std::vector<ParameterInfo> out;
    for (const Parameter& p : data_->parameters)
        out.push_back({p.name, p.value,
                       p.quality.is_known() ? si_unit(p.quality.dimension) : std::string(), p.min,
                       p.max, p.tolerance, p.distribution, p.is_input, p.written_unit});
    return out;
}

ParameterInfo ParameterInfo::as_written() const {
    ParameterInfo out = *this;
    const auto written = parse_unit(written_unit);
    if (!written) return out;
    out.unit = written_unit;
    // 15 digits: 40 deg is 40 again, not 40.00000000000001.
    const auto convert = [&](double x) {
        return std::stod(fmt::format("{:.15g}", x / written->factor));
    };
    out.value = convert(value);
    for (std::optional<double>* limit : {&out.min, &out.max, &out.tolerance})
        if (*limit) *limit = convert(**limit);
    return out;
}

std::vector<PointInfo> Model::points() const {
    std::vector<PointInfo> out;
    for (const auto& body : data_->mechanism.bodies)
        for (const auto& point : body.points)
            out.push_back({body.name, point.name, point.at.x, point.at.y});
    return out;
}

const std::optional<SweepSettings>& Model::sweep() const { return data_->sweep; }
const std::optional<OptimisationSettings>& Model::design() const { return data_->design; }

const std::vector<Response>& Model::responses() const { return data_->responses; }

std::optional<Response> Model::response(std::string_view name_or_text,
                                        Diagnostics& problems) const {
    std::vector<std::string> names;
    for (const Response& known : data_->responses) {
        if (known.name == name_or_text) return known;
        names.push_back(known.name);
    }
    ResponseProblem problem;
    auto response = read_response(name_or_text, data_->mechanism, problem);
    if (response) {
        response->name = name_or_text;
        return response;
    }
    const auto near = nearest_names(name_or_text, names);
    problems.error({}, "response '" + std::string(name_or_text) + "': " + problem.message +
                           (near.empty() ? "" : "; the model has a response '" + near[0] + "'"));
    return std::nullopt;
}

const std::string& Model::text() const { return data_->text; }
const std::string& Model::file() const { return data_->file; }
const Values& Model::values() const { return data_->overrides; }

std::optional<Freedom> Model::check(Diagnostics& problems) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    problems.add(assembly_problems(*data_, placed));
    if (!placed.ok()) return std::nullopt;
    problems.file = data_->file;
    warn_of_unused_parameters(*data_, problems);
    warn_of_similar_names(*data_, problems);
    warn_of_contact_rules(*data_, problems);
    warn_of_likely_mistakes(placed, problems);
    const Mobility mobility = analyse_mobility(placed);
    Freedom out{mobility.freedoms_nearby, mobility.gruebler, {}, start_notes(*data_, placed), {}};
    for (const RedundantRow& row : mobility.redundant) out.redundant.push_back(row.row);
    for (std::size_t b = 1; b < placed.mechanism.bodies.size(); ++b) {
        const auto& at = placed.assembly.positions[b];
        out.positions.push_back({placed.mechanism.bodies[b].name, at.p.x, at.p.y, at.angle});
    }
    return out;
}

Result Model::start() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    auto inside = begun(data_, placed);
    inside->make_summary = [] { return Json{{"status", "assembled"}}; };
    inside->status = "assembled";
    inside->is_complete = true;
    return Result(std::move(inside));
}

std::string Model::drawing() const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    return placed.ok() ? picture_of(placed, {}, 0) : std::string();
}

Result Model::kinematics(const Progress& progress) const { return driven(false, progress); }

Result Model::inverse(const Progress& progress) const { return driven(true, progress); }

Result Model::driven(bool with_forces, const Progress& progress) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    if (Diagnostics missing = missing_masses(*data_); with_forces && missing.has_errors())
        return refused(data_, placed, "massless", std::move(missing));
    KinematicOptions options = kinematic_options(run);
    options.reactions = with_forces;
    options.progress = progress;
    KinematicResult found = run_kinematics(placed, options);
    Audit audit = audit_of(found, placed, with_forces);
    return result_with_rows(data_, placed, options, std::move(found), std::move(audit));
}

Result Model::dynamics(const Progress& progress) const { return dynamics(progress, nullptr); }

Result Model::dynamics(const Progress& progress, RunCourse* course) const {
    PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    if (Diagnostics missing = missing_masses(*data_); missing.has_errors())
        return refused(data_, placed, "massless", std::move(missing));
    DynamicOptions options = dynamic_options(run);
    options.reactions = reactions;
    options.progress = progress;
    options.course = course;
    DynamicResult run_result = run_dynamics(placed, options);
    return result_of(data_, std::move(placed), options, std::move(run_result));
}

Result Model::equilibrium(double at, bool with_vibrations) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    const EquilibriumOptions options{.at = at, .modes = with_vibrations};
    return result_of_equilibrium(data_, placed, options, find_equilibrium(placed, options));
}

Result Model::quasi_static(const Progress& progress) const {
    const PlacedMechanism placed = assemble(data_->mechanism);
    if (!placed.ok()) return not_assembled(data_, placed);
    QuasiStaticOptions options;
    options.end = run.end;
    options.step = run.step;
    options.progress = progress;
    QuasiStaticResult found = run_quasi_static(placed, options);
    Audit audit = audit_of(found, placed);
    return result_with_rows(data_, placed, options, std::move(found), std::move(audit));
}

Result Model::analyse(const Progress& progress) const {
    switch (run.analysis) {
        case Analysis::dynamics:
            return dynamics(progress);
        case Analysis::inverse:
            return inverse(progress);
        case Analysis::statics:
            return data_->mechanism.drivers.empty() ? equilibrium() : quasi_static(progress);
        case Analysis::kinematics:
        case Analysis::check:
            break;
    }
    return kinematics(progress);
}

}  // namespace pawl
