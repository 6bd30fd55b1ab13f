#include "equations/held_inertia.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "equations/mechanism_equations.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

int root_of(std::vector<int>& parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

void HeldInertia::adopt(TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                        std::span<const int> rows) {
    std::vector<char> is_singular(tree.blocks(), 0);
    bool any = false;
    while (!tree.factor()) {
        loose_ = tree.massless();
        const int block = tree.block_of(loose_);
        is_singular[block] = any = true;
        tree.leave_out(block);
    }
    if (!any) return;
    group_blocks(tree, pattern, rows, is_singular);
    // Any A > 0 will do; rows are lengths, so that one of the size of the masses keeps the sum well
    // conditioned.
    const double weight = tree.mean_mass() > 0 ? tree.mean_mass() : 1;
    row_inertia_.assign(pattern.rows(), 0.0);
    for (const Group& g : groups_)
        for (const int r : g.rows) row_inertia_[r] = weight;
    unit_.assign(block_of_column_.size(), 0.0);
    column_ = unit_;
}

// Blocks that a row of a singular block touches are one group with it.
void HeldInertia::group_blocks(const TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                               std::span<const int> rows, const std::vector<char>& is_singular) {
    const int columns = pattern.columns;
    std::vector<int> parent(tree.blocks()), holding;
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<char> is_grouped = is_singular;
    for (const int r : rows) {
        const auto touched =
            std::span(pattern.column)
                .subspan(pattern.start[r], pattern.start[r + 1] - pattern.start[r]);
        if (std::none_of(touched.begin(), touched.end(),
                         [&](int c) { return is_singular[tree.block_of(c)]; }))
            continue;
        holding.push_back(r);
        for (const int c : touched) {
            is_grouped[tree.block_of(c)] = 1;
            parent[root_of(parent, tree.block_of(c))] =
                root_of(parent, tree.block_of(touched.front()));
        }
    }
    std::vector<int> number(tree.blocks(), -1);
    for (int b = 0; b < tree.blocks(); ++b)
        if (!is_grouped[b]) {
            number[b] = static_cast<int>(kept_.size());
            kept_.push_back(b);
        }
    const int kept = static_cast<int>(kept_.size());
    for (int b = 0; b < tree.blocks(); ++b) {
        if (!is_grouped[b]) continue;
        int& of_root = number[root_of(parent, b)];
        if (of_root < 0) {
            of_root = kept + static_cast<int>(groups_.size());
            groups_.emplace_back();
        }
        number[b] = of_root;
    }
    slot_.assign(columns, 0);
    for (int c = 0; c < columns; ++c) {
        block_of_column_.push_back(number[tree.block_of(c)]);
        if (!is_held(c)) continue;
        auto& group = groups_[block_of_column_[c] - kept].columns;
        slot_[c] = static_cast<int>(group.size());
        group.push_back(c);
    }
    for (const int r : holding)
        groups_[block_of_column_[pattern.column[pattern.start[r]]] - kept].rows.push_back(r);
}

bool HeldInertia::factor(TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                         std::span<const double> jacobian) {
    if (!tree.factor()) {
        loose_ = tree.massless();
        return false;
    }
    return std::all_of(groups_.begin(), groups_.end(),
                       [&](Group& g) { return factor(g, tree, pattern, jacobian); });
}

bool HeldInertia::factor(Group& group, const TreeInertia<PlanarSpace>& tree,
                         const RowPattern& pattern, std::span<const double> jacobian) {
    const auto n = static_cast<Eigen::Index>(group.columns.size());
    group.sum.setZero(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        unit_[group.columns[j]] = 1;
        tree.apply(unit_, column_);
        unit_[group.columns[j]] = 0;
        for (Eigen::Index i = 0; i < n; ++i) group.sum(i, j) = column_[group.columns[i]];
    }
    for (const int r : group.rows)
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i)
            for (int k = pattern.start[r]; k < pattern.start[r + 1]; ++k)
                group.sum(slot_[pattern.column[i]], slot_[pattern.column[k]]) +=
                    row_inertia_[r] * jacobian[i] * jacobian[k];
    // A pivot beside the inertia of its column alone shows a motion that nothing holds.
    constexpr double rounding = tolerance::held_rounding;
    group.factors.compute(group.sum);
    for (Eigen::Index i = 0; i < n; ++i) {
        const double pivot = group.factors.matrixLLT()(i, i);
        if (group.sum(i, i) > 0 && pivot * pivot > rounding * group.sum(i, i)) continue;
        loose_ = group.columns[i];
        return false;
    }
    return group.factors.info() == Eigen::Success;
}

void HeldInertia::solve(const Group& group, std::span<double> x) const {
    part_.resize(static_cast<Eigen::Index>(group.columns.size()));
    for (std::size_t i = 0; i < group.columns.size(); ++i) part_[i] = x[group.columns[i]];
    group.factors.solveInPlace(part_);
    for (std::size_t i = 0; i < group.columns.size(); ++i) x[group.columns[i]] = part_[i];
}

void HeldInertia::solve(const TreeInertia<PlanarSpace>& tree, std::span<double> x) const {
    tree.solve(x, kept_);
    for (const Group& g : groups_) solve(g, x);
}

void HeldInertia::solve(const TreeInertia<PlanarSpace>& tree, std::span<double> x,
                        std::span<const int> blocks) const {
    const int kept = static_cast<int>(kept_.size());
    for (const int b : blocks)
        if (b < kept)
            tree.solve(x, std::span(&kept_[b], 1));
        else
            solve(groups_[b - kept], x);
}

// Which coordinates have no inertia of their own shows in any position that is not special.
template <class S>
void MechanismEquations<S>::hold_massless() {
    std::vector<double> anywhere(coordinates_.size());
    for (std::size_t c = 0; c < anywhere.size(); ++c)
        anywhere[c] = 0.3 + std::fmod(0.61803398875 * static_cast<double>(c + 1), 1.0);
    coordinates_.set_position(anywhere);
    std::vector<int> rows;
    for (const Element& e : elements_) {
        const bool may_end =
            e.friction >= 0 || e.coupling >= 0 ||
            (e.contact >= 0 && !mechanism_.contacts[choice_.contacts[e.contact].pair].permanent);
        for (int r = 0; r < e.rows && !may_end; ++r) rows.push_back(e.first_row + r);
    }
    held_.adopt(inertia_, pattern_, rows);
    row_inertia_ = held_.row_inertia();
}

template <class S>
std::string MechanismEquations<S>::massless() const {
    const int column = held_.empty() ? inertia_.massless() : held_.loose();
    std::string name = "'" + column_name(column) + "'";
    for (const auto& b : coordinates_.branches())
        if (column >= b.first && column < b.first + static_cast<int>(b.freedoms.size()))
            name += " of body '" + mechanism_.bodies[b.child].name + "'";
    return name;
}

template class MechanismEquations<PlanarSpace>;

}  // namespace pawl
