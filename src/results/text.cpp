#include "results/text.h"

#include <cmath>

#include <fmt/format.h>

namespace pawl {

std::string number_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string length_text(double metres) {
    const double size = std::abs(metres);
    if (size != 0 && size < 1e-6) return fmt::format("{:.3g} m", metres);
    if (size < 0.1) return fmt::format("{:.4g} mm", metres * 1e3);
    return fmt::format("{:.4g} m", metres);
}

std::string no_progress_text(long steps, double from, double to) {
    return fmt::format("{} steps advanced the time only from {} s to {} s", steps,
                       number_text(from, 9), number_text(to, 9));
}

}  // namespace pawl
