// Assembles the waist from a mechanism and a choice of coordinates: rows of the joints that the
// tree does not carry, rows of the drivers, rows that keep undriven coordinates at rest, and the
// gaps of closed contacts.
#pragma once

#include <memory>

#include "contact/contact_point.h"
#include "coordinates/coordinates.h"
#include "coordinates/tree_inertia.h"
#include "equations/applied_forces.h"
#include "equations/equations.h"
#include "equations/held_inertia.h"

namespace pawl {

// A joint coordinate that nothing drives and that is kept where it is.
template <class S>
struct RestCoordinate {
    std::string name;
    Span span;
    Coordinate<S> coordinate;
    double value = 0;
};

// A friction point in a mode: of a joint, or of a closed contact (of its slip or its rolling).
struct FrictionMode {
    int joint = -1;    // in Mechanism::joints
    int contact = -1;  // in the contacts of the equations
    bool rolling = false;
    int direction = 0;                       // of sliding; 0: sticks
    double held = 0;                         // the joint's coordinate while it sticks
    bool fast = false;                       // it has slid faster than rounding since it began
    Component component = Component::angle;  // of the joint; set by the equations
};

// A coupling that is engaged, and what its rows hold: the values that it found.
struct EngagedCoupling {
    int coupling = 0;  // in Mechanism::couplings
    std::array<double, 3> held{};
    bool operator==(const EngagedCoupling&) const = default;
};

template <class S>
class MechanismEquations : public Equations {
public:
    struct Choice {
        CoordinateKind coordinates = CoordinateKind::relative;
        bool drivers = true;
        std::vector<RestCoordinate<S>> rests = {};
        bool permanent = true;                       // with the permanent contacts
        std::vector<ContactPoint<S>> contacts = {};  // closed ones, besides the permanent
        std::vector<FrictionMode> friction = {};
        std::vector<EngagedCoupling> couplings = {};
        // See AppliedForces; of drivers, too.
        const std::vector<signed char>* sides = nullptr;
    };
    MechanismEquations(const Mechanism<S>& mechanism, const Topology& topology, Choice choice);
    MechanismEquations(const MechanismEquations&) = delete;  // parts refer to each other
    MechanismEquations& operator=(const MechanismEquations&) = delete;

    void set_position(std::span<const double> q, double t) override;
    void set_velocity(std::span<const double> v) override;
    void set_motion(std::span<const double> q, std::span<const double> v, double t) override;
    [[nodiscard]] std::string column_name(int column) const override {
        return coordinates_.column_name(column);
    }

    bool set_inertia() override {
        return held_.empty() ? inertia_.factor() : held_.factor(inertia_, pattern_, jacobian_);
    }
    // "'O.angle' of body 'arm'"
    [[nodiscard]] std::string massless() const override;
    void solve_inertia(std::span<double> x) const override {
        held_.empty() ? inertia_.solve(x) : held_.solve(inertia_, x);
    }
    void solve_inertia(std::span<double> x, std::span<const int> blocks) const override {
        held_.empty() ? inertia_.solve(x, blocks) : held_.solve(inertia_, x, blocks);
    }
    void apply_inertia(std::span<const double> x, std::span<double> y) const override {
        inertia_.apply(x, y);
    }
    void apply_inertia_rate(std::span<double> y) override { inertia_.apply_rate(coordinates_, y); }
    [[nodiscard]] double constant_inverse(int column) const override {
        return held_.empty() ? inertia_.constant_inverse(column) : 0;
    }
    [[nodiscard]] int block_of(int column) const override {
        return held_.empty() ? inertia_.block_of(column) : held_.block_of(column);
    }
    [[nodiscard]] int block_count() const override {
        return held_.empty() ? inertia_.blocks() : held_.blocks();
    }
    [[nodiscard]] Eigen::MatrixXd mass_matrix() const override { return inertia_.matrix(); }
    // z: the user's states, then the work of each force that is not stored and of each contact
    // pair.
    void set_forces(std::span<const double> z) override;
    void set_free_acceleration(std::span<const double> z, std::span<double> v_rate) override;

    [[nodiscard]] const TreeInertia<S>& inertia() const { return inertia_; }
    [[nodiscard]] const AppliedForces<S>& forces() const { return forces_; }
    [[nodiscard]] Coordinates<S>& coordinates() { return coordinates_; }
    [[nodiscard]] const Coordinates<S>& coordinates() const { return coordinates_; }
    [[nodiscard]] const Mechanism<S>& mechanism() const { return mechanism_; }
    void set_model_size(double size);
    // The closed contacts: first the permanent ones, then those of the choice. Their elements may
    // be changed; where the contacts are and how they move is up to date after set_position and
    // set_velocity.
    [[nodiscard]] std::vector<ContactPoint<S>>& contacts() { return choice_.contacts; }
    // Where the contacts are at the position that is set is where they are looked for from now on.
    void settle_contacts() {
        for (ContactPoint<S>& c : choice_.contacts)
            for (int side = 0; side < 2; ++side) c.near[side] = c.touch.u[side];
    }
    // The row of a contact; -1 when it is compliant.
    [[nodiscard]] int contact_row(std::size_t contact) const { return contact_rows_[contact]; }
    // The friction points as they were chosen. What a sticking joint holds may be changed.
    [[nodiscard]] std::vector<FrictionMode>& friction_modes() { return choice_.friction; }
    // The engaged couplings. What they hold may be changed.
    [[nodiscard]] std::vector<EngagedCoupling>& couplings() { return choice_.couplings; }
    // The rows of an engaged coupling, by its index among them.
    [[nodiscard]] std::pair<int, int> coupling_rows(std::size_t point) const;  // first, count
    // What the rows of any coupling would find at the position that is set.
    [[nodiscard]] std::array<double, 3> coupling_values(int coupling) const;
    // Adds the forces of the engaged couplings to the wrenches on the bodies, at their origins;
    // returns those on their second bodies, at their frames.
    std::vector<typename S::Wrench> add_coupling_wrenches(
        std::span<const double> lambda, std::vector<typename S::Wrench>& on_bodies);
    void find_loads(std::span<const double> v_rate, std::span<const double> lambda,
                    std::span<const double> friction, std::span<double> loads) override;
    // The joint's coordinate that a friction point slides along, at the position that is set.
    [[nodiscard]] double friction_value(std::size_t point) const { return slip_values_[point]; }
    // Adds friction forces (per friction point) to the wrenches on the bodies, at their origins.
    void add_friction_wrenches(std::span<const double> friction,
                               std::vector<typename S::Wrench>& on_bodies) const;
    // Friction of a compliant contact, along its turned normal on b.
    [[nodiscard]] double friction_of_compliant(std::size_t contact) const;
    // Drivers stand still: their rates and accelerations count as zero.
    void hold_drivers(bool hold) { drivers_held_ = hold; }
    [[nodiscard]] double time() const { return t_; }
    [[nodiscard]] bool row_is_angle(int row) const { return row_is_angle_[row]; }
    [[nodiscard]] double row_scale(int row) const { return row_is_angle(row) ? model_size_ : 1.0; }

private:
    struct Element {
        // Exactly one is set. `coupling`: its index among the engaged ones.
        int joint = -1, driver = -1, rest = -1, contact = -1, friction = -1, coupling = -1;
        int first_row = 0, rows = 1;
        int frames = 2;
        std::array<Attachment<S>, 3> attachments;
        typename Coordinates<S>::Reach reach;
        std::array<bool, 3> is_angle{};
        // The column and its slot in the reach where the row is a coordinate itself: of a driver
        // or a rest at a joint of the tree.
        int column = -1, slot = 0;
        [[nodiscard]] bool has_target() const { return driver >= 0 || rest >= 0 || friction >= 0; }
    };
    // The rows, in this order; `carried`: the joints that the tree of coordinates holds.
    void add_joints(const std::vector<char>& carried);
    void add_couplings();
    void add_joint(Element element, const Joint<S>& joint);
    [[nodiscard]] const Joint<S>& joint_of(const Element& e) const {
        return e.joint >= 0 ? mechanism_.joints[e.joint]
                            : mechanism_.couplings[choice_.couplings[e.coupling].coupling].joint;
    }
    void add_driven_coordinates();  // drivers and resting coordinates
    void add_contacts();
    void hold_massless();
    void add(Element element, std::vector<RowLabel> labels);
    // With `moved`, where contacts touch is found again; else only how they move.
    void evaluate(const Element& element, bool moved, typename S::Row* rows,
                  std::array<typename S::Frame, 3>& frames);
    [[nodiscard]] TimeJet<double> target(const Element& element) const;
    // Values of an element's rows: those of the position, and gamma.
    void take_position(const Element& element, const typename S::Row* rows,
                       const std::array<typename S::Frame, 3>& frames,
                       const TimeJet<double>& target);
    void take_velocity(const Element& element, const typename S::Row* rows,
                       const TimeJet<double>& target);
    void set_slips();
    // Adds the wrenches of compliant contacts and sets the rates of the auxiliary states; after the
    // applied forces.
    void add_wrenches();
    [[nodiscard]] bool is_coordinate(const Element& element) const {
        return element.column >= 0 && !tree_loads_;
    }
    void take_coordinate(const Element& element, double q, const TimeJet<double>& target);
    [[nodiscard]] double scale(const Element& e, int row) const {
        return e.is_angle[row] ? model_size_ : 1.0;
    }

    // A row's part on one body, as a wrench at ground's origin.
    struct OnBody {
        int body = 0;
        typename S::Wrench wrench;
    };
    using OnBodies = std::array<OnBody, 3>;
    void add_friction_points(const std::vector<char>& carried);
    struct LoadSource;
    using T = typename S::Scalar;
    static void set_law(FrictionPoint& point, const DryFriction<T>& law);
    void set_load_source(int point, const FrictionMode& mode, const std::vector<char>& carried);
    void set_guide_loads(const LoadSource& source, double across, double moment,
                         double* loads) const;
    [[nodiscard]] typename S::Row slip_row_of(const FrictionMode& mode,
                                              const std::array<typename S::Frame, 3>& frames) const;
    [[nodiscard]] OnBodies on_bodies(const Element& element, const typename S::Row& row,
                                     const std::array<typename S::Frame, 3>& frames,
                                     double scale) const;
    void pass_through_tree(std::span<const double> v_rate, std::span<const double> lambda,
                           std::span<const double> friction);

    // Where the loads of a friction point come from: rows of its joint or contact, or the branch of
    // the tree that carries the joint.
    struct LoadSource {
        int first_row = -1, branch = -1, joint = -1;
    };

    const Mechanism<S>& mechanism_;
    AuxiliaryLayout layout_;
    Choice choice_;
    Coordinates<S> coordinates_;
    TreeInertia<S> inertia_;
    HeldInertia held_;
    AppliedForces<S> forces_;
    std::vector<Element> elements_;
    std::vector<char> row_is_angle_;
    std::vector<int> contact_rows_;
    std::vector<LoadSource> load_sources_;          // per friction point
    std::vector<Element> slips_;                    // per friction point
    std::vector<double> slip_values_;               // per friction point
    std::vector<OnBodies> row_parts_, slip_parts_;  // where loads pass through the tree
    std::vector<typename S::Wrench> through_;       // per body
    bool tree_loads_ = false;
    bool drivers_held_ = false;
    double t_ = 0;
};

extern template class MechanismEquations<PlanarSpace>;

// The diameter of the assembled points: the largest side of the box around all frames and named
// points, at least that of the joints' own lengths. When everything is at one point the size of the
// first guess, if it is known, else with play that of pins and bodies, else 1.
template <class S>
double model_size(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates,
                  double guess = 0);

}  // namespace pawl
