// Faults that the tests of the audit seed into the mechanics. The library itself is built without
// PAWL_SEEDED_FAULTS: `seeded` is then a constant, and nothing of a fault is compiled in.
#pragma once

namespace pawl {

enum class Fault {
    none,
    // inertia
    centripetal_sign,
    inertia_rate_sign,
    kinetic_energy_offset,
    weight_potential_sign,
    inertia_moment_sign,
    // forces and their ledger
    spring_sign,
    force_power_dropped,
    torque_power_sign,
    force_arm_dropped,
    compliant_on_one_body,
    driver_power_sign,
    // rows
    row_bias_dropped,
    driver_rate_scaled,
    driver_acceleration_sign,
    gear_ratio,
    gap_offset,
    contact_normal_turned,
    curve_derivative,
    // friction
    friction_coefficient,
    friction_load,
    // impacts
    restitution,
    impulse_scaled,
    impact_work_dropped,
    impact_friction_coefficient,
    // events
    interval_passed,
    event_early,
    // steps
    projection_kick,
    velocity_not_projected,
    multipliers_scaled,
    stage_weight,
    dense_output,
    // what is written
    reaction_column_sign,
    reaction_moment_scaled,
    driver_force_scaled,
    velocity_column_sign,
    acceleration_column_zero,
    angle_column_degrees,
    normal_column_scaled,
    friction_column_sign,
    gap_column_offset,
};

#ifdef PAWL_SEEDED_FAULTS
extern Fault seeded_fault;
static inline bool seeded(Fault fault) { return fault == seeded_fault; }
#else
static inline constexpr bool seeded(Fault) { return false; }
#endif

}  // namespace pawl
