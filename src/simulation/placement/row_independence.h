// How far the rows of some equations are from depending on each other: a measure of the geometry
// alone, whatever the masses. Zero at singular positions, where another branch of the motion opens.
#pragma once

#include <span>
#include <vector>

#include "dynamics/response/row_response.h"
#include "math/linear/envelope_ldlt.h"
#include "math/memory.h"

namespace pawl {

class RowIndependence {
public:
    explicit RowIndependence(Equations& equations);
    // The sine of the smallest angle between a row and those before it, at a position; goes to zero
    // like |t - t*| at a singular position. A row counts by the largest it was seen to be, or would
    // be with its levers turned. Rows that always depend on others do not count. Leaves the
    // equations at that position.
    double at(std::span<const double> q, double t);
    // The same where the equations are.
    double here();
    // What the rows miss at a position near a singular one (m), with what they can yield to
    // taken off: how far the loops are from closing there.
    double misfit(std::span<const double> q, double t);
    // The rows may have become others: the largest ones seen do not count any more.
    void forget();
    void remember(Memory& memory);

private:
    void fill();
    void find_levers(std::span<const double> q, double t);

    Equations& equations_;
    std::vector<RowProduct> products_;
    std::vector<double> weight_;  // per column: lengths and angles count alike
    EnvelopeLdlt ldlt_;
    std::vector<double> largest_, best_;
    std::vector<double> near_, lambda_;  // in misfit
    std::vector<int> single_, turning_;  // rows that are alone in their joint, and their angles
    std::vector<double> before_;
    bool levers_known_ = false;
};

}  // namespace pawl
