// Foreign data files that are wrong, and models that their formats cannot hold: what the user is
// told, where, and with which exit code.
#include <gtest/gtest.h>

#include "support/exchange.h"
#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::changed;
using test::data_file;
using test::messages;

// The first error line of D.3 with one change.
std::string d3(std::string_view old, std::string_view now, int n = 1) {
    const std::string all = messages(changed(data_file("wang_d3.dyn"), old, now, n));
    const std::size_t error = all.find(": error: ");
    if (error == std::string::npos) return all;
    const std::size_t begin = all.rfind('\n', error) + 1;
    return all.substr(begin, all.find('\n', error) - begin);
}
std::string d4(std::string_view old, std::string_view now) {
    const std::string all = messages(changed(data_file("wang_d4.adm"), old, now), read_adams);
    const std::size_t error = all.find(": error: ");
    if (error == std::string::npos) return all;
    const std::size_t begin = all.rfind('\n', error) + 1;
    return all.substr(begin, all.find('\n', error) - begin);
}

TEST(ImportErrors, unknown_keyword_lists_the_near_ones) {
    EXPECT_EQ(d3("PINLINK", "PINLNK"),
              "file:124:1: error: unknown keyword 'PINLNK' of PAIR; did you mean 'PINLINK'?");
    EXPECT_EQ(
        d3("GRAVITY", "WEIGHT"),
        "file:5:1: error: unknown keyword 'WEIGHT' of MACH; valid: NAME, NOM, GRAVITY, GRAVITE, "
        "TIME, TEMPS, STEP, PAS, STADE, STATE");
    EXPECT_EQ(d3("ENTITY      : LINK", "ENTITY      : LNIK"),
              "file:10:15: error: unknown entity 'LNIK'; did you mean 'LINK'?");
    EXPECT_EQ(d3("PRISMATIQUE", "HELICOIDAL"),
              "file:128:14: error: unknown TYPEPAIR 'HELICOIDAL'; valid: ROTOIDE, REVOLUTE, "
              "PRISMATIQUE, PRISMATIC, CONTACT");
}

TEST(ImportErrors, number_expected_points_at_the_word) {
    EXPECT_EQ(d3("13.0000", "13,0"), "file:6:15: error: expected a number, not '13,0'");
    EXPECT_EQ(d3("9800.0000000000 0.0", "9800.0000000000 O.0"),
              "file:48:17: error: expected a number, not 'O.0000000000'");
}

TEST(ImportErrors, matrix_with_too_few_numbers_is_told_with_their_count) {
    EXPECT_EQ(d3(" 0.0000000000 0.0000000000 1.0000000000 0.0000000000\nMASS", "MASS"),
              "file:14:53: error: AR0 needs 12 numbers, found 8");
    EXPECT_EQ(d3("INITIAL POSITION:\n40.00000000", "INITIAL POSITION:\n40.00000000 1"),
              "file:175:59: error: INITIAL POSITION needs 6 numbers, this is one too many");
}

TEST(ImportErrors, names_that_lead_nowhere_list_the_near_ones) {
    EXPECT_EQ(d3("PINLINK  : cam2_1", "PINLINK  : cam2_4"),
              "file:124:1: error: there is no LINK 'cam2_4'; did you mean 'cam2_3', 'cam2_2' or "
              "'cam2_1'?");
    EXPECT_EQ(d3("PINSURF   : 13", "PINSURF   : 14"),
              "file:125:1: error: link 'cam2_1' has no SURF '14'; did you mean '13' or '12'?");
    EXPECT_EQ(d3("PINSURF   : 23", "PINSURF   : 21"),
              "file:133:1: error: a contact needs surfaces of type COURBE");
}

TEST(ImportErrors, no_file_is_taken_when_it_is_cut_anywhere_before_its_last_pair) {
    for (const char* name : {"wang_d2.dyn", "wang_d3.dyn"}) {
        const std::string text = data_file(name);
        const std::size_t last = text.find("ENTITY", text.find("CONTACT ACTIF") + 1);
        for (std::size_t length = 0; length < last; length += 37) {
            const std::string all = messages(text.substr(0, length));
            EXPECT_NE(all.find("error: "), std::string::npos) << name << " cut at " << length;
        }
    }
    EXPECT_EQ(messages("ENTITY : MACH\nNAME : x\nTIME : 1\nSTEP : 1\n"),
              "file:1:1: error: the file has no moving link; is it truncated?\n");
}

TEST(ImportErrors, curve_without_its_end_is_told) {
    EXPECT_EQ(d3("FIN         : YES", "FIN         : NO"),
              "file:39:17: error: surface '32': the curve ends without FIN : YES; is the file "
              "truncated?");
    EXPECT_EQ(d3("PEND      : -35.0000000000 10.0000000000 0.0000000000\n", ""),
              "file:65:1: error: surface '23': SEGMENT needs PEND");
    EXPECT_EQ(
        d3("PEND       : 15.0000000000 20.0", "PEND       : 15.0000000000 20.1"),
        "file:57:1: error: surface '23': element 1 misses the one before it, or its own centre, "
        "by 0.1");
}

TEST(ImportErrors, frames_out_of_the_plane_are_told) {
    EXPECT_EQ(d3(" 0.0000000000 0.0000000000 1.0000000000 0.0000000000\n 1.0000000000",
                 " 1.0000000000 0.0000000000 1.0000000000 0.0000000000\n 1.0000000000"),
              "file:25:1: error: SHAPE is not a rotation and a place");
    EXPECT_EQ(d3("TYPEPAIR   : PRISMATIQUE", "TYPEPAIR   : ROTOIDE"),
              "file:22:1: error: the z axis of a frame must be normal to the plane");
}

TEST(ImportErrors, statements_of_adams_are_checked) {
    EXPECT_EQ(d4("JOINT/01", "JIONT/01"),
              "file:35:1: error: unknown statement 'JIONT'; did you mean 'JOINT'?");
    EXPECT_EQ(d4("I=07, J=08", "I=07, J=88"), "file:35:27: error: JOINT/1: there is no MARKER/88");
    EXPECT_EQ(d4("REVOLUTE", "SPHERICAL"),
              "file:35:1: error: JOINT/1 needs a type that Pawl has in the plane: REVOLUTE, "
              "TRANSLATIONAL or FIXED");
    EXPECT_EQ(d4("I=15, J=16", "I=14, J=16"),
              "file:426:1: error: SPRINGDAMPER/1: both markers are on the same part");
    EXPECT_EQ(d4("MASS=200", "MASS=two"), "file:8:15: error: expected a number, not 'two'");
    EXPECT_EQ(d4("\nEND\n", "\n"),
              "file:435:1: error: the data set ends without END; is it truncated?");
    EXPECT_EQ(d4(", 4.9992384758E+01, 8.7262032186E-01,0\n", ".....\n"),
              "file:50:1: error: lines are left out here; write them out");
    EXPECT_EQ(d4(",-50, 0.0, 0.0\n", ""),
              "file:414:15: error: MATRIX/2: 15 numbers expected, found 12");
    EXPECT_EQ(d4(",-50, 0.0, 0.0\n", ",-48.535, -3.535, 0.0\n"),
              "file:47:1: error: CURVE/2: two neighbouring points are the same");
    EXPECT_EQ(
        d4("\nEND\n", "\nMOTION/1, JOINT=1, FUNCTION=STEP(TIME,0,0,1,1)\nEND\n"),
        "file:434:29: error: MOTION/1: the function has 'STEP', which has no counterpart; only "
        "TIME, PI, numbers, operators and plain functions are read");
}

// ---- the commands ----------------------------------------------------------------------------
class ImportProgram : public test::Program {};

TEST_F(ImportProgram, writes_the_model_and_says_what_it_assumed) {
    write("cam.dyn", data_file("wang_d3.dyn"));
    const auto o = run({"import", "cam.dyn", "-o", "cam.toml"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("assumed       the file names no units: lengths are in cm"),
              std::string::npos)
        << o.out;
    EXPECT_NE(o.err.find("cam.dyn:170:1: warning: STIFF is 0"), std::string::npos) << o.err;
    EXPECT_EQ(run({"check", "cam.toml"}).code, 0);
    EXPECT_EQ(run({"export", "cam.toml", "-o", "again.dyn"}).code, 0);
    EXPECT_EQ(run({"import", "again.dyn", "-o", "again.toml", "--quiet"}).code, 0);
    EXPECT_EQ(text("again.toml"), text("cam.toml"));
    write("cam.adm", data_file("wang_d4.adm"));
    EXPECT_EQ(run({"import", "cam.adm", "-o", "adams.toml", "--json"}).code, 0);
    EXPECT_EQ(run({"check", "adams.toml"}).code, 0);
}

TEST_F(ImportProgram, exit_codes_and_messages_of_bad_files) {
    write("bad.dyn", changed(data_file("wang_d3.dyn"), "PINLINK", "PINLNK"));
    const auto bad = run({"import", "bad.dyn", "-o", "x.toml"});
    EXPECT_EQ(bad.code, 3);
    EXPECT_EQ(bad.err.substr(0, 26), "bad.dyn:124:1: error: unkn");
    write("other.txt", "nothing of the kind\n");
    EXPECT_EQ(run({"import", "other.txt", "-o", "x.toml"}).code, 3);
    EXPECT_EQ(run({"import", "missing.dyn", "-o", "x.toml"}).code, 3);
    EXPECT_EQ(run({"import", "bad.dyn"}).code, 2);
    write("cam.dyn", data_file("wang_d3.dyn"));
    const auto unit = run({"import", "cam.dyn", "-o", "x.toml", "--length", "kg"});
    EXPECT_EQ(unit.code, 2);
    EXPECT_EQ(unit.err, "pawl: --length: 'kg' is not a unit of a length\n");
    EXPECT_EQ(run({"import", "cam.dyn", "-o", "no/such/folder/x.toml"}).code, 2);
    EXPECT_EQ(entries(), (Names{"bad.dyn", "cam.dyn", "other.txt"}));
}

TEST_F(ImportProgram, export_names_each_element_that_the_format_does_not_know) {
    write("m.toml", R"(format = 1
[body.a]
mass = 1
[body.b]
position = [1, 0]
mass = 1
[joint.A]
type = "revolute"
a = "ground"
b = "a"
[joint.B]
type = "free"
a = "ground"
b = "b"
[profile.p]
body = "a"
elements = [{ type = "spline", points = [[0, 0], [1, 0], [2, 1]] }]
[profile.q]
body = "b"
elements = [{ type = "circle", radius = 1, centre = [0, 9] }]
[contact.C]
a = "p"
b = "q"
capture = "1 mm/s"
[measure.m]
type = "point"
point = "a"
[force.s]
type = "spring"
a = "a"
b = "b"
stiffness = 1
[driver.d]
joint = "A"
type = "speed"
speed = 1
[run]
analysis = "dynamics"
)");
    const auto first = run({"export", "m.toml", "-o", "m.dyn"});
    EXPECT_EQ(first.code, 3);
    EXPECT_EQ(
        first.err,
        "m.toml:11:1: error: joint 'B' cannot be written: the format has revolute and prismatic "
        "joints, not free\n"
        "m.toml:21:1: error: contact 'C' cannot be written: the format has no capture speed\n"
        "m.toml:25:1: error: measure 'm' cannot be written: the format has none\n");
    std::string rest = text("m.toml");
    rest = changed(rest, "type = \"free\"", "type = \"prismatic\"");
    rest =
        changed(rest, "capture = \"1 mm/s\"\n[measure.m]\ntype = \"point\"\npoint = \"a\"\n", "");
    write("m.toml", rest);
    const auto second = run({"export", "m.toml", "-o", "m.dyn"});
    EXPECT_EQ(second.code, 3);
    EXPECT_EQ(
        second.err,
        "m.toml:24:1: error: force 's' cannot be written: the format has gravity along -y and, "
        "at joints, linear springs and constant forces\n"
        "m.toml:29:1: error: driver 'd' cannot be written: in dynamics the format has "
        "independent coordinates, but no drivers; use `independent` of [run]\n");
    rest = rest.substr(0, rest.find("[force.s]")) + rest.substr(rest.find("[run]"));
    write("m.toml", rest);
    const auto third = run({"export", "m.toml", "-o", "m.dyn"});
    EXPECT_EQ(third.code, 3);
    EXPECT_EQ(
        third.err,
        "m.toml:15:1: error: profile 'p' cannot be written: the format has points, lines, arcs, "
        "circles and polynomials, not spline\n");
    EXPECT_EQ(entries(), (Names{"m.toml"}));
}

TEST_F(ImportProgram, export_refuses_another_order_of_impacts) {
    write("m.toml", R"(format = 1
body.a = { mass = 1, inertia = 1 }
joint.A = { type = "revolute", a = "ground", b = "a" }
run = { analysis = "dynamics", impacts = "sequential" }
)");
    const auto o = run({"export", "m.toml", "-o", "m.dyn"});
    EXPECT_EQ(o.code, 3);
    EXPECT_EQ(
        o.err,
        "m.toml:4:7: error: run, impacts \"sequential\" cannot be written: the format has one "
        "law of several impacts at one time\n");
    EXPECT_EQ(entries(), (Names{"m.toml"}));
}

TEST_F(ImportProgram, export_refuses_friction_clearance_and_laws_of_impact_all_at_once) {
    write("m.toml", R"(format = 1
body.a = { mass = 1, inertia = 1 }
body.b = { position = [5, 0], mass = 1, inertia = 1 }
body.c = { position = [0, 9], mass = 1, inertia = 1 }
joint.A = { type = "revolute", a = "ground", b = "a", radius = 0.1, friction = { kinetic = 0.1 } }
joint.B = { type = "prismatic", a = "ground", b = "b", friction = { kinetic = 0.1 } }
joint.C = { type = "revolute", a = "a", b = "c", clearance = 0.001 }
profile.a = { body = "a", elements = [{ type = "circle", radius = 1 }] }
profile.b = { body = "b", elements = [{ type = "circle", radius = 1 }] }
profile.c = { body = "c", elements = [{ type = "circle", radius = 1 }] }
contact.C1 = { a = "a", b = "b", friction = { kinetic = 0.2 }, impact = "poisson" }
contact.C2 = { a = "a", b = "c", restitution = "exp(-v) + 0", impact = "stronge", tangential_restitution = 0.5 }
contact.C3 = { a = "b", b = "c", law = "hertz", stiffness = 1e6, friction = { kinetic = 0.2 } }
run = { analysis = "dynamics" }
)");
    const auto r = run({"export", "m.toml", "-o", "m.dyn"});
    EXPECT_EQ(r.code, 3);
    EXPECT_EQ(r.err,
              "m.toml:5:11: error: joint 'A' cannot be written: the format has no friction\n"
              "m.toml:6:11: error: joint 'B' cannot be written: the format has no friction\n"
              "m.toml:7:11: error: joint 'C' cannot be written: the format has no clearance\n"
              "m.toml:11:14: error: contact 'C1' cannot be written: the format has no friction, no "
              "impact \"poisson\"\n"
              "m.toml:12:14: error: contact 'C2' cannot be written: the format has no restitution "
              "over the speed, no impact \"stronge\", no tangential restitution\n"
              "m.toml:13:14: error: contact 'C3' cannot be written: the format has no law "
              "\"hertz\", no friction\n");
    EXPECT_EQ(entries(), (Names{"m.toml"}));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
