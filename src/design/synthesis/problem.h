// What is asked of a linkage, and the rows that this puts on each of its positions beside closure:
// functional constraints in the words of García de Jalón and Bayo (1994, 10.4). Knows nothing of
// how the rows are solved.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "design/synthesis/linkage.h"

namespace pawl {

enum class SynthesisKind { path, function, motion };
constexpr auto value_names(SynthesisKind) {
    return std::array<std::string_view, 3>{"path", "function", "motion"};
}

// One position that the linkage has to take: m, rad.
struct Requirement {
    Linkage::Vector point;            // of the traced point: path and motion
    double angle = 0;                 // of the pose: motion
    double output = 0;                // angle, or displacement of a slider: function
    std::optional<double> input;      // angle of the crank; of a function it must be there
    std::optional<double> tolerance;  // of this position, in place of the task's
};

struct SynthesisTask {
    SynthesisKind kind = SynthesisKind::path;
    LinkageKind linkage = LinkageKind::four_bar;
    std::string name = "synthesis";
    std::string unit = "m";  // in which lengths are written
    std::vector<Requirement> positions;
    double tolerance = 0;        // of points and displacements, m; 0: a thousandth of their extent
    double angle_tolerance = 0;  // of poses and outputs, rad; 0: 0.5 degrees
    bool ordered = true;         // the positions follow one another
    bool absolute_angles = false;  // angles of crank and output are from the x axis, not from the
                                   // first position
    std::vector<std::pair<std::string, double>> fixed;  // numbers of the design that are given
    double least_transmission = 0.5235987755982988;     // rad, 30 degrees: below it is a remark

    [[nodiscard]] bool is_timed() const;
    // The extent of the points, or for angles alone the distance of the pivots: the unit of the
    // search.
    [[nodiscard]] double size() const;
    [[nodiscard]] Linkage::Vector centre() const;
    // What is wrong with it; empty: nothing.
    [[nodiscard]] std::string problem() const;

private:
    [[nodiscard]] double ground_length() const;
};

// All unknowns: the design, and the coordinates of each position.
struct SynthesisUnknowns {
    Eigen::VectorXd design;
    std::vector<Eigen::VectorXd> positions;
};

class SynthesisProblem {
public:
    // The linkage is one by name, or that of the user, whose numbers are then the start.
    SynthesisProblem(SynthesisTask task, Linkage linkage);
    explicit SynthesisProblem(SynthesisTask task);

    [[nodiscard]] const SynthesisTask& task() const { return task_; }
    [[nodiscard]] const Linkage& linkage() const { return linkage_; }
    [[nodiscard]] int positions() const { return static_cast<int>(task_.positions.size()); }
    // Closure and prescribed input: what the exact way keeps; then what it makes least.
    [[nodiscard]] int hard_rows() const { return hard_; }
    [[nodiscard]] int rows() const { return hard_ + soft_; }
    void evaluate(int position, const Eigen::VectorXd& q, const Eigen::VectorXd& b,
                  PositionRows& rows) const;

    // The numbers that the synthesis may change.
    [[nodiscard]] const std::vector<int>& free_numbers() const { return free_; }
    // The largest error of a position over its tolerance, at an exact closure.
    [[nodiscard]] double error_in_tolerances(int position, const Eigen::VectorXd& q,
                                             const Eigen::VectorXd& b) const;
    // The same problem with all lengths multiplied.
    [[nodiscard]] SynthesisProblem scaled(double factor) const;
    [[nodiscard]] SynthesisUnknowns scaled(SynthesisUnknowns x, double factor) const;
    // The direction that the input has in a position.
    [[nodiscard]] double input_angle(int position, const Eigen::VectorXd& b) const;

    // Numbers added to the linkage by what is asked: shifts of angles. -1: none.
    int input_shift = -1, pose_shift = -1, output_shift = -1;

private:
    void add_shift(int& shift, const char* name, bool is_length);
    void add_functional(const Requirement& r, const Eigen::VectorXd& q, const Eigen::VectorXd& b,
                        PositionRows& rows) const;
    [[nodiscard]] double shifted(double angle, int shift, const Eigen::VectorXd& b) const;

    SynthesisTask task_;
    Linkage linkage_;
    bool timed_ = false;
    int hard_ = 0, soft_ = 0;
    std::vector<int> free_;
};

}  // namespace pawl
