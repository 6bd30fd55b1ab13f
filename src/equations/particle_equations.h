// Two forms of the equations of motion of a system of particles (Attia 2004): in the coordinates of
// the particles with distances as constraints (eqs. 5 to 9), and in the joint coordinates of the
// tree that cut joints leave (eqs. 10 to 17). Each is a waist of its own: solvers see no difference
// to bodies.
#pragma once

#include "equations/mechanism_equations.h"
#include "equations/particle_system.h"

namespace pawl {

// The motion of the bodies in absolute coordinates: x, y and angle of each.
struct BodyMotion {
    std::vector<double> x, v, a;
};

class ParticleEquations : public Equations {
public:
    using Space = PlanarSpace;
    // `positions` of the bodies as assembled, `size` of the model.
    ParticleEquations(const PlanarMechanism& mechanism, const Topology& topology,
                      const std::vector<Space::Position>& positions, double size);

    [[nodiscard]] const ParticleSystem& system() const { return system_; }
    // Coordinates of the particles where the bodies are, and the motion of the bodies with them.
    [[nodiscard]] std::vector<double> start() const { return start_; }
    // The motion of the bodies with that of the particles; angles continue from the last one.
    [[nodiscard]] BodyMotion bodies_at(std::span<const double> q, std::span<const double> v,
                                       std::span<const double> a);

    [[nodiscard]] std::string column_name(int column) const override;
    void set_position(std::span<const double> q, double t) override;
    void set_velocity(std::span<const double> v) override;
    bool set_inertia() override { return positive_; }
    [[nodiscard]] std::string massless() const override { return "particles"; }
    void solve_inertia(std::span<double> x) const override;
    void solve_inertia(std::span<double> x, std::span<const int>) const override {
        solve_inertia(x);
    }
    void apply_inertia(std::span<const double> x, std::span<double> y) const override;
    void apply_inertia_rate(std::span<double> y) override { std::fill(y.begin(), y.end(), 0.0); }
    [[nodiscard]] int block_of(int) const override { return 0; }
    [[nodiscard]] int block_count() const override { return 1; }
    [[nodiscard]] Eigen::MatrixXd mass_matrix() const override { return system_.mass_matrix(); }
    void set_forces(std::span<const double> z) override;

private:
    // sum part_i r_i = rest along x or y, or the distance of two particles.
    struct Row {
        int a = -1, b = -1;  // of a distance
        double distance = 0;
        std::vector<std::pair<int, double>> parts;  // of a linear row, along `axis`
        int axis = 0;
    };
    void add_rows();
    void add_distance(int a, int b, const std::string& name, Span span);
    void add_linear(std::vector<std::pair<int, double>> parts, const std::string& name, Span span);
    void add_row(Row row, std::vector<int> columns, RowLabel label);
    [[nodiscard]] Space::Vector position(int particle) const;
    [[nodiscard]] Space::Vector rate(std::span<const double> v, int particle) const;

    const PlanarMechanism& mechanism_;
    ParticleSystem system_;
    MechanismEquations<Space> bodies_;  // absolute: forces on the bodies and their poses
    std::vector<Row> rows_;
    std::vector<Space::Vector> fixed_;  // per particle: where it is, at first and if on ground
    std::vector<double> start_, q_, v_;
    Eigen::LLT<Eigen::MatrixXd> factors_;
    bool positive_ = false;
    double t_ = 0;
};

class JointParticleEquations : public Equations {
public:
    using Space = PlanarSpace;
    JointParticleEquations(const PlanarMechanism& mechanism, const Topology& topology, double size);

    [[nodiscard]] Coordinates<Space>& coordinates() { return rows_.coordinates(); }
    [[nodiscard]] const ParticleSystem& system() const { return system_; }
    // r' = B theta', at the position that is set (eq. 10).
    [[nodiscard]] const Eigen::MatrixXd& transformation() const { return b_; }

    [[nodiscard]] std::string column_name(int column) const override {
        return rows_.column_name(column);
    }
    void set_position(std::span<const double> q, double t) override;
    void set_velocity(std::span<const double> v) override;
    bool set_inertia() override;
    [[nodiscard]] std::string massless() const override { return "particles"; }
    void solve_inertia(std::span<double> x) const override;
    void solve_inertia(std::span<double> x, std::span<const int>) const override {
        solve_inertia(x);
    }
    void apply_inertia(std::span<const double> x, std::span<double> y) const override;
    void apply_inertia_rate(std::span<double> y) override;
    [[nodiscard]] int block_of(int) const override { return 0; }
    [[nodiscard]] int block_count() const override { return 1; }
    [[nodiscard]] Eigen::MatrixXd mass_matrix() const override { return mass_; }
    void set_forces(std::span<const double> z) override;

private:
    // Accelerations of the particles at theta'' = 0 (B' theta'), with these velocities.
    [[nodiscard]] Eigen::VectorXd bias(std::span<const double> v);

    ParticleSystem system_;
    MechanismEquations<Space> rows_;  // of the cut joints; and where the bodies are
    std::vector<double> v_;
    Eigen::MatrixXd b_, mass_;
    Eigen::LLT<Eigen::MatrixXd> factors_;
};

}  // namespace pawl
