// Data files of ACDMC: the two of Wang (1996), appendix D.2 and D.3, and small ones of our own.
#include <numbers>

#include <gtest/gtest.h>

#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/exchange.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
using test::changed;
using test::corrected_d3;
using test::data_file;
using test::imported;

constexpr double degree = std::numbers::pi / 180;
// Angles are kept to 1e-12 degrees, 2e-14 rad; lengths of ten units follow to 2e-13.
constexpr double angle_digits = 2e-14, length_digits = 2e-13;

template <class Curve>
const Curve& curve(const ExchangeProfile& profile, std::size_t i) {
    return std::get<Curve>(profile.curves.at(i));
}

std::vector<Event> events_of(const std::string& text) {
    const ModelData model = test::model_of(text);
    DynamicOptions options;
    options.end = model.run.end;
    options.step = model.run.step;
    const DynamicResult result = run_dynamics(assemble(model.mechanism), options);
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    EXPECT_TRUE(result.audit.passed());
    return result.events;
}

// The contact is formed at t = 0; then each transition at its time.
void expect_transitions(const std::vector<Event>& events, const std::vector<double>& times) {
    // Times are printed with eight decimals; the run is accurate to about 1e-9 s.
    constexpr double printed = 2e-8;
    ASSERT_EQ(events.size(), times.size() + 1);
    EXPECT_EQ(events[0].kind, EventKind::contact_formed);
    for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_EQ(events[i + 1].kind, EventKind::transition);
        EXPECT_NEAR(events[i + 1].t, times[i], printed);
    }
}

TEST(AcdmcFile, cam_of_arcs_is_read_as_printed) {
    const ExchangeModel m = imported(data_file("wang_d3.dyn")).model;
    ASSERT_EQ(m.bodies.size(), 3u);
    EXPECT_EQ(m.bodies[1].name, "cam2_3");
    EXPECT_EQ(m.bodies[1].at.x, 40);
    EXPECT_EQ(m.bodies[1].mass, 0.5);
    EXPECT_EQ(m.bodies[2].mass, 0.05);
    EXPECT_EQ(m.bodies[2].inertia, 9800);
    ASSERT_TRUE(m.bodies[2].omega);
    EXPECT_EQ(*m.bodies[2].omega, -0.5);
    ASSERT_EQ(m.joints.size(), 2u);
    EXPECT_EQ(m.joints[0].type, "prismatic");
    EXPECT_EQ(m.joints[1].name, "J1");
    EXPECT_EQ(m.independent, std::vector<std::string>{"J1"});
    EXPECT_TRUE(m.springs.empty());
    ASSERT_EQ(m.profiles.size(), 2u);
    const ExchangeProfile& cam = m.profiles[1];
    EXPECT_EQ(cam.name, "S23");
    ASSERT_EQ(cam.curves.size(), 4u);  // the points are corners, which Pawl finds
    EXPECT_EQ(curve<ArcCurve<S>>(cam, 0).radius, 20);
    EXPECT_NEAR(curve<ArcCurve<S>>(cam, 0).sweep, 180 * degree, angle_digits);
    EXPECT_EQ(curve<LineCurve<S>>(cam, 2).to.y, -10);
    EXPECT_DOUBLE_EQ(curve<LineCurve<S>>(cam, 3).to.x, 15);
    EXPECT_EQ(m.end, 13);
    EXPECT_EQ(m.step, 0.01);
}

TEST(AcdmcFile, slips_of_the_printed_files_are_named_with_their_place) {
    EXPECT_EQ(
        imported(data_file("wang_d3.dyn")).warnings,
        "file:170:1: warning: STIFF is 0 and nothing else presses the bodies of contact 'C2' "
        "together\n"
        "file:178:1: warning: INITIAL VELOCITY is given twice; the last one is used\n"
        "file:225:1: warning: a second INITIAL POSITION and no INITIAL VELOCITY: it is read as "
        "the velocity\n");
    EXPECT_EQ(
        imported(data_file("wang_d2.dyn")).warnings,
        "file:143:1: warning: the keyword 'NAEE' is read as 'NAME'\n"
        "file:230:1: warning: LINK OF INPUT PAIR says 'cam2_1', but PAIR '2' has 'cam2_2', which "
        "counts\n"
        "file:231:1: warning: LINK OF OUTPUT PAIR says 'cam2_2', but PAIR '2' has 'cam2_3', which "
        "counts\n"
        "file:252:1: warning: LINK OF OUTPUT PAIR says 'cam2_2', but PAIR '3' has 'cam2_3', which "
        "counts\n");
}

// The file has no ends of its polynomials: they follow from table 4.3-1 of the source.
TEST(AcdmcFile, polynomials_of_the_cam_end_where_the_next_element_begins) {
    const auto file = imported(data_file("wang_d2.dyn"));
    const ExchangeProfile& cam = file.model.profiles.at(0);
    ASSERT_EQ(cam.curves.size(), 7u);
    const double ends[] = {95, 105, 255, 265, 270};
    const double starts[] = {90, 90, 180, 270, 270};
    for (std::size_t i = 0; i < 5; ++i) {
        const auto& p = curve<PolarPolynomial<S>>(cam, i + 1);
        EXPECT_NEAR(p.to, ends[i] * degree, angle_digits);
        EXPECT_NEAR(p.start, starts[i] * degree, angle_digits);
        EXPECT_NEAR(p.scale, (i == 2 ? 75 : 1) * degree, angle_digits);
    }
    EXPECT_NEAR(curve<ArcCurve<S>>(cam, 6).from + curve<ArcCurve<S>>(cam, 6).sweep, 360 * degree,
                angle_digits);
}

// The printed constant 65.649356 leaves a gap of 9.46e-5 at both ends, 1.7e-6 of the radius.
TEST(AcdmcFile, gap_of_rounding_is_closed_and_told) {
    const auto file = imported(data_file("wang_d2.dyn"));
    const auto& p = curve<PolarPolynomial<S>>(file.model.profiles.at(0), 3);
    const double closed = 54.8846068 + 0.02 * 15 - (-14.0625 + 7.734375 - 4.1367188);
    EXPECT_NEAR(p.coefficients[0], closed, 1e-12);
    EXPECT_NE(file.text.find("65.6494506"), std::string::npos);
    const auto& told = file.model.assumptions;
    EXPECT_NE(
        std::find(told.begin(), told.end(),
                  "surface '23': element 4 misses its neighbour by 9.46e-05, which is closed"),
        told.end());
}

TEST(AcdmcFile, cam_of_polynomials_assembles) {
    const PlacedMechanism placed = test::placed_of(imported(data_file("wang_d2.dyn")).text);
    EXPECT_EQ(placed.assembly.positions[2].p.x, 0.59934506);
}

// The undriven cam of 1000 N cm s^2 turns at 50 rad/s, the follower hardly slows it down. On the
// dwell nothing else moves, and the steps grow to several turns; every end of an element is passed
// all the same. The slopes at both ends of element 4 differ by rounding of its coefficients, 1e-8
// rad: no impact.
TEST(AcdmcFile, cam_of_polynomials_passes_every_element_on_every_turn) {
    std::size_t next = 0, passed = 0;
    for (const Event& e : events_of(imported(data_file("wang_d2.dyn")).text)) {
        EXPECT_TRUE(e.kind == EventKind::transition || e.t == 0) << e.t << ' ' << event_text(e);
        if (e.kind != EventKind::transition) continue;
        ++passed;
        next = (next + 1) % 7;
        EXPECT_EQ(e.to.back(), static_cast<char>('0' + next)) << e.t << ' ' << e.to;
    }
    // 13 s at 50 rad/s are 103.45 turns, at the 49.5 rad/s of the greatest lift more than 102.
    EXPECT_GE(passed, 7u * 102);
    EXPECT_LE(passed, 7u * 104);
}

TEST(AcdmcFile, polynomial_that_never_meets_the_next_element_is_an_error) {
    const std::string text = changed(data_file("wang_d2.dyn"), "54.88460680", "55.88460680");
    EXPECT_EQ(test::messages(text).substr(0, 74),
              "file:73:1: error: surface '23': the end of the polynomial cannot be found:");
}

// Wang's table: B, C, D ... I at constant speed; the closed form for a free cam of 1e6 N cm s^2.
TEST(AcdmcFile, driven_cam_of_arcs_has_the_published_transitions) {
    ImportOptions options;
    options.drive = true;
    const auto file = imported(corrected_d3(), read_acdmc, options);
    EXPECT_TRUE(file.model.independent.empty());
    expect_transitions(events_of(file.text), {2.06075365, 2.11611007, 5.49782231, 5.79322798,
                                              6.77314263, 7.06854831, 10.45026055, 10.50561696});
}

TEST(AcdmcFile, free_cam_of_arcs_speeds_up_by_the_energy_of_the_spring) {
    const std::vector<Event> events = events_of(imported(corrected_d3()).text);
    // w^2 = (I w0^2 + k (45^2 - (rho + 5)^2))/(I + m rho'^2), integrated to B and D; eight
    // decimals.
    ASSERT_EQ(events.size(), 9u);
    EXPECT_NEAR(events[1].t, 2.05878988, 2e-8);
    EXPECT_NEAR(events[3].t, 5.48476621, 2e-8);
}

TEST(AcdmcFile, weak_spring_loses_the_contact_where_published) {
    ImportOptions options;
    options.drive = true;
    const std::string text = changed(corrected_d3(), "STIFF : -1.5", "STIFF : -0.35");
    const std::vector<Event> events = events_of(imported(text, read_acdmc, options).text);
    std::vector<double> lost;
    for (const Event& e : events)
        if (e.kind == EventKind::contact_lost) lost.push_back(e.t);
    ASSERT_EQ(lost.size(), 2u);
    EXPECT_NEAR(lost[0], 5.49782231, 2e-8);
    EXPECT_NEAR(lost[1], 6.97203920, 2e-8);
}

TEST(AcdmcFile, units_of_the_caller_take_the_place_of_the_assumed_ones) {
    ImportOptions options;
    options.units = {"mm", "N", "kg"};
    const auto file = imported(data_file("wang_d2.dyn"), read_acdmc, options);
    const ModelData model = test::model_of(file.text);
    EXPECT_DOUBLE_EQ(model.mechanism.bodies[2].guess.at.x, 0.059934506);
    EXPECT_DOUBLE_EQ(*model.mechanism.bodies[2].mass, 0.15);
    EXPECT_DOUBLE_EQ(
        *test::model_of(imported(data_file("wang_d2.dyn")).text).mechanism.bodies[2].mass,
        15);  // 0.15 N s^2/cm
}

void expect_fixed_point(const std::string& text) {
    const std::string first = imported(text).text;
    Diagnostics diagnostics;
    const auto data = test::exported(test::model_of(first), diagnostics);
    ASSERT_TRUE(data) << diagnostics.text();
    EXPECT_EQ(imported(*data).text, first) << *data;
}

TEST(AcdmcFile, import_of_an_export_is_the_same_model) {
    expect_fixed_point(data_file("wang_d2.dyn"));
    expect_fixed_point(data_file("wang_d3.dyn"));
    expect_fixed_point(corrected_d3());
    // Kinematics, gravity, a force at a joint, restitution.
    std::string text = changed(corrected_d3(), "STADE       : SIMULATION", "STADE : CINEMATIQUE");
    text = changed(text, "GRAVITY    : 0.0000", "GRAVITE : 981");
    text = changed(text, "FORCE        : 0.00000000000000E+0000", "FORCE : 2.5");
    text = changed(text, "Restitution   : 0", "Restitution : 0.25");
    EXPECT_EQ(imported(text).model.drivers.size(), 1u);
    expect_fixed_point(text);
}

// Frames that are turned, off the origin and upside down, on a fixed link that is turned itself;
// the mass beside the origin; a torsional spring.
constexpr const char* turned_links = R"(ENTITY : MACH
NAME : turned
GRAVITY : 0
TIME : 1
STEP : 0.1
ENTITY : LINK
NAME : base
AR0
 0 -1 0 3
 1 0 0 4
 0 0 1 0
MASS
 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
ENTITY : SURF
NAME : 1
TYPE : REPERE
SHAPE
 1 0 0 2
 0 -1 0 0
 0 0 -1 0
ENTITY : LINK
NAME : arm
AR0
 1 0 0 0
 0 1 0 0
 0 0 1 0
MASS
 7 0 0 2
 0 1 0 0
 0 0 0 0
 2 0 0 1
ENTITY : SURF
NAME : 1
TYPE : REPERE
SHAPE
 0 1 0 5
 1 0 0 1
 0 0 -1 0
ENTITY : PAIR
NAME : 1
PINLINK : base
PINSURF : 1
POUTLINK : arm
POUTSURF : 1
TYPEPAIR : ROTOIDE
ENTITY : OCLI
NAME : base
SOLID : base
FIXED : VRAI
ENTITY : OCPA
NAME : 1
JOINT : 1
FORCE : 3
STIFF : -10
LENGTH : 0.5
INITIAL POSITION :
 0.25 0 0 0 0 0
INITIAL VELOCITY :
 2 0 0 0 0 0
ARMOTOR[1] : TRUE
)";

TEST(AcdmcFile, frames_turned_and_upside_down_keep_their_meaning) {
    const ExchangeModel m = imported(turned_links).model;
    const ExchangeBody& arm = m.bodies.at(1);
    // Frame a: x along the base's x, which points along +y; z is turned over, so that q counts
    // clockwise. Frame b: x along the arm's y.
    EXPECT_NEAR(arm.angle, 90 * degree - 0.25 - 90 * degree, angle_digits);
    EXPECT_EQ(*arm.omega, -2);
    const double c = std::cos(-0.25), s = std::sin(-0.25);
    EXPECT_NEAR(arm.at.x + c * 5 - s * 1, 3, length_digits);  // the pin at (2, 0) of the base
    EXPECT_NEAR(arm.at.y + s * 5 + c * 1, 6, length_digits);
    ASSERT_TRUE(arm.velocity);  // the pin rests
    EXPECT_NEAR(arm.velocity->x + 2 * (s * 5 + c * 1), 0, length_digits);
    EXPECT_NEAR(arm.velocity->y - 2 * (c * 5 - s * 1), 0, length_digits);
    EXPECT_EQ(arm.centre.x, 2);
    EXPECT_EQ(arm.inertia, 7 + 1 - 4);
    EXPECT_EQ(m.springs.at(0).stiffness, 10);
    EXPECT_NEAR(m.springs.at(0).free, -0.5, angle_digits);
    EXPECT_EQ(m.joint_forces.at(0).value, -3);
    expect_fixed_point(turned_links);
}

// A surface by its curve alone, between two lines of a file.
std::string with_curve(const std::string& curve) {
    return std::string(turned_links) +
           "ENTITY : LINK\nNAME : disk\nAR0\n1 0 0 0 0 1 0 0 0 0 1 0\n" +
           "MASS\n1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 1\nENTITY : SURF\nNAME : C\nTYPE : COURBE\n" +
           curve;
}
PlaneCurves curves_of(const std::string& curve) {
    return imported(with_curve(curve)).model.profiles.at(0).curves;
}

TEST(AcdmcFile, circles_points_and_hollow_arcs_are_read) {
    auto curves = curves_of(
        "TYPE OF CURVE : CERCLE\nCENTRE : 1 2 0\nRADIAL : 5\nPINIT : 1 7 0\n"
        "CONCAVE OU CONVEXE : CONCAVE\nFIN : OUI\n");
    const auto& circle = std::get<CircleCurve<S>>(curves.at(0));
    EXPECT_TRUE(circle.hollow);
    EXPECT_NEAR(circle.from, 90 * degree, angle_digits);
    curves = curves_of("TYPE OF CURVE : POINT\nPINIT : 3 4 0\nFIN : YES\n");
    EXPECT_EQ(std::get<Corner<S>>(curves.at(0)).at.y, 4);
    curves = curves_of(
        "TYPE OF CURVE : SEG\nPINIT : -2 0 0\nPEND : -1 0 0\nFIN : NO\nTYPE OF CURVE : ARC\n"
        "CENTRE : 0 0 0\nPEND : 1 0 0\nCONCAVE OR CONVEX : CONCAVE\nFIN : YES\n");
    EXPECT_NEAR(std::get<ArcCurve<S>>(curves.at(1)).sweep, -180 * degree, angle_digits);
}

// Seen from below, a triangle that runs counter-clockwise runs clockwise from above: it is turned
// round, so that its material is on the left.
TEST(AcdmcFile, curve_with_the_normal_downwards_is_turned_round) {
    const auto curves = curves_of(
        "NORMAL VECTOR : 0 0 -1\nTYPE OF CURVE : SEG\nPINIT : 0 0 0\nPEND : 0 1 0\nFIN : NO\n"
        "TYPE OF CURVE : SEG\nPEND : 1 1 0\nFIN : NO\nTYPE OF CURVE : SEG\nFIN : YES\n");
    double area = 0;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const auto& l = std::get<LineCurve<S>>(curves[i]);
        const auto& next = std::get<LineCurve<S>>(curves[(i + 1) % curves.size()]);
        EXPECT_EQ(l.to.x, next.from.x);
        EXPECT_EQ(l.to.y, next.from.y);
        area += 0.5 * S::cross(l.from, l.to);
    }
    EXPECT_DOUBLE_EQ(area, 0.5);
}

TEST(AcdmcFile, arc_whose_ends_miss_its_centre_by_rounding_moves_the_centre) {
    const auto curves = curves_of(
        "TYPE OF CURVE : ARC\nCENTRE : 0 0 0\nPINIT : 10 0 0\nPEND : 0 10.00005 0\nFIN : NO\n"
        "TYPE OF CURVE : SEG\nPEND : -1 0 0\nFIN : NO\nTYPE OF CURVE : SEG\nFIN : YES\n");
    EXPECT_NEAR(point_of<S>(curves.at(0), 1.0).p.y, 10.00005, length_digits);
    EXPECT_NEAR(point_of<S>(curves.at(0), 0.0).p.x, 10, length_digits);
    expect_fixed_point(with_curve(
        "TYPE OF CURVE : ARC\nCENTRE : 0 0 0\nPINIT : 10 0 0\nPEND : 0 10.00005 0\nFIN : NO\n"
        "TYPE OF CURVE : SEG\nPEND : -1 0 0\nFIN : NO\nTYPE OF CURVE : SEG\nFIN : YES\n"));
}

TEST(AcdmcFile, polynomial_with_its_end_given_meets_it) {
    const auto curves = curves_of(
        "TYPE OF CURVE : POLY\nPINIT : 0 10 0\nPEND : -12.0001 0 0\nCOEFFI : 10 2\nORDER : 0 1\n"
        "Ao : 0\nRo : 1\nKo : 90\nORIGINAL : 0 0 0\nFIN : NO\nTYPE OF CURVE : SEG\nFIN : YES\n");
    EXPECT_NEAR(point_of<S>(curves.at(0), 1.0).p.x, -12.0001, length_digits);
    EXPECT_NEAR(point_of<S>(curves.at(0), 0.0).p.y, 10, length_digits);
}

TEST(AcdmcFile, other_files_are_not_taken_for_acdmc) {
    EXPECT_TRUE(is_acdmc(data_file("wang_d2.dyn")));
    EXPECT_TRUE(is_acdmc("\nEntite: MACH\n"));
    EXPECT_FALSE(is_acdmc(data_file("wang_d4.adm")));
    EXPECT_FALSE(is_acdmc("format = 1\n"));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
