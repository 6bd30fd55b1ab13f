#include "output/plot/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances/outside.h"
#include "output/drawing/stage.h"
#include "output/plot/mark_labels.h"
#include "output/plot/polyline.h"
#include "output/svg/name_layout.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using namespace drawing;

// Okabe and Ito's colours without yellow, which is weak on white. With the dashes no two of the
// first 35 curves look the same, and the first five differ without any colour.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#000000",
                             "#cc79a7", "#e69f00", "#56b4e9"};
constexpr std::array dashes{"", "9 3.5", "2.2 2.6", "10 3 2.2 3", "5 2"};

// Drawing units.
constexpr double page_width = 860, left = 84, head = 66, gap = 26, foot = 54;
constexpr double min_legend_width = 130, max_legend_width = 330;  // the widths of legends
constexpr double plain_margin = 46;                               // on the right of the panels
constexpr double frame_height = 170, single_height = 320, label_row = 15, font = smallest_font;
constexpr double legend_row = 16;

struct Range {
    double low = INFINITY, high = -INFINITY;
    void hold(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // Room around the values; a constant, or nothing at all, stands in the middle.
    void widen(double share) {
        if (!(low <= high)) low = high = 0;
        const double width = high - low,
                     least = tolerance::constant_column * std::max(std::abs(low), std::abs(high));
        const double more = width > least ? share * width : low == 0 ? 1 : 0.5 * std::abs(low);
        low -= more;
        high += more;
    }
    [[nodiscard]] double width() const { return high - low; }
};

// Where on the page a panel is, and how its numbers map to it.
struct Frame {
    Vector corner, size;  // upper left, drawing units
    Range x, y;
    [[nodiscard]] Vector at(double px, double py) const {
        return {corner.x + (px - x.low) / x.width() * size.x,
                corner.y + size.y - (py - y.low) / y.width() * size.y};
    }
    [[nodiscard]] double bottom() const { return corner.y + size.y; }
    [[nodiscard]] double right() const { return corner.x + size.x; }
};

std::string polyline(const std::vector<Vector>& points) {
    constexpr double tolerance = 0.1;  // drawing units: not to be seen
    std::string out;
    for (const Vector p : simplified(points, tolerance))
        out += (out.empty() ? "M" : "L") + number(p);
    return points.size() == 1 ? out + "h0" : out;
}

class PlotPage {
public:
    explicit PlotPage(const Plot& plot) : plot_(plot) {
        width_ = page_width - left - plain_margin - legend_width();
        lay_out_labels();
        double y = head + label_row * label_rows_ + (label_rows_ > 0 ? 6 : 0);
        for (const PlotPanel& panel : plot.panels) {
            Frame frame = mapped(panel, {left, y});
            y = frame.bottom() + gap + (plot.shared_x ? 0 : foot - gap + 14);
            frames_.push_back(frame);
        }
        height_ = y + (plot.shared_x ? foot - gap : 0);
    }

    [[nodiscard]] std::string text() const {
        std::string out = fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
            "height='{1}' role='img' aria-label='{2}' font-family='Helvetica, Arial, Liberation "
            "Sans, sans-serif' fill='#222222'>\n<title>{2}</title>\n<rect width='{0}' height='{1}' "
            "fill='#ffffff'/>\n",
            number(page_width), number(height_),
            escaped(plot_.title.empty() ? "a plot" : plot_.title));
        out += text_element({20, 30}, 17, plot_.title, " font-weight='bold'");
        out += text_element({20, 49}, 12, plot_.caption + mark_note(), " fill='#555555'");
        for (std::size_t i = 0; i < frames_.size(); ++i) out += panel(i);
        return out + marks() + "</svg>\n";
    }

private:
    // Room for the longest name; 0 without legends.
    [[nodiscard]] double legend_width() const {
        std::size_t longest = 0;
        for (const PlotPanel& panel : plot_.panels) {
            for (std::size_t k = 0; k < panel.curves.size() && panel.curves.size() > 1; ++k)
                longest = std::max(longest, panel.curves[k].name.size());
            if (!panel.bands.empty()) longest = std::max(longest, panel.band_name.size());
        }
        if (longest == 0) return 0;
        return std::clamp(mean_letter * font * static_cast<double>(longest) + 6, min_legend_width,
                          max_legend_width);
    }

    [[nodiscard]] Range x_range() const {
        Range x;
        for (const PlotPanel& panel : plot_.panels)
            for (const PlotCurve& curve : panel.curves)
                for (const double value : curve.x) x.hold(value);
        if (!(x.low < x.high)) x.widen(0.05);
        return x;
    }

    [[nodiscard]] Frame mapped(const PlotPanel& panel, Vector corner) const {
        Frame frame{corner, {width_, frame_height}, {}, {}};
        if (plot_.panels.size() == 1 || !plot_.shared_x) frame.size.y = single_height;
        frame.size.y =
            std::max(frame.size.y, legend_row * static_cast<double>(panel.curves.size() + 1));
        for (const PlotCurve& curve : panel.curves)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i])) {
                    frame.x.hold(curve.x[i]);
                    frame.y.hold(curve.y[i]);
                }
        frame.y.widen(0.06);
        if (plot_.shared_x)
            frame.x = x_range();
        else
            frame.x.widen(0.06);
        if (panel.equal_scales) {
            double scale = std::min(width_ / frame.x.width(), 460 / frame.y.width());
            if (scale * frame.y.width() < 120) {  // a flat path has room above and below it
                const double more = (120 / scale - frame.y.width()) / 2;
                frame.y.low -= more;
                frame.y.high += more;
            }
            frame.size = {scale * frame.x.width(), scale * frame.y.width()};
            if (frame.size.x < 200) {
                const double more = (200 / scale - frame.x.width()) / 2;
                frame.x.low -= more;
                frame.x.high += more;
                frame.size.x = 200;
            }
        }
        return frame;
    }

    [[nodiscard]] std::string panel(std::size_t i) const {
        const PlotPanel& panel = plot_.panels[i];
        const Frame& f = frames_[i];
        std::string out =
            fmt::format("<g class='panel' data-frame='{} {}' data-x='{} {}' data-y='{} {}'>\n",
                        number(f.corner), number(f.size), f.x.low, f.x.high, f.y.low, f.y.high);
        for (const auto& [from, to] : panel.bands) {
            const double a = f.at(std::max(from, f.x.low), 0).x,
                         b = f.at(std::min(to, f.x.high), 0).x;
            if (b > a)
                out += fmt::format(
                    "<rect class='band' x='{}' y='{}' width='{}' height='{}' fill='#ececec'/>\n",
                    number(a), number(f.corner.y), number(b - a), number(f.size.y));
        }
        out += x_axis(i) + y_axis(i);
        out += fmt::format(
            "<rect class='frame' x='{}' y='{}' width='{}' height='{}' fill='none' "
            "stroke='#222222'/>\n",
            number(f.corner.x), number(f.corner.y), number(f.size.x), number(f.size.y));
        for (std::size_t k = 0; k < panel.curves.size(); ++k) out += curve(panel, k, f);
        return out + legend(panel, f) + "</g>\n";
    }

    [[nodiscard]] static std::string grid(Vector from, Vector to, bool zero) {
        return fmt::format("<path d='M{}L{}' stroke='{}' stroke-width='{}'/>\n", number(from),
                           number(to), zero ? "#888888" : "#dddddd", zero ? "0.8" : "0.6");
    }
    // "×10³" where the numbers of an axis are divided by a power of ten.
    [[nodiscard]] static std::string power(const Ticks& ticks, Vector at, const char* anchor) {
        if (ticks.exponent == 0) return {};
        return fmt::format(
            "<text class='power' x='{}' y='{}' font-size='12' text-anchor='{}'>×10<tspan dy='-4' "
            "font-size='10'>{}</tspan></text>\n",
            number(at.x), number(at.y), anchor,
            ticks.exponent < 0 ? "−" + std::to_string(-ticks.exponent)
                               : std::to_string(ticks.exponent));
    }

    [[nodiscard]] std::string x_axis(std::size_t i) const {
        const Frame& f = frames_[i];
        const bool written = !plot_.shared_x || i + 1 == frames_.size();
        const Ticks ticks = ticks_between(f.x.low, f.x.high, static_cast<int>(f.size.x / 65));
        std::string out;
        for (const double value : ticks.values) {
            const double x = f.at(value, 0).x;
            out += grid({x, f.corner.y}, {x, f.bottom()}, false);
            if (written)
                out += text_element({x, f.bottom() + 15}, font, ticks.text(value),
                                    " class='x-number' text-anchor='middle'");
        }
        if (!written) return out;
        out += power(ticks, {f.right() + 6, f.bottom() + 15}, "start");
        return out + text_element({(f.corner.x + f.right()) / 2, f.bottom() + 34}, 12,
                                  plot_.panels[i].x_label, " class='x-label' text-anchor='middle'");
    }

    [[nodiscard]] std::string y_axis(std::size_t i) const {
        const Frame& f = frames_[i];
        const Ticks ticks =
            ticks_between(f.y.low, f.y.high, std::max(3, static_cast<int>(f.size.y / 32)));
        std::string out;
        for (const double value : ticks.values) {
            const double y = f.at(0, value).y;
            out += grid({f.corner.x, y}, {f.right(), y}, value == 0);
            out += text_element({f.corner.x - 6, y + 0.35 * font}, font, ticks.text(value),
                                " class='y-number' text-anchor='end'");
        }
        out += power(ticks, {f.corner.x, f.corner.y - 5}, "start");
        return out + fmt::format(
                         "<text class='y-label' transform='translate({}) rotate(-90)' "
                         "font-size='12' text-anchor='middle'>{}</text>\n",
                         number({24, f.corner.y + f.size.y / 2}), escaped(plot_.panels[i].y_label));
    }

    [[nodiscard]] static std::string stroke(std::size_t k) {
        const char* dash = dashes[k % dashes.size()];
        return fmt::format("fill='none' stroke='{}' stroke-width='1.6' stroke-linejoin='round'{}",
                           colours[k % colours.size()],
                           *dash ? fmt::format(" stroke-dasharray='{}'", dash) : "");
    }

    [[nodiscard]] std::string curve(const PlotPanel& panel, std::size_t k, const Frame& f) const {
        const PlotCurve& c = panel.curves[k];
        if (c.dots) return dots(c, k, f);
        std::string path;
        std::vector<Vector> points;
        const auto finish = [&] {
            if (!points.empty()) path += polyline(points);
            points.clear();
        };
        for (std::size_t i = 0; i < c.x.size(); ++i)
            if (std::isfinite(c.x[i]) && std::isfinite(c.y[i]))
                points.push_back(f.at(c.x[i], c.y[i]));
            else
                finish();
        const bool one = points.size() == c.x.size() && panel.ends && !points.empty();
        const Vector first = one ? points.front() : Vector{0, 0},
                     last = one ? points.back() : first;
        finish();
        std::string out =
            fmt::format("<path class='curve' data-name='{}' d='{}' {}><title>{}</title></path>\n",
                        escaped(c.name), path, stroke(k), escaped(c.name));
        if (!one) return out;
        const char* colour = colours[k % colours.size()];
        out += fmt::format(
            "<circle class='start' cx='{}' cy='{}' r='4.2' fill='#ffffff' stroke='{}' "
            "stroke-width='1.4'><title>start</title></circle>\n",
            number(first.x), number(first.y), colour);
        return out + fmt::format(
                         "<circle class='end' cx='{}' cy='{}' r='2.6' "
                         "fill='{}'><title>end</title></circle>\n",
                         number(last.x), number(last.y), colour);
    }

    [[nodiscard]] static std::string dots(const PlotCurve& c, std::size_t k, const Frame& f) {
        std::string path;
        for (std::size_t i = 0; i < c.x.size(); ++i)
            if (std::isfinite(c.x[i]) && std::isfinite(c.y[i]))
                path += fmt::format("M{}h0", number(f.at(c.x[i], c.y[i])));
        return fmt::format(
            "<path class='dots' data-name='{}' d='{}' fill='none' stroke='{}' stroke-width='{}' "
            "stroke-linecap='round'><title>{}</title></path>\n",
            escaped(c.name), path, colours[k % colours.size()], c.x.size() > 300 ? 1.8 : 4.0,
            escaped(c.name));
    }

    // Beside the panel; a single curve is named by its axis.
    [[nodiscard]] std::string legend(const PlotPanel& panel, const Frame& f) const {
        std::string out;
        double y = f.corner.y + 8;
        const double x = f.right() + 14;
        for (std::size_t k = 0; k < panel.curves.size() && panel.curves.size() > 1; ++k) {
            out += fmt::format("<path class='sample' d='M{}h26' {}/>\n", number({x, y}), stroke(k));
            out += text_element({x + 32, y + 0.35 * font}, font, panel.curves[k].name,
                                " class='legend'");
            y += legend_row;
        }
        if (!panel.bands.empty()) {
            out += fmt::format(
                "<rect x='{}' y='{}' width='26' height='10' fill='#ececec' stroke='#cccccc'/>\n",
                number(x), number(y - 5));
            out +=
                text_element({x + 32, y + 0.35 * font}, font, panel.band_name, " class='legend'");
        }
        return out;
    }

    void lay_out_labels() {
        if (plot_.marks.empty()) return;
        const Range x = x_range();
        std::vector<MarkLabel> wanted;
        for (const PlotMark& mark : plot_.marks)
            wanted.push_back({left + (mark.x - x.low) / x.width() * width_, mark.label});
        marks_ = thinned(wanted, width_);
        labels_ = mark_labels(marks_.lines, page_width - 6);
        for (const MarkLabel& label : labels_) label_rows_ = std::max(label_rows_, label.row + 1);
    }

    // What the marks are.
    [[nodiscard]] std::string mark_note() const {
        const std::size_t n = plot_.marks.size();
        if (n == 0) return {};
        if (marks_.ticks.empty())
            return fmt::format("; dashed lines: {}",
                               n == 1 ? "1 event" : fmt::format("{} events at their times", n));
        return fmt::format("; {} events, marks merged: {}ticks at the top", n,
                           marks_.lines.empty() ? "" : "lines for the rarest kinds, else ");
    }

    [[nodiscard]] std::string marks() const {
        if (plot_.marks.empty() || frames_.empty()) return {};
        const double top = frames_.front().corner.y;
        std::string out = "<g class='marks' stroke='#555555' stroke-width='0.7'>\n", names;
        const auto add = [&](const MarkLabel& mark, const char* look, double height) {
            std::string path;
            for (const Frame& f : frames_)
                path += fmt::format("M{}v{}", number({mark.x, f.corner.y}),
                                    number(std::min(height, f.size.y)));
            const Range& x = frames_.front().x;
            out += fmt::format("<path {} d='{}'><title>{}</title></path>\n", look, path,
                               escaped(fmt::format("{} at {:.9g} s", mark.text,
                                                   x.low + (mark.x - left) / width_ * x.width())));
        };
        for (const MarkLabel& mark : marks_.lines)
            add(mark, "class='mark' stroke-dasharray='4 2.5'", INFINITY);
        for (const MarkLabel& mark : marks_.ticks) add(mark, "class='tick'", 5);
        for (const MarkLabel& label : labels_) {
            const double y = top - 7 - label_row * label.row;
            out += fmt::format("<path d='M{}V{}'/>\n", number({label.x, top}), number(y - 7));
            names += text_element(
                {label.x + (label.leftward ? -3.0 : 3.0), y}, mark_font, label.text,
                label.leftward ? " class='mark-name' text-anchor='end'" : " class='mark-name'");
        }
        return out + "</g>\n" + names;
    }

    const Plot& plot_;
    std::vector<Frame> frames_;
    ThinnedMarks marks_;
    std::vector<MarkLabel> labels_;
    int label_rows_ = 0;
    double width_ = 0, height_ = 0;
};

}  // namespace

// Steps of 1, 2 or 5 times a power of ten. From 10^5 on and below 10^-2 the numbers are divided by
// a power of 1000.
Ticks ticks_between(double low, double high, int max_ticks) {
    Ticks out;
    if (!(high > low) || max_ticks < 1) return out;
    const double rough = (high - low) / max_ticks,
                 power = std::pow(10, std::floor(std::log10(rough)));
    const double part = rough / power;
    const double step = (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
    for (auto k = static_cast<long long>(std::ceil(low / step - tolerance::tick_rounding));
         static_cast<double>(k) * step <= high + tolerance::tick_rounding * step; ++k)
        out.values.push_back(static_cast<double>(k) * step);
    const double largest = std::max(std::abs(low), std::abs(high));
    if (largest >= 1e5 || largest < 1e-2)
        out.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
    out.decimals =
        std::max(0, -static_cast<int>(std::floor(std::log10(step) + tolerance::tick_rounding)) +
                        out.exponent);
    return out;
}

std::string Ticks::text(double value) const {
    const std::string plain =
        fmt::format("{:.{}f}", value / std::pow(10, exponent) + 0.0, decimals);
    return plain.starts_with('-') ? "−" + plain.substr(1) : plain;
}

std::string svg(const Plot& plot) { return PlotPage(plot).text(); }

}  // namespace pawl
