// B8: heaps of n disks and n boxes that fall into a bin, by time stepping at 1 ms: CPU seconds per
// simulated second, the deepest penetration, residuals and iterations. Beside it Box2D and Chipmunk
// where they were found, with the same bodies, step and measure of penetration. Arguments: sizes n
// (default 10 25 50 150), seconds after "-t" (default 2), restitution after "-e" (default 0).
// With "-d" instead n disks alone (default 10 20 30, 0.6 s), with every event located: events, how
// many windows, and what fails in the audit.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "model_file/reading/model_file.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/time_stepping/near_contacts.h"
#include "timing.h"

#ifdef PAWL_BENCH_BOX2D
#include <box2d/box2d.h>
#endif
#ifdef PAWL_BENCH_CHIPMUNK
#include <chipmunk/chipmunk.h>
#endif

namespace {

using namespace pawl;
constexpr double pi = std::numbers::pi, friction = 0.3, gravity = 9.81, h = 1e-3;

struct HeapBody {
    double x, y, angle, radius, half[2];  // radius 0: a box
    [[nodiscard]] double mass() const {
        return 1000 * (radius > 0 ? pi * radius * radius : 4 * half[0] * half[1]);
    }
    [[nodiscard]] double inertia() const {
        return mass() *
               (radius > 0 ? radius * radius / 2 : (half[0] * half[0] + half[1] * half[1]) / 3);
    }
};

struct Heap {
    double width = 0, restitution = 0;
    std::vector<HeapBody> bodies;
};

// `every`: one body of so many is a disk.
Heap heap_of(int bodies, double restitution, double cell, int every) {
    std::mt19937 engine(static_cast<unsigned>(bodies / every));
    const auto between = [&](double a, double b) {
        return a + (b - a) * (static_cast<double>(engine()) / 4294967296.0);
    };
    const int columns = static_cast<int>(std::ceil(std::sqrt(bodies)));
    Heap heap{cell * columns, restitution, {}};
    for (int i = 0; i < bodies; ++i) {
        HeapBody b{cell * (i % columns + 0.5) + between(-0.01, 0.01),
                   cell * (static_cast<double>(i / columns) + 0.5) + between(-0.01, 0.01),
                   between(-pi, pi),
                   0,
                   {0, 0}};
        if (i % every == 0)
            b.radius = between(0.05, 0.1);
        else
            for (double& half : b.half) half = between(0.05, 0.1);
        heap.bodies.push_back(b);
    }
    return heap;
}

std::string text_of(const Heap& heap) {
    std::string text = fmt::format(
        "format = 1\n[force.weight]\ntype = \"gravity\"\nacceleration = [0, "
        "{}]\n[profile.bin]\nbody = "
        "\"ground\"\nelements = [{{ type = \"line\", from = [{}, 60], to = [{}, 0] }}, {{ type = "
        "\"line\", to = [0, 0] }}, {{ type = \"line\", to = [0, 60] }}]\n",
        -gravity, heap.width, heap.width);
    for (std::size_t i = 0; i < heap.bodies.size(); ++i) {
        const HeapBody& b = heap.bodies[i];
        text += fmt::format(
            "[body.b{0}]\nposition = [{1:.17g}, {2:.17g}]\nangle = {3:.17g}\nmass = "
            "{4:.17g}\ninertia = {5:.17g}\n[profile.b{0}]\nbody = \"b{0}\"\nelements = [",
            i, b.x, b.y, b.angle, b.mass(), b.inertia());
        if (b.radius > 0)
            text += fmt::format("{{ type = \"circle\", radius = {:.17g} }}]\n", b.radius);
        else
            text += fmt::format(
                "{{ type = \"line\", from = [{0:.17g}, {1:.17g}], to = [{2:.17g}, {1:.17g}] }}, {{ "
                "type = \"line\", to = [{2:.17g}, {3:.17g}] }}, {{ type = \"line\", to = "
                "[{0:.17g}, "
                "{3:.17g}] }}, {{ type = \"line\", to = [{0:.17g}, {1:.17g}] }}]\n",
                -b.half[0], -b.half[1], b.half[0], b.half[1]);
    }
    return text;
}

// All pairs are given the rules of one.
PlacedMechanism placed_of(const Heap& heap) {
    Diagnostics diagnostics;
    auto model = read_model(text_of(heap), "heap.toml", {}, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    PlanarMechanism& m = model->mechanism;
    ContactPair<PlanarSpace> rules;
    rules.restitution = heap.restitution;
    rules.friction.emplace();
    rules.friction->kinetic = friction;
    for (int i = 0; i < static_cast<int>(m.profiles.size()); ++i)
        for (int k = i + 1; k < static_cast<int>(m.profiles.size()); ++k) {
            rules.name = m.profiles[i].name + "_" + m.profiles[k].name;
            rules.a = m.profiles[i].frame.body;
            rules.b = m.profiles[k].frame.body;
            rules.profile_a = i;
            rules.profile_b = k;
            m.contacts.push_back(rules);
        }
    return assemble(std::move(m));
}

// How deep the bodies lie in each other at given poses, m.
class Depth {
public:
    explicit Depth(const PlacedMechanism& placed)
        : coordinates_(Coordinates<PlanarSpace>::absolute(placed.mechanism)),
          near_(placed.mechanism),
          v_(static_cast<std::size_t>(coordinates_.size()), 0.0) {}
    void see(const std::vector<double>& q) {
        coordinates_.set_position(q);
        coordinates_.set_velocity(v_);
        near_.find(coordinates_, v_, 0, 0);
        for (const NearContact& c : near_.contacts())
            deepest = std::max(deepest, -c.candidate.touch.gap);
    }
    double deepest = 0;

private:
    Coordinates<PlanarSpace> coordinates_;
    NearContacts near_;
    std::vector<double> v_;
};

void print_peer(const char* name, double seconds, double simulated, double deepest) {
    fmt::print("    {:<10} {:8.4f} s/s  penetration {:7.3f} mm\n", name, seconds / simulated,
               1e3 * deepest);
}

#ifdef PAWL_BENCH_BOX2D
void run_box2d(const Heap& heap, const PlacedMechanism& placed, double end) {
    b2World world({0, static_cast<float>(-gravity)});
    b2BodyDef ground;
    b2Body* bin = world.CreateBody(&ground);
    const b2Vec2 corners[4] = {
        {0, 60}, {0, 0}, {static_cast<float>(heap.width), 0}, {static_cast<float>(heap.width), 60}};
    const auto give = [&](b2Body* body, const b2Shape& shape) {
        b2FixtureDef def;
        def.shape = &shape;
        def.density = 1000;
        def.friction = friction;
        def.restitution = static_cast<float>(heap.restitution);
        body->CreateFixture(&def);
    };
    for (int i = 0; i < 3; ++i) {
        b2EdgeShape edge;
        edge.SetTwoSided(corners[i], corners[i + 1]);
        give(bin, edge);
    }
    std::vector<b2Body*> bodies;
    for (const HeapBody& b : heap.bodies) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position = {static_cast<float>(b.x), static_cast<float>(b.y)};
        def.angle = static_cast<float>(b.angle);
        def.allowSleep = false;
        bodies.push_back(world.CreateBody(&def));
        b2CircleShape disk;
        disk.m_radius = static_cast<float>(b.radius);
        b2PolygonShape box;
        box.SetAsBox(static_cast<float>(std::max(b.half[0], 0.01)),
                     static_cast<float>(std::max(b.half[1], 0.01)));
        if (b.radius > 0)
            give(bodies.back(), disk);
        else
            give(bodies.back(), box);
    }
    Depth depth(placed);
    double seconds = 0;
    std::vector<double> q;
    for (int i = 0; i < std::lround(end / h); ++i) {
        seconds += bench::seconds_of([&] { world.Step(static_cast<float>(h), 8, 3); },
                                     bench::thread_seconds);
        if (i % 20 != 0) continue;
        q.clear();
        for (const b2Body* b : bodies)
            q.insert(q.end(), {b->GetPosition().x, b->GetPosition().y, b->GetAngle()});
        depth.see(q);
    }
    print_peer("Box2D", seconds, end, depth.deepest);
}
#endif

#ifdef PAWL_BENCH_CHIPMUNK
void run_chipmunk(const Heap& heap, const PlacedMechanism& placed, double end) {
    cpSpace* space = cpSpaceNew();
    cpSpaceSetGravity(space, cpv(0, -gravity));
    const auto give = [&](cpShape* shape) {
        cpShapeSetFriction(shape, std::sqrt(friction));
        cpShapeSetElasticity(shape, std::sqrt(heap.restitution));
        cpSpaceAddShape(space, shape);
    };
    const cpVect corners[4] = {{0, 60}, {0, 0}, {heap.width, 0}, {heap.width, 60}};
    for (int i = 0; i < 3; ++i)
        give(cpSegmentShapeNew(cpSpaceGetStaticBody(space), corners[i], corners[i + 1], 0));
    std::vector<cpBody*> bodies;
    for (const HeapBody& b : heap.bodies) {
        cpBody* body = cpSpaceAddBody(space, cpBodyNew(b.mass(), b.inertia()));
        cpBodySetPosition(body, cpv(b.x, b.y));
        cpBodySetAngle(body, b.angle);
        give(b.radius > 0 ? cpCircleShapeNew(body, b.radius, cpvzero)
                          : cpBoxShapeNew(body, 2 * b.half[0], 2 * b.half[1], 0));
        bodies.push_back(body);
    }
    Depth depth(placed);
    double seconds = 0;
    std::vector<double> q;
    for (int i = 0; i < std::lround(end / h); ++i) {
        seconds += bench::seconds_of([&] { cpSpaceStep(space, h); }, bench::thread_seconds);
        if (i % 20 != 0) continue;
        q.clear();
        for (cpBody* b : bodies)
            q.insert(q.end(), {cpBodyGetPosition(b).x, cpBodyGetPosition(b).y, cpBodyGetAngle(b)});
        depth.see(q);
    }
    print_peer("Chipmunk", seconds, end, depth.deepest);
    cpSpaceFree(space);
}
#endif

void run_heap(int n, double end, double restitution) {
    const Heap heap = heap_of(2 * n, restitution, 0.3, 2);
    const PlacedMechanism placed = placed_of(heap);
    DynamicOptions options;
    options.end = end;
    options.step = 0.02;
    options.integrator = Integrator::moreau;
    options.integrator_step = h;
    options.reactions = false;
    DynamicResult result;
    const double seconds =
        bench::seconds_of([&] { result = run_dynamics(placed, options); }, bench::thread_seconds);
    if (!result.time_stepping) throw std::runtime_error(result.message);
    const auto& s = *result.time_stepping;
    fmt::print("{} bodies, e = {}\n", 2 * n, restitution);
    for (const AuditCheck& check : result.audit.checks)
        if (check.name == "penetration") print_peer("pawl", seconds, end, check.value());
    const double contacts = static_cast<double>(s.contacts), steps = static_cast<double>(s.steps);
    fmt::print(
        "      contacts {:.1f} a step, {:.2f} us per contact and step, {:.2f} iterations a "
        "step (most {}), {:.3f} us per contact, step and iteration\n",
        contacts / steps, 1e6 * seconds / contacts, static_cast<double>(s.iterations) / steps,
        s.max_iterations, 1e6 * seconds / contacts * steps / static_cast<double>(s.iterations));
    fmt::print("      unsolved {:.3f} % of the steps, worst residual {:.1e}\n",
               100 * static_cast<double>(s.unsolved) / steps, s.worst_residual);
    for (const AuditCheck& check : result.audit.checks)
        fmt::print("      {:<26} {:.2e} {}{}\n", check.name, check.value(), check.unit,
                   check.passed() ? "" : "  FAILED");
#ifdef PAWL_BENCH_BOX2D
    run_box2d(heap, placed, end);
#endif
#ifdef PAWL_BENCH_CHIPMUNK
    run_chipmunk(heap, placed, end);
#endif
}

// Cells little larger than the largest disk: the heap has settled after 0.6 s.
void run_with_events(int n, double end, double restitution) {
    const PlacedMechanism placed = placed_of(heap_of(n, restitution, 0.23, 1));
    DynamicOptions options;
    options.end = end;
    options.step = 0.02;
    options.reactions = false;
    DynamicResult result;
    const double seconds =
        bench::seconds_of([&] { result = run_dynamics(placed, options); }, bench::thread_seconds);
    double in_windows = 0;
    for (const Window& window : result.windows) in_windows += window.length;
    fmt::print("{} disks, e = {}: {:.2f} s for {} s; {} steps, {} events, {} windows of {:.2g} s\n",
               n, restitution, seconds, end, result.statistics.steps, result.events.size(),
               result.windows.size(), in_windows);
    if (result.status != DynamicStatus::completed) fmt::print("    {}\n", result.message);
    for (const AuditCheck& check : result.audit.checks)
        if (!check.passed())
            fmt::print("    {} {:.2e} {} FAILED\n", check.name, check.value(), check.unit);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<int> sizes;
    double end = NAN, restitution = 0;
    bool locates_events = false;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "-t") == 0 && i + 1 < argc)
            end = std::atof(argv[++i]);
        else if (std::strcmp(argv[i], "-e") == 0 && i + 1 < argc)
            restitution = std::atof(argv[++i]);
        else if (std::strcmp(argv[i], "-d") == 0)
            locates_events = true;
        else
            sizes.push_back(std::atoi(argv[i]));
    if (sizes.empty())
        sizes = locates_events ? std::vector{10, 20, 30} : std::vector{10, 25, 50, 150};
    if (std::isnan(end)) end = locates_events ? 0.6 : 2;
    for (const int n : sizes)
        if (locates_events)
            run_with_events(n, end, restitution);
        else
            run_heap(n, end, restitution);
}
