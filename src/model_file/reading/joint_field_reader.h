// Reads the fields of one joint: besides the fields of any element, its frames on the bodies. A
// visitor for the field lists of joint kinds.
#pragma once

#include <array>
#include <string_view>

#include "model_file/reading/field_reader.h"

namespace pawl {

template <class S>
class JointFieldReader : public FieldReader<S> {
public:
    using typename FieldReader<S>::T;
    using typename FieldReader<S>::Vector;
    using FieldReader<S>::FieldReader;

    std::array<Attachment<S>, 3> frames;
    std::array<bool, 3> found{};  // frames whose body is known

    // The places a and b; or the two bodies and the ground point where they meet at first.
    void places() {
        const bool shared = this->has("bodies") || this->has("at");
        if (!shared || this->has("a") || this->has("b")) {
            place("a", 0, "place on the first body");
            place("b", 1, "place on the second body");
        }
        this->known_.insert(this->known_.end(), {"bodies", "at"});
        if (!shared) return;
        if (this->has("a") || this->has("b"))
            return this->error(this->span_of(this->has("at") ? "at" : "bodies"),
                               this->title() + ": give either a and b, or bodies and at");
        read_bodies();
        read_at();
    }
    void place(std::string_view name, int frame, std::string_view) {
        const Node* node = this->take_text(name, true);
        if (!node) return;
        if (const auto attachment = this->find_place(*node, name)) set(frame, *attachment);
    }
    void body_field(std::string_view name, int frame, std::string_view,
                    std::string_view default_name = {}) {
        const Node* node = this->take_text(name, default_name.empty());
        Attachment<S> attachment;  // of ground, the only default there is
        if (node) {
            const auto body = this->find_body(*node, node->text, name);
            if (!body) return;
            attachment.body = *body;
        } else if (default_name.empty()) {
            return;
        }
        set(frame, attachment);
    }

private:
    void set(int frame, const Attachment<S>& attachment) {
        frames[static_cast<std::size_t>(frame)] = attachment;
        found[static_cast<std::size_t>(frame)] = true;
    }
    void read_bodies() {
        const auto* nodes = this->take_array("bodies", true);
        if (!nodes) return;
        if (nodes->size() != 2)
            return this->error(this->span_of("bodies"),
                               this->what("bodies") + ": expected the names of two bodies");
        for (int k = 0; k < 2; ++k) {
            const Node& node = (*nodes)[static_cast<std::size_t>(k)];
            Attachment<S> attachment;
            if (node.kind != Node::Kind::text) {
                this->error(node.begin, this->what("bodies") + ": expected a string, not " +
                                            std::string(node.kind_name()));
            } else if (const auto body = this->find_body(node, node.text, "bodies")) {
                attachment.body = *body;
                set(k, attachment);
            }
        }
    }
    void read_at() {
        const Node* node = this->take("at", true);
        Vector at{};
        if (!node || !this->read(*node, this->what("at"), dimension::length, at)) return;
        for (int k = 0; k < 2; ++k) {
            if (!found[static_cast<std::size_t>(k)]) continue;
            auto& frame = frames[static_cast<std::size_t>(k)];
            auto& body = this->model_.mechanism.bodies[static_cast<std::size_t>(frame.body)];
            body.position_given = true;
            const auto position = S::position_of(body.guess);
            frame.local.at = position.to_local(at - position.p);
        }
    }
};

}  // namespace pawl
