#include "simulation/record/written_audit.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

// As many rows are judged, evenly chosen, so that long tables stay cheap.
constexpr std::size_t most_rows = 200;

MechanismEquations<Space>::Choice bodies_and_joint_friction(const PlanarMechanism& mechanism) {
    MechanismEquations<Space>::Choice choice;
    choice.coordinates = CoordinateKind::absolute;
    choice.permanent = false;
    choice.friction = friction_places(mechanism, {});
    for (FrictionMode& mode : choice.friction) mode.direction = 1;
    return choice;
}

double length(Vector v) { return std::hypot(v.x, v.y); }

}  // namespace

WrittenAudit::WrittenAudit(const PlacedMechanism& placed, const Trajectory& trajectory,
                           std::span<const long> step_of_row, const std::vector<Event>& events,
                           double tolerance, ValuesAt values)
    : values_(std::move(values)),
      changing_(values_ ? std::make_unique<PlacedMechanism>(placed) : nullptr),
      placed_(changing_ ? *changing_ : placed),
      mechanism_(placed_.mechanism),
      trajectory_(trajectory),
      step_of_row_(step_of_row),
      events_(events),
      tolerance_(tolerance),
      size_(placed.assembly.model_size) {
    make_equations();
    find_columns();
}

void WrittenAudit::make_equations() {
    equations_ = std::make_unique<MechanismEquations<Space>>(mechanism_, placed_.topology,
                                                             bodies_and_joint_friction(mechanism_));
    equations_->set_model_size(size_);
}

void WrittenAudit::take_values(std::size_t row) {
    if (values_ && values_(row, changing_->mechanism)) make_equations();
}

void WrittenAudit::find_columns() {
    std::unordered_map<std::string_view, int> place_of;
    for (std::size_t i = 0; i < trajectory_.columns.size(); ++i)
        place_of.emplace(trajectory_.columns[i].name, static_cast<int>(i));
    const auto find = [&](const std::string& name) {
        const auto found = place_of.find(name);
        return found == place_of.end() ? -1 : found->second;
    };
    judged_.assign(mechanism_.bodies.size(), 1);
    free_.assign(mechanism_.bodies.size(), 1);
    judged_[0] = free_[0] = 0;
    body_column_.push_back(-1);
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        body_column_.push_back(find(mechanism_.bodies[b].name + ".x"));
    has_reactions_ = mechanism_.joints.empty() && mechanism_.drivers.empty();
    for (const auto& joint : mechanism_.joints) {
        const int column = find(joint.name + ".fx");
        joint_column_.push_back(column);
        joint_friction_.push_back(find(joint.name + ".friction"));
        has_reactions_ = has_reactions_ || column >= 0;
        for (int k = 0; k < joint.frame_count(); ++k) {
            const auto body = static_cast<std::size_t>(joint.frames[k].body);
            free_[body] = 0;
            // What three bodies share is written for one of them only.
            if (joint.frame_count() > 2) judged_[body] = 0;
        }
    }
    for (const auto& driver : mechanism_.drivers) {
        driver_column_.push_back(find(driver.name + ".force"));
        has_reactions_ = has_reactions_ || driver_column_.back() >= 0;
        for (const auto& frame : driver.coordinate.frames)
            free_[static_cast<std::size_t>(frame.body)] = 0;
    }
    for (const auto& state : mechanism_.states) state_column_.push_back(find(state.name));
    // Not every number has columns: points that touched without pressing have used some up.
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i) {
        const std::string prefix = mechanism_.contacts[i].name + "#", suffix = ".gap";
        for (const Column& column : trajectory_.columns) {
            if (!column.name.starts_with(prefix) || !column.name.ends_with(suffix)) continue;
            const std::string head = column.name.substr(0, column.name.size() - suffix.size() + 1);
            PointColumns c{static_cast<int>(i), std::stoi(head.substr(prefix.size()))};
            c.gap = find(column.name);
            c.a = find(head + "a");
            c.b = find(head + "b");
            c.normal = find(head + "normal");
            c.slip = find(head + "slip");
            c.closed = find(head + "closed");
            c.friction = find(head + "friction");
            c.mode = find(head + "mode");
            c.rolling = find(head + "rolling");
            points_.push_back(c);
        }
    }
}

WrittenAudit::BodyMotion WrittenAudit::motion_of(std::span<const double> row, int body) const {
    if (body == 0) return {};
    const auto x = row.subspan(static_cast<std::size_t>(body_column_[body]), 9);
    return {Space::position_of({{x[0], x[1]}, x[2]}), {{x[3], x[4]}, x[5]}, {{x[6], x[7]}, x[8]}};
}

Vector WrittenAudit::velocity_at(std::span<const double> row, int body, Vector p) const {
    const BodyMotion m = motion_of(row, body);
    return m.velocity.v + m.velocity.omega * Space::turned(p - m.position.p);
}

// The polynomials through both ends with their derivatives:
//   dv = h/2 (a0 + a1) - h^3/12 v''',   dx = h/2 (v0 + v1) - h^2/12 (a1 - a0) + h^5/720 x'''''.
// The derivatives in the last terms come from differences over four rows.
void WrittenAudit::judge_column(std::size_t row, int x, int v, int a, double unit,
                                const std::string& name) {
    const auto r0 = trajectory_.row(row - 1), r1 = trajectory_.row(row),
               r2 = trajectory_.row(row + 1), r3 = trajectory_.row(row + 2);
    const double h = r2[0] - r1[0];
    const double first =
        std::max({std::abs(r1[a] - r0[a]), std::abs(r2[a] - r1[a]), std::abs(r3[a] - r2[a])});
    const double second = std::max(std::abs(r0[a] - 2 * r1[a] + r2[a]),
                                   std::abs(r1[a] - 2 * r2[a] + r3[a])),
                 third = std::abs(r3[a] - 3 * r2[a] + 3 * r1[a] - r0[a]);
    const double dv = r2[v] - r1[v] - h / 2 * (r1[a] + r2[a]),
                 dx = r2[x] - r1[x] - h / 2 * (r1[v] + r2[v]) + h * h / 12 * (r2[a] - r1[a]);
    const double speed = std::max({std::abs(r1[v]), std::abs(r2[v]), h * std::abs(r1[a])}),
                 time = std::sqrt(size_ / 9.81);
    // Of single numbers: rounding of positions far from the origin.
    const double far = 1e-14 * std::max(std::abs(r1[x]), std::abs(r2[x])) * unit;
    const double allowed = 1e3 * tolerance_ * (speed * unit + size_ / time) +
                           unit * h * (first + second + third) + 2 * far / h;
    const double off =
        std::max(std::abs(dv), (std::abs(dx) - h * h / 12 * (second + third)) / h) * unit;
    if (off / allowed > motion_.value) motion_.see(off / allowed, r2[0], name);
}

// Whether the rows around an interval let the motion be seen: evenly apart, with nothing that jumps
// between them, and neither many steps of the integrator nor much of a turn. A motion that swings
// several times from row to row leaves no trace in their differences.
bool WrittenAudit::shows_motion(std::size_t row) const {
    constexpr long most_steps = 2;
    constexpr double most_turn = 1;  // rad
    if (row < 1 || row + 2 >= trajectory_.rows()) return false;
    if (step_of_row_[row + 2] - step_of_row_[row - 1] > most_steps) return false;
    const double h = trajectory_.row(row + 1)[0] - trajectory_.row(row)[0];
    for (std::size_t i = row - 1; i < row + 2; ++i) {
        const double low = trajectory_.row(i)[0], high = trajectory_.row(i + 1)[0];
        if (!(std::abs(high - low - h) <= 1e-6 * h) || !(h > 0)) return false;
        const auto event = std::lower_bound(events_.begin(), events_.end(), low,
                                            [](const Event& e, double t) { return e.t < t; });
        // Singular positions are passed without a jump.
        for (auto e = event; e != events_.end() && e->t <= high; ++e)
            if (e->kind != EventKind::bifurcation) return false;
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
            const auto angle = static_cast<std::size_t>(body_column_[b] + 2);
            if (std::abs(trajectory_.row(i + 1)[angle] - trajectory_.row(i)[angle]) > most_turn)
                return false;
        }
    }
    return true;
}

void WrittenAudit::judge_motion(std::size_t row) {
    if (!shows_motion(row)) return;
    shows_motion_ = true;
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        for (int k = 0; k < 3; ++k)
            judge_column(row, body_column_[b] + k, body_column_[b] + 3 + k, body_column_[b] + 6 + k,
                         k == 2 ? size_ : 1, mechanism_.bodies[b].name);
}

WrittenAudit::Touching WrittenAudit::touching_on(std::span<const double> row, const PointColumns& c,
                                                 std::array<int, 2> elements) const {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    Touching touching;
    Vector normal[2];
    bool smooth[2]{};
    for (const int side : {0, 1}) {
        const auto& profile =
            mechanism_
                .profiles[static_cast<std::size_t>(side == 0 ? pair.profile_a : pair.profile_b)];
        const int element = elements[static_cast<std::size_t>(side)];
        const double u = row[static_cast<std::size_t>(side == 0 ? c.a : c.b)] - element;
        const auto& curve = profile.chain.elements[static_cast<std::size_t>(element)];
        smooth[side] = !std::holds_alternative<Corner<Space>>(curve) &&
                       (profile.chain.elements.size() == 1 || (u > 1e-7 && u < 1 - 1e-7));
        const auto point = point_of<Space>(curve, u);
        const auto frame = profile.frame.on(motion_of(row, profile.frame.body).position);
        touching.p[side] = frame.p + frame.to_ground(point.p);
        normal[side] = frame.to_ground(point.n);
    }
    touching.known = smooth[0] || smooth[1];
    touching.n = smooth[0] ? normal[0] : -normal[1];
    const Vector d = touching.p[1] - touching.p[0];
    touching.apart = Space::dot(d, touching.n);
    touching.beside = std::abs(Space::cross(d, touching.n));
    return touching;
}

// A corner that is pressed in may be tilted out of its cone: its coordinate then is that of its
// neighbours. Those elements count that fit the gap best.
WrittenAudit::Touching WrittenAudit::touching_at(std::span<const double> row,
                                                 const PointColumns& c) const {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    const double gap = row[static_cast<std::size_t>(c.gap)];
    const auto count_of = [&](int profile) {
        return static_cast<int>(
            mechanism_.profiles[static_cast<std::size_t>(profile)].chain.elements.size());
    };
    const int counts[2] = {count_of(pair.profile_a), count_of(pair.profile_b)};
    const int middle[2] = {static_cast<int>(std::floor(row[static_cast<std::size_t>(c.a)])),
                           static_cast<int>(std::floor(row[static_cast<std::size_t>(c.b)]))};
    const int reach = is_rigid(pair.law) ? 0 : 1;
    Touching best;
    double least = INFINITY;
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j) {
            const Touching touching = touching_on(row, c,
                                                  {std::clamp(middle[0] + i, 0, counts[0] - 1),
                                                   std::clamp(middle[1] + j, 0, counts[1] - 1)});
            const double off = std::max(std::abs(touching.apart - gap), touching.beside);
            if (touching.known && off < least) {
                least = off;
                best = touching;
            }
        }
    return best;
}

void WrittenAudit::judge_contacts(std::size_t row) {
    const auto cells = trajectory_.row(row);
    for (const PointColumns& c : points_) {
        if (!std::isfinite(cells[static_cast<std::size_t>(c.gap)])) continue;
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
        const bool closed = cells[static_cast<std::size_t>(c.closed)] == 1;
        const Touching touching = touching_at(cells, c);
        if (touching.known) {
            const double gap = cells[static_cast<std::size_t>(c.gap)];
            double off = std::max(std::abs(touching.apart - gap), touching.beside);
            if (closed && is_rigid(pair.law)) off = std::max(off, std::abs(touching.apart));
            // Far from the origin positions are rounded.
            off -= 1e-14 * (length(touching.p[0]) + length(touching.p[1]));
            if (off > touching_.value)
                touching_.see(off, cells[0], pair.name + "#" + std::to_string(c.number));
        }
        if (closed && pair.friction) judge_friction(cells, c);
    }
}

// Within what the model allows at the normal force that is written, and at it where it slides.
void WrittenAudit::judge_friction(std::span<const double> row, const PointColumns& c) {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    const auto& law = *pair.friction;
    const auto cell = [&](int column) { return row[static_cast<std::size_t>(column)]; };
    const double normal = cell(c.normal), f = std::abs(cell(c.friction)),
                 slip = std::abs(cell(c.slip));
    if (!std::isfinite(normal) || !std::isfinite(f)) return;
    const bool slides = cell(c.mode) != 0 && is_rigid(pair.law);
    const double limit = (slides ? law.sliding(slip) : law.holding()) * normal + law.viscous * slip;
    double excess = slides ? std::abs(f - limit) : f - limit;
    // Slower than this it is coming to rest, and rounding decides the direction.
    const bool moves = cell(c.mode) != 0 && slip > 1e-8 * size_;
    if (moves && cell(c.friction) * cell(c.slip) > 0) excess = std::max(excess, f);
    largest_friction_ = std::max({largest_friction_, f, limit});
    friction_.see(excess, row[0], pair.name + "#" + std::to_string(c.number));
}

// Joints act on their second body as written, and on the first with the opposite.
void WrittenAudit::add_joint_forces(std::span<const double> row, std::vector<Space::Wrench>& sum) {
    const auto add = [&](const Attachment<Space>& frame, Vector point, Vector f, double m) {
        auto& w = sum[static_cast<std::size_t>(frame.body)];
        w.f += f;
        w.m += m + Space::cross(point - motion_of(row, frame.body).position.p, f);
    };
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
        if (joint_column_[j] < 0) continue;
        const auto x = row.subspan(static_cast<std::size_t>(joint_column_[j]), 3);
        const auto& joint = mechanism_.joints[j];
        const Vector f{x[0], x[1]};
        const Vector point = joint.frames[1].on(motion_of(row, joint.frames[1].body).position).p;
        add(joint.frames[1], point, f, x[2]);
        add(joint.frames[0], point, -f, -x[2]);
        largest_force_ = std::max({largest_force_, length(f), std::abs(x[2]) / size_});
    }
    const RowPattern& p = equations_->pattern();
    std::size_t driver = 0;
    for (int r = 0; r < p.rows(); ++r) {
        if (equations_->labels()[r].role != RowRole::driver) continue;
        const int column = driver_column_[driver++];
        if (column < 0) continue;
        const double force = row[static_cast<std::size_t>(column)] / equations_->row_scale(r);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            auto& w = sum[static_cast<std::size_t>(1 + p.column[i] / 3)];
            const double part = force * equations_->jacobian()[i];
            (p.column[i] % 3 == 0 ? w.f.x : p.column[i] % 3 == 1 ? w.f.y : w.m) += part;
        }
    }
    std::vector<double> friction;
    for (const FrictionMode& mode : equations_->friction_modes()) {
        const int column = joint_friction_[static_cast<std::size_t>(mode.joint)];
        friction.push_back(column < 0 ? 0.0 : row[static_cast<std::size_t>(column)]);
    }
    equations_->add_friction_wrenches(friction, sum);
}

void WrittenAudit::add_contact_forces(std::span<const double> row,
                                      std::vector<Space::Wrench>& sum) {
    const auto cell = [&](int column) {
        const double x = column < 0 ? 0.0 : row[static_cast<std::size_t>(column)];
        return std::isfinite(x) ? x : 0.0;
    };
    for (const PointColumns& c : points_) {
        if (cell(c.closed) != 1) continue;
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
        const Touching touching = touching_at(row, c);
        const Vector f = cell(c.normal) * touching.n + cell(c.friction) * Space::turned(touching.n);
        largest_force_ = std::max(largest_force_, length(f));
        for (const int side : {0, 1}) {
            const int body = side == 0 ? pair.a : pair.b;
            const double sign = side == 0 ? -1 : 1;
            auto& w = sum[static_cast<std::size_t>(body)];
            w.f += sign * f;
            w.m += sign * (cell(c.rolling) +
                           Space::cross(touching.p[side] - motion_of(row, body).position.p, f));
            if (!touching.known) judged_now_[static_cast<std::size_t>(body)] = 0;
        }
    }
}

// m a of each body against the sum of what is written and what the model applies there.
void WrittenAudit::judge_balance(std::size_t row) {
    const auto cells = trajectory_.row(row);
    q_.clear();
    v_.clear();
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto x = cells.subspan(static_cast<std::size_t>(body_column_[b]), 9);
        q_.insert(q_.end(), {x[0], x[1], x[2]});
        v_.insert(v_.end(), {x[3], x[4], x[5]});
    }
    z_.assign(static_cast<std::size_t>(equations_->state_size()), 0.0);
    for (std::size_t i = 0; i < state_column_.size(); ++i)
        z_[i] = cells[static_cast<std::size_t>(state_column_[i])];
    equations_->set_motion(q_, v_, cells[0]);
    equations_->set_forces(z_);
    std::vector<Space::Wrench> sum = equations_->forces().on_bodies();
    judged_now_ = judged_;
    for (const auto& w : sum)
        largest_force_ = std::max({largest_force_, length(w.f), std::abs(w.m) / size_});
    add_contact_forces(cells, sum);
    add_joint_forces(cells, sum);
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        if (!judged_now_[b]) continue;
        const BodyMotion m = motion_of(cells, static_cast<int>(b));
        const auto& body = mechanism_.bodies[b];
        const double mass = body.mass.value_or(0.0), omega = m.velocity.omega;
        const Vector r = m.position.to_ground(body.centre);
        const Vector f =
            mass * (m.acceleration.v + m.acceleration.omega * Space::turned(r) - omega * omega * r);
        const double moment =
            body.inertia.value_or(0.0) * m.acceleration.omega + Space::cross(r, f);
        largest_force_ = std::max(
            largest_force_, mass * (length(m.acceleration.v) +
                                    (std::abs(m.acceleration.omega) + omega * omega) * length(r)));
        const double off = std::max(length(f - sum[b].f), std::abs(moment - sum[b].m) / size_);
        if (off > balance_.value) balance_.see(off, cells[0], body.name);
    }
}

void WrittenAudit::add_checks(Audit& audit) {
    const std::size_t rows = trajectory_.rows(),
                      stride = std::max<std::size_t>(1, rows / most_rows);
    for (std::size_t row = 0; row < rows; row += stride) {
        take_values(row);
        judge_motion(row);
        if (has_reactions_) judge_balance(row);
        judge_contacts(row);
    }
    judge_impacts();
    if (shows_motion_)
        audit.checks.push_back({"columns of motion", "1", motion_, 1,
                                "differences of positions and velocities between rows fit the "
                                "written velocities and accelerations"});
    if (has_reactions_)
        audit.checks.push_back({"Newton and Euler", "N", balance_, 1e-6 * largest_force_ + 1e-14,
                                "of each body from the written columns: |m a - sum of forces| <= "
                                "1e-6 of the largest"});
    if (points_.empty()) return;
    audit.checks.push_back({"points of contact", "m", touching_, 1e-9 * size_,
                            "the written points of closed contacts coincide, those of open ones "
                            "are the gap apart, at impacts the gap is zero: <= 1e-9 size"});
    audit.checks.push_back(
        {"restitution", "1", restitution_, 1e-6,
         "single impacts: |v+ + e v-| <= 1e-6 |v-| + 1e-9 of the speeds, from the written "
         "velocities"});
    audit.checks.push_back({"friction impulse", "1", impulse_, 1e-6,
                            "single impacts on free bodies: tangential impulse - mu x normal "
                            "impulse <= 1e-6 of the momentum"});
    if (largest_friction_ > 0)
        audit.checks.push_back({"friction of the model", "N", friction_,
                                1e-6 * largest_friction_ + 1e-14,
                                "written friction against mu of the model x written normal force "
                                "<= 1e-6 of the largest friction"});
}

}  // namespace pawl
