#include "dynamics/contact/cone_problem.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void ConeProblem::start(const std::vector<int>& block_sizes) {
    blocks_.sizes = block_sizes;
    blocks_.starts.assign(1, 0);
    blocks_.square.assign(1, 0);
    for (const int size : blocks_.sizes) {
        blocks_.starts.push_back(blocks_.starts.back() + size);
        blocks_.square.push_back(blocks_.square.back() + static_cast<std::size_t>(size) * size);
    }
    blocks_.inertia.assign(blocks_.square.back(), 0.0);
    momentum_.assign(blocks_.starts.back(), 0.0);
    entries_.clear();
    coefficients_.clear();
    rows_.clear();
    normals_.clear();
    tangents_.clear();
    row_rate_.clear();
    row_impulse_.clear();
    contacts_.clear();
}

void ConeProblem::add_entry(int block, const double* values) {
    entries_.push_back({block, static_cast<int>(coefficients_.size())});
    coefficients_.insert(coefficients_.end(), values, values + blocks_.sizes[block]);
}

void ConeProblem::add_row(std::span<const Part> parts, double rate, double impulse) {
    Row row{static_cast<int>(entries_.size()), 0, 0};
    for (const Part& part : parts) {
        if (part.block < 0) continue;
        add_entry(part.block, part.normal);
        ++row.entries;
    }
    rows_.push_back(row);
    row_rate_.push_back(rate);
    row_impulse_.push_back(impulse);
}

void ConeProblem::add_contact(const std::array<Part, 2>& parts, const Contact& contact) {
    Row normal{static_cast<int>(entries_.size()), 0, 0};
    for (const Part& part : parts)
        if (part.block >= 0) {
            add_entry(part.block, part.normal);
            ++normal.entries;
        }
    Row tangent{static_cast<int>(entries_.size()), normal.entries, 0};
    for (const Part& part : parts)
        if (part.block >= 0) add_entry(part.block, part.tangent);
    normals_.push_back(normal);
    tangents_.push_back(tangent);
    contacts_.push_back(contact);
}

double ConeProblem::rate_of(const Row& row, const std::vector<double>& v) const {
    double rate = 0;
    for (int e = row.entry; e < row.entry + row.entries; ++e) {
        const double* c = coefficients_.data() + entries_[e].first;
        const double* x = v.data() + blocks_.starts[entries_[e].block];
        const int n = blocks_.sizes[entries_[e].block];
        if (n == 3) {  // a free body
            rate += c[0] * x[0] + c[1] * x[1] + c[2] * x[2];
            continue;
        }
        for (int i = 0; i < n; ++i) rate += c[i] * x[i];
    }
    return rate;
}

void ConeProblem::add_to(const Row& row, double impulse, std::vector<double>& x) const {
    for (int e = row.entry; e < row.entry + row.entries; ++e) {
        const double* c = coefficients_.data() + entries_[e].first;
        double* to = x.data() + blocks_.starts[entries_[e].block];
        for (int i = 0; i < blocks_.sizes[entries_[e].block]; ++i) to[i] += c[i] * impulse;
    }
}

void ConeProblem::solve_inertia(std::vector<double>& x) const {
    double y[8];
    std::vector<double> large;
    for (std::size_t b = 0; b < blocks_.sizes.size(); ++b) {
        const int n = blocks_.sizes[b];
        double* at = x.data() + blocks_.starts[b];
        const double* m = blocks_.inverse.data() + blocks_.square[b];
        double* to = y;
        if (n > 8) {
            large.resize(n);
            to = large.data();
        }
        for (int i = 0; i < n; ++i) {
            to[i] = 0;
            for (int k = 0; k < n; ++k) to[i] += m[i * n + k] * at[k];
        }
        std::copy_n(to, n, at);
    }
}

bool ConeProblem::prepare() {
    blocks_.inverse.resize(blocks_.inertia.size());
    for (std::size_t b = 0; b < blocks_.sizes.size(); ++b) {
        const int n = blocks_.sizes[b];
        const Eigen::Map<const Dense> m(inertia(static_cast<int>(b)), n, n);
        const Eigen::LLT<Eigen::MatrixXd> llt(m);
        if (llt.info() != Eigen::Success) return false;
        Eigen::Map<Dense>(blocks_.inverse.data() + blocks_.square[b], n, n) =
            llt.solve(Eigen::MatrixXd::Identity(n, n));
    }
    free_ = momentum_;
    solve_inertia(free_);
    answers_.resize(coefficients_.size());
    for (auto* rows : {&rows_, &normals_, &tangents_})
        for (Row& row : *rows) {
            row.weight = 0;
            for (int e = row.entry; e < row.entry + row.entries; ++e) {
                const int n = blocks_.sizes[entries_[e].block];
                const double *c = coefficients_.data() + entries_[e].first,
                             *m = blocks_.inverse.data() + blocks_.square[entries_[e].block];
                double* answer = answers_.data() + entries_[e].first;
                for (int i = 0; i < n; ++i) {
                    answer[i] = 0;
                    for (int k = 0; k < n; ++k) answer[i] += m[i * n + k] * c[k];
                    row.weight += c[i] * answer[i];
                }
            }
        }
    find_pattern();
    newton_.is_factored = false;
    return true;
}

void ConeProblem::find_pattern() {
    pattern_.coupled.clear();
    const auto couple = [&](const Row& row) {
        for (int a = row.entry; a < row.entry + row.entries; ++a)
            for (int b = row.entry; b < a; ++b)
                if (entries_[a].block != entries_[b].block)
                    pattern_.coupled.push_back(std::minmax(entries_[a].block, entries_[b].block));
    };
    for (const Row& row : rows_) couple(row);
    for (const Row& row : normals_) couple(row);
    std::sort(pattern_.coupled.begin(), pattern_.coupled.end());
    pattern_.coupled.erase(std::unique(pattern_.coupled.begin(), pattern_.coupled.end()),
                           pattern_.coupled.end());
    if (pattern_.coupled != pattern_.old_coupled || blocks_.sizes != pattern_.old_sizes) {
        lu_.analyse(blocks_.sizes, pattern_.coupled);
        pattern_.old_coupled = pattern_.coupled;
        pattern_.old_sizes = blocks_.sizes;
    }
    pattern_.offsets.clear();
    const auto lay_out = [&](const std::vector<Row>& rows, std::vector<std::size_t>& first) {
        first.clear();
        for (const Row& row : rows) {
            first.push_back(pattern_.offsets.size());
            for (int a = row.entry; a < row.entry + row.entries; ++a)
                for (int b = row.entry; b < row.entry + row.entries; ++b)
                    pattern_.offsets.push_back(lu_.offset(entries_[a].block, entries_[b].block));
        }
    };
    lay_out(rows_, pattern_.rows);
    lay_out(normals_, pattern_.contacts);
}

void ConeProblem::find_velocity() {
    v_ = momentum_;
    for (std::size_t i = 0; i < rows_.size(); ++i) add_to(rows_[i], row_impulse_[i], v_);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        add_to(normals_[i], contacts_[i].normal, v_);
        add_to(tangents_[i], contacts_[i].tangent, v_);
    }
    solve_inertia(v_);
}

void ConeProblem::find_rates(Iterate& at) const {
    at.normal_rate.resize(contacts_.size());
    at.tangent_rate.resize(contacts_.size());
    at.row_rate.resize(rows_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        at.normal_rate[i] = rate_of(normals_[i], at.v) - contacts_[i].bound;
        at.tangent_rate[i] = rate_of(tangents_[i], at.v);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
        at.row_rate[i] = rate_of(rows_[i], at.v) - row_rate_[i];
}

void ConeProblem::put_inertia() {
    lu_.clear();
    for (std::size_t b = 0; b < blocks_.sizes.size(); ++b) {
        const int block = static_cast<int>(b);
        double* to = lu_.values(lu_.offset(block, block));
        std::copy(blocks_.inertia.begin() + static_cast<std::ptrdiff_t>(blocks_.square[b]),
                  blocks_.inertia.begin() + static_cast<std::ptrdiff_t>(blocks_.square[b + 1]), to);
    }
}

void ConeProblem::add_product(const Row& column, const Row& row, double factor,
                              std::size_t offsets) {
    for (int a = 0; a < column.entries; ++a)
        for (int b = 0; b < row.entries; ++b) {
            const Entry &left = entries_[column.entry + a], &right = entries_[row.entry + b];
            const int m = blocks_.sizes[left.block], n = blocks_.sizes[right.block];
            double* to = lu_.values(
                pattern_.offsets[offsets + static_cast<std::size_t>(a) * row.entries + b]);
            const double *x = coefficients_.data() + left.first,
                         *y = coefficients_.data() + right.first;
            for (int i = 0; i < m; ++i) {
                const double f = factor * x[i];
                for (int k = 0; k < n; ++k) to[i * n + k] += f * y[k];
            }
        }
}

// Of the natural map: p - max(0, p - u/W), and so on, as velocities.
double ConeProblem::violation() const {
    double worst = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        const double wn = normals_[i].weight, wt = tangents_[i].weight;
        const double un = rate_of(normals_[i], v_) - c.bound, ut = rate_of(tangents_[i], v_);
        const double cone_limit = c.friction * c.normal;
        const double en = c.normal - std::max(0.0, c.normal - un / wn),
                     et = c.tangent - std::clamp(c.tangent - ut / wt, -cone_limit, cone_limit);
        worst = std::max({worst, std::abs(en) * wn, std::abs(et) * wt});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
        worst = std::max(worst, std::abs(rate_of(rows_[i], v_) - row_rate_[i]));
    return worst;
}

// Velocities at the level of rounding need no impulse.
double ConeProblem::find_scale() const {
    constexpr double rounding = tolerance::cone_rounding;
    double scale = 0, largest = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const double rate = rate_of(normals_[i], free_), bound = contacts_[i].bound;
        scale = std::max(scale, bound - rate);
        largest = std::max({largest, std::abs(rate), std::abs(bound)});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double rate = rate_of(rows_[i], free_);
        scale = std::max(scale, std::abs(rate - row_rate_[i]));
        largest = std::max({largest, std::abs(rate), std::abs(row_rate_[i])});
    }
    return scale > 0 ? std::max(scale, rounding * largest) : 0;
}

void ConeProblem::set_bounds(std::span<const double> bounds) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        contacts_[i].bound = bounds[i];
        contacts_[i].normal = contacts_[i].tangent = 0;
    }
    std::fill(row_impulse_.begin(), row_impulse_.end(), 0.0);
}

std::pair<double, double> ConeProblem::rates(std::size_t contact) const {
    return {rate_of(normals_[contact], v_), rate_of(tangents_[contact], v_)};
}

// The impulses of the previous step are a good start where little changes. Sweeps correct changes
// from contact to contact; Newton's method, with a small stiffness at first, corrects what they
// carry too slowly. If it does not converge, the interior-point method leads near the solution, and
// Newton's method continues from there.
ConeProblem::Outcome ConeProblem::solve(double tolerance) {
    constexpr int few = 40, many = 200;
    constexpr double near = 1e-4, soft = 10, firm = 1e2;
    Outcome outcome;
    if (!prepare()) return outcome;
    goal_ = tolerance * find_scale();
    if (!(goal_ > 0)) {  // nothing is in the way
        for (Contact& contact : contacts_) contact.normal = contact.tangent = 0;
        std::fill(row_impulse_.begin(), row_impulse_.end(), 0.0);
        v_ = free_;
        outcome.solved = true;
        return outcome;
    }
    find_velocity();
    const std::vector<Contact> first = contacts_;
    const std::vector<double> first_rows = row_impulse_;
    newton_.firmness = soft;
    if (!relax() && !solve_firmly(outcome, few)) {
        contacts_ = first;
        row_impulse_ = first_rows;
        find_velocity();
        follow_interior(outcome, near / tolerance * goal_);
        newton_.firmness = firm;
        solve_firmly(outcome, many);
    }
    const double worst = violation();
    outcome.residual = worst > 0 ? worst / goal_ * tolerance : 0;
    outcome.solved = worst <= goal_;
    return outcome;
}

}  // namespace pawl
