// Attia 2004: the chain of five bodies as particles, in their own coordinates and in joint
// coordinates, cut at C and F as in the source.
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "equations/particle_equations.h"
#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/dynamic/particle_run.h"
#include "verification/verification_special.h"

namespace pawl {

namespace {

class ParticleProblem {
public:
    std::vector<VerificationOutcome> verify() {
        for (const EmbeddedModel& m : embedded_models()) {
            if (m.name != "attia_chain") continue;
            Diagnostics diagnostics;
            auto model = read_model(m.text, "attia_chain.toml", {}, diagnostics);
            if (model) placed_ = assemble(std::move(model->mechanism));
        }
        if (!placed_ || !placed_->ok()) {
            add("model", "", "1", NAN, 0, 1, 0, "Attia 2004");
            return outcomes_;
        }
        masses();
        sizes();
        for (const ParticleForm form : {ParticleForm::particles, ParticleForm::joints})
            motion(form);
        return outcomes_;
    }

private:
    void add(const std::string& quantity, const std::string& at, const char* unit, double published,
             double reference, double computed, double tolerance, const char* source) {
        const double error = std::abs(computed - reference);
        outcomes_.push_back({"A1", quantity, at, unit, published, reference, computed, error,
                             tolerance, error <= tolerance, source, ""});
    }

    // Of rods m/6, m/6, 2 m/3: the table has the moments of inertia to four digits. Of the plate
    // the third particle is in the axes at A with x towards B.
    void masses() {
        const Topology cut = ParticleSystem::cut_at(placed_->mechanism, {"C", "F"});
        const ParticleSystem system(placed_->mechanism, cut);
        const double rods[][3] = {{0.5 / 6, 0.5 / 6, 1.0 / 3}, {1.0 / 6, 1.0 / 6, 2.0 / 3}};
        const double published[][3] = {{0.0833, 0.0833, 0.3333}, {0.1666, 0.1666, 0.6666}};
        for (const auto& body : system.bodies()) {
            const std::string& name =
                placed_->mechanism.bodies[static_cast<std::size_t>(body.body)].name;
            if (!body.rod) continue;
            const int row = name == "crank" ? 0 : 1;
            for (int i = 0; i < 3; ++i)
                add(fmt::format("{} particle {} mass", name, i + 1), "", "kg", published[row][i],
                    rods[row][i], body.shares[static_cast<std::size_t>(i)].mass, 1e-3,
                    "Attia 2004, table 2; the moments of inertia of table 1 have four digits");
        }
        const char* source = "Attia 2004, table 2; the printed masses are not physical";
        const double plate[] = {4.2967, 1, -2.2967}, right[] = {0.547308, 1, 1.452692};
        for (const auto& body : system.bodies()) {
            if (body.rod) continue;
            for (int i = 0; i < 3; ++i)
                add(fmt::format("particle {} mass", i + 1), "", "kg", plate[i], right[i],
                    body.shares[static_cast<std::size_t>(i)].mass, 1e-6, source);
            const auto a = system.local(body.body, body.corners[0]),
                       b = system.local(body.body, body.corners[1]),
                       third = system.local(body.body, body.corners[2]);
            const double length = std::hypot(b.x - a.x, b.y - a.y);
            const PlanarSpace::Position axes{a, 0, {(b.x - a.x) / length, (b.y - a.y) / length}};
            const auto local = axes.to_local(third - a);
            add("particle 3 x", "", "m", NAN, 2.386008, local.x, 1e-6, source);
            add("particle 3 y", "", "m", NAN, 1.373660, local.y, 1e-6, source);
        }
    }

    void sizes() {
        const Topology cut = ParticleSystem::cut_at(placed_->mechanism, {"C", "F"});
        const double size = placed_->assembly.model_size;
        const ParticleEquations particles(placed_->mechanism, cut, placed_->assembly.positions,
                                          size);
        const JointParticleEquations joints(placed_->mechanism, cut, size);
        add("order of the mass matrix of the particles", "", "1", 14, 14, particles.size(), 0,
            "Attia 2004, section 7");
        add("order of the system in joint coordinates", "", "1", 9, 9,
            joints.size() + joints.pattern().rows(), 0, "Attia 2004, section 7");
    }

    void motion(ParticleForm form) {
        ParticleOptions options;
        options.end = 2;
        options.step = 0.25;
        options.rtol = options.atol = 1e-11;
        options.form = form;
        options.cuts = {"C", "F"};
        const ParticleResult run = run_particles(*placed_, options);
        const char* how = form == ParticleForm::particles ? "in particles" : "in joint coordinates";
        const double at[] = {0.5, 1, 2};
        const double reference[][4] = {{4.00045343, -0.42598790, 3.08319598, 3.8924990},
                                       {4.00997365, -0.76836554, 5.41045364, 3.1770260},
                                       {4.01200783, -0.79362325, 7.14305779, -1.9678031}};
        const char* columns[] = {"E.x", "E.y", "crank.angle", "crank.omega"};
        const char* units[] = {"m", "m", "rad", "rad/s"};
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 4; ++c) {
                const int column = run.trajectory.find(columns[c]);
                const auto row = static_cast<std::size_t>(std::lround(at[i] / options.step));
                const double value = column >= 0 && row < run.trajectory.rows()
                                         ? run.trajectory.row(row)[static_cast<std::size_t>(column)]
                                         : NAN;
                add(fmt::format("{} {}", columns[c], how), fmt::format("{:g} s", at[i]), units[c],
                    NAN, reference[i][c], value, c < 3 ? 1e-8 : 1e-7,
                    "Attia 2004, section 7, body 2 corrected; recomputed");
            }
    }

    std::optional<PlacedMechanism> placed_;
    std::vector<VerificationOutcome> outcomes_;
};

}  // namespace

std::vector<VerificationOutcome> verify_particles() { return ParticleProblem().verify(); }

}  // namespace pawl
