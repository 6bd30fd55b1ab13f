// Reading of profiles and of the contacts between them.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "curves/derived.h"
#include "math/tolerances/geometry.h"
#include "model_file/reading/model_reader.h"

namespace pawl {

template <class S>
void ModelReader<S>::read_profile(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    ProfileTable<S> table;
    table.fields(reader);
    reader.finish();
    BodyProfile<S> profile;
    profile.name = node.key;
    profile.span = node.begin;
    profile.frame = {table.body.value_or(0), {table.at, table.angle}};
    profile.frame.settle();
    if (reader.has("elements") == reader.has("like"))
        reader.error(node.begin, title + ": give either elements or like");
    if (!reader.failed() && make_chain(reader, table, profile.chain))
        derive(reader, table, profile.chain);
    if (table.density && !reader.failed()) add_plate(reader, table, profile);
    context_.profiles.emplace(node.key, static_cast<int>(mechanism_.profiles.size()));
    mechanism_.profiles.push_back(std::move(profile));
}

// The curves of the file or of the profile that is copied, each with the location to report.
template <class S>
bool ModelReader<S>::collect_curves(FieldReader<S>& reader, const ProfileTable<S>& table,
                                    CurveChain<S>& curves, std::vector<Span>& spans) {
    if (table.like) {
        curves = mechanism_.profiles[static_cast<std::size_t>(*table.like)].chain.elements;
        spans.assign(curves.size(), reader.span_of("like"));
        return !curves.empty();  // empty: it has an error of its own
    }
    for (std::size_t i = 0; i < table.elements.size(); ++i) {
        const ProfileElement<S>& element = table.elements[i];
        std::string problem =
            std::visit([&](const auto& kind) { return kind.append(curves); }, element.kind);
        for (std::size_t k = spans.size(); k < curves.size() && problem.empty(); ++k)
            problem =
                std::holds_alternative<Corner<S>>(curves[k]) && table.elements.size() > 1
                    ? "a point must be the only element of its profile"
                    : std::visit([](const auto& c) { return c.problem(); }, curves[k]).value_or("");
        spans.resize(curves.size(), element.span);
        if (problem.empty()) continue;
        reader.error(element.span,
                     reader.what("elements") + " " + std::to_string(i + 1) + ": " + problem);
        return false;
    }
    return true;
}

template <class S>
bool ModelReader<S>::make_chain(FieldReader<S>& reader, const ProfileTable<S>& table,
                                Profile<S>& chain) {
    CurveChain<S> curves;
    std::vector<Span> spans;
    if (!collect_curves(reader, table, curves, spans)) return false;
    const std::size_t given = curves.size();
    if (table.pattern && is_whole<S>(curves.front())) {
        reader.error(reader.span_of("pattern"),
                     reader.what("pattern") + ": a closed curve cannot be joined to its copies");
        return false;
    }
    if (table.pattern) {
        const int count = static_cast<int>(value_of(table.pattern->count));
        const T turn = T(2 * std::numbers::pi) / table.pattern->count;
        const T step = table.pattern->step.value_or(turn);
        constexpr double degree = std::numbers::pi / 180, rounding = tolerance::typed_angle;
        const double each = std::abs(value_of(step)) / degree;
        if (count * each > 360 * (1 + rounding)) {
            reader.error(
                reader.span_of("pattern"),
                reader.what("pattern") +
                    fmt::format(": {} times {:.6g} deg are {:.6g} deg, more than a whole turn, so "
                                "copies would overlap; at most {:.0f} fit",
                                count, each, count * each, std::floor(360 / each + rounding)));
            return false;
        }
        curves = patterned<S>(curves, count, step);
    }
    const bool closed = ends_meet<S>(curves);
    reader.require(!is_whole<S>(curves.front()) || table.closed.value_or(true), "closed",
                   "this curve is always closed");
    const auto problem = make_profile<S>(curves, table.closed.value_or(closed), chain);
    if (problem)
        reader.error(spans[static_cast<std::size_t>(problem->element) % given],
                     reader.title() + ": " + problem->message);
    return !problem;
}

template <class S>
void ModelReader<S>::derive(FieldReader<S>& reader, const ProfileTable<S>& table,
                            Profile<S>& chain) {
    if (table.mirror) chain = mirrored<S>(chain);
    if (!table.offset) return;
    Profile<S> parallel;
    const auto problem = offset<S>(chain, *table.offset, parallel);
    if (problem)
        reader.error(reader.span_of("offset"), reader.what("offset") + ": " + problem->message);
    chain = std::move(parallel);
}

template <class S>
void ModelReader<S>::add_plate(FieldReader<S>& reader, const ProfileTable<S>& table,
                               const BodyProfile<S>& profile) {
    reader.require(profile.frame.body != 0, "density", "ground is fixed and needs no mass");
    reader.require(profile.chain.closed, "density",
                   "an open outline encloses nothing; close it, or give the body its mass");
    if (reader.failed()) return;
    auto moments =
        area_moments<S>(profile.chain, {T(1), profile.frame.local.angle, profile.frame.local.at});
    const T per_area = *table.density * *table.thickness;
    moments.area = per_area * moments.area;
    moments.first = per_area * moments.first;
    moments.second = per_area * moments.second;
    plates_[profile.frame.body] += moments;
}

// What a body has of its own stands before what its plates say.
template <class S>
void ModelReader<S>::give_masses() {
    for (const auto& [index, plate] : plates_) {
        auto& body = mechanism_.bodies[static_cast<std::size_t>(index)];
        if (!(value_of(plate.area) > 0) || !(value_of(plate.gyration()) > 0)) {
            error(body.span, "body '" + body.name +
                                 "': its outlines with a density enclose no area: an outline that "
                                 "runs clockwise is a hole");
            continue;
        }
        if (!body.mass) body.mass = plate.area;
        if (!body.inertia) body.inertia = *body.mass * plate.gyration();
        if (!own_centres_.contains(index)) body.centre = plate.centroid();
    }
}

template <class S>
void ModelReader<S>::read_contact(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    ContactElement<T> element;
    element.fields(reader);
    if (auto law = reader.template kind_of<ContactLaw<T>>("law", false)) {
        element.law = std::move(*law);
        std::visit([&](auto& kind) { kind.fields(reader); }, element.law);
        reader.finish();
        element.check(reader);
        std::visit(
            [&](const auto& kind) {
                reader.require(kind.is_rigid || !element.permanent, "permanent",
                               "is not valid with law = \"" + std::string(kind.name) + "\"");
            },
            element.law);
    }
    if (element.a && element.b) check_sides(reader, element);
    const ContactSide a = element.a.value_or(ContactSide{}), b = element.b.value_or(ContactSide{});
    if (const auto joint = context_.joints.find(node.key);
        joint != context_.joints.end() &&
        mechanism_.joints[static_cast<std::size_t>(joint->second)].clearance())
        error(node.key_span, title + ": joint '" + node.key +
                                 "' has a clearance and gives its contact this name; choose "
                                 "another");
    auto& pair = mechanism_.contacts.emplace_back();
    static_cast<ContactRules<T>&>(pair) = element;
    pair.name = node.key;
    pair.span = node.begin;
    pair.a = a.body;
    pair.b = b.body;
    pair.profile_a = a.profile;
    pair.profile_b = b.profile;
    pair.permanent = element.permanent;
}

template <class S>
void ModelReader<S>::check_sides(FieldReader<S>& reader, const ContactElement<T>& element) {
    const ContactSide &a = *element.a, &b = *element.b;
    const auto body_name = [this](const ContactSide& side) {
        return "'" + mechanism_.bodies[static_cast<std::size_t>(side.body)].name + "'";
    };
    const bool has_a = a.profile >= 0, has_b = b.profile >= 0;
    if (a.body == b.body)
        return reader.require(
            false, "b",
            has_a && has_b && a.profile != b.profile
                ? "both profiles are on body " + body_name(a) + "; a body cannot touch itself"
                : "a body cannot touch itself");
    if (has_a != has_b) {
        const ContactSide& bare = has_a ? b : a;
        std::string names;
        for (const BodyProfile<S>& profile : mechanism_.profiles)
            if (profile.frame.body == bare.body)
                names += (names.empty() ? "" : ", ") + profile.name;
        return reader.require(false, has_a ? "b" : "a",
                              body_name(bare) + " is a body and the other side a profile; " +
                                  (names.empty() ? "it has no profile yet: add [profile.NAME]"
                                                 : "name a profile of it: " + names));
    }
    if (!has_a)
        for (const char* key :
             {"restitution", "capture", "permanent", "law", "friction", "impact", "friction_rule",
              "rolling_rule", "tangential_restitution", "tangential_impact", "separates"})
            reader.require(!reader.has(key), key, "is valid only between two profiles");
}

template void ModelReader<PlanarSpace>::read_profile(const Node&, const std::string&);
template void ModelReader<PlanarSpace>::give_masses();
template void ModelReader<PlanarSpace>::read_contact(const Node&, const std::string&);

}  // namespace pawl
