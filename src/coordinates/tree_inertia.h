// Inertia of the bodies on a tree of coordinates: M, M^-1 and the generalized forces, each in time
// linear in the number of bodies (articulated bodies). Knows the coordinates and the masses, no
// constraints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "coordinates/coordinates.h"

namespace pawl {

// Mass, first moment and second moment about a reference point, in ground axes.
template <class S>
struct PointInertia {
    double mass = 0;
    typename S::Vector moment;  // mass x (centre - reference)
    double turning = 0;         // about the reference
};

template <class S>
class TreeInertia {
public:
    TreeInertia(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates);

    // Blocks of columns that the inertia couples: the subtrees that hang on ground.
    [[nodiscard]] int block_of(int column) const { return block_of_column_[column]; }
    [[nodiscard]] int blocks() const { return static_cast<int>(block_branches_.size()); }

    // 1/M of a column that is alone in its block, where that is the same everywhere; 0 elsewhere.
    [[nodiscard]] double constant_inverse(int column) const;

    // After set_position of the coordinates. False when a coordinate has no inertia; then
    // `massless` is its column.
    bool factor();
    [[nodiscard]] int massless() const { return massless_; }
    // The block is factored elsewhere, and may be singular: `factor` and `accelerate` leave it out.
    void leave_out(int block);
    // Every body has a mass and an inertia.
    [[nodiscard]] bool is_regular() const;
    // Of the bodies that have one.
    [[nodiscard]] double mean_mass() const;

    // x <- M^-1 x, in all blocks or in the named ones only.
    void solve(std::span<double> x) const;
    void solve(std::span<double> x, std::span<const int> blocks) const;
    // y <- M x.
    void apply(std::span<const double> x, std::span<double> y) const;
    // y <- M' v with the velocity that is set. The accelerations of the coordinates are used as
    // scratch.
    void apply_rate(Coordinates<S>& coordinates, std::span<double> y) const;
    [[nodiscard]] Eigen::MatrixXd matrix() const;

    // Generalized forces of wrenches on the bodies (at their origins, ground axes) minus the
    // inertia forces at zero v': the f of M v' = f + G^T lambda. After set_velocity. The
    // accelerations of the coordinates are used as scratch.
    void generalized_force(Coordinates<S>& coordinates,
                           std::span<const typename S::Wrench> on_bodies,
                           std::span<double> f) const;
    // The accelerations that they give in a field of free fall: M^-1 f without f. After factor.
    void accelerate(Coordinates<S>& coordinates, std::span<const typename S::Wrench> on_bodies,
                    typename S::Vector gravity, std::span<double> v_rate) const;
    // Only the wrenches.
    void pull_back(std::span<const typename S::Wrench> on_bodies, std::span<double> f) const;

    [[nodiscard]] double kinetic_energy() const;
    // Adds the weights in a field of free fall, as wrenches at the origins of the bodies; returns
    // their potential.
    double add_weights(typename S::Vector gravity, std::span<typename S::Wrench> on_bodies) const;
    // Force and moment (at the origin of the body) that its motion asks for: M a in the sense of
    // Newton and Euler.
    [[nodiscard]] typename S::Wrench inertia_wrench(int body) const;

private:
    using Three = std::array<double, 3>;  // (turn, x, y) of a twist or a wrench, at a reference
                                          // point, ground axes
    using Symmetric =
        std::array<double, 6>;  // (w w), (w x), (w y), (x x), (x y), (y y) of a 3 x 3 inertia
    struct BodyInertia {
        double mass = 0;
        typename S::Vector centre;  // body coordinates
        double about_centre = 0;
    };
    // What the passes over the tree ask of a branch.
    struct Link {
        int parent;  // branch; -1 at ground
        int child;   // body
        int first, freedoms;
        bool turns_only;
        double sign;  // of the child's motion in that of the coordinates
    };
    // A branch with one degree of freedom, on ground, carrying nothing: its inertia is the same
    // everywhere, and its motion asks for no force along it.
    struct Alone {
        std::size_t branch;
        int child, column;
        bool turns_only;
        double sign;
        double inverse;  // of its inertia; 0 where it has none
    };
    struct BranchFactors {
        Symmetric articulated;          // inertia seen at the reference point
        std::array<Three, 3> u;         // articulated x subspace, per degree of freedom
        std::array<double, 9> inverse;  // of subspace^T u
        std::array<Three, 3> s;  // subspace, per degree of freedom; unset where it only turns
    };
    void link_branches();
    void find_alone();  // and the coupled ones
    [[nodiscard]] PointInertia<S> inertia_at(int body, typename S::Vector reference) const;
    [[nodiscard]] Three subspace(std::size_t branch, int freedom) const;
    bool factor_branch(std::size_t k, Symmetric& out);
    bool factor_freedoms(std::size_t k, Symmetric& out);
    void solve_block(std::span<double> x, int block) const;
    // Generalized forces x and the wrenches against the motion in force_ -> accelerations.
    void solve_branches(std::span<double> x, std::span<const int> outwards) const;
    // The two passes of it: what is left of the forces, inwards; then the rates, outwards.
    void collect_bias(std::span<double> x, std::span<const int> outwards) const;
    void spread_accelerations(std::span<double> x, std::span<const int> outwards) const;
    // What acts on the body of a branch in a field of free fall, at its reference: a wrench less
    // that of the inertia at zero v'. `r` is its lever.
    [[nodiscard]] Three net_wrench(std::size_t branch, const typename S::Wrench& on_body,
                                   typename S::Vector gravity, typename S::Vector r) const;
    // From the reference of a branch to the centre of mass of its body.
    [[nodiscard]] typename S::Vector lever(std::size_t branch) const;
    // The part of a wrench at the origin of its body, and of its weight, that acts along its
    // degree of freedom.
    [[nodiscard]] double force_along(const Alone& alone, const typename S::Wrench& on_body,
                                     typename S::Vector gravity) const;
    [[nodiscard]] double inertia_alone(std::size_t branch) const;
    // At the reference of a branch: the twist that its parent carries it with; and a wrench, passed
    // on to the parent.
    [[nodiscard]] Three carried(std::size_t branch) const;
    void pass_on(std::size_t branch, const Three& wrench) const;
    // The generalized forces of a wrench at the reference of a branch along its own degrees of
    // freedom.
    void along(std::size_t branch, const Three& wrench, std::span<double> f) const;
    // Generalized forces of force_, from the tips inwards.
    void collect(std::span<double> f) const;

    const Mechanism<S>& mechanism_;
    const Coordinates<S>& coordinates_;
    std::vector<BodyInertia> bodies_;
    std::vector<int> block_of_column_;
    std::vector<Link> links_;
    std::vector<std::vector<int>> block_branches_;  // outwards
    std::vector<Alone> alone_;
    std::vector<int> coupled_blocks_;         // the others
    std::vector<std::size_t> coupled_links_;  // their branches, outwards
    std::vector<BranchFactors> factors_;
    std::vector<typename S::Vector> lever_;  // per branch, of the last factor
    mutable std::vector<Three> force_, motion_;
    mutable std::vector<typename S::Wrench> net_;
    int massless_ = 0;
};

extern template class TreeInertia<PlanarSpace>;

}  // namespace pawl
