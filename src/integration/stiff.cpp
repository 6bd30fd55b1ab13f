#include "integration/stiff.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "math/finite.h"

namespace pawl {
namespace {

// So many cuts of a step by 4 (rates not finite, Newton) or by 0.3 (error) reach 10 ulp from any
// step.
constexpr int max_cuts_after_newton = 30;
constexpr int max_cuts_after_error = 35;
// Where in the step the rates are asked for a quartic, and what s^2 (1 - s)^2 rises by there.
constexpr double inside = 1.0 / 3, bump_slope = 2 * inside * (1 - inside) * (1 - 2 * inside);

std::span<double> entries(N_Vector v) {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

StepOutcome outcome_of_failure(int flag) {
    switch (flag) {
        case ARK_ERR_FAILURE:
            return StepOutcome::step_too_small;
        case ARK_FIRST_RHSFUNC_ERR:
        case ARK_REPTD_RHSFUNC_ERR:
        case ARK_UNREC_RHSFUNC_ERR:
        case ARK_RHSFUNC_FAIL:
            return StepOutcome::not_finite;
        default:
            return StepOutcome::failed;
    }
}

}  // namespace

struct Stiff::Solver {
    explicit Solver(int size) {
        if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
        const int n = std::max(size, 1);  // ARKODE knows no empty problem: a zero at rest serves
        state = N_VNew_Serial(n, context);
        result = N_VNew_Serial(n, context);
        matrix = SUNDenseMatrix(n, n, context);
        if (!state || !result || !matrix) throw std::bad_alloc();
        linear_solver = SUNLinSol_Dense(result, matrix, context);
        if (!linear_solver) throw std::bad_alloc();
    }
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    ~Solver() {
        ARKStepFree(&arkode);
        SUNLinSolFree(linear_solver);
        SUNMatDestroy(matrix);
        N_VDestroy(result);
        N_VDestroy(state);
        SUNContext_Free(&context);
    }

    SUNContext context = nullptr;
    N_Vector state = nullptr, result = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver linear_solver = nullptr;
    void* arkode = nullptr;
};

// What ARKODE calls; `self` is the stepper.
struct Stiff::Callbacks {
    static int rates(double t, N_Vector y, N_Vector dy, void* self) {
        Stiff& stiff = *static_cast<Stiff*>(self);
        const std::size_t size = stiff.y_.size();
        if (size == 0) N_VConst(0, dy);
        return stiff.rates_for_arkode(t, entries(y).first(size), entries(dy).first(size));
    }

    // Quadratures weigh nothing, and the mean is one over the controlled components.
    static int weights(N_Vector y, N_Vector weight, void* self) {
        const Stiff& stiff = *static_cast<Stiff*>(self);
        const auto values = entries(y), result = entries(weight);
        const double share =
            std::sqrt(static_cast<double>(values.size()) / std::max(stiff.controlled_, 1));
        std::fill(result.begin(), result.end(), 1e-100);
        for (int i = 0; i < stiff.controlled_; ++i)
            result[i] =
                share / (stiff.options_.atol[i] + stiff.options_.rtol * std::abs(values[i]));
        return 0;
    }

    // Forward differences. Nothing depends on the quadratures. The increment is half the digits of
    // a component, but not less than half the digits of its tolerance.
    static int jacobian(double t, N_Vector y, N_Vector dy, SUNMatrix matrix, void* self,
                        N_Vector moved, N_Vector rates, N_Vector) {
        Stiff& stiff = *static_cast<Stiff*>(self);
        const auto values = entries(y), there = entries(moved), base = entries(dy),
                   changed = entries(rates);
        const double root = std::sqrt(std::numeric_limits<double>::epsilon());
        std::copy(values.begin(), values.end(), there.begin());
        SUNMatZero(matrix);
        for (int j = 0; j < stiff.controlled_; ++j) {
            const double floor = stiff.options_.atol[j] / stiff.options_.rtol;
            there[j] = values[j] + root * std::max(std::abs(values[j]), std::min(floor, 1.0));
            const double increment = there[j] - values[j];
            if (const int flag = stiff.rates_for_arkode(t, there, changed)) return flag;
            double* column = SUNDenseMatrix_Column(matrix, j);
            for (std::size_t i = 0; i < base.size(); ++i)
                column[i] = (changed[i] - base[i]) / increment;
            there[j] = values[j];
        }
        return 0;
    }

    // Failures are returned; nothing is printed.
    static void message(int, const char*, const char*, char*, void*) {}
};

Stiff::Stiff(RightHandSide& f, int size, StepperOptions options)
    : Stepper(f, size),
      options_(std::move(options)),
      controlled_(options_.controlled < 0 ? size : options_.controlled),
      quartic_(size),
      inside_(size),
      slope_(size),
      slope_inside_(size),
      solver_(std::make_unique<Solver>(size)) {
    assert(controlled_ <= size);
    if (options_.atol.empty()) options_.atol.assign(controlled_, options_.rtol);
    assert(static_cast<int>(options_.atol.size()) >= controlled_);

    N_VConst(0, solver_->state);
    void*& arkode = solver_->arkode;
    arkode = ARKStepCreate(nullptr, Callbacks::rates, 0, solver_->state, solver_->context);
    if (!arkode) throw std::bad_alloc();
    ARKStepSetErrHandlerFn(arkode, Callbacks::message, nullptr);
    ARKStepSetUserData(arkode, this);
    ARKStepSetTableNum(arkode, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE);
    ARKStepWFtolerances(arkode, Callbacks::weights);
    ARKStepSetLinearSolver(arkode, solver_->linear_solver, solver_->matrix);
    ARKStepSetJacFn(arkode, Callbacks::jacobian);
    // A matrix of the step itself: with one of some steps ago Newton stops too early, with errors a
    // thousand times the tolerance.
    ARKStepSetLSetupFrequency(arkode, 1);
    // The rate of a stage from its solved equation: evaluating f there would multiply the error of
    // Newton by h lambda.
    ARKStepSetDeduceImplicitRhs(arkode, SUNTRUE);
    ARKStepSetInterpolantType(arkode, ARK_INTERP_HERMITE);
    ARKStepSetInterpolantDegree(arkode, 3);
    ARKStepSetMaxConvFails(arkode, max_cuts_after_newton);
    ARKStepSetMaxErrTestFails(arkode, max_cuts_after_error);
    if (std::isfinite(options_.largest_step)) ARKStepSetMaxStep(arkode, options_.largest_step);
}

Stiff::~Stiff() = default;

bool Stiff::finite_rates(double t, std::span<const double> y, std::span<double> dy) {
    return rates(t, y, dy) && all_finite(dy);
}

// As ARKODE asks for them: 0, 1 where a smaller step may help, -1 where none will.
int Stiff::rates_for_arkode(double t, std::span<const double> y, std::span<double> dy) {
    try {
        return finite_rates(t, y, dy) ? 0 : 1;
    } catch (...) {
        thrown_ = std::current_exception();
        return -1;
    }
}

void Stiff::start(double t, std::span<const double> y) {
    t_old_ = t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    y_old_ = y_;
    time_scale_ = 0;
}

void Stiff::replace(std::span<const double> y) { std::copy(y.begin(), y.end(), y_.begin()); }

void Stiff::rewind() {
    t_ = t_old_;
    y_ = y_old_;
}

void Stiff::remember(Memory& memory) {
    Stepper::remember(memory);
    memory(h_last_, time_scale_, dense_);
}

// Each step begins anew: what ARKODE remembers of older ones cannot be written down, and helps
// little beside a Jacobian of the step itself.
bool Stiff::prepare_solver() {
    std::copy(y_.begin(), y_.end(), entries(solver_->state).begin());
    const int flag = ARKStepReInit(solver_->arkode, nullptr, Callbacks::rates, t_, solver_->state);
    ARKStepSetInitStep(solver_->arkode, h_last_ > 0 ? h_last_ : options_.first_step);
    return flag == ARK_SUCCESS;
}

StepOutcome Stiff::step(double t_end) {
    if (!(t_end > t_) || !prepare_solver()) return StepOutcome::failed;
    void* arkode = solver_->arkode;
    long attempts_before = 0, attempts = 0;
    ARKStepGetNumStepAttempts(arkode, &attempts_before);
    double t_new = t_;
    if (time_scale_ == 0) time_scale_ = t_end - t_;
    ARKStepSetMinStep(
        arkode, 10 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), time_scale_));
    ARKStepSetStopTime(arkode, t_end);
    const int flag = ARKStepEvolve(arkode, t_end, solver_->result, &t_new, ARK_ONE_STEP);
    ARKStepGetNumStepAttempts(arkode, &attempts);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));

    const bool stepped = flag == ARK_SUCCESS || flag == ARK_TSTOP_RETURN;
    statistics_.rejected += std::max(0L, attempts - attempts_before - (stepped ? 1 : 0));
    if (!stepped) {
        h_last_ = 0;
        return outcome_of_failure(flag);
    }
    ++statistics_.accepted;
    t_old_ = t_;
    t_ = flag == ARK_TSTOP_RETURN ? t_end : t_new;
    y_old_ = y_;
    const auto result = entries(solver_->result);
    std::copy_n(result.begin(), y_.size(), y_.begin());
    ARKStepGetCurrentStep(arkode, &h_last_);
    find_dense_output();
    return StepOutcome::stepped;
}

// How far h f is from the derivative of the dense output inside the step, in units of the
// tolerance.
double Stiff::missing_slope() {
    const double h = t_ - t_old_;
    const double t = t_old_ + inside * h;
    dense_.values(t, inside_);
    dense_.rates(t, slope_, slope_inside_);
    if (!finite_rates(t, inside_, slope_inside_)) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
        slope_[i] = h * (slope_inside_[i] - slope_[i]);
        if (i < static_cast<std::size_t>(controlled_))
            largest = std::max(largest, std::abs(slope_[i]) /
                                            (options_.atol[i] + options_.rtol * std::abs(y_[i])));
    }
    return largest;
}

// The cubic through both ends gives states between them an error a thousand times that of the
// steps: s^2 (1 - s)^2 is added so that the rates fit inside, too. Where they answer an error with
// many times as much, as stiff ones do, that would be worse: it is kept where it brings the
// derivative nearer.
void Stiff::find_dense_output() {
    const double h = t_ - t_old_;
    const std::size_t size = y_.size();
    dense_.start(t_old_, t_, size);
    ARKStepGetDky(solver_->arkode, t_, 1, solver_->result);
    std::copy_n(entries(solver_->result).begin(), size, slope_.begin());
    ARKStepGetDky(solver_->arkode, t_old_, 1, solver_->result);
    for (std::size_t i = 0; i < size; ++i) {
        const double first = h * entries(solver_->result)[i], last = h * slope_[i],
                     way = y_[i] - y_old_[i];
        dense_[i] = {y_old_[i], first, 3 * way - 2 * first - last, first + last - 2 * way};
    }
    const auto add = [&](double sign) {
        for (std::size_t i = 0; i < size; ++i) {
            const double part = sign * quartic_[i];
            dense_[i][2] += part;
            dense_[i][3] -= 2 * part;
            dense_[i][4] += part;
        }
    };
    const double missing = missing_slope();
    if (!std::isfinite(missing)) return;
    for (std::size_t i = 0; i < size; ++i) quartic_[i] = slope_[i] / bump_slope;
    add(1);
    if (!(missing_slope() < 0.5 * missing)) add(-1);
}

void Stiff::interpolate(double t, std::span<double> y) const { dense_.values(t, y); }

void Stiff::polynomials(std::size_t size, PolynomialPath& path) const {
    path.start(t_old_, t_, size);
    for (std::size_t i = 0; i < size; ++i) path[i] = dense_[i];
}

}  // namespace pawl
