// Assembles the waist from a mechanism and a choice of coordinates: rows of the joints that the tree does not
// carry, rows of the drivers, and rows that keep undriven coordinates at rest.
#pragma once

#include <memory>

#include "coordinates/coordinates.h"
#include "equations/equations.h"

namespace pawl {

// A joint coordinate that nothing drives and that is kept where it is.
template <class S>
struct RestCoordinate {
    std::string name;
    Span span;
    Coordinate<S> coordinate;
    double value = 0;
};

template <class S>
class MechanismEquations : public Equations {
public:
    struct Choice {
        CoordinateKind coordinates = CoordinateKind::relative;
        bool drivers = true;
        std::vector<RestCoordinate<S>> rests;
    };
    MechanismEquations(const Mechanism<S>& mechanism, const Topology& topology, Choice choice);

    void set_position(std::span<const double> q, double t) override;
    void set_velocity(std::span<const double> v) override;
    [[nodiscard]] std::string column_name(int column) const override { return coordinates_.column_name(column); }

    [[nodiscard]] Coordinates<S>& coordinates() { return coordinates_; }
    [[nodiscard]] const Coordinates<S>& coordinates() const { return coordinates_; }
    [[nodiscard]] const Mechanism<S>& mechanism() const { return mechanism_; }
    void set_model_size(double size);
    [[nodiscard]] double time() const { return t_; }
    [[nodiscard]] bool row_is_angle(int row) const;
    [[nodiscard]] double row_scale(int row) const { return row_is_angle(row) ? model_size_ : 1.0; }

private:
    struct Element {
        int joint = -1, driver = -1, rest = -1;  // exactly one is set
        int first_row = 0, rows = 1;
        int frames = 2;
        std::array<Attachment<S>, 3> attachments;
        typename Coordinates<S>::Reach reach;
        std::array<bool, 3> is_angle{};
    };
    void add(Element element, std::vector<RowLabel> labels);
    void evaluate(const Element& element, typename S::Row* rows, std::array<typename S::Frame, 3>& frames) const;
    [[nodiscard]] double scale(const Element& e, int row) const { return e.is_angle[row] ? model_size_ : 1.0; }

    const Mechanism<S>& mechanism_;
    Choice choice_;
    Coordinates<S> coordinates_;
    std::vector<Element> elements_;
    double t_ = 0;
};

extern template class MechanismEquations<PlanarSpace>;

// The diameter of the assembled points: the largest side of the box around all frames and named points, at least
// that of the joints' own lengths. 1 when everything is in one place.
template <class S>
double model_size(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates);

}  // namespace pawl
