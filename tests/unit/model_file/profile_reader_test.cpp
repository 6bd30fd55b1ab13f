// Reading of profiles and contacts into numbers.
#include <numbers>

#include <gtest/gtest.h>

#include "read_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
constexpr double pi = std::numbers::pi;

const BodyProfile<S>& profile_of(const ModelData& model, std::string_view name) {
    for (const auto& profile : model.mechanism.profiles)
        if (profile.name == name) return profile;
    throw std::runtime_error("no such profile");
}

template <class Curve>
const Curve& curve(const BodyProfile<S>& profile, std::size_t i) {
    return std::get<Curve>(profile.chain.elements.at(i));
}

TEST(ProfileReader, frame_of_a_profile_is_on_its_body) {
    const ModelData model = read_text(R"(format = 1
[units]
length = "mm"
[body.cam]
points = { P = [3, 4] }
[profile.p]
body = "cam"
at = "cam.P"
angle = "30 deg"
elements = [{ type = "circle", radius = 5, centre = [1, 2], from = "90 deg", hollow = true }]
[profile.q]
body = "ground"
at = [1, "2 cm"]
elements = [{ type = "circle", radius = 5 }]
)");
    const auto& p = profile_of(model, "p");
    EXPECT_EQ(p.frame.body, 1);
    EXPECT_DOUBLE_EQ(p.frame.local.at.x, 0.003);
    EXPECT_DOUBLE_EQ(p.frame.local.at.y, 0.004);
    EXPECT_DOUBLE_EQ(p.frame.axis.x, std::cos(pi / 6));
    EXPECT_EQ(p.span.line, 6);
    EXPECT_TRUE(p.chain.closed);
    const auto& circle = curve<CircleCurve<S>>(p, 0);
    EXPECT_DOUBLE_EQ(circle.centre.x, 0.001);
    EXPECT_DOUBLE_EQ(circle.centre.y, 0.002);
    EXPECT_DOUBLE_EQ(circle.radius, 0.005);
    EXPECT_DOUBLE_EQ(circle.from, pi / 2);
    EXPECT_TRUE(circle.hollow);
    const auto& q = profile_of(model, "q");
    EXPECT_EQ(q.frame.body, 0);
    EXPECT_DOUBLE_EQ(q.frame.local.at.x, 0.001);
    EXPECT_DOUBLE_EQ(q.frame.local.at.y, 0.02);
    EXPECT_DOUBLE_EQ(curve<CircleCurve<S>>(q, 0).centre.x, 0);
    EXPECT_FALSE(curve<CircleCurve<S>>(q, 0).hollow);
}

// A half disk: the diameter, then the arc back.
const std::string half_disk = R"(format = 1
[body.cam]
[profile.p]
body = "cam"
elements = [
  { type = "line", from = [-2, 0], to = [2, 0] },
  { type = "arc", centre = [0, 0], radius = 2, from = 0, to = "180 deg" },
]
)";

TEST(ProfileReader, chain_that_comes_back_is_closed_and_gets_its_corners) {
    const ModelData model = read_text(half_disk);
    const auto& p = profile_of(model, "p");
    EXPECT_TRUE(p.chain.closed);
    ASSERT_EQ(p.chain.elements.size(), 4u);  // line, corner, arc, corner
    EXPECT_DOUBLE_EQ(curve<LineCurve<S>>(p, 0).from.x, -2);
    EXPECT_DOUBLE_EQ(curve<LineCurve<S>>(p, 0).to.x, 2);
    EXPECT_DOUBLE_EQ(curve<Corner<S>>(p, 1).at.x, 2);
    const auto& arc = curve<ArcCurve<S>>(p, 2);
    EXPECT_DOUBLE_EQ(arc.radius, 2);
    EXPECT_DOUBLE_EQ(arc.from, 0);
    EXPECT_DOUBLE_EQ(arc.sweep, pi);
}

TEST(ProfileReader, chain_can_be_declared_open) {
    std::string text = half_disk;
    text.insert(text.find("elements"), "closed = false\n");
    EXPECT_FALSE(profile_of(read_text(text), "p").chain.closed);
}

TEST(ProfileReader, line_begins_at_the_end_of_the_element_before) {
    const ModelData model = read_text(R"(format = 1
[body.cam]
[profile.p]
body = "cam"
elements = [
  { type = "arc", centre = [0, 0], radius = 2, from = "90 deg", to = 0 },
  { type = "line", to = [2, -1] },
]
)");
    const auto& elements = profile_of(model, "p").chain.elements;
    EXPECT_FALSE(profile_of(model, "p").chain.closed);
    bool found = false;
    for (const auto& element : elements) {
        const auto* line = std::get_if<LineCurve<S>>(&element);
        if (!line) continue;
        found = true;
        EXPECT_DOUBLE_EQ(line->from.x, 2);
        EXPECT_NEAR(line->from.y, 0, 1e-15);  // a rounding of the radius
    }
    EXPECT_TRUE(found);
}

BodyProfile<S> profile_with(const std::string& elements, const std::string& more = "") {
    const ModelData model = read_text("format = 1\n[body.cam]\n[profile.p]\nbody = \"cam\"\n" +
                                      more + "elements = [\n" + elements + "]\n");
    return model.mechanism.profiles.back();
}

TEST(ProfileReader, point_alone_turns_all_round) {
    const auto p = profile_with("{ type = \"point\", at = [1, \"2 mm\"] },\n");
    ASSERT_EQ(p.chain.elements.size(), 1u);
    EXPECT_TRUE(p.chain.closed);
    const auto& corner = curve<Corner<S>>(p, 0);
    EXPECT_DOUBLE_EQ(corner.at.x, 1);
    EXPECT_DOUBLE_EQ(corner.at.y, 0.002);
    EXPECT_DOUBLE_EQ(corner.turn, 2 * pi);
    EXPECT_TRUE(is_whole<S>(p.chain.elements[0]));
    for (const double angle : {0.1, 2.0, 3.1, 4.0, 6.2}) {
        const double u = corner.fraction({std::cos(angle), std::sin(angle)});
        EXPECT_GE(u, 0);
        EXPECT_LE(u, 1);
        EXPECT_NEAR(2 * pi * u, angle, 1e-14);  // roundings of 2 pi
    }
}

// r = 50 mm + 0.8 um ((th - 90 deg)/1 deg)^3 at th = 95 deg: 50.1 mm.
TEST(ProfileReader, polynomial_is_read_with_its_scale) {
    const auto p = profile_with(
        "{ type = \"polynomial\", origin = [1, 2], from = \"90 deg\", to = \"95 deg\", start = "
        "\"90 "
        "deg\", scale = \"1 deg\", coefficients = [\"50 mm\", \"0.0008 mm\"], exponents = [0, 3] "
        "},\n");
    const auto& polynomial = curve<PolarPolynomial<S>>(p, 1);  // after the corner of its start
    EXPECT_DOUBLE_EQ(polynomial.origin.y, 2);
    const auto end = polynomial.point(1).p;
    EXPECT_NEAR(end.x, 1 + 0.0501 * std::cos(95 * pi / 180), 1e-15);  // roundings near 1
    EXPECT_NEAR(end.y, 2 + 0.0501 * std::sin(95 * pi / 180), 1e-15);
}

TEST(ProfileReader, splines_pass_their_points) {
    const auto open = profile_with("{ type = \"spline\", points = [[0, 0], [1, 0.5], [2, 0]] },\n");
    EXPECT_FALSE(open.chain.closed);
    const auto& spline = curve<SplineCurve<S>>(open, 1);
    EXPECT_DOUBLE_EQ(spline.points()[1].y, 0.5);
    EXPECT_EQ(spline.ends(), Ends::natural);
    const auto closed = profile_with(
        "{ type = \"spline\", angles = [0, \"120 deg\", \"240 deg\"], radii = [1, 2, 3], origin = "
        "[4, "
        "5], ends = \"periodic\" },\n");
    EXPECT_TRUE(closed.chain.closed);
    const auto& polar = curve<PolarSpline<S>>(closed, 0);
    EXPECT_DOUBLE_EQ(polar.angles()[1], 2 * pi / 3);
    EXPECT_DOUBLE_EQ(polar.radii()[2], 3);
    EXPECT_DOUBLE_EQ(polar.origin.x, 4);
}

// Rise of 10 mm over 90 degrees, dwell, return, dwell: at the top the outline is 10 mm farther out.
TEST(ProfileReader, cam_is_made_from_the_motion_of_its_follower) {
    const ModelData model = read_text(R"(format = 1
[body.cam]
[profile.p]
body = "cam"
[[profile.p.elements]]
type = "cam"
follower = "flat"
base = "40 mm"
turns = "cw"
segments = [
  { law = "cycloidal", lift = "10 mm", angle = "90 deg" },
  { angle = "90 deg" },
  { law = "cycloidal", lift = "-10 mm", angle = "90 deg" },
  { law = "dwell", angle = "90 deg" },
]
)");
    const auto& p = profile_of(model, "p");
    EXPECT_TRUE(p.chain.closed);
    ASSERT_EQ(p.chain.elements.size(), 4u);
    EXPECT_NEAR(curve<ArcCurve<S>>(p, 1).radius, 0.05, 1e-15);
    EXPECT_NEAR(curve<ArcCurve<S>>(p, 3).radius, 0.04, 1e-15);
    const auto& drive = curve<CamCurve<S>>(p, 0).drive;
    EXPECT_EQ(drive.turns, -1);
    EXPECT_EQ(drive.follower, Follower::flat);
    EXPECT_FALSE(drive.oscillating);
}

TEST(ProfileReader, cam_with_a_swinging_follower_has_angles_for_lifts) {
    const auto p = profile_with(
        R"({ type = "cam", base = 4, roller = 1, pivot = [10, 0], arm = 8, swings = "cw", segments = [
{ law = "harmonic", lift = "10 deg", angle = "180 deg" },
{ law = "harmonic", lift = "-10 deg", angle = "180 deg" } ] },
)");
    const auto& cam = curve<CamCurve<S>>(p, 0);
    EXPECT_TRUE(cam.drive.oscillating);
    EXPECT_DOUBLE_EQ(cam.drive.arm, 8);
    EXPECT_DOUBLE_EQ(cam.drive.pivot.x, 10);
    EXPECT_EQ(cam.drive.swing, -1);
    EXPECT_DOUBLE_EQ(std::abs(cam.segment.lift), 10 * pi / 180);
}

TEST(ProfileReader, profile_like_another_is_on_its_own_body) {
    std::string text = half_disk + R"([profile.q]
body = "ground"
at = [7, 0]
like = "p"
mirror = true
[profile.r]
body = "ground"
like = "p"
offset = 0.5
)";
    const ModelData model = read_text(text);
    const auto& q = profile_of(model, "q");
    EXPECT_EQ(q.frame.body, 0);
    EXPECT_DOUBLE_EQ(q.frame.local.at.x, 7);
    EXPECT_TRUE(q.chain.closed);
    EXPECT_EQ(q.chain.elements.size(), 4u);
    bool below = false;  // the arc now bulges to negative y
    for (const auto& element : q.chain.elements)
        if (const auto* arc = std::get_if<ArcCurve<S>>(&element))
            below = std::abs(arc->point(0.5).p.y + 2) < 1e-14;  // roundings of the radius
    EXPECT_TRUE(below);
    EXPECT_DOUBLE_EQ(curve<LineCurve<S>>(profile_of(model, "r"), 0).from.y, -0.5);
}

// A tooth of 90 degrees: along the radius out, and back to the next root. Four of them.
TEST(ProfileReader, pattern_joins_copies_to_one_chain) {
    const std::string tooth =
        "{ type = \"line\", from = [1, 0], to = [2, 0] },\n{ type = \"line\", to = [0, 1] },\n";
    const auto wheel = profile_with(tooth, "pattern = { count = 4 }\n");
    EXPECT_TRUE(wheel.chain.closed);
    int lines = 0;
    for (const auto& element : wheel.chain.elements)
        lines += std::holds_alternative<LineCurve<S>>(element);
    EXPECT_EQ(lines, 8);
    const auto part = profile_with(tooth, "pattern = { count = 2, step = \"90 deg\" }\n");
    EXPECT_FALSE(part.chain.closed);
    const auto end = point_of<S>(part.chain.elements.back(), 1).p;
    EXPECT_NEAR(end.x, -1, 1e-15);  // a rounding
    EXPECT_NEAR(end.y, 0, 1e-15);
}

TEST(ProfileReader, contact_names_profiles_before_bodies) {
    const std::string text = R"(format = 1
[body.cam]
[body.lever]
[profile.lever]
body = "lever"
elements = [{ type = "circle", radius = 1 }]
[profile.disk]
body = "cam"
elements = [{ type = "circle", radius = 1 }]
[contact.C]
a = "disk"
b = "lever"
restitution = 0.25
capture = "1 mm/s"
permanent = true
[contact.D]
a = "lever"
b = "disk"
capture = "limit"
)";
    const ModelData model = read_text(text);
    const auto& c = model.mechanism.contacts[0];
    EXPECT_EQ(c.a, 1);
    EXPECT_EQ(c.b, 2);
    EXPECT_EQ(c.profile_a, 1);
    EXPECT_EQ(c.profile_b, 0);
    EXPECT_TRUE(c.permanent);
    EXPECT_DOUBLE_EQ(c.restitution, 0.25);
    EXPECT_DOUBLE_EQ(c.capture.value(), 0.001);
    const auto& d = model.mechanism.contacts[1];
    EXPECT_EQ(d.a, 2);
    EXPECT_FALSE(d.permanent);
    EXPECT_EQ(d.restitution, 0);
    EXPECT_FALSE(d.capture);
}

const std::string two_disks = R"(format = 1
[body.a]
[body.b]
[profile.a]
body = "a"
elements = [{ type = "circle", radius = 1 }]
[profile.b]
body = "b"
elements = [{ type = "circle", radius = 1 }]
[contact.C]
a = "a"
b = "b"
)";

template <class Law>
Law law_of(const std::string& law, const std::string& units = "") {
    std::string text = two_disks;
    text.insert(text.find("[body.a]"), units);
    return std::get<Law>(read_text(text + law).mechanism.contacts[0].law);
}

TEST(ProfileReader, contact_is_rigid_unless_it_has_another_law) {
    EXPECT_TRUE(is_rigid(read_text(two_disks).mechanism.contacts[0].law));
    const auto kelvin = law_of<KelvinVoigtContact<double>>(
        "law = \"kelvin_voigt\"\nstiffness = \"2 N/mm\"\ndamping = \"3 N s/m\"\n");
    EXPECT_DOUBLE_EQ(kelvin.stiffness, 2000);
    EXPECT_DOUBLE_EQ(kelvin.damping, 3);
    EXPECT_FALSE(is_rigid<double>(kelvin));
    const auto hunt = law_of<HuntCrossleyContact<double>>(
        "law = \"hunt_crossley\"\nstiffness = 5\nexponent = 2\ndamping = \"0.1 s/m\"\n");
    EXPECT_DOUBLE_EQ(hunt.stiffness.value(), 5);
    EXPECT_DOUBLE_EQ(hunt.power(), 2);
    EXPECT_DOUBLE_EQ(hunt.damping, 0.1);
    const auto hertz = law_of<HertzContact<double>>(
        "law = \"hertz\"\nyoung_a = \"210 GPa\"\npoisson_a = 0.28\nyoung_b = \"70 GPa\"\n"
        "width = \"1 cm\"\n");
    EXPECT_DOUBLE_EQ(hertz.young_a.value(), 210e9);
    EXPECT_DOUBLE_EQ(hertz.young_b.value(), 70e9);
    EXPECT_DOUBLE_EQ(hertz.poisson_a.value(), 0.28);
    EXPECT_FALSE(hertz.poisson_b);
    EXPECT_DOUBLE_EQ(hertz.width.value(), 0.01);
}

// K = 2 N/mm^1.5 is 2 N/(1e-3 m)^1.5.
TEST(ProfileReader, stiffness_has_the_unit_of_its_exponent) {
    const auto law = law_of<LankaraniNikraveshContact<double>>(
        "law = \"lankarani_nikravesh\"\nrestitution = 0.8\nstiffness = 2\n",
        "[units]\nlength = \"mm\"\nforce = \"N\"\n");
    EXPECT_NEAR(law.stiffness.value() / (2 * std::pow(1000, 1.5)), 1, 1e-14);
}

TEST(ProfileReader, run_says_how_simultaneous_impacts_are_solved) {
    EXPECT_EQ(read_text("format = 1\n").run.impacts, ImpactOrder::simultaneous);
    EXPECT_EQ(read_text("format = 1\n[run]\nimpacts = \"sequential\"\n").run.impacts,
              ImpactOrder::sequential);
}

TEST(ProfileReader, contact_of_bodies_has_no_profiles) {
    const ModelData model = read_text(R"(format = 1
[body.cam]
[contact.C]
a = "ground"
b = "cam"
)");
    EXPECT_EQ(model.mechanism.contacts[0].b, 1);
    EXPECT_EQ(model.mechanism.contacts[0].profile_b, -1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
