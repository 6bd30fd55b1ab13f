// The scene of a mechanism: what each body looks like, made once, in the axes of the body; and a
// picture of it, which only places the bodies. Knows poses, not where they come from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

using BodyPoses = std::vector<PlanarSpace::Position>;  // one per body, ground first

// The poses that some rows of a trajectory hold.
std::vector<BodyPoses> poses_of(const Trajectory& trajectory, const PlanarMechanism& mechanism,
                                std::span<const std::size_t> rows);

// The path of a point that the model measures, in ground axes, m.
struct Trace {
    std::string name;
    int body = 0;
    std::vector<PlanarSpace::Vector> path;
};
std::vector<Trace> traces_of(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion);

// A point of contact at one time, in ground axes, m: closed, or the nearest points of an open pair.
struct ContactMark {
    std::string name;  // "C#1"
    bool closed = false;
    double gap = 0;
    PlanarSpace::Vector p[2];
    PlanarSpace::Vector n;  // outward normal of profile a
};
// The contacts that some rows of a trajectory hold.
std::vector<std::vector<ContactMark>> contacts_of(const Trajectory& trajectory,
                                                  const PlanarMechanism& mechanism,
                                                  std::span<const std::size_t> rows);

// A mechanism at one time.
struct Moment {
    double t = 0;
    BodyPoses poses;
    std::vector<ContactMark> contacts;
};
Moment moment_of(const Trajectory& trajectory, const PlanarMechanism& mechanism, std::size_t row);

// Drawing units are those of the SVG file: pixels at its natural size. Inside the mechanism y
// points up.
struct SceneNumber {
    int number = 0;
    PlanarSpace::Vector at, towards;  // where, body axes, m; and on which side it stands
};
struct SceneBody {
    std::string name;
    std::string fill, line;  // colours
    double half_width = 0;   // of a bar of it, drawing units
    std::string shape;       // SVG elements in the axes of the body, drawing units
    std::vector<PlanarSpace::Vector>
        outline;  // points along its edges, body axes, m: labels keep clear of them
    std::vector<SceneNumber> numbers;  // of the elements of its profiles
};

// A massless rod: a line between points on two bodies.
struct SceneRod {
    std::string name;
    Attachment<PlanarSpace> a, b;
};

// A spring between points on two bodies.
struct SceneSpring {
    std::string name;
    Attachment<PlanarSpace> a, b;
    int teeth = 7;
};

struct Scene {
    std::string title;
    std::vector<SceneBody> bodies;
    std::vector<SceneRod> rods;
    std::vector<SceneSpring> springs;
    std::vector<std::string> joint_springs;  // springs along sliding joints, by name
    std::vector<std::string> contacts;       // pairs without profiles that may touch, in words
    PlanarSpace::Vector low, high;           // what a picture has to hold, m
    double scale = 1;                        // drawing units per metre
    double bar = 0;  // half width of a plain bar, drawing units; every other symbol follows it
    [[nodiscard]] double stroke() const { return 0.3 + 0.17 * bar; }
};

struct SceneOptions {
    std::span<const BodyPoses> motion;  // decides how long guides, slots and racks are
    std::span<const BodyPoses> shown;   // with the traces: decides how large the picture is
    std::span<const Trace> traces;
    bool centres = false;                // mark the centres of mass
    bool elements = false;               // number the elements of profiles
    PlanarSpace::Vector room{760, 520};  // for the mechanism, drawing units
};
// The room for a mechanism on a page so many drawing units wide.
PlanarSpace::Vector room_on_page(double width);
Scene make_scene(const PlacedMechanism& placed, const SceneOptions& options);

struct Picture {
    std::string caption;
    BodyPoses now;
    std::vector<BodyPoses> earlier;  // the oldest first; they fade
    std::vector<Trace> traces;
    std::vector<ContactMark> contacts;
};
std::string svg(const Scene& scene, const Picture& picture);

}  // namespace pawl
