// Numbers for `pawl verify`: impacts with friction and a moment against rolling, by the laws of
// restitution. All are closed forms, evaluated independently. The column of the source with a
// moment on both rods (S2) has no model: a contact acts on the two bodies that touch.
#include <limits>

#include "verification/verification_data.h"

namespace pawl {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view rough_pendulum =
    "Stoenescu 2005, eq. 2.44: sqrt((x - mu y - s)/(x + mu y + s)); omega is this ratio for e = "
    "1/2, -2 rad/s before";
constexpr std::string_view separation =
    "Stoenescu 2005, section 2.3.2: friction against the slip at separation; the energy grows";
constexpr std::string_view routh = "Stoenescu 2005, section 2.3.2; friction follows the slip";
constexpr std::string_view separation_follows =
    "Stoenescu 2005, section 2.3.2; moment against the spin at separation (physical)";
constexpr std::string_view rolling_before =
    "Stoenescu 2005, section 2.3.2; moment against the spin before the impact all through, as the "
    "source computes: it drives the rod once its spin has turned, so it is not physical";
constexpr std::string_view routh_follows =
    "Stoenescu 2005, section 2.3.2; friction and moment follow slip and spin (physical)";
constexpr std::string_view rod = "closed form: velocities are linear in the impulse of each phase";

// Tolerances: the last digits that a reference shows, or for closed forms 1e-9 of the unit and
// below; event times to 1e-9 s or better, but for sums of a thousand events. One line each.
// clang-format off
constexpr VerificationRow rows[] = {
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.838374553872, 1e-11, rough_pendulum, "L=0.2 m; mu=0.3; rolling=0 m"},
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.827913419847, 1e-11, rough_pendulum, "L=0.2 m; mu=0.3; rolling=0.0021 m"},
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.559286714581, 1e-11, rough_pendulum, "L=0.2 m; mu=0.9; rolling=0 m"},
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.533846814071, 1e-11, rough_pendulum, "L=0.2 m; mu=0.9; rolling=0.0057 m"},
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.786856959229, 1e-11, rough_pendulum, "L=0.04 m; mu=0.3; rolling=0.0021 m"},
    {"S1", "rough_pendulum_impact", "bar.omega+@impact:C#1:1", 0, "rad/s", none, 0.803817843661, 1e-11, rough_pendulum, "L=0.06 m; mu=0.3; rolling=0.0021 m"},

    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", 2.455, 2.455166602, 1e-09, separation, "e=0.55; mu=0.3; rolling=0 m; contact.C.friction_rule=separation"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -8.766610528, 1e-09, routh, "e=0.55; mu=0.3; rolling=0 m"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.218939247, 1e-09, routh, "e=0.55; mu=0.3; rolling=0 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -10.954450818, 1e-09, routh, "e=0.55; mu=0.3; rolling=0 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", 1.538, 1.537934877, 1e-09, separation, "e=0.5; mu=0.3; rolling=0 m; contact.C.friction_rule=separation"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.600002572, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.473067301, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.298670367, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -0.361595094, 1e-09, separation_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.friction_rule=separation"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, 3.844744, 1e-06, rolling_before, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.friction_rule=separation; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.427676671, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -7.107905, 1e-06, rolling_before, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -12.223683787, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.310102, 1e-06, rolling_before, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=poisson; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -12.026463565, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.052499, 1e-06, rolling_before, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=stronge; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, 0.459887722, 1e-09, separation_follows, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.friction_rule=separation"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, 2.302757, 1e-06, rolling_before, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.friction_rule=separation; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.801603650, 1e-09, routh_follows, "e=0.5; mu=0.3; rolling=0.08 m"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -8.750042, 1e-06, rolling_before, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.885425582, 1e-09, routh_follows, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -10.514747, 1e-06, rolling_before, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.impact=poisson; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.717689734, 1e-09, routh_follows, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -10.343597, 1e-06, rolling_before, "e=0.5; mu=0.3; rolling=0.08 m; contact.C.impact=stronge; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, 2.263720934, 1e-09, separation_follows, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.friction_rule=separation"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, 4.255213, 1e-06, rolling_before, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.friction_rule=separation; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -8.138441008, 1e-09, routh_follows, "e=0.6; mu=0.3; rolling=0.08 m"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -6.972426, 1e-06, rolling_before, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.501515398, 1e-09, routh_follows, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.909130, 1e-06, rolling_before, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.impact=poisson; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -11.167800941, 1e-09, routh_follows, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "energy_change@impact:C#1:1", 0, "J", none, -9.536181, 1e-06, rolling_before, "e=0.6; mu=0.3; rolling=0.08 m; contact.C.impact=stronge; contact.C.rolling_rule=before"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.2380844626, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -3.0071620950, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 13.1101919630, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.0093701653, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -2.2920048574, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 8.3996330645, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.0284769541, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -2.3517490815, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 8.7931530792, 1e-09, routh_follows, "e=0.55; mu=0.3; rolling=0.16 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.2170628880, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -2.8585804767, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 10.0959410132, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.0665533983, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -2.4132505803, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 8.2391333238, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=poisson"},
    {"S2", "double_pendulum_impact", "upper.omega+@impact:C#1:1", 0, "rad/s", none, 2.0819051696, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "lower.omega+@impact:C#1:1", 0, "rad/s", none, -2.4586736477, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=stronge"},
    {"S2", "double_pendulum_impact", "impulse@impact:C#1:1", 0, "N s", none, 8.4285252815, 1e-09, routh, "e=0.5; mu=0.3; rolling=0 m; contact.C.impact=stronge"},

    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.203125, 1e-11, rod},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 0.30078125, 1e-11, rod},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 9.4921875, 1e-10, rod},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.291385498047, 1e-10, rod},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.1328125, 1e-11, rod, "contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 0.283203125, 1e-11, rod, "contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 9.21796875, 1e-10, rod, "contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.398708190918, 1e-10, rod, "contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.145069478620, 1e-11, rod, "contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 0.286267369655, 1e-11, rod, "contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 9.265770966617, 1e-10, rod, "contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.380828537791, 1e-10, rod, "contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.34375, 1e-11, rod, "contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 0.5859375, 1e-11, rod, "contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 9.140625, 1e-10, rod, "contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.401245117188, 1e-10, rod, "contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 1.884566326531, 1e-11, rod, "vx=-3.2 m/s"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -3.2 + 0.345184948980, 1e-11, rod, "vx=-3.2 m/s"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 10.288584183673, 1e-10, rod, "vx=-3.2 m/s"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.396862177787, 1e-10, rod, "vx=-3.2 m/s"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 1.829268292683, 1e-11, rod, "vx=-3.2 m/s; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -3.2 + 0.359009457442, 1e-11, rod, "vx=-3.2 m/s; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 10.072921851667, 1e-10, rod, "vx=-3.2 m/s; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.500691853062, 1e-10, rod, "vx=-3.2 m/s; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 1.836718462391, 1e-11, rod, "vx=-3.2 m/s; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -3.2 + 0.357146915014, 1e-11, rod, "vx=-3.2 m/s; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 10.101977513529, 1e-10, rod, "vx=-3.2 m/s; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.487118426287, 1e-10, rod, "vx=-3.2 m/s; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 1.968, 1e-11, rod, "vx=-3.2 m/s; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -3.2 + 0.176, 1e-11, rod, "vx=-3.2 m/s; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 10.08, 1e-10, rod, "vx=-3.2 m/s; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.2496, 1e-10, rod, "vx=-3.2 m/s; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.7672, 1e-11, rod, "mu_s=0.7"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 1.4446, 1e-11, rod, "mu_s=0.7"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 8.082, 1e-10, rod, "mu_s=0.7"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.059346, 1e-10, rod, "mu_s=0.7"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.5908, 1e-11, rod, "mu_s=0.7; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 1.322476923077, 1e-11, rod, "mu_s=0.7; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 7.674923076923, 1e-10, rod, "mu_s=0.7; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.382225846154, 1e-10, rod, "mu_s=0.7; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.615965975946, 1e-11, rod, "mu_s=0.7; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 1.339899521809, 1e-11, rod, "mu_s=0.7; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 7.732998406030, 1e-10, rod, "mu_s=0.7; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.339822, 1e-10, rod, "mu_s=0.7; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.7672, 1e-11, rod, "mu_s=0.7; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.98 - 1.4446, 1e-11, rod, "mu_s=0.7; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 8.082, 1e-10, rod, "mu_s=0.7; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.059346, 1e-10, rod, "mu_s=0.7; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.1336, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, 3.76 - 3.2848, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, -1.584, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -6.708824, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.8104, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, 3.76 - 3.753353846154, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, -0.022153846154, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -5.929983384615, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.607898467927, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, 3.76 - 3.613160477796, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, -0.489465074015, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -6.255368, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.1336, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, 3.76 - 3.2848, 1e-11, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, -1.584, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -6.708824, 1e-10, rod, "vx=3.76 m/s; vy=-1 m/s; mu=2.5; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.254012035551, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.08 - 0.322361276604, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 6.364969911123, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.380166190821, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.163485585794, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.08 - 0.299729664165, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 6.033643105012, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.506658678053, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=poisson"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.178687643277, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.08 - 0.303530178536, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 6.089282635400, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.486664319860, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.impact=stronge"},
    {"struck rod", "struck_rod", "impulse@impact:C#1:1", 0, "N s", none, 2.435064935065, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.vx+@impact:C#1:1", 0, "m/s", none, -0.08 - 0.608766233766, 1e-11, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "rod.omega+@impact:C#1:1", 0, "rad/s", none, 5.912337662338, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.friction_rule=separation"},
    {"struck rod", "struck_rod", "energy_change@impact:C#1:1", 0, "J", none, -2.537922710406, 1e-10, rod, "vx=-0.08 m/s; vy=-2.8 m/s; spin=-3 rad/s; rolling=20 mm; contact.C.friction_rule=separation"},
};
// clang-format on

}  // namespace

std::span<const VerificationRow> impact_verification_rows() { return rows; }

}  // namespace pawl
