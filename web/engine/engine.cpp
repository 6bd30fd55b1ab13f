// The engine of the studio behind a C interface: one request as JSON, one answer as JSON. It holds
// one model, its last result and the run under way; what the page looks like it does not know.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include <emscripten/emscripten.h>

#include "expressions.h"
#include "face/hand.h"
#include "face/simulation.h"
#include "json.h"
#include "model_file/text/model_text.h"
#include "model_file/text/toml_nodes.h"
#include "steppers.h"
#include "version.h"

namespace pawl::engine {

namespace {

Json run_json(const RunSettings& run) {
    return {{"analysis", value_name(run.analysis)}, {"end", run.end}, {"step", run.step}};
}

class Engine {
public:
    // The text of the answer. A motion is text already, and large: it is not parsed again.
    std::string answer_text(const Json& request) {
        motion_.clear();
        std::string text = answer(request).dump(-1, ' ', false, Json::error_handler_t::replace);
        if (motion_.empty()) return text;
        text.pop_back();
        return text + ",\"motion\":" + motion_ + "}";
    }

private:
    Json answer(const Json& request) {
        using Action = Json (Engine::*)(const Json&);
        static const std::map<std::string, Action> actions{
            {"about", &Engine::about},   {"read", &Engine::read},
            {"edit", &Engine::edit},     {"analyse", &Engine::analyse},
            {"begin", &Engine::begin},   {"advance", &Engine::advance},
            {"set", &Engine::set},       {"snapshot", &Engine::snapshot},
            {"finish", &Engine::finish}, {"report", &Engine::report},
            {"events", &Engine::events}, {"grab", &Engine::grab},
            {"pull", &Engine::pull},     {"still", &Engine::still},
        };
        const auto action = actions.find(request.at("do").get<std::string>());
        if (action == actions.end()) return {{"error", "unknown request"}};
        return (this->*action->second)(request);
    }

    Json about(const Json&) { return {{"version", version()}, {"format", format_json()}}; }

    // A text: its elements, what is wrong with it, and where it can be read its start position; the
    // motion instead where its analysis is among those that are asked for as "live".
    Json read(const Json& request) {
        const auto text = request.at("text").get<std::string>();
        Diagnostics problems;
        simulation_.reset();
        result_.reset();
        hand_.reset();
        model_ = Model::read(text, problems);
        if (model_ && model_->run.integrator == Integrator::stiff)
            problems.warning(model_->run.span,
                             "the page has no stiff integrator: dop853 takes its place");
        Json out{{"problems", problems_json(problems)}, {"elements", elements_json(text)}};
        if (!model_) return out;
        const Result start = model_->start();
        Diagnostics found;  // the message has it
        out["run"] = run_json(model_->run);
        out["parameters"] = parameters_json(*model_);
        out["points"] = points_json(*model_);
        out["assembled"] = start.is_complete();
        out["message"] = start.message();
        const auto live = request.value("live", std::vector<std::string>());
        if (start.is_complete() &&
            std::find(live.begin(), live.end(), value_name(model_->run.analysis)) != live.end())
            out["outcome"] = outcome(*(result_ = model_->analyse()));
        else
            motion_ = start.motion();
        if (const auto freedom = model_->check(found))
            out["freedom"] = {{"degrees", freedom->degrees_of_freedom},
                              {"gruebler", freedom->gruebler},
                              {"redundant", freedom->redundant},
                              {"notes", freedom->notes}};
        return out;
    }

    // Edits one after the other, each on the text that the one before has left.
    Json edit(const Json& request) {
        ModelText text(request.at("text").get<std::string>());
        Diagnostics problems;
        Json steps = Json::array(), removed = Json::array();
        for (const Json& e : request.at("edits")) {
            const std::string before = text.text();
            // What hung on an element that was removed before is gone already.
            if (e.at("kind") == "remove" &&
                std::find(removed.begin(), removed.end(), e.at("path")) != removed.end())
                continue;
            if (!apply(text, e, problems))
                return {{"problems", problems_json(problems)}, {"steps", Json::array()}};
            steps.push_back(changes_json(before, text.changes()));
            if (e.at("kind") == "remove")
                for (const std::string& path : text.removed()) removed.push_back(path);
        }
        return {{"problems", problems_json(problems)}, {"steps", steps}, {"removed", removed}};
    }
    static bool apply(ModelText& text, const Json& e, Diagnostics& problems) {
        const auto kind = e.at("kind").get<std::string>(), path = e.at("path").get<std::string>();
        const auto value = e.value("value", std::string());
        if (kind == "set") return text.set(path, value, problems);
        if (kind == "append") return text.append(path, value, problems);
        if (kind == "remove") return text.remove(path, problems);
        if (kind == "rename") return text.rename(path, value, problems);
        if (kind == "move") return move(text, e, problems);
        KeyValues values;
        for (const Json& pair : e.at("values"))
            values.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
        return kind == "insert" && text.insert(path, values, problems);
    }

    // A coordinate that is an expression becomes another number by way of its parameter.
    static bool move(ModelText& text, const Json& e, Diagnostics& problems) {
        auto root = parse_document(text.text(), problems);
        const Node* value = root ? node_at(*root, e.at("path").get<std::string>()) : nullptr;
        if (!value) return false;
        const auto dimension =
            e.value("angle", false) ? pawl::dimension::angle : pawl::dimension::length;
        const auto change = Expressions(*root).change_for(
            *value, dimension, e.at("to").get<double>(), e.at("step").get<double>());
        if (change.locked.empty()) return text.set(change.path, change.value, problems);
        problems.error(value->begin, change.locked);
        return false;
    }

    // The analysis that is named, or the one that the model asks for.
    Json analyse(const Json& request) {
        if (!model_) return {{"error", "there is no model"}};
        const auto kind = request.value("kind", std::string());
        if (kind == "dynamics")
            result_ = model_->dynamics();
        else if (kind == "inverse")
            result_ = model_->inverse();
        else if (kind == "kinematics")
            result_ = model_->kinematics();
        else
            result_ = model_->analyse();
        return outcome(*result_);
    }
    Json outcome(const Result& result) {
        motion_ = result.motion();
        return {{"complete", result.is_complete()},
                {"status", result.status()},
                {"message", result.message()}};
    }

    // ---- a dynamic run in slices
    Json begin(const Json&) {
        if (!model_) return {{"error", "there is no model"}};
        stiff_was_wanted = false;
        simulation_ = std::make_unique<Simulation>(*model_);
        return {{"message", simulation_->message()}, {"end", model_->run.end}};
    }
    // Steps for so many milliseconds, to a time of the motion, or to the next event where these are
    // asked for. Measures are those of the time that was asked for.
    Json advance(const Json& request) {
        if (!simulation_) return {{"error", "no run is under way"}};
        const double until = emscripten_get_now() + request.value("milliseconds", 30.0);
        const bool to_event = request.value("to_event", false);
        const std::size_t events = simulation_->events().size();
        bool goes_on = true, event = false;
        const double t = request.value("until", std::numeric_limits<double>::infinity());
        while (goes_on && !event && simulation_->time() < t && emscripten_get_now() < until) {
            goes_on = simulation_->step();
            event = to_event && simulation_->events().size() > events;
        }
        Json out{{"time", simulation_->time()},
                 {"over", !goes_on},
                 {"event", event},
                 {"stiff", stiff_was_wanted},
                 {"message", simulation_->message()}};
        if (request.value("measures", false)) {
            Json& measures = out["measures"] = Json::object();
            for (const Reading& r : simulation_->measures_at(std::min(t, simulation_->time())))
                measures[r.name] = r.value;
        }
        return out;
    }
    Json set(const Json& request) {
        if (!simulation_) return {{"error", "no run is under way"}};
        Diagnostics problems;
        const bool done = simulation_->set(request.at("name").get<std::string>(),
                                           request.at("value").get<std::string>(), problems);
        return {{"done", done}, {"problems", problems_json(problems)}};
    }
    Json snapshot(const Json&) {
        if (!simulation_) return {{"error", "no run is under way"}};
        motion_ = simulation_->so_far().motion();
        return {{"time", simulation_->time()}};
    }
    Json finish(const Json&) {
        if (!simulation_) return {{"error", "no run is under way"}};
        result_ = simulation_->finish();
        simulation_.reset();
        Json out = outcome(*result_);
        out["stiff"] = stiff_was_wanted;
        out["audit"] = Json::parse(result_->summary()).value("audit", Json());
        return out;
    }

    // ---- moving it by hand
    Json grab(const Json&) {
        if (!model_) return {{"error", "there is no model"}};
        hand_ = std::make_unique<Hand>(*model_);
        return {{"poses", hand_->poses()}};
    }
    Json pull(const Json& request) {
        if (!hand_) return {{"error", "nothing is held"}};
        using Place = std::array<double, 2>;
        const Hand::Outcome out =
            hand_->pull(request.at("body").get<std::string>(), request.at("place").get<Place>(),
                        request.at("target").get<Place>());
        return {{"poses", hand_->poses()},   {"distance", out.distance}, {"blocking", out.blocking},
                {"holding", out.holding},    {"dead", out.is_dead},      {"jammed", out.is_jammed},
                {"redundant", out.redundant}};
    }

    Json report(const Json&) { return {{"html", result_ ? result_->report() : std::string()}}; }

    // The picture of the last result at a time.
    Json still(const Json& request) {
        return {{"svg", result_ ? result_->drawing(request.at("t").get<double>()) : ""}};
    }
    // The times of the last result alone.
    Json events(const Json&) {
        Json out = Json::array();
        if (result_)
            for (const Event& e : result_->events())
                out.push_back({{"t", e.t}, {"kind", event_name(e.kind)}, {"element", e.element}});
        return {{"events", out}};
    }

    std::string motion_;  // of the answer
    std::optional<Model> model_;
    std::optional<Result> result_;
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<Hand> hand_;
};

std::string answer_text(std::string_view request) {
    static Engine engine;
    try {
        return engine.answer_text(Json::parse(request));
    } catch (const std::exception& error) {
        return Json{{"error", std::string("internal error, please report it: ") + error.what()}}
            .dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

}  // namespace

}  // namespace pawl::engine

// The text of the request lies in memory that the caller has from malloc. The answer ends with a
// zero and stays until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* pawl_call(const char* request, std::size_t size) {
    static std::string answer;
    answer = pawl::engine::answer_text({request, size});
    return answer.c_str();
}
