// Joint coordinates on a tree of bodies: q <-> motion of the bodies, and rows on frames -> rows on
// q. `relative` hangs the bodies on the spanning tree of the graph; `absolute` hangs each body on
// ground by a free joint (q = x, y, angle of each body), so that every joint becomes rows. Knows no
// constraints and no forces.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mechanism/mechanism.h"
#include "mechanism/topology.h"

namespace pawl {

enum class CoordinateKind { relative, absolute };

template <class S>
class Coordinates {
public:
    // A branch of the tree: the components of frame b in frame a that are coordinates, from column
    // `first` on. `reversed` when the child carries frame a.
    struct Branch {
        int parent = 0, child = 0;
        bool reversed = false;
        std::array<Attachment<S>, 2> frames;  // a, b
        std::vector<Component> freedoms;
        // One degree of freedom: the cases worth a short cut. What slides on ground keeps its axes
        // and arms.
        bool turns_only = false, slides_on_ground = false;
        // Whether the frames on parent and child have an offset, or an angle, on their bodies.
        bool parent_offset = false, parent_angle = false, own_offset = false, own_angle = false;
        int first = 0;
        std::string name;
    };
    // The pattern of the rows of one element (joint, driver): which columns, and how frames reach
    // them.
    struct Reach {
        struct Entry {
            int slot;  // index in `columns`
            int branch;
            int frame;
            Component freedom;
        };
        std::vector<int> columns;
        std::vector<Entry> entries;
    };

    static Coordinates relative(const Mechanism<S>& mechanism, const Topology& topology);
    static Coordinates absolute(const Mechanism<S>& mechanism);

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] const std::vector<Branch>& branches() const { return branches_; }
    [[nodiscard]] std::string column_name(int column) const;
    [[nodiscard]] Component column_component(int column) const { return components_[column]; }
    // The column that is this component of frame b in frame a; -1 where none is.
    [[nodiscard]] int column_of(const Attachment<S>& a, const Attachment<S>& b,
                                Component component) const;
    [[nodiscard]] int branch_of_column(int column) const;

    void set_position(std::span<const double> q);
    void set_velocity(std::span<const double> v);           // after set_position
    void set_acceleration(std::span<const double> v_rate);  // after set_velocity; empty means zero
    // All at once, with accelerations at v' = 0.
    void set_motion(std::span<const double> q, std::span<const double> v);

    [[nodiscard]] const typename S::Position& position(int body) const { return position_[body]; }
    [[nodiscard]] const typename S::Twist& velocity(int body) const { return velocity_[body]; }
    [[nodiscard]] const typename S::Twist& acceleration(int body) const {
        return acceleration_[body];
    }

    // Per branch: the origin of its frame b, in ground axes.
    [[nodiscard]] typename S::Vector centre(std::size_t branch) const { return centre_[branch]; }
    // From the centre of the parent's own branch to that of the branch; from ground's origin where
    // there is none.
    [[nodiscard]] typename S::Vector offset(std::size_t branch) const { return offset_[branch]; }

    // The unit vector of a displacement of frame b along an axis of frame a of a branch.
    [[nodiscard]] typename S::Vector direction(std::size_t branch, Component freedom) const {
        return freedom == Component::x ? axis_[branch] : S::turned(axis_[branch]);
    }
    // A degree of freedom of a branch: the value and the rate of its coordinate.
    struct Motion {
        double value = 0, rate = 0;
    };
    [[nodiscard]] Motion motion(std::size_t branch, Component freedom) const;

    // Position and velocity of a frame; acceleration of its origin.
    [[nodiscard]] typename S::Frame frame(const Attachment<S>& at) const;
    [[nodiscard]] typename S::Twist frame_acceleration(const Attachment<S>& at) const;

    [[nodiscard]] Reach reach(std::span<const Attachment<S>> frames) const;
    // The row on q of wrenches on frames: values[slot] for each column of the reach.
    void pull_back(const Reach& reach, const typename S::Row& row,
                   const std::array<typename S::Frame, 3>& frames, double* values) const;

    // Coordinates nearest to the first guesses of the model: a component that a branch fixes is not
    // used.
    [[nodiscard]] std::vector<double> from_guess(const Mechanism<S>& mechanism);
    // Coordinates that give the bodies these positions (which must satisfy the branches).
    [[nodiscard]] std::vector<double> from_positions(
        std::span<const typename S::Position> positions) const;

private:
    void finish(int bodies);
    void set_branch(std::size_t k, std::span<const double> q);
    void move(std::size_t k, std::span<const double> v);
    // v_rate: null for zero.
    void accelerate(std::size_t k, const double* v_rate);
    void turn(std::size_t k, double q, double v);
    void slide_on_ground(std::size_t k, double q);
    void measure(const Branch& branch, const typename S::Position& parent,
                 const typename S::Position& child, double* q) const;

    std::vector<Branch> branches_;       // from ground outwards
    std::vector<int> branch_of_;         // per body; -1 for ground
    std::vector<Component> components_;  // per column
    int size_ = 0;
    std::vector<typename S::Position> position_;
    std::vector<typename S::Twist> velocity_, acceleration_;
    bool at_zero_rates_ = false;  // the accelerations are those of v' = 0
    // Per branch, in ground axes: axes of frame a, origin of frame b and its way from that of the
    // parent's branch, relative displacement and its rate, arms of the frames on parent and child.
    std::vector<typename S::Vector> axis_, centre_, offset_, gap_, slide_, parent_arm_, child_arm_;
};

extern template class Coordinates<PlanarSpace>;

}  // namespace pawl
