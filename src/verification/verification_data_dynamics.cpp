// Numbers for `pawl verify`: published results and closed forms of the dynamic example models.
// Printed numbers of the sources that were wrong have been recomputed by two independent programs;
// none comes from this program.
#include <limits>

#include "verification/verification_data.h"

namespace pawl {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view attia = "Attia 2004, section 7, body 2 corrected; recomputed";
constexpr std::string_view jalon = "Garcia de Jalon and Bayo 1994, example 10.6; recomputed";
// The normal force F23 of the source acts on the guide; the column is the force on the slider.
constexpr std::string_view stoenescu_inverse =
    "Stoenescu 2005, section 3.3.2, without friction; recomputed";
constexpr std::string_view stoenescu =
    "Stoenescu 2005, section 4.2, without clearance and friction; recomputed";
constexpr std::string_view turning_tube =
    "closed form: r = r0 cosh(w t), force 2 m w r', torque r times the force";

// Tolerances: the last digit that the references show, or 1e-9 of one SI unit for closed forms (the
// models ask for rtol 1e-11; a time found between samples is as exact as the cubic through them,
// 1e-8 s). One line each.
// clang-format off
constexpr VerificationRow rows[] = {
    // problem, model, column, at, unit, published, reference, tolerance, source, set
    {"A1", "attia_chain", "E.x", 0.25, "m", none, 3.99975925, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 0.25, "m", none, -0.52487367, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 0.25, "rad", none, 2.50393697, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 0.25, "rad/s", none, 1.2493844, 1e-7, attia},
    {"A1", "attia_chain", "E.x", 0.5, "m", none, 4.00045343, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 0.5, "m", none, -0.4259879, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 0.5, "rad", none, 3.08319598, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 0.5, "rad/s", none, 3.892499, 1e-7, attia},
    {"A1", "attia_chain", "E.x", 0.75, "m", none, 4.00025948, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 0.75, "m", none, -0.43581042, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 0.75, "rad", none, 4.49902129, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 0.75, "rad/s", none, 4.7491964, 1e-7, attia},
    {"A1", "attia_chain", "E.x", 1.0, "m", none, 4.00997365, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 1.0, "m", none, -0.76836554, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 1.0, "rad", none, 5.41045364, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 1.0, "rad/s", none, 3.177026, 1e-7, attia},
    {"A1", "attia_chain", "E.x", 1.5, "m", none, 4.01055926, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 1.5, "m", none, -0.77587559, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 1.5, "rad", none, 7.23406826, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 1.5, "rad/s", none, 1.4308646, 1e-7, attia},
    {"A1", "attia_chain", "E.x", 2.0, "m", none, 4.01200783, 1e-8, attia},
    {"A1", "attia_chain", "E.y", 2.0, "m", none, -0.79362325, 1e-8, attia},
    {"A1", "attia_chain", "crank.angle", 2.0, "rad", none, 7.14305779, 1e-8, attia},
    {"A1", "attia_chain", "crank.omega", 2.0, "rad/s", none, -1.9678031, 1e-7, attia},
    {"A1", "attia_chain", "zero:crank.omega:1", 0, "s", none, 1.72301836, 1e-8, attia},
    {"A1", "attia_chain", "energy.potential", 0, "J", none, 43.080615, 1e-6, attia},
    {"G1", "slider_crank_singular", "crank.angle", 1, "rad", none, 3.3627501565, 2e-8, jalon},
    {"G1", "slider_crank_singular", "crank.angle", 5, "rad", none, 18.0864029319, 2e-8, jalon},
    {"G1", "slider_crank_singular", "crank.angle", 10, "rad", none, 35.5686540894, 2e-8, jalon},
    {"G1", "slider_crank_singular", "slider", 10, "m", none, -1.0617986194, 1e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:1", 0, "s", none, 0.391732135, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:2", 0, "s", none, 1.277015795, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:3", 0, "s", none, 2.162299454, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:4", 0, "s", none, 3.047583113, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:5", 0, "s", none, 3.932866773, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:6", 0, "s", none, 4.818150432, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:7", 0, "s", none, 5.703434092, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:8", 0, "s", none, 6.588717751, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:9", 0, "s", none, 7.47400141, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:10", 0, "s", none, 8.35928507, 2e-8, jalon},
    {"G1", "slider_crank_singular", "t@bifurcation:11", 0, "s", none, 9.244568729, 2e-8, jalon},
    {"S3", "rrtr_inverse", "motor.force", 0, "N m", none, 629.173051, 1e-6, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.004 kg m^2"},
    {"S3", "rrtr_inverse", "slide.offset", 0, "m", none, 0.00093874, 1e-8, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.004 kg m^2"},
    {"S3", "rrtr_inverse", "slide.fv", 0, "N", none, -1311.945286, 1e-6, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.004 kg m^2"},
    {"S3", "rrtr_inverse", "motor.force", 0, "N m", none, 627.450061, 1e-6, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.008 kg m^2"},
    {"S3", "rrtr_inverse", "slide.offset", 0, "m", none, 0.00188265, 1e-8, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.008 kg m^2"},
    {"S3", "rrtr_inverse", "slide.fv", 0, "N", none, -1308.34158, 1e-6, stoenescu_inverse, "speed=20 rad/s; slider_inertia=0.008 kg m^2"},
    {"S3", "rrtr_inverse", "motor.force", 0, "N m", none, 685.385596, 1e-6, stoenescu_inverse, "speed=10 rad/s; slider_inertia=0.006 kg m^2"},
    {"S3", "rrtr_inverse", "slide.offset", 0, "m", none, 0.00032308, 1e-8, stoenescu_inverse, "speed=10 rad/s; slider_inertia=0.006 kg m^2"},
    {"S3", "rrtr_inverse", "slide.fv", 0, "N", none, -1429.516209, 1e-6, stoenescu_inverse, "speed=10 rad/s; slider_inertia=0.006 kg m^2"},
    {"S3", "rrtr_inverse", "motor.force", 0, "N m", none, 533.188156, 1e-6, stoenescu_inverse, "speed=30 rad/s; slider_inertia=0.006 kg m^2"},
    {"S3", "rrtr_inverse", "slide.offset", 0, "m", none, 0.00374065, 1e-8, stoenescu_inverse, "speed=30 rad/s; slider_inertia=0.006 kg m^2"},
    {"S3", "rrtr_inverse", "slide.fv", 0, "N", none, -1111.188807, 1e-6, stoenescu_inverse, "speed=30 rad/s; slider_inertia=0.006 kg m^2"},
    {"S5", "rrtr", "crank.angle", 0.01, "rad", none, 0.5584217, 1e-7, stoenescu},
    {"S5", "rrtr", "crank.omega", 0.01, "rad/s", none, 3.967459, 1e-6, stoenescu},
    {"S5", "rrtr", "crank.angle", 0.1, "rad", none, 0.9139153, 1e-7, stoenescu},
    {"S5", "rrtr", "crank.omega", 0.1, "rad/s", none, 3.937874, 1e-6, stoenescu},
    {"S5", "rrtr", "crank.angle", 0.5, "rad", none, 2.5078248, 1e-7, stoenescu},
    {"S5", "rrtr", "crank.omega", 0.5, "rad/s", none, 4.05367, 1e-6, stoenescu},
    {"S5", "rrtr", "crank.angle", 1, "rad", none, 4.5295819, 1e-7, stoenescu},
    {"S5", "rrtr", "crank.omega", 1, "rad/s", none, 3.973075, 1e-6, stoenescu},
    {"S5", "rrtr", "crank.angle", 2, "rad", none, 8.503993, 1e-7, stoenescu},
    {"S5", "rrtr", "crank.omega", 2, "rad/s", none, 4.031049, 1e-6, stoenescu},
    {"S5", "rrtr", "period:bar.y:1", 0, "s", none, 1.57099254, 2e-8, stoenescu},
    {"pendulum", "pendulum", "zero:rod.omega:1", 0, "s", none, 0.966667427186622891, 1e-8, "closed form: half period by the elliptic integral K(1/2)"},
    {"double pendulum", "double_pendulum", "tip.x", 5, "m", none, 1.8552219377580921, 1e-9, "two programs agreeing to 1e-14"},
    {"double pendulum", "double_pendulum", "tip.y", 5, "m", none, -0.73956793254678518, 1e-9, "two programs agreeing to 1e-14"},
    {"free flight", "spinning_body", "centre.x", 0.5, "m", none, 1.5, 1e-8, "closed form: parabola"},
    {"free flight", "spinning_body", "centre.y", 0.5, "m", none, 1.77375, 1e-8, "closed form: parabola"},
    {"free flight", "spinning_body", "plate.angle", 0.5, "rad", none, 6, 1e-8, "closed form: constant spin"},
    {"free flight", "spinning_body", "centre.x", 1, "m", none, 3, 1e-8, "closed form: parabola"},
    {"free flight", "spinning_body", "centre.y", 1, "m", none, 0.095, 1e-8, "closed form: parabola"},
    {"free flight", "spinning_body", "plate.angle", 1, "rad", none, 12, 1e-8, "closed form: constant spin"},
    {"turning tube", "turning_tube", "r", 0.5, "m", none, 0.23524096152432472, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "r", 1, "m", none, 1.0067661995777766, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "r.rate", 1, "m/s", none, 3.0053624782229713, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "slide.fv", 0.5, "N", none, 7.665406038341343, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "slide.fv", 1, "N", none, 36.06434973867566, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "slide.offset", 1, "m", none, 0, 1e-12, turning_tube},
    {"turning tube", "turning_tube", "motor.force", 0.5, "N m", none, 1.8032174869337823, 1e-9, turning_tube},
    {"turning tube", "turning_tube", "motor.force", 1, "N m", none, 36.308368326650275, 1e-9, turning_tube},
    {"spring and mass", "spring_mass", "block.x", 1, "m", none, 0.447079118109298022, 1e-9, "closed form: damped oscillation"},
    {"spring and mass", "spring_mass", "block.vx", 1, "m/s", none, 0.323979553100355026, 1e-8, "closed form: damped oscillation"},
    {"spring and mass", "spring_mass", "block.x", 2, "m", none, 0.517509922318185710, 1e-9, "closed form: damped oscillation"},
    {"spring and mass", "spring_mass", "block.vx", 2, "m/s", none, -0.332409398209815388, 1e-8, "closed form: damped oscillation"},
    {"spring and mass", "spring_mass", "block.x", 5, "m", none, 0.507638443180434033, 1e-9, "closed form: damped oscillation"},
    {"spring and mass", "spring_mass", "block.vx", 5, "m/s", none, 0.0264785016009524502, 1e-8, "closed form: damped oscillation"},
    {"driven slider-crank", "slider_crank_driven", "motor.force", 0.01, "N m", none, 8.76478167514770144, 1e-9, "closed form: power balance"},
    {"driven slider-crank", "slider_crank_driven", "motor.force", 0.025, "N m", none, 10.8420131092686983, 1e-9, "closed form: power balance"},
    {"driven slider-crank", "slider_crank_driven", "motor.force", 0.033, "N m", none, 6.50252747831388662, 1e-9, "closed form: power balance"},
    {"driven slider-crank", "slider_crank_driven", "motor.force", 0.16, "N m", none, -0.671697074788233223, 1e-9, "closed form: power balance"},
    {"driven slider-crank", "slider_crank_driven", "motor.force", 1.987, "N m", none, -8.52329717511022488, 1e-9, "closed form: power balance"},
};
// clang-format on

}  // namespace

std::span<const VerificationRow> dynamic_verification_rows() { return rows; }

}  // namespace pawl
