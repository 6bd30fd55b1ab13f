#include "simulation/equilibrium/vibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/linear/dense.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

// Eigenvalues are found in units of a characteristic rate w, w^2 = max(|K|, force/size)/|M|. With K
// known to 4e-11, a zero eigenvalue shows as s^2 of that size: what is below is a neutral motion
// where the stiffness has a neutral direction.
constexpr double neutral_square = tolerance::neutral_square;
constexpr double massless_part = tolerance::massless_direction;  // of the largest mass: rounding of
                                                                 // M on a direction without inertia
constexpr double damped_part =
    tolerance::damped_part;  // of |M| w: differences of forces over velocities leave 2e-12

struct Eigenpair {
    Complex s;
    ComplexVector x;
};

struct Reduced {
    Matrix m, c, k;  // in units of |M|, |M| w, |M| w^2
    bool has_neutral = false;
    int without_inertia = 0;
};

// No damping and a potential: K x = w^2 M x. Directions without inertia follow the others at rest:
// with M diagonal and blocks 1 (with inertia) and 2 (without), x2 = -K22^-1 K21 x1.
bool solve_undamped(Reduced& r, std::vector<Eigenpair>& out) {
    const int n = static_cast<int>(r.m.rows());
    const SymmetricEigen mass = symmetric_eigen(0.5 * (r.m + r.m.transpose()));
    int without = 0;
    while (without < n && mass.values[without] <= massless_part * mass.values[n - 1]) ++without;
    const int with = n - without;
    const Matrix k = mass.vectors.transpose() * (0.5 * (r.k + r.k.transpose())) * mass.vectors;
    Matrix follow = Matrix::Zero(without, with);
    if (without > 0) {
        const auto rest =
            solve_pivoted(k.topLeftCorner(without, without), k.topRightCorner(without, with));
        if (!rest) return false;
        follow = -*rest;
    }
    // y = sqrt(m) x1 makes the problem symmetric and standard.
    const Vector root = mass.values.tail(with).cwiseSqrt().cwiseInverse();
    const Matrix condensed =
        k.bottomRightCorner(with, with) + k.bottomLeftCorner(with, without) * follow;
    const Matrix standard = root.asDiagonal() * condensed * root.asDiagonal();
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (standard + standard.transpose()));
    for (int i = 0; i < with; ++i) {
        const double square = eigen.values[i];
        Vector x(n);
        x.tail(with) = root.cwiseProduct(eigen.vectors.col(i));
        x.head(without) = follow * x.tail(with);
        const bool neutral = r.has_neutral && std::abs(square) <= neutral_square;
        const Complex s = neutral      ? 0
                          : square > 0 ? Complex(0, std::sqrt(square))
                                       : Complex(std::sqrt(-square), 0);
        out.push_back({s, (mass.vectors * x).cast<Complex>()});
    }
    r.without_inertia = without;
    return true;
}

// First order form A w = s B w with w = (x, x'), A = [0 1; -K -C], B = diag(1, M), solved for 1/(s
// - s0) so that M may be singular: its infinite eigenvalues become zeros and are left out.
bool solve_damped(Reduced& r, int neutral, std::vector<Eigenpair>& out) {
    const int n = static_cast<int>(r.m.rows());
    Matrix a = Matrix::Zero(2 * n, 2 * n), b = Matrix::Identity(2 * n, 2 * n);
    a.topRightCorner(n, n).setIdentity();
    a.bottomLeftCorner(n, n) = -r.k;
    a.bottomRightCorner(n, n) = -r.c;
    b.bottomRightCorner(n, n) = r.m;
    for (const double shift :
         {0.6180339887, 1.4142135624, 0.3090169944}) {  // an eigenvalue is at most at one of them
        const auto shifted = solve_conditioned(a - shift * b, b, tolerance::shifted_inverse);
        if (!shifted) continue;
        const auto eigen = general_eigen(*shifted);
        if (!eigen) continue;
        const double largest = eigen->values.cwiseAbs().maxCoeff();
        int infinite = 0, zeros = 0;
        for (int i = 0; i < 2 * n; ++i) {
            const Complex theta = eigen->values[i];
            if (std::abs(theta) <= massless_part * largest) {
                ++infinite;
                continue;
            }
            Complex s = shift + 1.0 / theta;
            if (neutral > 0 && std::norm(s) <= neutral_square) {
                if (++zeros > neutral)
                    continue;  // position and velocity of a neutral motion: both are zero
                s = 0;
            }
            if (s.imag() < 0) continue;
            out.push_back({s, eigen->vectors.col(i).head(n)});
        }
        r.without_inertia = infinite / 2;
        return true;
    }
    return false;
}

std::vector<PlanarSpace::Twist> twists(EquilibriumSystem& balance, const Vector& x,
                                       std::size_t bodies) {
    balance.move(x);
    std::vector<PlanarSpace::Twist> out;
    for (std::size_t i = 0; i < bodies; ++i)
        out.push_back(balance.equations().coordinates().velocity(static_cast<int>(i)));
    return out;
}

void add_shape(VibrationMode& mode, EquilibriumSystem& balance, const PlanarMechanism& mechanism,
               const ComplexVector& x) {
    const std::size_t bodies = mechanism.bodies.size();
    const auto real = twists(balance, x.real(), bodies),
               imaginary = twists(balance, x.imag(), bodies);
    double largest = 0, largest_turn = 0;
    Complex unit = 1, unit_turn = 1;
    for (std::size_t i = 0; i < bodies; ++i) {
        VibrationMode::Displacement d{{real[i].v.x, imaginary[i].v.x},
                                      {real[i].v.y, imaginary[i].v.y},
                                      {real[i].omega, imaginary[i].omega}};
        mode.shape.push_back(d);
        if (std::abs(d.angle) > largest_turn) {
            largest_turn = std::abs(d.angle);
            unit_turn = d.angle;
        }
        std::vector<PlanarSpace::Vector> points{{}, mechanism.bodies[i].centre};
        for (const auto& p : mechanism.bodies[i].points) points.push_back(p.at);
        for (const auto& local : points) {
            const auto arm =
                balance.equations().coordinates().position(static_cast<int>(i)).to_ground(local);
            const Complex px = d.x - d.angle * arm.y, py = d.y + d.angle * arm.x;
            const double length = std::sqrt(std::norm(px) + std::norm(py));
            if (length <= largest * (1 + tolerance::equal_amplitude))
                continue;  // equal ones: the first
            largest = length;
            const Complex lead = std::abs(px) >= std::abs(py) ? px : py;
            unit = length * lead / std::abs(lead);
        }
    }
    if (largest <= tolerance::equal_amplitude * largest_turn * balance.size()) unit = unit_turn;
    for (auto& d : mode.shape) {
        d.x /= unit;
        d.y /= unit;
        d.angle /= unit;
    }
}

VibrationMode mode_of(Complex s) {
    VibrationMode mode;
    mode.eigenvalue = s;
    if (s == 0.0) {
        mode.kind = ModeKind::neutral;
        return mode;
    }
    mode.damping_ratio = s.real() == 0 ? 0 : -s.real() / std::abs(s);
    if (s.imag() == 0)
        mode.kind = s.real() < 0 ? ModeKind::decaying : ModeKind::growing;
    else
        mode.frequency = std::abs(s) / (2 * M_PI);
    return mode;
}

}  // namespace

std::string_view mode_kind_name(ModeKind kind) {
    static constexpr std::array<std::string_view, 4> names{"oscillating", "decaying", "growing",
                                                           "neutral"};
    return names[static_cast<std::size_t>(kind)];
}

bool grows(const Vibration& vibration) {
    return std::any_of(vibration.modes.begin(), vibration.modes.end(),
                       [](const auto& mode) { return mode.damping_ratio < -tolerance::neutral; });
}

Vibration analyse_vibration(EquilibriumSystem& balance, const PlanarMechanism& mechanism) {
    Vibration out;
    if (balance.freedoms() == 0) {
        out.problem = "no degree of freedom is left to vibrate";
        return out;
    }
    const StiffnessSpectrum spectrum = analyse_stiffness(balance);
    const Matrix m = balance.mass();
    const double mass = m.cwiseAbs().maxCoeff();
    if (!(mass > 0)) {
        out.problem = "no body that moves has a mass";
        return out;
    }
    const double hold = std::max(spectrum.stiffness.cwiseAbs().maxCoeff(),
                                 balance.largest_force() / balance.size());
    const double rate = hold > 0 ? std::sqrt(hold / mass) : 1;
    // Damping is linear, or is taken at speeds of 1e-4 of those of a vibration as large as the
    // model.
    const Matrix c = balance.damping(1e-4 * rate * balance.size());
    Reduced reduced{m / mass, c / (mass * rate), spectrum.stiffness / (mass * rate * rate),
                    spectrum.neutral > 0, 0};
    out.damped = reduced.c.cwiseAbs().maxCoeff() > damped_part;
    std::vector<Eigenpair> pairs;
    const bool solved = out.damped || !spectrum.symmetric
                            ? solve_damped(reduced, spectrum.neutral, pairs)
                            : solve_undamped(reduced, pairs);
    if (!solved) {
        out.problem = "a degree of freedom has neither mass nor stiffness";
        return out;
    }
    out.without_inertia = reduced.without_inertia;
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.s) < std::abs(b.s); });
    for (const Eigenpair& pair : pairs) {
        VibrationMode mode = mode_of(rate * pair.s);
        add_shape(mode, balance, mechanism, pair.x);
        out.modes.push_back(std::move(mode));
    }
    balance.move(Vector::Zero(balance.freedoms()));
    return out;
}

}  // namespace pawl
