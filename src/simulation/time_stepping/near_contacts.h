// The points of contact that can be reached within a step of time: found by a broad phase over all
// profiles and an exact search in the pairs that are near, each with the rows of its gap and its
// slip. Knows positions and velocities, no impulses.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "contact/near_profiles.h"
#include "contact/search.h"
#include "coordinates/coordinates.h"
#include "math/memory.h"

namespace pawl {

struct NearContact {
    int pair = -1;  // in Mechanism::contacts
    Candidate candidate;
    double closing = 0, slip = 0;  // rates before the step
    // Coefficients of the rows in the columns of `reach`.
    const Coordinates<PlanarSpace>::Reach* reach = nullptr;
    std::size_t first = 0;  // in NearContacts::normals() and tangents()
};

class NearContacts {
public:
    explicit NearContacts(const PlanarMechanism& mechanism);
    [[nodiscard]] bool empty() const { return near_.empty(); }

    // At the position and velocity that the coordinates hold, for a step of h, with `v` their
    // rates. A step may add velocities of `gain` (m/s). Places are no deeper than those of the pair
    // in the call before and what is made in a step; with h = 0 all count.
    void find(const Coordinates<PlanarSpace>& coordinates, std::span<const double> v, double h,
              double gain);
    [[nodiscard]] const std::vector<NearContact>& contacts() const { return contacts_; }
    [[nodiscard]] const std::vector<double>& normals() const { return normals_; }
    [[nodiscard]] const std::vector<double>& tangents() const { return tangents_; }
    // How deep pairs have sunk, which counts in the next call.
    void remember(Memory& memory) { memory(depths_); }
    // Pairs that the exact search looked at in the last call, by their index.
    [[nodiscard]] const std::vector<int>& searched() const { return searched_; }

private:
    struct Known {  // of a pair that has been near
        std::unique_ptr<ContactSearch> search;
        Coordinates<PlanarSpace>::Reach reach;
        double smaller = 0;  // radius of the smaller profile
    };
    Known& known(int pair, const Coordinates<PlanarSpace>& coordinates);
    void set_circles(const Coordinates<PlanarSpace>& coordinates, double h, double gain);
    void search(int pair, const Coordinates<PlanarSpace>& coordinates, std::span<const double> v,
                double h, double gain);
    // Leaves in found_ the candidates that count.
    void choose(const ContactPair<PlanarSpace>& pair, double reach, double depth,
                const std::array<PlanarSpace::Frame, 3>& frames);

    const PlanarMechanism& mechanism_;
    NearProfiles near_;
    std::vector<BoundingCircle> circles_;        // of its profiles now
    std::vector<double> speeds_;                 // of their points
    std::vector<std::unique_ptr<Known>> known_;  // by pair; made when it first is near
    std::vector<int> searched_;
    std::map<int, double> depths_, new_depths_;  // by pair: of the last call, of this one
    std::vector<Candidate> found_;
    std::vector<NearContact> contacts_;
    std::vector<double> normals_, tangents_;
};

}  // namespace pawl
