// Processor time of one search for touching places: a circle on wheels of many teeth, a lens on an
// arc, and curves without closed-form normals.
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "contact/search.h"
#include "curves/cam.h"
#include "curves/derived.h"

namespace {

using namespace pawl;
using S = PlanarSpace;
constexpr double pi = std::numbers::pi;

Profile<S> made(std::vector<CurveElement<S>> elements, bool closed) {
    Profile<S> profile;
    if (const auto problem = make_profile<S>(std::move(elements), closed, profile)) {
        fmt::print("{}\n", problem->message);
        std::exit(1);
    }
    return profile;
}

// A wheel with teeth of pitch 1: two flanks, a round tip and a root arc.
Profile<S> wheel(int teeth) {
    const double r = teeth / (2 * pi), step = 2 * pi / teeth;
    const auto at = [](double radius, double angle) {
        return S::Vector{radius * std::cos(angle), radius * std::sin(angle)};
    };
    const S::Vector left = at(r + 0.6, 0.35 * step), right = at(r + 0.6, 0.65 * step),
                    foot = at(r, 0.25 * step), last = at(r, 0.75 * step);
    const S::Vector middle = 0.5 * (left + right), d = left - right;
    const double half = 0.5 * std::sqrt(S::dot(d, d)), from = std::atan2(-d.y, -d.x);
    const std::vector<CurveElement<S>> tooth{
        ArcCurve<S>{{0, 0}, r, -0.25 * step, 0.5 * step}, LineCurve<S>{foot, left},
        ArcCurve<S>{middle, half, from + pi, pi}, LineCurve<S>{right, last}};
    return made(patterned<S>(tooth, teeth, step), true);
}

void measure(const std::string& name, const Profile<S>& a, const Profile<S>& b, S::Vector at,
             double within) {
    const ContactSearch search(a, b);
    std::vector<Candidate> out;
    constexpr int searches = 200000;
    std::size_t found = 0;
    const std::clock_t start = std::clock();
    for (int i = 0; i < searches; ++i) {
        const auto fa = S::position_of({{0, 0}, 1e-5 * i}), fb = S::position_of({at, 2e-5 * i});
        search.find(fa, fb, within, out);
        found += out.size();
    }
    const double spent = 1e9 * double(std::clock() - start) / CLOCKS_PER_SEC;  // of the processor
    fmt::print("{:<34} {:>5} x {:<5} elements {:>9.0f} ns {:>7.2f} candidates\n", name,
               a.elements.size(), b.elements.size(), spent / searches, double(found) / searches);
}

}  // namespace

int main() {
    const auto circle = [](double radius) {
        return made({CircleCurve<S>{{0, 0}, radius, 0, false}}, true);
    };
    for (const int teeth : {6, 25, 100, 400})
        measure(fmt::format("circle on a wheel of {} teeth", teeth), wheel(teeth), circle(0.5),
                {teeth / (2 * pi) + 1, 0}, 0.2);
    const double half = 0.6;
    const auto lens = made({ArcCurve<S>{{0, std::cos(half)}, 1, -pi / 2 - half, 2 * half},
                            ArcCurve<S>{{0, -std::cos(half)}, 1, pi / 2 - half, 2 * half}},
                           true);
    const auto bowl = made({ArcCurve<S>{{0, 2}, 2, -0.2, -(pi - 0.4)}}, false);
    measure("lens in a bowl", bowl, lens, {0, 0.2}, 0.2);
    measure("lens in a bowl, all distances", bowl, lens, {0, 0.2}, 10);
    CamDrive<S> drive;
    drive.base = 0.7;
    drive.roller = 0.2;
    const auto cam = made(std::get<0>(cam_elements<S>(drive, {{MotionLaw::cycloidal, 0.3, 2},
                                                              {MotionLaw::dwell, 0, 1},
                                                              {MotionLaw::poly345, -0.3, 2},
                                                              {MotionLaw::dwell, 0, 2 * pi - 5}})),
                          true);
    measure("cam and roller", cam, circle(0.2), {1.0, 0}, 0.2);
    std::vector<S::Vector> points;
    for (int i = 0; i < 24; ++i)
        points.push_back({std::cos(pi / 12 * i), 0.7 * std::sin(pi / 12 * i)});
    const auto oval = made({SplineCurve<S>(points, Ends::periodic)}, true);
    measure("cam and oval spline", cam, oval, {1.8, 0}, 0.2);
}
