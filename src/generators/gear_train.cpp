// Train of gear pairs.
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* gear_text =
    R"toml(# Gear train: @pairs pairs of wheels, each driven wheel on the shaft of the next driving one. The motor turns the first
# shaft at constant speed, a load brakes the last one.
# Look at: @last.omega / shaft1.omega, and shaft1's motor torque in the columns of the driver.
format = 1
name = "Gear train"

[units]
length = "mm"
angle = "deg"

[parameters]
module = "@module"
width = "@width"                    # of the wheels
density = "7850 kg/m^3"
speed = "@speed"                    # of the first shaft
load = "@load"                      # torque on the last shaft, against its motion
@radii
@bodies@joints[driver.motor]
joint = "O1"
type = "speed"
speed = "speed"

[force.load]
type = "torque"
body = "@last"
value = "@against*load"

[run]
analysis = "dynamics"
end = "360 deg*4/speed"
step = "4 deg/speed"
)toml";

// The shafts from motor to load, each with its driven and its driving wheel, and what the file says
// of them.
struct Shafts {
    std::string radii, points, bodies, joints, few;
    double ratio = 1;

    explicit Shafts(const std::vector<double>& teeth) : teeth_(teeth) {
        for (std::size_t i = 0; i <= teeth.size() / 2; ++i) add(i);
    }

private:
    void add(std::size_t i) {
        const std::size_t number = i + 1;
        std::string mass, inertia;
        if (i > 0) wheel(fmt::format("r{}b", number), teeth_[2 * i - 1], mass, inertia);
        if (2 * i < teeth_.size()) wheel(fmt::format("r{}a", number), teeth_[2 * i], mass, inertia);
        if (i > 0) {
            centre_ += fmt::format(" + r{}a + r{}b", i, number);
            ratio *= -teeth_[2 * i - 2] / teeth_[2 * i - 1];
            joints += fmt::format(
                "[joint.mesh{0}]\ntype = \"gear\"\na = \"shaft{0}\"\nb = \"shaft{1}\"\nradius_a = "
                "\"r{0}a\"\nradius_b = \"r{1}b\"\n\n",
                i, number);
        }
        points += fmt::format("{}O{} = [\"{}\", 0]", i > 0 ? ", " : "", number, centre_);
        bodies += fmt::format(
            "[body.shaft{}]\nposition = [\"{}\", 0]\nmass = \"{}\"\ninertia = \"{}\"\n\n", number,
            centre_, mass, inertia);
        joints += fmt::format(
            "[joint.O{0}]\ntype = \"revolute\"\na = \"ground.O{0}\"\nb = \"shaft{0}\"\n\n", number);
    }
    void wheel(const std::string& r, double count, std::string& mass, std::string& inertia) {
        radii += fmt::format("{} = \"module*{:g}/2\"          # pitch radius, {:g} teeth\n", r,
                             count, count);
        mass += (mass.empty() ? "" : " + ") + fmt::format("density*width*pi*{}^2", r);
        inertia += (inertia.empty() ? "" : " + ") + fmt::format("density*width*pi*{}^4/2", r);
        if (count < 17) few += fmt::format("{}{:g}", few.empty() ? "" : ", ", count);
    }
    const std::vector<double>& teeth_;
    std::string centre_ = "0 mm";
};

void make_gear_train(Numbers& n, Draft& draft) {
    const std::vector<double>& teeth = n.list("teeth");
    draft.require(
        teeth.size() % 2 == 0 && teeth.size() <= 20,
        "teeth: give them in pairs, driving and driven wheel in turn: \"20 40 15 45\"; at "
        "most ten pairs");
    for (const double z : teeth)
        draft.require(
            z == std::floor(z) && z >= 5 && z <= 1000,
            fmt::format("a wheel with {:g} teeth: it needs a whole number from 5 to 1000", z));
    if (draft.refused()) return;
    const Shafts shafts(teeth);
    draft.facts.push_back(
        fmt::format("last shaft / first shaft = {:.6g}; its speed {}; the motor "
                    "carries {} of the load",
                    shafts.ratio, shown(shafts.ratio * n["speed"], "rpm"),
                    shown(std::abs(shafts.ratio) * n["load"], "N m")));
    if (!shafts.few.empty())
        draft.facts.push_back("wheels of " + shafts.few +
                              " teeth are undercut by a 20 deg rack; 17 teeth or more are not");
    const std::size_t pairs = teeth.size() / 2;
    draft.text =
        filled(gear_text, n,
               {{"pairs", std::to_string(pairs)},
                {"last", fmt::format("shaft{}", pairs + 1)},
                {"radii", shafts.radii},
                {"bodies", "[body.ground]\npoints = { " + shafts.points + " }\n\n" + shafts.bodies},
                {"joints", shafts.joints},
                {"against", shafts.ratio > 0 ? "-1" : "1"}});
}

}  // namespace

Generator gear_train() {
    return {"gear_train",
            "train of gear pairs between a motor and a load",
            {{"teeth", "20 40 15 45", "teeth of driving and driven wheel, pair by pair", "",
              Sort::list},
             {"module", "2 mm", "module: pitch diameter per tooth", "mm"},
             {"width", "10 mm", "width of the wheels", "mm"},
             {"speed", "600 rpm", "speed of the first shaft", "rpm"},
             {"load", "1 N m", "torque against the motion of the last shaft", "N m",
              Sort::not_negative}},
            make_gear_train};
}

}  // namespace pawl::generating
