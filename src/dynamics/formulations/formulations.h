// The equation solvers behind the interface of Dynamics. All but `multipliers` use dense matrices.
#pragma once

#include "dynamics/formulations/crossing_projection.h"
#include "dynamics/formulations/dynamics.h"
#include "dynamics/response/row_rate.h"

namespace pawl {

class MultiplierDynamics : public Dynamics {
public:
    using Dynamics::Dynamics;
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override;

private:
    RateOutcome evaluate(double t, std::span<const double> q, std::span<const double> v,
                         std::span<const double> z, bool is_placed);
    // Near a singular position: what brings a state on the constraints, and where it is then.
    std::unique_ptr<CrossingProjection> crossing_;
    std::vector<double> q_, v_;
};

// Penalty and iterated multipliers: works with redundant rows and in singular positions.
class AugmentedDynamics : public Dynamics {
public:
    explicit AugmentedDynamics(Equations& equations);
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override;

    // One penalty for all rows; 0: each row's own, from its response to forces along it.
    void set_penalty(double penalty) { penalty_ = penalty; }
    void set_iterations(int max_iterations) { iterations_ = max_iterations; }
    // Rows that are violated are drawn back: phi'' + 2 Omega mu phi' + Omega^2 phi = 0. Omega = 0:
    // they are not.
    void set_stabilisation(double frequency, double damping) {
        frequency_ = frequency;
        damping_ = damping;
    }

protected:
    // After set_inertia: the matrix M + G^T a G. False when it has no Cholesky factors.
    bool factor();
    // x_ and y_ of M x = b + G^T y, G x = c; after factor.
    void solve(std::span<const double> b, std::span<const double> c);
    double missing(std::span<const double> c);
    void answer_rows(std::span<const double> b, std::span<const double> c);

    Eigen::VectorXd x_, y_;

private:
    double penalty_ = 0;
    double frequency_ = 0, damping_ = 1;
    int iterations_ = 10;
    std::vector<double> wanted_;  // accelerations of the rows
    Eigen::MatrixXd mass_, rows_, weighted_, sum_;
    Eigen::LLT<Eigen::MatrixXd> factors_;
    Eigen::VectorXd weight_, residual_, next_, step_;
};

// The same with the momenta p of all coordinates instead of the velocities: y = (q, p, z).
class AugmentedCanonicalDynamics : public AugmentedDynamics {
public:
    explicit AugmentedCanonicalDynamics(Equations& equations);
    [[nodiscard]] bool has_momenta() const override { return true; }
    void pack(const State& state, std::span<double> y) override;
    void unpack(std::span<const double> y, State& state) override;
    RateOutcome rates(double t, std::span<const double> y, std::span<double> dy) override;

private:
    // Velocities v_ and impulses y_ of the rows from the momenta p.
    RateOutcome find_velocity(double t, std::span<const double> q, std::span<const double> p);

    RowRate row_rate_;
    std::vector<double> v_, momentum_rate_;
};

// Coordinate partitioning: the rows give the rates of the dependent coordinates, and drop out. Has
// no answer in singular positions; steps may pass over them.
class IndependentDynamics : public Dynamics {
public:
    explicit IndependentDynamics(Equations& equations);
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override;
    bool refresh(const State& state) override;
    void remember(Memory& memory) override {
        memory(chosen_, choice_.rows, choice_.dependent, choice_.independent);
    }
    void forget() override {
        chosen_ = false;
        choice_ = {};
    }

    [[nodiscard]] const std::vector<int>& independent() const { return choice_.independent; }

protected:
    // Rows and columns of the square block that is solved for, and the columns left.
    struct Choice {
        std::vector<int> rows, dependent, independent;
    };
    // At the position that is set. True when the choice changed.
    bool choose();
    // After set_inertia: K and the factors of K^T M K. False when the dependent block is singular.
    bool reduce();
    // x_ = K x_i + s with G s = c, (K^T M K) x_i = b - K^T M s; after reduce.
    void solve(const Eigen::VectorXd& b, std::span<const double> c);
    // Multipliers y_ of the chosen rows with (G^T y)_d = b_d.
    void solve_rows(const Eigen::VectorXd& b);

    bool chosen_ = false;
    Choice choice_;
    Eigen::MatrixXd mass_, basis_, mass_basis_;  // M, K, M K
    Eigen::VectorXd x_, y_;

private:
    [[nodiscard]] double spread(const Choice& choice) const;

    Eigen::MatrixXd rows_, scaled_, block_, others_, solved_;  // G, G scaled, G_d, G_i, G_d^-1 G_i
    Eigen::PartialPivLU<Eigen::MatrixXd> block_factors_;
    Eigen::LLT<Eigen::MatrixXd> reduced_factors_;
    Eigen::VectorXd reduced_, chosen_rows_;
};

// Hamilton's equations: momenta p of the independent coordinates instead of all velocities, y = (q,
// p, z). Its size is known after the first refresh.
class CanonicalDynamics : public IndependentDynamics {
public:
    explicit CanonicalDynamics(Equations& equations);
    [[nodiscard]] bool has_momenta() const override { return true; }
    [[nodiscard]] int size() const override;
    void pack(const State& state, std::span<double> y) override;
    void unpack(std::span<const double> y, State& state) override;
    RateOutcome rates(double t, std::span<const double> y, std::span<double> dy) override;

private:
    // Velocities v_ from the momenta p.
    RateOutcome find_velocity(double t, std::span<const double> q, std::span<const double> p);
    // basis_rate_ = K'^T M v
    void find_basis_rate();

    RowRate row_rate_;
    std::vector<double> v_, momentum_rate_;
    Eigen::VectorXd basis_rate_;
};

}  // namespace pawl
