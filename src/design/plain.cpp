#include "design/plain.h"

#include <nlohmann/json.hpp>

#include "design/atlas.h"
#include "design/model_linkage.h"
#include "design/optimisation.h"
#include "design/synthesis/linkage_model.h"
#include "design/synthesis/task_file.h"

namespace pawl {

namespace {

std::optional<SynthesisTask> read_task(const PlainTask& asked, Diagnostics& problems) {
    SynthesisTask task;
    const auto known_kind = named<SynthesisKind>(asked.kind);
    const auto known_linkage = named<LinkageKind>(asked.mechanism);
    if (!known_kind)
        problems.error({}, "unknown kind '" + asked.kind + "'" +
                               did_you_mean(asked.kind, names_of<SynthesisKind>()));
    if (!known_linkage && !asked.mechanism.empty())
        problems.error({}, "unknown mechanism '" + asked.mechanism + "'" +
                               did_you_mean(asked.mechanism, names_of<LinkageKind>()));
    problems.file = asked.file;
    if (problems.has_errors()) return std::nullopt;
    task.kind = *known_kind;
    if (known_linkage) task.linkage = *known_linkage;
    auto read = asked.is_table ? read_synthesis_table(asked.text, task, problems)
                               : read_synthesis_task(asked.text, task, problems, known_linkage);
    if (!read) return std::nullopt;
    if (asked.tolerance) read->tolerance = *asked.tolerance;
    if (asked.any_order) read->ordered = false;
    return read;
}

// Of the model that is the start; nothing, with errors, where it is none.
std::optional<ModelLinkage> linkage_of(const PlainTask& asked, Diagnostics& problems) {
    const bool is_function = asked.kind == value_name(SynthesisKind::function);
    if ((is_function ? asked.output : asked.point).empty()) {
        problems.error({}, is_function ? "name the body that is the output: output=\"rocker\""
                                       : "name the point that has to move: point=\"coupler.P\"");
        return std::nullopt;
    }
    const auto data =
        read_model(asked.model->text(), asked.model->file(), asked.model->values(), problems);
    return data ? ModelLinkage::read(*data, {asked.point, asked.output, asked.moves_pivots},
                                     problems)
                : std::nullopt;
}

}  // namespace

std::string synthesise(const PlainTask& asked, const PlainSearch& search, Diagnostics& problems) {
    const auto task = read_task(asked, problems);
    if (!task) return "";
    std::optional<ModelLinkage> given;
    if (asked.model != nullptr && !(given = linkage_of(asked, problems))) return "";
    const SynthesisProblem problem =
        given ? SynthesisProblem(*task, given->linkage()) : SynthesisProblem(*task);
    SearchOptions options;
    options.starts = search.starts;
    options.keep = search.keep;
    options.threads = search.threads;
    options.seed = search.seed;
    if (search.goes_on) options.progress = [&](double, double) { return search.goes_on(); };
    const SearchResult result = search_linkages(problem, options, given.has_value());
    std::vector<LinkageSheet> sheets;
    for (int i = 0; i < result.kept; ++i) {
        const Solution& s = result.solutions[index_of(i)];
        Diagnostics ignored;  // a model that cannot be written is one that does not run
        sheets.push_back(
            make_sheet(problem, given ? given->text(s, ignored) : model_text(problem, s), i + 1));
    }
    auto json = nlohmann::ordered_json::parse(solutions_json(problem, result, sheets));
    for (std::size_t i = 0; i < sheets.size(); ++i) {
        json["solutions"][i]["model"] = sheets[i].model;
        json["solutions"][i]["svg"] = sheets[i].svg;
    }
    json["atlas"] = atlas_page(problem, result, sheets);
    return json.dump();
}

std::string optimise(const Model& model, std::string_view method, const PlainSearch& search,
                     Diagnostics& problems) {
    OptimisationOptions options;
    options.method = named<OptimisationMethod>(method);
    if (!options.method && !method.empty())
        problems.error({}, "unknown method '" + std::string(method) + "'" +
                               did_you_mean(method, names_of<OptimisationMethod>()));
    if (problems.has_errors()) return "";
    const auto problem = DesignProblem::read(model, problems);
    if (!problem) return "";
    options.starts = search.starts;
    options.threads = search.threads;
    options.seed = search.seed;
    options.evaluations = search.evaluations;
    options.tolerance = search.accuracy;
    if (search.goes_on)
        options.progress = [&](long, std::optional<double>) { return search.goes_on(); };
    const auto result = optimise(*problem, options, problems);
    if (!result) return "";
    auto json = nlohmann::ordered_json::parse(optimisation_json(*problem, *result));
    json["model"] = problem->model_text(result->x, problems);
    json["history"] = history_table(*problem, *result);
    return json.dump();
}

}  // namespace pawl
