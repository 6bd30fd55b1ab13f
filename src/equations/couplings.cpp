// Rows and forces of joints that engage and disengage.
#include "equations/mechanism_equations.h"
#include "mechanism/joint_kind.h"

namespace pawl {

template <class S>
void MechanismEquations<S>::add_couplings() {
    for (std::size_t i = 0; i < choice_.couplings.size(); ++i) {
        Element e;
        e.coupling = static_cast<int>(i);
        add_joint(std::move(e), mechanism_.couplings[choice_.couplings[i].coupling].joint);
    }
}

template <class S>
std::pair<int, int> MechanismEquations<S>::coupling_rows(std::size_t index) const {
    for (const Element& e : elements_)
        if (e.coupling == static_cast<int>(index)) return {e.first_row, e.rows};
    return {0, 0};
}

template <class S>
std::array<double, 3> MechanismEquations<S>::coupling_values(int coupling) const {
    const Joint<S>& joint = mechanism_.couplings[coupling].joint;
    std::array<typename S::Frame, 3> frames;
    for (int k = 0; k < joint.frame_count(); ++k) frames[k] = coordinates_.frame(joint.frames[k]);
    typename S::Row rows[3];
    std::visit([&](const auto& kind) { kind.rows(frames, rows); }, *joint.kind);
    std::array<double, 3> values{};
    for (int r = 0; r < joint.row_count(); ++r) values[r] = rows[r].phi;
    return values;
}

template <class S>
std::vector<typename S::Wrench> MechanismEquations<S>::add_coupling_wrenches(
    std::span<const double> lambda, std::vector<typename S::Wrench>& on_bodies) {
    std::vector<typename S::Wrench> on_second(choice_.couplings.size());
    if (on_second.empty()) return on_second;
    typename S::Row rows[3];
    std::array<typename S::Frame, 3> frames;
    for (const Element& e : elements_) {
        if (e.coupling < 0) continue;
        evaluate(e, true, rows, frames);
        for (int r = 0; r < e.rows; ++r) {
            const double factor = lambda[e.first_row + r] * scale(e, r);
            for (int k = 0; k < e.frames; ++k) {
                const int body = e.attachments[k].body;
                const auto f = factor * rows[r].w[k].f;
                const auto arm = frames[k].position.p - coordinates_.position(body).p;
                on_bodies[body].f += f;
                on_bodies[body].m += factor * rows[r].w[k].m + S::cross(arm, f);
            }
            on_second[e.coupling].f += factor * rows[r].w[1].f;
            on_second[e.coupling].m += factor * rows[r].w[1].m;
        }
    }
    return on_second;
}

template class MechanismEquations<PlanarSpace>;

}  // namespace pawl
