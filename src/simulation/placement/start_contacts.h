// Contacts at the start of a run: how near counts as touching, what is closed there, and profiles
// that cannot start where they are. Knows positions, no motion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

// The diameter of the smaller body of a pair, m: of its profiles, named points, joints and its
// circle of gyration; of ground, which has no end, the profile alone. A body without extent (a
// point mass) leaves it to the other one if that is a closed outline, never to an open profile,
// whose length is drawn at will. Zero where neither has one.
double contact_size(const PlanarMechanism& mechanism, const ContactPair<PlanarSpace>& pair);

// A gap up to this is closed at the start: a part of the contact's size, and what counts as
// touching at any time in a model of this size.
double start_gap_limit(const PlanarMechanism& mechanism, const ContactPair<PlanarSpace>& pair,
                       double model_size);
// An overlap up to this. A gap may be meant, an overlap cannot: it is what the digits leave that
// either outline is written with. The larger one counts where it is closed, but only up to a
// hundred times the smaller body.
double start_overlap_limit(const PlanarMechanism& mechanism, const ContactPair<PlanarSpace>& pair,
                           double model_size);

// A rigid pair whose gap or overlap is closed at the start, by more than rounding.
struct StartGap {
    std::string text;
    Span span;  // of the contact
};
std::vector<StartGap> gaps_closed_at_start(const PlacedMechanism& placed);

// What ends a run, as reported to the user.
struct ContactTrouble {
    std::string message;
    Span span;
};
// Why two profiles cannot start where they are: one lies outside a hole, or they lie in each other
// by more than is allowed, m.
std::optional<ContactTrouble> trouble_at_start(const PlanarMechanism& mechanism,
                                               const ContactPair<PlanarSpace>& pair,
                                               const PlanarSpace::Position& frame_a,
                                               const PlanarSpace::Position& frame_b,
                                               double allowed);
// The first such pair.
std::optional<ContactTrouble> overlap_at_start(const PlanarMechanism& mechanism,
                                               const Coordinates<PlanarSpace>& coordinates,
                                               const std::vector<int>& pairs,
                                               const std::function<double(int pair)>& allowed);

}  // namespace pawl
