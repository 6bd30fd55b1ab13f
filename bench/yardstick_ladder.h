// Hand-derived equations of motion of the ladder of four-bar windows: every link, with the forces
// that close the windows.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "integration/stepper.h"
#include "yardstick_vector.h"

namespace pawl::yardstick {

// The ladder of N windows. Upright j = 0..N turns about (j, 0) by angle[j]; coupler j = 1..N, on
// its top, has the angle angle[N + j] and reaches the top of upright j: u(upright j-1) + u(coupler
// j) - u(upright j) = (1, 0). Upright j-1 and coupler j form a double pendulum with inertia M_j;
// with the forces z_j that close the windows,
//   M q'' = f + G^T z,   (G M^-1 G^T) z = c - G M^-1 f.
// The matrix is block tridiagonal; its blocks beside the diagonal, -p_j n^T with p_j = first row of
// M_j^-1 G_j^T and n the normal of upright j-1, have rank one, so eliminating a window adds a
// multiple of p_j p_j^T to the next. With all links in one line the horizontal parts vanish:
// `softness` on the diagonal lets the closing force be finite, and one refinement takes its effect
// away elsewhere.
class Ladder final : public RightHandSide {
public:
    explicit Ladder(int windows)
        : n_(windows), cells_(windows + 1), residual_(windows), z_(windows), next_z_(windows) {}

    int angles() const { return 2 * n_ + 1; }

    bool rates(double, std::span<const double> y, std::span<double> dy) override {
        const double *angle = y.data(), *speed = angle + angles();
        factorize(angle);
        Vector2 pull_here = speed[0] * speed[0] * cells_[0].u;
        for (int j = 0; j <= n_; ++j) {
            Cell& cell = cells_[j];
            const double up2 = speed[j] * speed[j];
            if (j == n_) {
                cell.f = {-0.5 * gravity * cell.u.x, 0};
                break;
            }
            const double over2 = speed[n_ + 1 + j] * speed[n_ + 1 + j];
            cell.f = {-1.5 * gravity * cell.u.x - cell.half_sine * over2,
                      -0.5 * gravity * cell.w.x + cell.half_sine * up2};
            const Vector2 pull_next = speed[j + 1] * speed[j + 1] * cells_[j + 1].u;
            residual_[j] = pull_here + over2 * cell.w - pull_next;
            pull_here = pull_next;
        }
        for (int j = 0; j < n_; ++j)
            residual_[j] = residual_[j] - closing(j, free(j), free(j + 1).x);
        solve();
        for (int j = 0; j <= n_; ++j) {
            const Vector2 turning = free(j) + response(j, z_.data());
            dy[j] = speed[j];
            dy[angles() + j] = turning.x;
            if (j == n_) break;
            dy[n_ + 1 + j] = speed[n_ + 1 + j];
            dy[angles() + n_ + 1 + j] = turning.y;
        }
        return true;
    }

    // Newton's step to closed windows, then the velocity that keeps them closed, both in the metric
    // of the inertia.
    void project(std::span<double> y) {
        double *angle = y.data(), *speed = angle + angles();
        factorize(angle);
        for (int j = 0; j < n_; ++j)
            residual_[j] = Vector2{1, 0} - (cells_[j].u + cells_[j].w - cells_[j + 1].u);
        correct(angle);
        for (int j = 0; j < n_; ++j)
            residual_[j] = -1.0 * closing(j, {speed[j], speed[n_ + 1 + j]}, speed[j + 1]);
        correct(speed);
    }

    double energy(std::span<const double> y) const {
        const double *angle = y.data(), *speed = angle + angles();
        double energy = 0;
        for (int j = 0; j <= n_; ++j) {
            energy += speed[j] * speed[j] / 6 + 0.5 * gravity * std::sin(angle[j]);
            if (j == n_) break;
            const double over = speed[n_ + 1 + j];
            energy += speed[j] * speed[j] / 2 + over * over / 6 +
                      0.5 * speed[j] * over * std::cos(angle[j] - angle[n_ + 1 + j]) +
                      gravity * (std::sin(angle[j]) + 0.5 * std::sin(angle[n_ + 1 + j]));
        }
        return energy;
    }

private:
    // Upright j and the coupler on it; the last has none.
    struct Cell {
        Vector2 u, n, w, m;  // direction and normal of the upright, of the coupler
        Vector2 f, p;
        double half_sine = 0;
        Symmetric2 mobility;  // M_j^-1
        Symmetric2 pivot;     // inverse of the eliminated block of window j+1
    };

    // Smaller: the stages of a step through a straight position, which keep the windows closed to
    // low order only, are amplified by softness^(-1/2). Larger: the force is wrong over a longer
    // part of the motion.
    static constexpr double softness = 1e-8;

    void factorize(const double* angle) {
        for (int j = 0; j <= n_; ++j) {
            Cell& cell = cells_[j];
            cell.u = {std::cos(angle[j]), std::sin(angle[j])};
            cell.n = normal(cell.u);
            if (j == n_) {
                cell.mobility = {1 / about_end, 0, 0};
                break;
            }
            cell.w = {std::cos(angle[n_ + 1 + j]), std::sin(angle[n_ + 1 + j])};
            cell.m = normal(cell.w);
            const double half_cosine = 0.5 * dot(cell.u, cell.w);
            cell.half_sine = 0.5 * (cell.u.y * cell.w.x - cell.u.x * cell.w.y);
            cell.mobility = inverse({4.0 / 3, half_cosine, 1.0 / 3});
            cell.p = cell.mobility.xx * cell.n + cell.mobility.xy * cell.m;
        }
        double carried = 0;
        for (int j = 0; j < n_; ++j) {
            Cell& cell = cells_[j];
            const Cell& next = cells_[j + 1];
            const Symmetric2& w = cell.mobility;
            Symmetric2 block{softness + 2 * w.xy * cell.n.x * cell.m.x,
                             w.xy * (cell.n.x * cell.m.y + cell.n.y * cell.m.x),
                             softness + 2 * w.xy * cell.n.y * cell.m.y};
            add_square(block, w.xx, cell.n);
            add_square(block, w.yy, cell.m);
            add_square(block, next.mobility.xx, next.n);
            add_square(block, -carried, cell.p);
            cell.pivot = inverse(block);
            carried = dot(next.n, cell.pivot * next.n);
        }
    }

    Vector2 free(int j) const { return cells_[j].mobility * cells_[j].f; }

    // G applied to the rates of cell j and of the next upright.
    Vector2 closing(int j, Vector2 here, double next_upright) const {
        return here.x * cells_[j].n + here.y * cells_[j].m - next_upright * cells_[j + 1].n;
    }

    // M^-1 G^T z at cell j.
    Vector2 response(int j, const Vector2* z) const {
        const Cell& cell = cells_[j];
        Vector2 force;
        if (j < n_) force = {dot(cell.n, z[j]), dot(cell.m, z[j])};
        if (j > 0) force.x -= dot(cell.n, z[j - 1]);
        return cell.mobility * force;
    }

    void solve() {
        eliminate(z_);
        for (int j = 0; j < n_; ++j)
            residual_[j] =
                residual_[j] - closing(j, response(j, z_.data()), response(j + 1, z_.data()).x);
        eliminate(next_z_);
        for (int j = 0; j < n_; ++j) z_[j] = z_[j] + next_z_[j];
    }

    void eliminate(std::vector<Vector2>& z) const {
        double carried = 0;
        for (int j = 0; j < n_; ++j) {
            z[j] = cells_[j].pivot * (residual_[j] + carried * cells_[j].p);
            carried = dot(cells_[j + 1].n, z[j]);
        }
        for (int j = n_ - 2; j >= 0; --j)
            z[j] = z[j] + dot(cells_[j + 1].p, z[j + 1]) * (cells_[j].pivot * cells_[j + 1].n);
    }

    void correct(double* values) {
        eliminate(z_);
        for (int j = 0; j <= n_; ++j) {
            const Vector2 change = response(j, z_.data());
            values[j] += change.x;
            if (j < n_) values[n_ + 1 + j] += change.y;
        }
    }

    int n_;
    std::vector<Cell> cells_;
    std::vector<Vector2> residual_, z_, next_z_;
};

// The ladder as what it is, a pendulum: the exact reference.
class LadderPendulum final : public RightHandSide {
public:
    explicit LadderPendulum(int windows)
        : factor_(gravity * ((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows)) {}
    bool rates(double, std::span<const double> y, std::span<double> dy) override {
        dy[0] = y[1];
        dy[1] = -factor_ * std::cos(y[0]);
        return true;
    }

private:
    double factor_;
};

}  // namespace pawl::yardstick
