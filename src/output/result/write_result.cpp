// The files of a result folder.
#include "output/result/open_transitions.h"
#include "output/result/summary.h"

namespace pawl {

ResultWriting write_result(const std::filesystem::path& folder, const ModelData& model,
                           Json summary, const Trajectory& trajectory,
                           const std::vector<Event>& events, std::vector<NamedText> more) {
    std::vector<NamedText> files{{"result.json", ""},
                                 {"trajectory.csv", "", &trajectory},
                                 {"events.csv", csv(events)},
                                 {"model.toml", model.text}};
    const auto open = open_transitions(model.mechanism, trajectory);
    if (!open.empty()) files.push_back({"open_transitions.csv", csv(open)});
    for (NamedText& file : more) files.push_back(std::move(file));
    for (const NamedText& file : files) summary["files"].push_back(file.name);
    files[0].text = json_text(summary);
    return write_result(folder, files);
}

}  // namespace pawl
