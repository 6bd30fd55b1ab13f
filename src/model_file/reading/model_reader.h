// Reads the tables of a model into a mechanism over the space S. The order: units, parameters,
// bodies, joints, then what refers to them. All errors are collected.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "curves/area.h"
#include "model_file/reading/elements.h"
#include "model_file/reading/force_field_reader.h"
#include "model_file/reading/model_file.h"

namespace pawl {

template <class S>
class ModelReader {
public:
    using T = typename S::Scalar;

    // The units and the parameters must have been read before.
    ModelReader(const Node& root, const ParameterSet& parameters, const ReadingContext& context,
                std::vector<T> slots, Mechanism<S>& mechanism)
        : root_(root),
          context_{context, parameters, std::move(slots), mechanism, {}, {}, {}, {}},
          mechanism_(mechanism) {}

    void read(RunSettings& run, std::optional<SweepSettings>& sweep);
    [[nodiscard]] std::vector<Response> take_responses() { return std::move(responses_); }

private:
    // Calls read(node, title) for each table of [name.*] whose name is a plain one.
    template <class F>
    void each(std::string_view table, F read) {
        const Node* elements = root_.find(table);
        if (!elements) return;
        const std::string kind(table);
        context_.section = kind;
        if (elements->kind != Node::Kind::table)
            return error(elements->begin, kind + ": expected tables [" + kind + ".NAME], not " +
                                              std::string(elements->kind_name()));
        for (const Node& node : elements->children) {
            const std::string title = kind + " '" + node.key + "'";
            if (!is_plain_name(node.key))
                error(node.key_span, title +
                                         ": a name must consist of letters, digits and _ and not "
                                         "begin with a digit");
            else if (node.kind != Node::Kind::table)
                error(node.begin, title + ": expected a table [" + kind + "." + node.key +
                                      "], not " + std::string(node.kind_name()));
            else
                read(node, title);
        }
    }
    void error(Span span, std::string message) {
        context_.diagnostics.error(span, std::move(message));
    }

    void add_body(std::string name, Span span);
    void read_ground(const Node& node);
    void read_body(const Node& node, const std::string& title);
    void add_points(int body, const std::string& title, std::vector<typename Body<S>::Point> points,
                    std::vector<typename Body<S>::Point> ground_points);

    void read_joint(const Node& node, const std::string& title);
    bool check_bodies(const JointFieldReader<S>& reader, const Joint<S>& joint);
    void read_kind(JointFieldReader<S>& reader, Joint<S>& joint);
    void settle(Joint<S>& joint, const std::string& title, bool is_permanent = true);
    void check_positions();

    void read_driver(const Node& node, const std::string& title);
    std::optional<Coordinate<S>> driven(FieldReader<S>& reader, const DriverElement<S>& element);

    void read_profile(const Node& node, const std::string& title);
    bool make_chain(FieldReader<S>& reader, const ProfileTable<S>& table, Profile<S>& chain);
    bool collect_curves(FieldReader<S>& reader, const ProfileTable<S>& table, CurveChain<S>& curves,
                        std::vector<Span>& spans);
    void derive(FieldReader<S>& reader, const ProfileTable<S>& table, Profile<S>& chain);
    void add_plate(FieldReader<S>& reader, const ProfileTable<S>& table,
                   const BodyProfile<S>& profile);
    void give_masses();
    void read_contact(const Node& node, const std::string& title);
    void check_sides(FieldReader<S>& reader, const ContactElement<T>& element);

    void read_measure(const Node& node, const std::string& title);
    void fill(FieldReader<S>& reader, const PointMeasure<S>& element, Measure<S> measure);
    void fill(FieldReader<S>& reader, const AngleMeasure<S>& element, Measure<S> measure);
    void fill(FieldReader<S>& reader, const DistanceOfPoints<S>& element, Measure<S> measure);
    void fill(FieldReader<S>& reader, const JointMeasure<S>& element, Measure<S> measure);
    void fill(FieldReader<S>& reader, const FormulaMeasure<S>& element, Measure<S> measure);
    [[nodiscard]] bool uses_rates(const Expression& expression) const;
    void add_channel(FieldReader<S>& reader, Measure<S> measure, const Quality& quality);
    // The slot of the first measure, behind those of the time and of the parameters.
    [[nodiscard]] int first_channel() const {
        return 1 + static_cast<int>(context_.parameters.all().size());
    }

    void read_force(const Node& node, const std::string& title);
    void check_target(ForceFieldReader<S>& reader, const Force<S>& force);
    void read_states();
    void read_event(const Node& node, const std::string& title);
    void read_response(const Node& node, const std::string& title);
    void read_coupling(const Node& node, const std::string& title);
    [[nodiscard]] ForceSymbols force_symbols() const {
        return {context_.parameters, channels_, static_cast<int>(mechanism_.measures.size()),
                without_rate_, states_};
    }

    void read_limits(FieldReader<S>& reader, const ResponseElement& element, Response& response);
    void read_sweep(std::optional<SweepSettings>& sweep);
    void read_run(RunSettings& run);
    void check_independent(FieldReader<S>& reader, const std::vector<std::string>& independent);

    // A frame whose initial position was used to settle a joint.
    struct UsedPosition {
        int joint, body;
    };

    const Node& root_;
    MechanismContext<S> context_;
    Mechanism<S>& mechanism_;
    std::vector<UsedPosition> used_positions_;
    std::set<int> own_centres_;                        // bodies with a centre of mass of their own
    std::map<int, AreaMoments<S>> plates_;             // of each body, times density and thickness
    NameIndex channels_;                               // slots of the measures read so far
    std::vector<Quality> qualities_;                   // of the measures read so far
    std::set<std::string, std::less<>> without_rate_;  // measures whose rate is an acceleration
    NameIndex states_;                                 // the indices of the user's states
    std::vector<Response> responses_;
};

}  // namespace pawl
