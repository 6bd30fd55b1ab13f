#include "design/plain.h"

#include <nlohmann/json.hpp>

#include "design/atlas.h"
#include "design/optimisation.h"
#include "design/synthesis/linkage_model.h"
#include "design/synthesis/task_file.h"

namespace pawl {

std::string synthesise(std::string_view kind, std::string_view task_text, bool is_table,
                       std::string_view mechanism, const PlainSearch& search,
                       Diagnostics& problems) {
    SynthesisTask task;
    const auto known_kind = named<SynthesisKind>(kind);
    const auto known_linkage = named<LinkageKind>(mechanism);
    if (!known_kind)
        problems.error({}, "unknown kind '" + std::string(kind) + "'" +
                               did_you_mean(kind, names_of<SynthesisKind>()));
    if (!known_linkage && !mechanism.empty())
        problems.error({}, "unknown mechanism '" + std::string(mechanism) + "'" +
                               did_you_mean(mechanism, names_of<LinkageKind>()));
    if (problems.has_errors()) return "";
    task.kind = *known_kind;
    if (known_linkage) task.linkage = *known_linkage;
    const auto read = is_table ? read_synthesis_table(task_text, task, problems)
                               : read_synthesis_task(task_text, task, problems);
    if (!read) return "";
    const SynthesisProblem problem(*read);
    SearchOptions options;
    options.starts = search.starts;
    options.keep = search.keep;
    options.threads = search.threads;
    options.seed = search.seed;
    const SearchResult result = search_linkages(problem, options);
    std::vector<LinkageSheet> sheets;
    for (int i = 0; i < result.kept; ++i)
        sheets.push_back(
            make_sheet(problem, model_text(problem, result.solutions[index_of(i)]), i + 1));
    auto json = nlohmann::ordered_json::parse(solutions_json(problem, result, sheets));
    for (std::size_t i = 0; i < sheets.size(); ++i) json["solutions"][i]["model"] = sheets[i].model;
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
    const auto result = optimise(*problem, options, problems);
    if (!result) return "";
    auto json = nlohmann::ordered_json::parse(optimisation_json(*problem, *result));
    json["model"] = problem->model_text(result->x, problems);
    json["history"] = history_table(*problem, *result);
    return json.dump();
}

}  // namespace pawl
