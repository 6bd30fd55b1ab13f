// Reading of profiles and contacts into numbers.
#include <numbers>

#include <gtest/gtest.h>

#include "read_text.h"

namespace pawl {
namespace {

using S = PlanarSpace;
constexpr double pi = std::numbers::pi;

const BodyProfile<S>& profile_of(const Model& model, std::string_view name) {
    for (const auto& profile : model.mechanism.profiles)
        if (profile.name == name) return profile;
    throw std::runtime_error("no such profile");
}

template <class Curve>
const Curve& curve(const BodyProfile<S>& profile, std::size_t i) {
    return std::get<Curve>(profile.chain.elements.at(i));
}

TEST(ProfileReader, frame_of_a_profile_is_on_its_body) {
    const Model model = read_text(R"(format = 1
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
    const Model model = read_text(half_disk);
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
    const Model model = read_text(R"(format = 1
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
    const Model model = read_text(text);
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
    EXPECT_DOUBLE_EQ(hunt.exponent, 2);
    EXPECT_DOUBLE_EQ(hunt.damping, 0.1);
    const auto hertz = law_of<HertzContact<double>>(
        "law = \"hertz\"\nyoung_a = \"210 GPa\"\npoisson_a = 0.28\nyoung_b = \"70 GPa\"\n"
        "width = \"1 cm\"\n");
    EXPECT_DOUBLE_EQ(hertz.young_a.value(), 210e9);
    EXPECT_DOUBLE_EQ(hertz.young_b.value(), 70e9);
    EXPECT_DOUBLE_EQ(hertz.poisson_a, 0.28);
    EXPECT_DOUBLE_EQ(hertz.poisson_b, 0.3);
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
    EXPECT_EQ(read_text("format = 1\n").run.impacts, "simultaneous");
    EXPECT_EQ(read_text("format = 1\n[run]\nimpacts = \"sequential\"\n").run.impacts, "sequential");
}

TEST(ProfileReader, contact_of_bodies_has_no_profiles) {
    const Model model = read_text(R"(format = 1
[body.cam]
[contact.C]
a = "ground"
b = "cam"
)");
    EXPECT_EQ(model.mechanism.contacts[0].b, 1);
    EXPECT_EQ(model.mechanism.contacts[0].profile_b, -1);
}

}  // namespace
}  // namespace pawl
