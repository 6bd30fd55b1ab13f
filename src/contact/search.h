// All points where two profiles come nearest, found with a hierarchy of bounding circles over the
// elements of each. Knows profiles and their frames, not bodies or time.
#pragma once

#include <span>
#include <vector>

#include "contact/bounding_tree.h"
#include "contact/touch.h"
#include "mechanism/mechanism.h"

namespace pawl {

// A point where two profiles come nearest: a local minimum of their distance.
struct Candidate {
    int a = 0, b = 0;  // elements
    Touch<PlanarSpace> touch;
};

// A part of each profile, by the leaves of their trees.
struct PartPair {
    int a, b;
};

class ContactSearch {
public:
    ContactSearch(const Profile<PlanarSpace>& a, const Profile<PlanarSpace>& b,
                  bool compliant = false);

    // All candidates whose gap is at most `within` on either side of zero, with both points on
    // their elements (the normal of a corner in its cone) and positive firmness, in the order of
    // the elements. At a junction of neighbours there may be two equal ones, never none.
    void find(const PlanarSpace::Position& frame_a, const PlanarSpace::Position& frame_b,
              double within, std::vector<Candidate>& out) const;

    // The same, searched among some pairs of parts only.
    void find(const PlanarSpace::Position& frame_a, const PlanarSpace::Position& frame_b,
              double within, std::span<const PartPair> among, std::vector<Candidate>& out) const;
    // Appends the pairs of parts that may hold a candidate within `within` here, or wherever b is
    // turned against a by up to `turn` (rad): of all, or of those from `first` to `last` in `pairs`
    // itself.
    void collect(const PlanarSpace::Position& frame_a, const PlanarSpace::Position& frame_b,
                 double within, double turn, std::vector<PartPair>& pairs) const;
    void narrow(const PlanarSpace::Position& frame_a, const PlanarSpace::Position& frame_b,
                double within, double turn, std::size_t first, std::size_t last,
                std::vector<PartPair>& pairs) const;

    // The part of a leaf, and the element it is of.
    [[nodiscard]] const BoundingTree::Part& part_of_leaf(int side, int leaf) const {
        return part_of(side, static_cast<std::size_t>(leaf));
    }
    [[nodiscard]] const CurveElement<PlanarSpace>& element(int side, int i) const {
        return profile_[side].elements[static_cast<std::size_t>(i)];
    }
    // The run of a fraction on an element.
    [[nodiscard]] int run_at(int side, int element, double u) const;
    // A circle around a profile, in its axes.
    [[nodiscard]] BoundingTree::Node circle(int side) const {
        return tree_[side].nodes().empty() ? BoundingTree::Node{} : tree_[side].nodes()[0];
    }
    // How many pairs of parts there are.
    [[nodiscard]] std::size_t part_pairs() const { return tree_[0].parts() * tree_[1].parts(); }
    // Farthest distance of a point of the profile from the origin of its frame.
    [[nodiscard]] double radius_a() const { return radius_[0]; }
    [[nodiscard]] double radius_b() const { return radius_[1]; }

private:
    struct Query {
        const PlanarSpace::Position& frame_a;
        const PlanarSpace::Position& frame_b;
        double within;
        PlanarSpace::Vector shift, axis;  // frame b in the axes of a
        std::vector<Candidate>* out;
        double turn_cosine = 1, turn_sine = 0;  // of the turn that normals may still make
        [[nodiscard]] PlanarSpace::Vector turned_to_a(PlanarSpace::Vector v) const {
            return {axis.x * v.x - axis.y * v.y, axis.y * v.x + axis.x * v.y};
        }
        [[nodiscard]] PlanarSpace::Vector turned_to_b(PlanarSpace::Vector v) const {
            return {axis.x * v.x + axis.y * v.y, axis.x * v.y - axis.y * v.x};
        }
    };
    [[nodiscard]] static Query query_of(const PlanarSpace::Position& frame_a,
                                        const PlanarSpace::Position& frame_b, double within,
                                        double turn, std::vector<Candidate>* out);
    [[nodiscard]] static bool are_near(const Query& query, const BoundingTree::Node& a,
                                       const BoundingTree::Node& b);
    // Calls leaf(i, k) for all pairs of leaves whose circles are near.
    template <class Leaf>
    void descend(const Query& query, std::size_t i, std::size_t k, const Leaf& leaf) const;
    // Puts what was found in order, each once.
    static void settle(std::vector<Candidate>& out);
    [[nodiscard]] const BoundingTree::Part& part_of(int side, std::size_t leaf) const {
        return tree_[side].part(tree_[side].nodes()[leaf].part);
    }
    void match(const Query& query, const BoundingTree::Part& a, const BoundingTree::Part& b) const;
    // Whether a normal of a may be opposite to one of b; of parts or of nodes.
    template <class Cone>
    [[nodiscard]] static bool may_face(const Query& query, const Cone& a, const Cone& b);
    // Whether elements in closed form may be a candidate: false only where `take` would find none.
    [[nodiscard]] static bool may_touch(const Query& query, const BoundingTree::Part& a,
                                        const BoundingTree::Part& b);
    [[nodiscard]] static bool may_touch(const Query& query, const BoundingTree::Part& straight,
                                        const RoundShape<PlanarSpace>& round,
                                        PlanarSpace::Vector centre);
    void take(const Query& query, const BoundingTree::Part& a, const BoundingTree::Part& b,
              double u, double w) const;
    void seed_round(const Query& query, const BoundingTree::Part& a, const BoundingTree::Part& b,
                    bool a_is_general) const;
    void seed_straight(const Query& query, const BoundingTree::Part& a, const BoundingTree::Part& b,
                       bool a_is_general) const;
    void seed_general(const Query& query, const BoundingTree::Part& a,
                      const BoundingTree::Part& b) const;

    Profile<PlanarSpace> profile_[2];
    double radius_[2];
    BoundingTree tree_[2];
};

}  // namespace pawl
