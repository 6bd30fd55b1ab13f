#include "generators/generator.h"

#include <algorithm>

#include <fmt/format.h>

#include "generators/numbers.h"
#include "model_file/reading/model_file.h"

namespace pawl {

namespace {

using generating::Generator;

const std::vector<Generator>& all() {
    namespace g = generating;
    static const std::vector<Generator> list{g::fourbar(), g::slider_crank(), g::cam(),
                                             g::geneva(),  g::ratchet(),      g::escapement(),
                                             g::latch(),   g::gear_train()};
    return list;
}

// The facts as lines of the comment at the head of the file, at the place of the first blank one.
std::string with_facts(const std::string& text, const std::vector<std::string>& facts) {
    const std::size_t head = text.find("\nformat = 1");
    std::string lines;
    for (const std::string& fact : facts) lines += "# By hand: " + fact + ".\n";
    return text.substr(0, head + 1) + lines + text.substr(head + 1);
}

}  // namespace

std::vector<GeneratorInfo> generators() {
    std::vector<GeneratorInfo> out;
    for (const Generator& generator : all()) {
        GeneratorInfo info{generator.name, generator.summary, {}};
        for (const generating::Field& field : generator.fields)
            info.numbers.push_back({field.name, field.standard, field.meaning, field.choices});
        out.push_back(std::move(info));
    }
    return out;
}

NewModel new_model(std::string_view kind,
                   const std::vector<std::pair<std::string, std::string>>& values) {
    const auto found = std::find_if(all().begin(), all().end(),
                                    [&](const Generator& g) { return g.name == kind; });
    if (found == all().end()) {
        std::vector<std::string> names;
        for (const Generator& generator : all()) names.push_back(generator.name);
        return {"", {}, {fmt::format("unknown mechanism '{}'{}", kind, did_you_mean(kind, names))}};
    }
    generating::Draft draft;
    generating::Numbers numbers(found->fields, values, draft.problems);
    if (!draft.refused()) found->make(numbers, draft);
    if (draft.refused()) return {"", {}, draft.problems};
    const std::string text = with_facts(draft.text, draft.facts);
    Diagnostics diagnostics;  // what the profiles themselves refuse, as an undercut
    if (!read_model(text, std::string(kind), {}, diagnostics)) {
        std::vector<std::string> reasons;
        for (const Diagnostic& d : diagnostics.all())
            if (d.severity == Diagnostic::Severity::error) reasons.push_back(d.message);
        return {"", {}, reasons};
    }
    return {text, draft.facts, {}};
}

}  // namespace pawl
