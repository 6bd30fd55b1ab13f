#include "output/drawing/animation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "output/drawing/mechanism_names.h"
#include "output/drawing/stage.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using namespace drawing;

class Film {
    static constexpr double margin = 30, head = 66, foot = 54;

public:
    Film(const Scene& scene, const Animation& animation)
        : scene_(scene), animation_(animation), moments_(animation.moments) {
        const double start = moments_.front().t, span = moments_.back().t - start;
        std::string keys;
        for (const Moment& m : moments_)
            keys += fmt::format("{}{:.5g}", keys.empty() ? "" : ";",
                                span > 0 ? std::clamp((m.t - start) / span, 0.0, 1.0) : 0.0);
        timing_ = fmt::format("keyTimes='{}' dur='{:.3g}s' repeatCount='indefinite'", keys,
                              animation.seconds);
    }

    [[nodiscard]] std::string text() const {
        const Vector inner = scene_.scale * (scene_.high - scene_.low);
        const Vector page{
            std::max({inner.x + 2 * margin, 340.0,
                      mean_letter * 18 * static_cast<double>(scene_.title.size()) + 40}),
            head + margin + inner.y + margin + foot};
        const Vector origin{(page.x - inner.x) / 2 - scene_.scale * scene_.low.x,
                            head + margin + scene_.scale * scene_.high.y};
        std::string out = page_head(page, scene_.title, animation_.caption, scene_.scale);
        out += text_element({20, 32}, 18, scene_.title, " font-weight='bold'");
        out += text_element({20, 52}, 13, animation_.caption, " fill='#555555'");
        out += fmt::format("<g class='mechanism' transform='translate({}) scale(1 -1)'>\n{}</g>\n",
                           number(origin), mechanism());
        return out + scale_bar(scene_.scale, {20, page.y - 36}) + clock(page) + "</svg>\n";
    }

private:
    // `value(moment)` at all moments, as the text of an animation.
    template <class Value>
    [[nodiscard]] std::string values(Value&& value) const {
        std::string out;
        for (std::size_t i = 0; i < moments_.size(); ++i)
            out += (i > 0 ? ";" : "") + value(moments_[i]);
        return out;
    }
    template <class At, class Angle>
    [[nodiscard]] std::string movement(At&& at, Angle&& angle) const {
        return fmt::format(
            "<animateTransform attributeName='transform' type='translate' values='{}' {}/>"
            "<animateTransform attributeName='transform' type='rotate' additive='sum' values='{}' "
            "{}/>",
            values([&](const Moment& m) { return number(scene_.scale * at(m)); }), timing_,
            values([&](const Moment& m) { return number(angle(m) * 180 / M_PI); }), timing_);
    }
    template <class Path>
    [[nodiscard]] std::string changing(const char* kind, double width, Path&& path) const {
        return fmt::format(
            "<path class='{}' d='{}' fill='none' stroke='#444444' stroke-width='{}'><animate "
            "attributeName='d' values='{}' {}/></path>\n",
            kind, path(moments_.front()), number(width), values(path), timing_);
    }

    [[nodiscard]] std::string mechanism() const {
        std::string out =
            fmt::format("<g fill-opacity='0.32' stroke-width='{}' stroke-linejoin='round'>\n",
                        number(scene_.stroke()));
        const BodyPoses& first = moments_.front().poses;
        out += body_group(scene_, 0, first, "body");
        for (const SceneRod& rod : scene_.rods)
            out += changing("rod", 0.5 * scene_.bar,
                            [&](const Moment& m) { return rod_path(scene_, rod, m.poses); });
        for (const SceneSpring& spring : scene_.springs)
            out += changing("spring", 0.8 * scene_.stroke(),
                            [&](const Moment& m) { return spring_path(scene_, spring, m.poses); });
        for (std::size_t b = 1; b < scene_.bodies.size(); ++b)
            out += body_group(scene_, b, first, "body",
                              movement([&](const Moment& m) { return m.poses[b].p; },
                                       [&](const Moment& m) { return m.poses[b].angle; }));
        out += "</g>\n";
        for (const Trace& trace : animation_.traces) {
            std::string points;
            for (const Vector p : trace.path) points += number(scene_.scale * p) + " ";
            out += fmt::format(
                "<polyline class='trace' points='{}' fill='none' stroke='{}' stroke-width='{}' "
                "opacity='0.6'/>\n",
                points, scene_.bodies[trace.body].line, number(scene_.stroke()));
        }
        return out + contacts();
    }

    // A dot on the common normal, to be seen while the contact is closed.
    [[nodiscard]] std::string contacts() const {
        constexpr const char* colour = "#b0003a";
        std::map<std::string, std::vector<const ContactMark*>> marks;
        for (std::size_t i = 0; i < moments_.size(); ++i)
            for (const ContactMark& c : moments_[i].contacts) {
                auto& row = marks.try_emplace(c.name, moments_.size(), nullptr).first->second;
                if (c.closed) row[i] = &c;
            }
        std::string out;
        for (const auto& [name, row] : marks) {
            if (std::all_of(row.begin(), row.end(), [](const auto* c) { return c == nullptr; }))
                continue;
            const ContactMark* last =
                *std::find_if(row.begin(), row.end(), [](auto* c) { return c; });
            std::string shown, points, angles;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (row[i]) last = row[i];
                const char* next = i == 0 ? "" : ";";
                shown += fmt::format("{}{}", next, row[i] ? 1 : 0);
                points += next + number(scene_.scale * last->p[0]);
                angles += next + number(std::atan2(last->n.y, last->n.x) * 180 / M_PI);
            }
            out += fmt::format(
                "<g class='contact closed' opacity='{0}' stroke='{1}' "
                "stroke-width='{2}'><title>{3}</title><path d='M{4} 0H{5}'/><circle r='{6}' "
                "fill='{1}' stroke='none'/>"
                "<animate attributeName='opacity' calcMode='discrete' values='{7}' {10}/>"
                "<animateTransform attributeName='transform' type='translate' values='{8}' {10}/>"
                "<animateTransform attributeName='transform' type='rotate' calcMode='discrete' "
                "additive='sum' values='{9}' {10}/></g>\n",
                row[0] ? 1 : 0, colour, number(0.25 * scene_.bar), escaped(name),
                number(-3.2 * scene_.bar), number(3.2 * scene_.bar), number(0.6 * scene_.bar),
                shown, points, angles, timing_);
        }
        return out;
    }

    // A bar that fills while time goes on, with its ends in seconds.
    [[nodiscard]] std::string clock(Vector page) const {
        const double width = page.x - 40, y = page.y - 20;
        return fmt::format(
                   "<rect x='20' y='{0}' width='{1}' height='4' fill='#dddddd'/>\n<rect x='20' "
                   "y='{0}' width='0' height='4' fill='#0072b2'><animate attributeName='width' "
                   "from='0' to='{1}' dur='{2:.3g}s' repeatCount='indefinite'/></rect>\n",
                   number(y), number(width), animation_.seconds) +
               text_element({20, y + 17}, smallest_font,
                            fmt::format("{:.4g} s", moments_.front().t)) +
               text_element({20 + width, y + 17}, smallest_font,
                            fmt::format("{:.4g} s", moments_.back().t), " text-anchor='end'");
    }

    const Scene& scene_;
    const Animation& animation_;
    const std::vector<Moment>& moments_;
    std::string timing_;
};

}  // namespace

std::string svg_animation(const Scene& scene, const Animation& animation) {
    return Film(scene, animation).text();
}

double showing_time(double motion) { return std::clamp(motion, 3.0, 12.0); }

}  // namespace pawl
