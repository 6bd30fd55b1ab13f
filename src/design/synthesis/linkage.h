// A planar linkage in natural coordinates (García de Jalón and Bayo 1994, 10.4): points, and bars,
// plates and guides between them whose dimensions are unknowns of a design. Knows nothing of
// bodies, of models, or of what is asked of the linkage.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "math/named.h"
#include "math/planar.h"

namespace pawl {

inline std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

enum class LinkageKind { four_bar, slider_crank, six_bar, six_bar_watt };
constexpr auto value_names(LinkageKind) {
    return std::array<std::string_view, 4>{"four-bar", "slider-crank", "six-bar", "six-bar-watt"};
}

// A number of the design.
struct DesignNumber {
    enum class Kind { length, coordinate, angle };
    std::string name;
    Kind kind = Kind::length;
    double value = 0;    // m or rad
    bool fixed = false;  // the synthesis keeps it
};

struct Linkage {
    using Vector = Planar<double>::Vector;

    struct Node {
        std::string name;
        int x = -1, y = -1;  // a ground point: its numbers; -1: it moves
        [[nodiscard]] bool on_ground() const { return x >= 0; }
    };
    // |b - a| = length
    struct Bar {
        std::string name;
        int a = 0, b = 0, length = 0;
    };
    // A further point of a bar that is a plate: x along the bar from a, y to its left.
    struct PlatePoint {
        int point = 0, bar = 0, x = 0, y = 0;
    };
    // A point on the line (-sin angle, cos angle) . p = offset.
    struct Guide {
        std::string name;
        int point = 0, angle = 0, offset = 0;
    };
    // Where force passes from a bar to the one that it moves, or to a slider.
    struct Transmission {
        int bar = 0, driven = -1, guide = -1;
    };

    std::vector<DesignNumber> numbers;
    std::vector<Node> nodes;
    std::vector<Bar> bars;
    std::vector<PlatePoint> plates;
    std::vector<Guide> guides;
    std::vector<Transmission> transmissions;
    int input = 0;                       // bar that is driven: the crank
    int traced = -1;                     // node that draws the path
    int carrier = -1;                    // bar whose direction is the pose
    int output = -1, output_guide = -1;  // bar or guide whose motion is the function
    Eigen::VectorXd start_position;      // of a linkage that the user gives

    // Numbers and moving points, in their order.
    [[nodiscard]] int design_size() const { return static_cast<int>(numbers.size()); }
    [[nodiscard]] int position_size() const { return 2 * moving_; }
    // The first coordinate of a moving node in a position.
    [[nodiscard]] int index(int node) const { return index_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] Vector at(int node, const Eigen::VectorXd& q, const Eigen::VectorXd& b) const;
    [[nodiscard]] Eigen::VectorXd design() const;
    // Makes lengths positive; the linkage stays the same.
    void set_design(const Eigen::VectorXd& b);
    // The numbers of a linkage that has its points there; those that are fixed stay.
    void take_dimensions(const Eigen::VectorXd& q, Eigen::VectorXd& b) const;
    [[nodiscard]] double bar_angle(int bar, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& b) const;

    int add_number(std::string name, DesignNumber::Kind kind, double value = 0);
    int add_ground(std::string name);
    int add_point(std::string name);
    int add_bar(std::string name, int a, int b);
    int add_plate_point(std::string name, int bar);  // the node
    void add_guide(std::string name, int point);
    [[nodiscard]] int find_number(std::string_view name) const;  // -1: none

private:
    int moving_ = 0;
    std::vector<int> index_;
};

// Rows of one position with their derivatives by the position and by the design.
struct PositionRows {
    Eigen::VectorXd value;
    Eigen::MatrixXd by_position, by_design;

    void reset(int rows, int position_size, int design_size);
    int used = 0;
    // The next row gets a value; the derivatives are then added to it.
    int add(double row_value);
    void add_by_node(const Linkage& linkage, int row, int node, Linkage::Vector derivative);
};

// How many rows closure has, and the rows: squared lengths, plates and guides (10.54). The row of
// the input bar is left out where its direction is prescribed.
int closure_count(const Linkage& linkage, bool input_prescribed);
void add_closure(const Linkage& linkage, bool input_prescribed, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& b, PositionRows& rows);

// The linkages that can be asked for by name, all numbers zero; with a point C that draws a path or
// carries a pose, or without.
Linkage make_linkage(LinkageKind kind, bool with_point = true);

}  // namespace pawl
