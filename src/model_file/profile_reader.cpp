// Reading of profiles and of the contacts between them.
#include "model_file/model_reader.h"

namespace pawl {

namespace {

// Part of the chain's own size below which two ends are one point written with some ten digits.
constexpr double one_point = 1e-9;

template <class S>
bool ends_meet(const CurveChain<S>& curves) {
    const auto start = point_of<S>(curves.front(), 0).p;
    const auto distance = [&](const CurveElement<S>& curve, double u) {
        const auto way = point_of<S>(curve, u).p - start;
        return std::sqrt(value_of(S::dot(way, way)));
    };
    double size = 0;
    for (const CurveElement<S>& curve : curves)
        size = std::max({size, distance(curve, 0.5), distance(curve, 1)});
    return distance(curves.back(), 1) <= one_point * size;
}

}  // namespace

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
    if (!reader.failed()) make_chain(reader, table, profile.chain);
    context_.profiles.emplace(node.key, static_cast<int>(mechanism_.profiles.size()));
    mechanism_.profiles.push_back(std::move(profile));
}

template <class S>
void ModelReader<S>::make_chain(FieldReader<S>& reader, const ProfileTable<S>& table,
                                Profile<S>& chain) {
    CurveChain<S> curves;
    std::vector<std::size_t> origin;  // of each curve, among the elements of the file
    const auto refuse = [&](std::size_t i, const std::string& message) {
        reader.error(table.elements[i].span,
                     reader.what("elements") + " " + std::to_string(i + 1) + ": " + message);
    };
    for (std::size_t i = 0; i < table.elements.size(); ++i) {
        const std::string problem = std::visit(
            [&](const auto& kind) { return kind.append(curves); }, table.elements[i].kind);
        if (!problem.empty()) return refuse(i, problem);
        origin.resize(curves.size(), i);
    }
    const auto problem =
        make_profile<S>(curves, table.closed.value_or(ends_meet<S>(curves)), chain);
    if (problem)
        reader.error(table.elements[origin[static_cast<std::size_t>(problem->element)]].span,
                     reader.title() + ": " + problem->message);
}

template <class S>
void ModelReader<S>::read_contact(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    ContactElement<T> element;
    element.fields(reader);
    const auto found = reader.template kind_of<ContactLaw<T>>("law", false);
    ContactLaw<T> law = found.value_or(ContactLaw<T>{});
    if (found) {
        std::visit([&](auto& kind) { kind.fields(reader); }, law);
        reader.finish();
        check_law(reader, element, law);
    }
    if (element.a && element.b) check_sides(reader, element);
    const ContactSide a = element.a.value_or(ContactSide{}), b = element.b.value_or(ContactSide{});
    mechanism_.contacts.push_back({node.key, node.begin, a.body, b.body, a.profile, b.profile,
                                   element.permanent, element.restitution, element.capture,
                                   std::move(law)});
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
        for (const char* key : {"restitution", "capture", "permanent", "law"})
            reader.require(!reader.has(key), key, "has a meaning only between two profiles");
}

template <class S>
void ModelReader<S>::check_law(FieldReader<S>& reader, const ContactElement<T>& element,
                               const ContactLaw<T>& law) {
    std::visit(
        [&](const auto& kind) {
            const std::string unused =
                "has no meaning with law = \"" + std::string(kind.name) + "\"";
            reader.require(kind.uses_restitution || !reader.has("restitution"), "restitution",
                           unused);
            reader.require(kind.is_rigid || !reader.has("capture"), "capture", unused);
            reader.require(kind.is_rigid || !element.permanent, "permanent", unused);
        },
        law);
}

template class ModelReader<PlanarSpace>;

}  // namespace pawl
