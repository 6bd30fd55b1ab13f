// The links of an ACDMC file with their surfaces: bodies with their masses, frames, and the curves
// that become profiles. Knows no pairs.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model_file/exchange/acdmc_fields.h"
#include "model_file/exchange/exchange_model.h"

namespace pawl {

struct AcdmcLink {
    std::string name;
    Span span;
    int body = 0;
    AcdmcMatrix pose;
    AcdmcMotion motion;
    bool placed = false, known = false;  // the pose; also the velocity
};

struct AcdmcSurface {
    const AcdmcEntity* entity = nullptr;
    std::string name, profile;  // profile: its name in the model, empty for a frame
    std::size_t link = 0;
    AcdmcMatrix frame;
};

class AcdmcLinks {
public:
    // Bodies and profiles are added to the model.
    AcdmcLinks(ExchangeModel& model, Diagnostics& diagnostics)
        : model_(model), diagnostics_(diagnostics), fields_(diagnostics) {}

    void read(const std::vector<AcdmcEntity>& entities);
    // The surface that two fields of a pair name, of the kind that the pair needs.
    std::optional<std::size_t> surface(const AcdmcEntity& pair, const char* link_key,
                                       const char* surface_key, bool contact);

    [[nodiscard]] std::vector<AcdmcLink>& all() { return links_; }
    [[nodiscard]] const AcdmcSurface& surface(std::size_t i) const { return surfaces_[i]; }
    [[nodiscard]] AcdmcLink& link_of(std::size_t surface) {
        return links_[surfaces_[surface].link];
    }

private:
    void read_link(const AcdmcEntity& e, const std::set<std::string>& fixed);
    void read_mass(const AcdmcEntity& e, ExchangeBody& body);
    void read_surface(const AcdmcEntity& e, const std::vector<AcdmcEntity>& entities);
    [[nodiscard]] const AcdmcLink* find(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> names() const;

    ExchangeModel& model_;
    Diagnostics& diagnostics_;
    AcdmcFields fields_;
    std::vector<AcdmcLink> links_;
    std::vector<AcdmcSurface> surfaces_;
    std::set<std::string> body_names_{"ground"}, profile_names_;
};

// A name that is not taken yet, and is from now on.
std::string unique_name(std::string name, std::set<std::string>& taken);

}  // namespace pawl
