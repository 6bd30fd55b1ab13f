// The derivative of a dynamic run by one parameter, or by a shift of its first state, along the
// course that the run has taken: step by step with their lengths, and through its events, whose
// times move. Between two entries of the course the neighbours are set anew onto the line state +
// distance x derivative, so that what is differenced is the map of one step or one event, not that
// of the whole run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "math/tolerances/motion.h"
#include "simulation/sensitivity/neighbours.h"

namespace pawl {

// An event at which the derivative does not exist, or is not known.
struct MissingDerivative {
    double t = 0;       // s; nothing behind this time has a derivative
    std::string event;  // as "impact C#1"
    std::string reason;
};

// Derivatives of numbers by name; `error` is an estimate of how wrong they are, relative.
struct NumberDerivatives {
    std::map<std::string, double> of;
    double error = 0;
    std::map<std::string, double> apart;  // besides, of each number: by the distance of neighbours
    double error_of_time = 0;             // besides, s
};

class TangentRun {
public:
    TangentRun(const RunCourse& course, const Trajectory& rows, const std::set<std::size_t>& wanted,
               Neighbours& neighbours)
        : course_(course), rows_(rows), wanted_(wanted), neighbours_(neighbours) {}

    // Along the whole course, or up to where there is no derivative.
    void run();
    // Instead, with neighbours of a state: how its states at the start, onto its constraints, and
    // at the end, at its time, move with a shift of the state that it begins with. Nothing where
    // there is no derivative.
    struct OfState {
        State at_start, at_end;
    };
    std::optional<OfState> run_from(const State& shift);
    // How fast the state at the start moves on.
    std::optional<State> rates_at_start();
    // Of the last state, relative.
    [[nodiscard]] double error() const { return relative_error(); }
    [[nodiscard]] const std::optional<MissingDerivative>& missing() const { return missing_; }

    // Of the cells of a row that was wanted, by the columns of the run; empty where there is none.
    [[nodiscard]] NumberDerivatives row(std::size_t row) const;
    // Of the numbers of an event, in the order of the course; empty where there is none.
    [[nodiscard]] NumberDerivatives event(std::size_t event) const;

private:
    using Entry = RunCourse::Entry;
    // t, q, v, z and the numbers of the mode, per part of the parameter's scale.
    using Numbers = std::vector<double>;
    struct Derived {
        Numbers numbers;
        std::vector<std::map<std::string, double>> events;
        double spread = 0;  // between the extrapolated difference and the coarse one
        double kink = 0;    // the second difference
        Numbers apart;      // from what a longer distance gives, where that was looked at
        double defect = 0;  // of the step, by its own estimate
        int level = 0;
    };
    struct Cells {  // of one neighbour
        Shadow* shadow;
        std::size_t row;
        Neighbours::Term term;
    };

    bool begin();
    bool begin_from(std::size_t entry, const State& shift);
    [[nodiscard]] std::size_t first_that_changes() const;
    [[nodiscard]] State state_along() const;
    bool pass(std::size_t entry);
    bool pass_step(std::size_t entry);
    bool pass_event(std::size_t entry);
    bool pass_tie(std::size_t entry);
    bool is_kinked(const Derived& derived);
    bool is_order_open(std::size_t entry);
    // From a neighbour, at a part of the scale, to its point after an entry.
    using Map = std::function<bool(Shadow& shadow, double part, ShadowPoint& point)>;
    bool derive(const Map& map, const Entry& to, Derived& best);
    bool derive_at(int level, const Map& map, const Entry& to, Derived& out);
    [[nodiscard]] bool hides_kink(const Derived& derived) const;
    [[nodiscard]] double error_of_extrapolation(const Derived& derived) const;
    bool combine(const std::vector<Neighbours::Term>& terms, std::vector<ShadowPoint>& points,
                 const Entry& to, Derived& out) const;
    void take(Derived derived, const Entry& to);
    [[nodiscard]] double error_of_time(const Entry& to, int level) const;
    [[nodiscard]] double error_of_limit(const Entry& to, const Event& event, double moves) const;
    bool end_step(Shadow& shadow, ShadowPoint& point, double part, std::size_t entry) const;
    void sample_inside(std::size_t entry);
    void sample_after(std::size_t entry);
    void sample(std::size_t row, int level, const Map& map);
    void prime(Shadow& shadow, const Neighbours::Term& term);
    [[nodiscard]] ShadowPoint moved(const Entry& at, const Numbers& along, double part) const;
    [[nodiscard]] double norm(const Numbers& numbers) const;
    [[nodiscard]] double relative_error() const;
    void choose_weights(const Entry& at);
    bool miss(std::size_t entry);
    [[nodiscard]] bool same_events(const Entry& entry, const std::vector<Event>& events,
                                   std::string& why) const;

    const RunCourse& course_;
    const Trajectory& rows_;
    const std::set<std::size_t>& wanted_;
    Neighbours& neighbours_;

    Numbers along_, before_step_, weights_;
    double error_ = 0;                         // of along_, in its norm
    double largest_ = tolerance::least_along;  // norm of along_ until now; less does not count
    bool of_state_ = false;                    // not of a parameter
    bool time_is_open_ = false;                // rows at the last event have no time of their own
    int level_ = 0;
    std::string why_;
    std::optional<MissingDerivative> missing_;
    std::map<std::size_t, std::vector<Cells>> cells_;  // by rows
    std::map<std::size_t, double> row_errors_;
    std::map<std::size_t, NumberDerivatives> events_;
    // Where the energies of a run count from.
    struct Reference {
        const Entry* at = nullptr;
        Numbers along;
    } reference_;
    std::set<Shadow*> primed_;
};

}  // namespace pawl
