// Reading of joints: their bodies, their frames, their own fields.
#include "math/tolerances/outside.h"
#include "mechanism/joint_kind.h"
#include "model_file/reading/model_reader.h"

namespace pawl {

template <class S>
void ModelReader<S>::read_joint(const Node& node, const std::string& title) {
    JointFieldReader<S> reader(node, title, context_);
    Joint<S> joint;
    joint.name = node.key;
    joint.span = node.begin;
    auto kind = reader.template kind_of<JointKinds<S>>();
    if (kind) {
        joint.kind = JointKind<S>(std::move(*kind));
        read_kind(reader, joint);
        reader.finish();
        // Of a block far shorter than its play rounding leaves no shape.
        if (const auto* slide = std::get_if<Prismatic<S>>(&*joint.kind);
            slide && slide->clearance && slide->guide &&
            !(value_of(*slide->guide) >
              std::max(tolerance::guide_part * value_of(*slide->clearance), 1e-100)))
            error(reader.span_of("guide"),
                  title + ", guide: must be longer than a millionth of the clearance");
        if (check_bodies(reader, joint) && !reader.failed()) settle(joint, title);
    }
    context_.joints.emplace(joint.name, static_cast<int>(mechanism_.joints.size()));
    mechanism_.joints.push_back(std::move(joint));
}

template <class S>
void ModelReader<S>::read_kind(JointFieldReader<S>& reader, Joint<S>& joint) {
    std::visit(
        [&](auto& k) {
            k.fields(reader);
            if (k.to_ground) reader.found[0] = true;
        },
        *joint.kind);
    joint.frames = reader.frames;
}

template <class S>
void ModelReader<S>::read_coupling(const Node& node, const std::string& title) {
    ForceFieldReader<S> reader(node, title, context_, force_symbols());
    Coupling<S> coupling;
    Joint<S>& joint = coupling.joint;
    joint.name = node.key;
    joint.span = node.begin;
    CouplingElement element;
    auto kind = reader.template kind_of<JointKinds<S>>();
    element.fields(reader);
    coupling.engaged = std::move(element.engaged);
    if (kind) {
        joint.kind = JointKind<S>(std::move(*kind));
        read_kind(reader, joint);
        reader.finish();
        reader.require(joint.row_count() > 0, "type", "constrains nothing, so it cannot engage");
        if (context_.joints.contains(joint.name))
            error(joint.span, title + ": there is a joint of this name; choose another");
        reader.require(!joint.friction(), "friction", "is not available for a coupling");
        reader.require(!joint.clearance(), "clearance", "is not available for a coupling");
        if (check_bodies(reader, joint) && !reader.failed()) settle(joint, title, false);
    }
    mechanism_.couplings.push_back(std::move(coupling));
}

template <class S>
bool ModelReader<S>::check_bodies(const JointFieldReader<S>& reader, const Joint<S>& joint) {
    if (!reader.found[0] || !reader.found[1]) return false;
    const auto& frames = joint.frames;
    const auto refuse = [&](std::string_view key, const std::string& message) {
        error(reader.span_of(key), reader.title() + ": " + message);
        return false;
    };
    const auto name = [&](int k) {
        return "'" + mechanism_.bodies[static_cast<std::size_t>(frames[k].body)].name + "'";
    };
    const char* second = reader.has("b")        ? "b"
                         : reader.has("bodies") ? "bodies"
                         : reader.has("point")  ? "point"
                                                : "body";
    if (frames[0].body == frames[1].body)
        return refuse(second, "connects the body " + name(0) + " to itself");
    if (joint.frame_count() == 3 && reader.found[2])
        for (int k : {0, 1})
            if (frames[k].body == frames[2].body)
                return refuse(reader.has("carrier") ? "carrier" : "type",
                              "the body " + name(k) +
                                  " is a gear and its carrier at the same time" +
                                  (reader.has("carrier") ? "" : "; give 'carrier'"));
    return true;
}

template <class S>
void ModelReader<S>::settle(Joint<S>& joint, const std::string& title, bool is_permanent) {
    JointPlacement<S> placement;
    for (std::size_t k = 0; k < 3; ++k) {
        placement.local[k] = joint.frames[k].local;
        placement.body[k] = mechanism_.bodies[static_cast<std::size_t>(joint.frames[k].body)].guess;
    }
    std::visit([&](auto& kind) { kind.settle(placement); }, *joint.kind);
    const auto index = static_cast<int>(mechanism_.joints.size());
    for (std::size_t k = 0; k < 3; ++k) {
        joint.frames[k].local = placement.local[k];
        joint.frames[k].settle();
        if (is_permanent && placement.position_used[k])
            used_positions_.push_back({index, joint.frames[k].body});
    }
    if (!placement.problem.empty()) error(joint.span, title + ": " + placement.problem);
}

// A later joint may still give the position of a body, by `at`; so this comes after all joints.
template <class S>
void ModelReader<S>::check_positions() {
    for (const auto& [joint_index, body_index] : used_positions_) {
        const auto& body = mechanism_.bodies[static_cast<std::size_t>(body_index)];
        const auto& joint = mechanism_.joints[static_cast<std::size_t>(joint_index)];
        if (body_index != 0 && !body.position_given)
            error(joint.span, "joint '" + joint.name + "' starts from the position of body '" +
                                  body.name + "', which is not given; add 'position' to the body");
    }
}

template void ModelReader<PlanarSpace>::read_joint(const Node&, const std::string&);
template void ModelReader<PlanarSpace>::read_coupling(const Node&, const std::string&);
template void ModelReader<PlanarSpace>::check_positions();

}  // namespace pawl
