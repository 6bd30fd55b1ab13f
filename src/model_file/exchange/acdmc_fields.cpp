#include "model_file/exchange/acdmc_fields.h"

#include <cmath>
#include <utility>

namespace pawl {

const AcdmcField* AcdmcFields::need(const AcdmcEntity& entity, const char* key) {
    const AcdmcField* field = entity.find(key);
    if (!field) {
        const auto name = entity.find("NAME");
        diagnostics_.error(
            entity.span,
            entity.kind +
                (name && !name->words.empty() ? " '" + name->words.front().text + "'" : "") +
                " needs " + key + "; is the file truncated?");
    }
    return field;
}

std::string AcdmcFields::name_of(const AcdmcEntity& entity, const char* key) {
    const AcdmcField* field = need(entity, key);
    return field ? acdmc_name(*field, diagnostics_).value_or("") : "";
}

double AcdmcFields::number(const AcdmcEntity& entity, const char* key) {
    const AcdmcField* field = entity.find(key);
    const auto n = field ? acdmc_numbers(*field, 1, diagnostics_) : std::nullopt;
    return n ? n->front() : 0;
}

bool AcdmcFields::flag(const AcdmcEntity& entity, const std::string& key) {
    const AcdmcField* field = entity.find(key);
    return field &&
           acdmc_choice(*field, {"FALSE|FAUX|NO|NON", "TRUE|VRAI|YES|OUI"}, diagnostics_) == 1;
}

AcdmcMatrix AcdmcFields::matrix(const AcdmcEntity& e, const char* key) {
    const AcdmcField* field = need(e, key);
    const auto m = field ? acdmc_numbers(*field, 12, diagnostics_) : std::nullopt;
    if (!m) return {};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            double product = 0;
            for (std::size_t c = 0; c < 3; ++c) product += (*m)[4 * i + c] * (*m)[4 * k + c];
            if (std::abs(product - (i == k ? 1 : 0)) <= acdmc_rounding) continue;
            diagnostics_.error(field->span, std::string(key) + " is not a rotation and a place");
            return {};
        }
    return *m;
}

AcdmcFrame AcdmcFields::plane_frame(const AcdmcMatrix& m, const AcdmcEntity& e, bool slides) {
    if (m.empty()) return {};
    const double upright = m[10];
    if (std::abs(std::abs(upright) - (slides ? 0 : 1)) > acdmc_rounding)
        diagnostics_.error(e.span, slides ? "the z axis of a prismatic frame must lie in the plane"
                                          : "the z axis of a frame must be normal to the plane");
    if (m[11] != 0)
        diagnostics_.warning(
            e.span, "z = " + exchange_number(m[11]) + " is ignored: the mechanism is planar");
    const PlaneVector axis = slides ? PlaneVector{m[2], m[6]} : PlaneVector{m[0], m[4]};
    return {{m[3], m[7]}, exchange_angle(std::atan2(axis.y, axis.x)), upright < 0 ? -1.0 : 1.0};
}

void join_doubled_fields(std::vector<AcdmcEntity>& entities, Diagnostics& diagnostics) {
    for (AcdmcEntity& entity : entities) {
        if (entity.kind == "SURF" || entity.kind == "LOOP") continue;
        for (std::size_t i = 0; i < entity.fields.size(); ++i)
            for (std::size_t k = i + 1; k < entity.fields.size(); ++k) {
                if (entity.fields[k].key != entity.fields[i].key) continue;
                AcdmcField& second = entity.fields[k];
                if (second.key == "INITIAL POSITION" && !entity.find("INITIAL VELOCITY")) {
                    diagnostics.warning(second.span,
                                        "a second INITIAL POSITION and no INITIAL VELOCITY: "
                                        "it is read as the velocity");
                    second.key = "INITIAL VELOCITY";
                    continue;
                }
                diagnostics.warning(second.span,
                                    second.key + " is given twice; the last one is used");
                std::swap(entity.fields[i].words, second.words);
                entity.fields.erase(entity.fields.begin() + static_cast<std::ptrdiff_t>(k--));
            }
    }
}

}  // namespace pawl
