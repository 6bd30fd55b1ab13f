// Which contacts hold and which friction points stick or slide, and which way: found by a
// complementarity problem on the responses of the mechanism, proved by solving the mode that it
// names, with uniqueness by a P-matrix test or by trying all modes. Knows rows and loads, no
// bodies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "equations/equations.h"
#include "math/tolerances/solving.h"

namespace pawl {

// Rows: first the contacts' normals, then one tangent per friction point, in natural units (N, N
// m). The accelerations of the rows are a = W x + b with the forces x along them, the loads l = l0
// + L x.
struct FrictionTask {
    struct Point {
        FrictionPoint law;
        int contact = -1;           // whose normal force loads it; -1: a joint's
        double slip = 0;            // rate; 0: it starts from rest
        int direction = 0;          // known, as of a point that slides; 0: to be found
        bool gives_way = false;     // its rest ends now, alone or with others that share its force
        std::optional<int> before;  // the direction in the mode in force
        // What its friction opposes, were it to slide this way.
        [[nodiscard]] double way(int assumed) const {
            return law.smooth > 0 ? law.way(slip) : assumed;
        }
        // It begins to move from rest: the way it takes is the one its friction opposes.
        [[nodiscard]] bool begins() const { return slip == 0 && !(law.smooth > 0); }
    };
    int contacts = 0;
    std::vector<char> separates;  // contacts that open where that fits as well; empty: none
    std::vector<Point> points;
    Eigen::MatrixXd response, load_slope;
    Eigen::VectorXd free, load_first;
};

// Contacts that are closed, and for each friction point on a closed contact or a joint its
// direction, 0 where it sticks.
struct FrictionAnswer {
    std::vector<char> closed;
    std::vector<int> direction;
    Eigen::VectorXd force, acceleration;  // per row
    bool shared = false;  // rows depend on each other: the forces are one of many distributions
    bool loose = false;   // and so are the accelerations: fewer contacts may hold
    double slack = 0;     // how far all that holds is from separating or slipping, N
    // Per friction point, where forces are shared: the way it would slide if the slack were zero;
    // 0: others yield before.
    std::vector<int> yields;
};

enum class FrictionOutcome {
    unique,
    not_shown,  // a solution, but too many modes to try all
    several,    // different motions fit
    none,       // no mode fits
};

class FrictionProblem {
public:
    explicit FrictionProblem(FrictionTask task) : task_(std::move(task)) {}

    // Points that yield do not stick in the answer, unless nothing else fits.
    FrictionOutcome solve();
    [[nodiscard]] const FrictionAnswer& answer() const { return answers_.front(); }
    // All that were found; the run continues with the first: it opens most of the contacts that
    // are to separate, keeps most others closed, then most friction points as they were, then has
    // most points that stick.
    [[nodiscard]] const std::vector<FrictionAnswer>& answers() const { return answers_; }
    // The forces of a mode, whether or not they are admissible; nothing where its equations
    // contradict each other. Groups that do not affect each other share by themselves, as in
    // solve(); what yields is of the group with the least slack.
    [[nodiscard]] bool find_forces(FrictionAnswer& mode) const;
    // Whether forces and accelerations of a mode are admissible.
    [[nodiscard]] bool fits(const FrictionAnswer& mode) const;

private:
    // Parts of the largest force or acceleration below which a violated sign is rounding.
    static constexpr double admissible = tolerance::admissible;
    // 0 where there is nothing, as when no contact is closed.
    static double largest(const Eigen::VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }
    void set_balance(const FrictionAnswer& mode, const std::vector<int>& act,
                     Eigen::MatrixXd& jacobian, Eigen::VectorXd& residual) const;
    [[nodiscard]] std::vector<int> acting_rows(const FrictionAnswer& mode) const;
    bool bring_into_balance(FrictionAnswer& mode, const std::vector<int>& act,
                            Eigen::MatrixXd& jacobian, int& rank) const;
    bool find_forces_together(FrictionAnswer& mode) const;
    void find_slack(FrictionAnswer& mode) const;
    // The same with the distributions of the forces among dependent rows open.
    bool find_forces(FrictionAnswer& mode, Eigen::MatrixXd& null) const;
    [[nodiscard]] bool moves_something(const FrictionAnswer& mode, const Eigen::MatrixXd& null,
                                       const std::vector<int>& act) const;
    // Whether any of these forces moves a row by more than rounding.
    [[nodiscard]] bool is_moved(int row, const Eigen::MatrixXd& forces) const;
    [[nodiscard]] bool has_admissible_motion(const FrictionAnswer& mode) const;
    [[nodiscard]] bool is_solution(FrictionAnswer& mode) const;
    bool take(FrictionAnswer found);
    FrictionOutcome solve_together();
    [[nodiscard]] std::vector<std::vector<int>> groups() const;
    [[nodiscard]] FrictionAnswer nothing_yet() const;  // of a problem in groups
    [[nodiscard]] FrictionTask part(const std::vector<int>& rows) const;
    void put(const FrictionAnswer& of_part, const std::vector<int>& rows,
             FrictionAnswer& whole) const;
    // The distribution of the forces of a mode among dependent rows with the largest slack; where
    // the motion depends on it, one that begins the right way.
    void share(FrictionAnswer& mode, const Eigen::MatrixXd& null) const;
    void share(FrictionAnswer& mode, const Eigen::MatrixXd& null, bool with_motion) const;
    // Conditions of a mode and how much is left of each; the point that begins to slide where
    // nothing is, and the way (0: none).
    struct Margins {
        std::vector<Eigen::VectorXd> rows;
        std::vector<double> first;
        std::vector<std::pair<int, int>> slides;
    };
    [[nodiscard]] Margins margins(const FrictionAnswer& mode, const Eigen::MatrixXd& null,
                                  bool with_motion) const;
    // `size` of the forces before; `max_slack` slack, in units of it, is set where it is NaN.
    bool share_by_slopes(FrictionAnswer& mode, const Eigen::MatrixXd& null, bool with_motion,
                         double size, double& max_slack) const;
    struct ForceMap {
        Eigen::MatrixXd map;
        Eigen::VectorXd first;
    };
    [[nodiscard]] ForceMap force_map(const std::vector<int>& open, std::span<const double> loads,
                                     const Eigen::VectorXd& limit) const;
    void set_complementarity(const ForceMap& x, const std::vector<int>& open,
                             const Eigen::VectorXd& limit, Eigen::MatrixXd& matrix,
                             Eigen::VectorXd& right) const;
    void name_mode(const std::vector<int>& open, FrictionAnswer& answer) const;
    [[nodiscard]] std::optional<FrictionAnswer> by_complementarity(bool& is_p_matrix) const;
    // With `strictly` what yields does not stick; else only not all of it.
    void try_all(bool strictly);
    [[nodiscard]] bool allowed(const FrictionAnswer& mode, bool strictly) const;
    [[nodiscard]] bool same_motion(const FrictionAnswer& a, const FrictionAnswer& b) const;
    void put_preferred_first();
    [[nodiscard]] int modes() const;
    [[nodiscard]] bool exists(const FrictionAnswer& mode, int point) const {
        const int contact = task_.points[static_cast<std::size_t>(point)].contact;
        return contact < 0 || mode.closed[static_cast<std::size_t>(contact)] != 0;
    }
    [[nodiscard]] double force_scale(const FrictionAnswer& mode) const;

    FrictionTask task_;
    std::vector<FrictionAnswer> answers_;
    std::vector<FrictionAnswer> loose_;  // taken only where nothing else fits
};

}  // namespace pawl
