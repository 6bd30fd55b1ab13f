// A picture of a scene: the bodies in their places, earlier positions, traces, names, scale bar,
// title.
#include <algorithm>
#include <array>
#include <cmath>

#include "output/drawing/mechanism_names.h"
#include "output/drawing/stage.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using namespace drawing;

constexpr double page_margin = 46, title_height = 60, foot_height = 40,
                 line_height = 16;  // drawing units

class Page {
public:
    Page(const Scene& scene, const Picture& picture) : scene_(scene), picture_(picture) {
        const Vector inner = scene.scale * (scene.high - scene.low);
        page_.x =
            std::max({inner.x + 2 * page_margin,
                      mean_letter * 18 * static_cast<double>(scene.title.size()) + 40, 340.0});
        std::vector<std::string> touching;
        for (const ContactMark& c : picture.contacts)
            touching.push_back(c.closed ? c.name + " closed"
                                        : c.name + " " + length_text(c.gap) + " apart");
        add_legend("may touch: ", scene.contacts);
        add_legend("contacts: ", touching);
        add_legend("springs along joints: ", scene.joint_springs);
        on_page_ = {{(page_.x - inner.x) / 2 - scene.scale * scene.low.x,
                     title_height + page_margin + scene.scale * scene.high.y},
                    scene.scale};
        numbers_ = lay_out_numbers(scene, picture, on_page_);
        if (numbers_.left_out > 0)
            add_legend("", {std::to_string(numbers_.left_out) + " element numbers omitted"});
        page_.y = title_height + page_margin + inner.y + page_margin + foot_height +
                  line_height * static_cast<double>(legend_.size());
    }

    [[nodiscard]] std::string text() const {
        std::string out = page_head(page_, scene_.title, description(), scene_.scale);
        out += text_element({20, 32}, 18, scene_.title, " font-weight='bold'");
        out += text_element({20, 52}, 13, picture_.caption, " fill='#555555'");
        out += fmt::format("<g class='mechanism' transform='translate({}) scale(1 -1)'>\n",
                           number(on_page_.origin)) +
               mechanism_group(scene_, picture_) + "</g>\n";
        out += numbers_.group;
        out += names_group(scene_, picture_, on_page_,
                           {{0, title_height}, page_ - Vector{0, foot_height}, name_font(scene_)},
                           numbers_.boxes);
        const double y = page_.y - 18 - line_height * static_cast<double>(legend_.size());
        out += scale_bar(scene_.scale, {20, y});
        for (std::size_t i = 0; i < legend_.size(); ++i)
            out += text_element(
                {20, page_.y - 14 - line_height * static_cast<double>(legend_.size() - 1 - i)}, 12,
                legend_[i], " class='contacts'");
        return out + "</svg>\n";
    }

private:
    // A list in words, in lines that fit on the page.
    void add_legend(const std::string& head, const std::vector<std::string>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool fits =
                i > 0 &&
                mean_letter * 12 * static_cast<double>(legend_.back().size() + words[i].size()) <
                    page_.x - 40;
            if (i > 0) legend_.back() += fits ? ", " : ",";
            if (fits)
                legend_.back() += words[i];
            else
                legend_.push_back(i == 0 ? head + words[i] : words[i]);
        }
    }
    [[nodiscard]] std::string description() const {
        std::string out = picture_.caption + ". Bodies:";
        for (std::size_t b = 1; b < scene_.bodies.size(); ++b)
            out += (b == 1 ? " " : ", ") + scene_.bodies[b].name;
        return out + ".";
    }

    const Scene& scene_;
    const Picture& picture_;
    Vector page_;
    OnPage on_page_;
    std::vector<std::string> legend_;
    PlacedNumbers numbers_;
};

}  // namespace

std::vector<BodyPoses> poses_of(const Trajectory& trajectory, const PlanarMechanism& mechanism,
                                std::span<const std::size_t> rows) {
    std::vector<BodyPoses> out(rows.size(), BodyPoses(1));
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const auto column = [&](const char* tail) {
            return static_cast<std::size_t>(trajectory.find(mechanism.bodies[b].name + tail));
        };
        const std::size_t x = column(".x"), y = column(".y"), angle = column(".angle");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto row = trajectory.row(rows[i]);
            out[i].push_back(S::position_of({{row[x], row[y]}, row[angle]}));
        }
    }
    return out;
}

Moment moment_of(const Trajectory& trajectory, const PlanarMechanism& mechanism, std::size_t row) {
    const std::array rows{row};
    return {trajectory.row(row)[0], poses_of(trajectory, mechanism, rows).front(),
            contacts_of(trajectory, mechanism, rows).front()};
}

std::vector<Trace> traces_of(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion) {
    std::vector<Trace> out;
    for (const auto& measure : mechanism.measures) {
        const auto* m = std::get_if<CoordinateMeasure<S>>(&measure.kind);
        if (!m || m->coordinate.component != Component::x || !measure.name.ends_with(".x"))
            continue;
        const Attachment<S>& attached = m->coordinate.frames[1];
        Trace trace{measure.name.substr(0, measure.name.size() - 2), attached.body, {}};
        for (const BodyPoses& poses : motion)
            trace.path.push_back(attached.on(poses[attached.body]).p);
        out.push_back(std::move(trace));
    }
    return out;
}

Vector room_on_page(double width) {
    const Vector usual = SceneOptions{}.room;
    const double x = width - 2 * page_margin;
    return {x, usual.y * std::max(1.0, x / usual.x)};
}

std::string svg(const Scene& scene, const Picture& picture) { return Page(scene, picture).text(); }

}  // namespace pawl
