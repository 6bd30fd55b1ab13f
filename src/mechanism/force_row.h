// The coordinate that a force acts along: the distance of its two frames, or a component of their
// relative pose. Which of them is said once, in the field list of the kind.
#pragma once

#include <type_traits>
#include <variant>

#include "mechanism/force_expressions.h"

namespace pawl {

struct NoExpressions {
    void operator()(const ForceExpression&) const {}
};

// A visitor of field lists that sees whether the coordinate is a distance.
class DistanceVisitor : public ForceExpressionVisitor<const NoExpressions> {
public:
    DistanceVisitor() : ForceExpressionVisitor(nothing_) {}
    void distance() { found_distance = true; }
    bool found_distance = false;

private:
    static constexpr NoExpressions nothing_{};
};

template <class Kind>
bool acts_along_distance() {
    static const bool answer = [] {
        Kind kind;
        DistanceVisitor visitor;
        kind.fields(visitor);
        return visitor.found_distance;
    }();
    return answer;
}

template <class S>
bool acts_along_distance(const Force<S>& force) {
    return std::visit(
        [](const auto& kind) { return acts_along_distance<std::decay_t<decltype(kind)>>(); },
        force.kind);
}

// Of a force of this kind, between its frames.
template <class Kind, class S>
typename S::Row row_along(const Force<S>& force, const typename S::Frame& a,
                          const typename S::Frame& b) {
    return acts_along_distance<Kind>() ? distance_row<S>(a, b)
                                       : component_row<S>(force.component, a, b);
}

}  // namespace pawl
