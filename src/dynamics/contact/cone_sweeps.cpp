// Sweeps over the contacts, one after the other (cone_problem.h): the nonsmooth Gauss-Seidel method
// of Jourdan, Alart and Jean (1998). It carries little from one end of a heap to the other, but
// finds at once who presses and who slides where little has changed.
#include <algorithm>
#include <utility>

#include "dynamics/contact/cone_problem.h"

namespace pawl {

void ConeProblem::answer(const Row& row, double impulse) {
    for (int e = row.entry; e < row.entry + row.entries; ++e) {
        const int block = entries_[e].block;
        const double* a = answers_.data() + entries_[e].first;
        double* v = v_.data() + blocks_.starts[block];
        for (int i = 0; i < blocks_.sizes[block]; ++i) v[i] += a[i] * impulse;
    }
}

// The contacts of free bodies are copied into contiguous memory, because reading them takes most of
// the time.
void ConeProblem::gather() {
    touches_.assign(contacts_.size(), {});
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Touching& to = touches_[i];
        const Row &normal = normals_[i], &tangent = tangents_[i];
        bool is_free = normal.entries == 1 || normal.entries == 2;
        for (int e = 0; e < normal.entries; ++e)
            is_free = is_free && blocks_.sizes[entries_[normal.entry + e].block] == 3;
        if (!is_free) continue;
        for (int e = 0; e < normal.entries; ++e) {
            const Entry &n = entries_[normal.entry + e], &t = entries_[tangent.entry + e];
            to.start[e] = blocks_.starts[n.block];
            std::copy_n(coefficients_.data() + n.first, 3, to.row[0] + 3 * e);
            std::copy_n(coefficients_.data() + t.first, 3, to.row[1] + 3 * e);
            std::copy_n(answers_.data() + n.first, 3, to.answer[0] + 3 * e);
            std::copy_n(answers_.data() + t.first, 3, to.answer[1] + 3 * e);
        }
        if (normal.entries == 1) to.start[1] = to.start[0];  // of which nothing is taken
        to.softness[0] = 1 / normal.weight;
        to.softness[1] = 1 / tangent.weight;
    }
}

// Each impulse solves its own contact while the others are kept.
void ConeProblem::relax_contact(std::size_t i) {
    Contact& c = contacts_[i];
    const double un = rate_of(normals_[i], v_) - c.bound;
    if (!(un < 0) && !(c.normal > 0)) return;  // open, and stays so
    const double normal = std::max(0.0, c.normal - un / normals_[i].weight);
    answer(normals_[i], normal - std::exchange(c.normal, normal));
    if (!(c.friction > 0)) return;
    const double cone_limit = c.friction * normal,
                 free = c.tangent - rate_of(tangents_[i], v_) / tangents_[i].weight,
                 tangent = std::clamp(free, -cone_limit, cone_limit);
    answer(tangents_[i], tangent - std::exchange(c.tangent, tangent));
}

// The same of free bodies.
void ConeProblem::relax_free(std::size_t i) {
    Contact& c = contacts_[i];
    const Touching& at = touches_[i];
    double *a = v_.data() + at.start[0], *b = v_.data() + at.start[1];
    const auto rate = [&](const double* row) {
        return (row[0] * a[0] + row[1] * a[1] + row[2] * a[2]) +
               (row[3] * b[0] + row[4] * b[1] + row[5] * b[2]);
    };
    const auto move = [&](const double* answer, double impulse) {
        for (int k = 0; k < 3; ++k) a[k] += answer[k] * impulse;
        for (int k = 0; k < 3; ++k) b[k] += answer[3 + k] * impulse;
    };
    const double un = rate(at.row[0]) - c.bound;
    if (!(un < 0) && !(c.normal > 0)) return;
    const double normal = std::max(0.0, c.normal - un * at.softness[0]);
    move(at.answer[0], normal - std::exchange(c.normal, normal));
    if (!(c.friction > 0)) return;
    const double cone_limit = c.friction * normal,
                 tangent = std::clamp(c.tangent - rate(at.row[1]) * at.softness[1], -cone_limit,
                                      cone_limit);
    move(at.answer[1], tangent - std::exchange(c.tangent, tangent));
}

void ConeProblem::sweep() {
    const auto hold = [&](std::size_t i) {
        const double impulse = (row_rate_[i] - rate_of(rows_[i], v_)) / rows_[i].weight;
        row_impulse_[i] += impulse;
        answer(rows_[i], impulse);
    };
    const auto touch = [&](std::size_t i) {
        touches_[i].start[0] < 0 ? relax_contact(i) : relax_free(i);
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) hold(i);
    for (std::size_t i = 0; i < contacts_.size(); ++i) touch(i);
    for (std::size_t i = contacts_.size(); i-- > 0;) touch(i);
    for (std::size_t i = rows_.size(); i-- > 0;) hold(i);
}

// As long as the residual decreases.
bool ConeProblem::relax() {
    constexpr int max_rounds = 20, min_rounds = 4, sweeps = 10;
    constexpr double slow = 0.8;  // what is left by a round
    double worst = violation();
    if (worst <= goal_) return true;
    gather();
    for (int round = 0; round < max_rounds; ++round) {
        for (int k = 0; k < sweeps; ++k) sweep();
        find_velocity();
        const double last = std::exchange(worst, violation());
        if (worst <= goal_) return true;
        if (round + 1 >= min_rounds && worst > slow * last) return false;
    }
    return false;
}

}  // namespace pawl
