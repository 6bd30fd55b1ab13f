// A model of the user as the start of a synthesis: its pins become points, its bodies bars and
// plates. And back: a linkage that was found as a change of the model's text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "design/synthesis/appraisal.h"
#include "model_file/reading/model_file.h"
#include "simulation/placement/assembly.h"

namespace pawl {

// What of the model the task speaks of.
struct LinkageRoles {
    std::string point = {};    // "coupler.P": draws the path; motion: also carries the pose
    std::string output = {};   // body whose angle is the function
    bool moves_pivots = true;  // ground points may change
};

class ModelLinkage {
public:
    // Nothing, with errors, where joints are of kinds that have no natural coordinates here, or a
    // name is none.
    static std::optional<ModelLinkage> read(const ModelData& model, const LinkageRoles& roles,
                                            Diagnostics& diagnostics);

    [[nodiscard]] const Linkage& linkage() const { return linkage_; }
    // The model's text with the positions of its points and the start positions of a solution.
    [[nodiscard]] std::string text(const Solution& solution, Diagnostics& diagnostics) const;

private:
    using Vector = Linkage::Vector;
    struct Place {  // of a node on a body
        int body, node;
        Vector local;
        std::string point;  // its name there; empty: the origin, or nothing
    };
    explicit ModelLinkage(const ModelData& model) : model_(model) {}
    bool add_nodes(Diagnostics& diagnostics);
    bool add_bodies(Diagnostics& diagnostics);
    bool add_roles(const LinkageRoles& roles, Diagnostics& diagnostics);
    int node_of(int body, Vector local);
    [[nodiscard]] int find_place(int body, Vector local) const;
    [[nodiscard]] std::vector<Place> places_of(int body) const;

    ModelData model_;
    PlacedMechanism placed_;
    Linkage linkage_;
    std::vector<Place> places_;
    std::vector<int> bar_of_body_;  // -1: none
};

}  // namespace pawl
