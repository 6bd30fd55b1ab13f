// The element of a profile that is generated from the motion of its follower, as a model file has
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "curves/cam.h"
#include "math/motion_law.h"
#include "math/units.h"

namespace pawl {

template <class S>
using CurveChain = std::vector<CurveElement<S>>;

template <class S>
struct CamElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "cam";
    static constexpr std::string_view summary =
        "The outline of a cam that turns about the profile's origin and moves a follower by the "
        "laws of its segments, starting at cam angle zero, or by a table of lifts. A translating "
        "follower moves along the x axis; one with a pivot swings about it.";
    struct Segment {
        MotionLaw law = MotionLaw::dwell;
        T lift{}, angle{};
        template <class V>
        void fields(V& v) {
            v.choice("law", law, motion_law_names(), "the law of the segment");
            v.number("lift", lift, v.coordinate(),
                     "how far the follower rises (negative: returns); an angle where it swings",
                     "0");
            v.number("angle", angle, dimension::angle, "the angle by which the cam turns");
            v.positive("angle", angle);
            v.require(law != MotionLaw::dwell || value_of(lift) == 0, "lift",
                      "a dwell has no lift; choose a rise law, e.g. law = \"cycloidal\"");
        }
    };
    enum class Sense { ccw, cw };
    Follower follower = Follower::roller;
    T base{}, roller{}, offset{};
    Sense turns = Sense::ccw, swings = Sense::ccw;
    std::optional<typename S::Vector> pivot;
    std::optional<T> arm;
    std::vector<Segment> segments;
    std::vector<T> lifts;

    template <class V>
    void fields(V& v) {
        v.choice("follower", follower, {"roller", "flat", "knife"}, "the kind of follower");
        v.number("base", base, dimension::length, "radius of the base circle");
        v.positive("base", base);
        v.number("roller", roller, dimension::length, "radius of the roller", "0");
        v.number("offset", offset, dimension::length,
                 "for a translating roller or knife-edge: its path is the line y = offset", "0");
        v.choice("turns", turns, {"ccw", "cw"}, "the sense in which the cam turns");
        v.vector("pivot", pivot, dimension::length,
                 "the pivot of a swinging follower; default: it translates");
        v.number("arm", arm, dimension::length,
                 "distance of the roller or knife-edge from the pivot; for a flat face: distance "
                 "of its line from the pivot");
        v.choice("swings", swings, {"ccw", "cw"},
                 "the sense in which a follower with a pivot turns away from the cam");
        v.require(pivot.has_value() == arm.has_value(), pivot ? "pivot" : "arm",
                  "a swinging follower needs pivot and arm");
        v.require(!pivot || value_of(offset) == 0, "offset", "a swinging follower has no offset");
        v.set_coordinate(pivot ? dimension::angle : dimension::length);
        v.tables("segments", segments, "the segments, in order; or give lifts", 0);
        v.numbers("lifts", lifts, v.coordinate(), dimension::none,
                  "instead of segments: lifts above the base circle at equal steps of the cam "
                  "angle over a whole turn, starting at zero; a smooth curve goes through them",
                  0);
        v.require(segments.empty() != lifts.empty(), lifts.empty() ? "segments" : "lifts",
                  "a cam has either segments or lifts");
        v.require(lifts.empty() || lifts.size() >= 8, "lifts",
                  "a table of lifts needs at least 8 of them");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        CamDrive<S> drive;
        drive.follower = follower;
        drive.base = base;
        drive.roller = roller;
        drive.offset = offset;
        drive.turns = turns == Sense::ccw ? 1 : -1;
        drive.oscillating = pivot.has_value();
        if (pivot) drive.pivot = *pivot;
        if (arm) drive.arm = *arm;
        drive.swing = swings == Sense::ccw ? 1 : -1;
        std::vector<CamSegment<T>> rises;
        for (const Segment& s : segments) rises.push_back({s.law, s.lift, s.angle});
        if (!lifts.empty()) rises = table_segments<T>(lifts);
        auto made = cam_elements<S>(drive, rises, lifts.empty() ? T{} : lifts.front());
        if (const auto* problem = std::get_if<ProfileProblem>(&made)) return problem->message;
        const auto& curves = std::get<CurveChain<S>>(made);
        chain.insert(chain.end(), curves.begin(), curves.end());
        return "";
    }
};

}  // namespace pawl
