// The velocities after a step or an impact of many contacts at once, with Coulomb's friction in the
// plane:
//   M v = m + G^T s + N^T p + T^T f,   G v = nu,
//   0 <= p,  N v >= b,  one of the two tight,   |f| <= mu p,  f against the slip T v where it
//   slides.
// m is the momentum that the free motion would have. Solved by a proximal method: impulses are
// those of contacts that yield a little against the impulses of the iterate before,
//   p+ = max(0, p - r (N v - b)),  f+ = f - r T v within mu p+,  s+ = s - r (G v - nu),
// so that each iterate has velocities of its own whatever rows depend on each other; they are the
// zero of a piecewise linear function, found by Newton's method on a sparse matrix of the blocks of
// M. Knows blocks and rows, no bodies.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "math/linear/block_lu.h"

namespace pawl {

class ConeProblem {
public:
    // A part of a row: its coefficients in the columns of a block of M.
    struct Part {
        int block = -1;  // none
        const double* normal = nullptr;
        const double* tangent = nullptr;  // of contacts
    };
    struct Contact {
        double bound = 0;                // b, m/s
        double friction = 0;             // mu
        double normal = 0, tangent = 0;  // impulses: first guess, then the solution
    };
    struct Outcome {
        bool solved = false;
        // Largest violation of the conditions above as the natural map has it, in m/s, over that of
        // no impulses at all.
        double residual = 0;
        int iterations = 0;  // matrices that were factored
        int interior = 0;    // of them in the interior of the cones
    };

    // A new problem with these blocks of columns; then M and m, the rows and the contacts.
    void start(const std::vector<int>& block_sizes);
    // Of a block, row by row.
    [[nodiscard]] double* inertia(int block) {
        return blocks_.inertia.data() + blocks_.square[block];
    }
    [[nodiscard]] std::span<double> momentum() { return momentum_; }
    // A row of G: the parts are two or more. The first guess of its impulse comes with it.
    void add_row(std::span<const Part> parts, double rate, double impulse);
    void add_contact(const std::array<Part, 2>& parts, const Contact& contact);

    // To a residual of `tolerance`; false in the outcome where it was not reached. The velocities
    // are those of the impulses whatever it is.
    Outcome solve(double tolerance);
    [[nodiscard]] const std::vector<double>& velocity() const { return v_; }
    // After solve: other bounds of the contacts, for the same problem again without any first
    // guess.
    void set_bounds(std::span<const double> bounds);
    [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
    [[nodiscard]] const std::vector<double>& row_impulses() const { return row_impulse_; }
    // Of a contact in the solution: normal, along the tangent.
    [[nodiscard]] std::pair<double, double> rates(std::size_t contact) const;
    // Velocities without any impulse, after solve.
    [[nodiscard]] const std::vector<double>& free_velocity() const { return free_; }

private:
    enum class Set : signed char { open, sticks, slides_up, slides_down };
    struct Entry {  // of a row in a block
        int block, first;
    };
    struct Row {
        int entry, entries;  // in entries_
        double weight;       // W = row M^-1 row^T
    };
    void add_entry(int block, const double* values);
    [[nodiscard]] double rate_of(const Row& row, const std::vector<double>& v) const;
    void add_to(const Row& row, double impulse, std::vector<double>& x) const;
    bool prepare();
    void find_pattern();
    void solve_inertia(std::vector<double>& x) const;
    // v of the impulses at hand.
    void find_velocity();
    // The velocities change by those of an impulse along a row.
    void answer(const Row& row, double impulse);
    // One contact or row after the other (nonsmooth Gauss-Seidel), from first to last and back.
    void sweep();
    void gather();
    void relax_contact(std::size_t i);
    void relax_free(std::size_t i);
    // Some sweeps; whether they have solved it.
    bool relax();
    // The impulses that yield, of the rates of all rows; and what the momenta then miss.
    struct Iterate {
        std::vector<double> v, normal_rate, tangent_rate, row_rate;  // v and rows of v
        std::vector<double> normal, tangent, row;                    // impulses
        std::vector<Set> set;
        std::vector<double> missing;
        double error = 0;  // of `missing`, in the metric of M^-1, squared
    };
    // Inside the cones: with c = mu p - f and d = mu p + f, the slip T v = up - down and the bounds
    // widened by mu |T v|,
    //   N v - b + mu |T v| = mu (up + down),  c down = sigma,  d up = sigma,  sigma to zero;
    // without friction p up = sigma, N v - b = up.
    struct Inside {
        double friction = 0, normal = 0, tangent = 0;  // mu, p, f
        double down = 0, up = 0;
        double d_normal = 0, d_tangent = 0, d_down = 0, d_up = 0;
        double normal_rate = 0, tangent_rate = 0;  // N v - b, T v
        double dilation = 0;                       // mu |T v|
        double lean = 0;                           // its slope with T v; zero where it sticks
        [[nodiscard]] double c() const { return friction * normal - tangent; }
        [[nodiscard]] double d() const { return friction * normal + tangent; }
        // How the impulses change: by so much, less the slopes times the changes of the rates.
        struct Answer {
            double normal, tangent, nn, tt, nt;
        };
        [[nodiscard]] Answer answer(double sigma) const;
    };
    void enter_interior();
    void move_inside();
    bool factor_inside();
    // The step towards sigma; returns how much of it keeps to the interior.
    double step_inside(double sigma);
    void find_rates(Iterate& at) const;
    void find_impulses(Iterate& at) const;
    void put_inertia();
    bool factor(const Iterate& at);
    void add_product(const Row& column, const Row& row, double factor, std::size_t offsets);
    bool newton_step(Outcome& outcome);
    // One problem of contacts that yield, up to so many matrices in all: false where it does not
    // converge.
    bool solve_iterate(Outcome& outcome, int max_iterations);
    bool solve_firmly(Outcome& outcome, int max_iterations);
    // Impulses inside their cones that come near to the solution, as near as `goal`.
    void follow_interior(Outcome& outcome, double goal);
    [[nodiscard]] double violation() const;
    // Of no impulses at all.
    [[nodiscard]] double find_scale() const;

    struct Blocks {  // of M
        std::vector<int> sizes, starts;
        std::vector<std::size_t> square;  // where one begins in the next two
        std::vector<double> inertia, inverse;
    } blocks_;
    std::vector<double> momentum_, free_, v_;
    std::vector<Entry> entries_;
    std::vector<double> coefficients_, answers_;  // of rows; and of them what M^-1 makes of these
    std::vector<Row> rows_, normals_, tangents_;
    std::vector<double> row_rate_, row_impulse_;
    std::vector<Contact> contacts_;
    struct Pattern {
        std::vector<std::size_t> offsets;         // in the matrix, of the blocks that rows couple
        std::vector<std::size_t> rows, contacts;  // where those of a row begin
        std::vector<int> old_sizes;
        std::vector<std::pair<int, int>> coupled, old_coupled;
    } pattern_;
    BlockLu lu_;
    struct Newton {
        Iterate now, next;
        std::vector<Set> factored;
        bool is_factored = false;
        double firmness = 1;  // r W
    } newton_;
    std::vector<double> step_;
    std::vector<Inside> inside_;
    // Of a contact between free bodies, or of one with what does not move: where their velocities
    // begin (-1: another contact), rows of gap and slip, what M^-1 makes of them, 1 / W.
    struct Touching {
        int start[2] = {-1, -1};
        double row[2][6]{}, answer[2][6]{}, softness[2]{};
    };
    std::vector<Touching> touches_;
    double goal_ = 0;  // of the violation, m/s
};

}  // namespace pawl
