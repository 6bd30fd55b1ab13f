#include "curves/cam.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

template <class S>
std::optional<std::string> problem_of(const CamDrive<S>& drive) {
    if (!(value_of(drive.base) > 0)) return "the base circle of a cam needs a positive radius";
    const bool is_roller = drive.follower == Follower::roller;
    if (is_roller && !(value_of(drive.roller) > 0)) return "a roller needs a positive radius";
    if (!is_roller && value_of(drive.roller) != 0) return "only a roller follower has a roller";
    if (drive.oscillating) {
        if (!(value_of(S::dot(drive.pivot, drive.pivot)) > 0))
            return "the pivot of the follower must not be the centre of the cam";
        if (drive.follower != Follower::flat && !(value_of(drive.arm) > 0))
            return "the arm of the follower must be positive";
        if (!CamCurve<S>::rest_angle(drive))
            return "the follower does not reach the base circle from its pivot";
    } else if (std::abs(value_of(drive.offset)) >= value_of(drive.base + drive.roller)) {
        return "the offset of the follower is larger than the base circle";
    }
    return std::nullopt;
}

// A dwell is an arc about the centre of the cam through the points of the curve.
template <class S>
CurveElement<S> element_of(const CamCurve<S>& curve) {
    if (curve.segment.law != MotionLaw::dwell || curve.segment.cubic) return curve;
    using std::atan2;
    using std::sqrt;
    const auto p = curve.point(typename S::Scalar(0)).p;
    return ArcCurve<S>{{}, sqrt(S::dot(p, p)), atan2(p.y, p.x), curve.segment.angle};
}

}  // namespace

template <class S>
std::variant<std::vector<CurveElement<S>>, ProfileProblem> cam_elements(
    const CamDrive<S>& drive, const std::vector<CamSegment<typename S::Scalar>>& segments,
    const typename S::Scalar& lifted) {
    if (auto problem = problem_of(drive)) return ProfileProblem{0, *problem};
    if (segments.empty()) return ProfileProblem{0, "a cam needs at least one segment"};
    std::vector<CurveElement<S>> elements;
    CamCurve<S> curve;
    curve.drive = drive;
    curve.lifted = lifted;
    double largest = std::abs(value_of(lifted));
    for (std::size_t i = 0; i < segments.size(); ++i) {
        curve.segment = segments[i];
        const int index = static_cast<int>(i);
        if (!(value_of(curve.segment.angle) > 0))
            return ProfileProblem{index, "the angle of a segment must be positive"};
        if (curve.segment.law == MotionLaw::dwell && !curve.segment.cubic) curve.segment.lift = {};
        if (auto problem = curve.problem()) return ProfileProblem{index, *problem};
        elements.push_back(element_of(curve));
        curve.start = curve.start + curve.segment.angle;
        curve.lifted = curve.lifted + curve.segment.lift;
        largest = std::max(largest, std::abs(value_of(curve.lifted)));
    }
    const int last = static_cast<int>(segments.size()) - 1;
    const double turned = value_of(curve.start) - 2 * std::numbers::pi;
    if (turned > tolerance::cam_rounding)
        return ProfileProblem{last, "the segments cover more than a whole turn of the cam"};
    if (turned > -tolerance::cam_rounding &&
        std::abs(value_of(curve.lifted - lifted)) > tolerance::cam_rounding * largest)
        return ProfileProblem{last, "the lifts of a whole turn must end where they began"};
    if (drive.turns > 0) std::reverse(elements.begin(), elements.end());
    return elements;
}

template std::variant<std::vector<CurveElement<Planar<double>>>, ProfileProblem> cam_elements(
    const CamDrive<Planar<double>>&, const std::vector<CamSegment<double>>&, const double&);

}  // namespace pawl
