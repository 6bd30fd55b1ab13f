// What the values of a dynamic run are written down as (math/memory.h).
#pragma once

#include "contact/contact_point.h"
#include "dynamics/formulations/dynamics.h"
#include "equations/applied_forces.h"
#include "equations/mechanism_equations.h"
#include "events/contact_guards.h"
#include "math/memory.h"
#include "results/audit.h"
#include "results/clearance_report.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

inline void remember(Memory& m, PlanarSpace::Vector& v) { m(v.x, v.y); }
inline void remember(Memory& m, PlanarSpace::Position& p) { m(p.p, p.angle, p.u); }
inline void remember(Memory& m, PlanarSpace::Twist& v) { m(v.v, v.omega); }
inline void remember(Memory& m, PlanarSpace::Frame& f) { m(f.position, f.velocity); }
inline void remember(Memory& m, State& s) { m(s.t, s.q, s.v, s.z); }
inline void remember(Memory& m, Span& s) { m(s.line, s.column); }
inline void remember(Memory& m, FrictionMode& f) {
    m(f.joint, f.contact, f.rolling, f.direction, f.held, f.fast, f.component);
}
inline void remember(Memory& m, EngagedCoupling& c) { m(c.coupling, c.held); }
inline void remember(Memory& m, EndPassed& e) { m(e.t, e.contact, e.side, e.direction, e.beyond); }
inline void remember(Memory& m, CompliantForce<double>& f) {
    m(f.stiffness, f.exponent, f.hysteresis, f.damping);
}
inline void remember(Memory& m, Touch<PlanarSpace>& t) {
    m(t.gap, t.u, t.n, t.p, t.curvature_numerator, t.reach, t.speed, t.turn);
}
inline void remember(Memory& m, TouchRates<double>& r) { m(r.u, r.slip, r.closing); }
inline void remember(Memory& m, ContactPoint<PlanarSpace>& p) {
    m(p.pair, p.number, p.a, p.b, p.touch, p.rates, p.near, p.compliant, p.law, p.began, p.approach,
      p.released, p.was_released);
}
inline void remember(Memory& m, Event& e) {
    m(e.t, e.kind, e.element, e.from, e.to, e.normal_velocity_before, e.normal_velocity_after,
      e.impulse, e.energy_change, e.facts);
}
inline void remember(Memory& m, IntegratorChange& c) { m(c.t, c.to_implicit); }
inline void remember(Memory& m, Window& w) {
    m(w.t, w.length, w.step, w.position_error, w.velocity_error, w.energy_error, w.reason);
}
inline void remember(Memory& m, Worst& w) { m(w.value, w.t, w.element); }
inline void remember(Memory& m, ForceEnergy& e) { m(e.potential, e.power); }
inline void remember(Memory& m, ClearanceReport::Mode& mode) { m(mode.share, mode.count); }
inline void remember(Memory& m, ClearanceReport& r) {
    m(r.joint, r.modes, r.impulses, r.largest_impulse, r.mean_power, r.max_power);
}

}  // namespace pawl
