#include "output/report/report.h"

#include <array>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "output/report/report_plots.h"
#include "output/result/result_folder.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"
#include "support/unpacking.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

// A ball falls on the floor, bounces once, and is held back by a spring.
const std::string ball = R"(
format = 1
name = "Ball & <floor>"
[body.ball]
position = [0, 1.1]
mass = 1
inertia = 0.004
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
[measure.P]
type = "point"
point = "ball"
)";

struct Made {
    PlacedMechanism placed;
    StoredResult result;
    std::string html;
    Json data;
    // The text between two marks.
    static std::string between(const std::string& text, const std::string& from,
                               const std::string& to) {
        const std::size_t begin = text.find(from);
        if (begin == std::string::npos) return {};
        const std::size_t start = begin + from.size();
        return text.substr(start, text.find(to, start) - start);
    }
    [[nodiscard]] std::string block(int i) const {
        return between(html, "id=\"pawl-" + std::to_string(i) + "\">", "<");
    }
    [[nodiscard]] const Json& column(const std::string& name) const {
        for (const Json& c : data["columns"])
            if (c["name"] == name) return c;
        throw std::runtime_error("no column " + name);
    }
};

Made make(double end, double step, const std::string& text = ball) {
    const ModelData model = test::model_of(text);
    Made out{test::placed_of(text), {}, {}, {}};
    DynamicOptions options;
    options.end = end;
    options.step = step;
    DynamicResult run = run_dynamics(out.placed, options);
    out.result.model = text;
    out.result.trajectory = std::move(run.trajectory);
    out.result.events = std::move(run.events);
    out.result.summary = Json{
        {"format", 1},
        {"pawl", "0"},
        {"analysis", "dynamics"},
        {"model", {{"file", "/some/where/ball.toml"}}},
        {"status", "completed"},
        {"options", {{"end_s", end}}},
        {"audit",
         {{"verdict", "passed"},
          {"checks", Json::array()},
          {"kinetic_change_J", run.audit.kinetic_change},
          {"ledger",
           Json::array()}}}}.dump();
    out.html = report(out.result, out.placed);
    out.data = Json::parse(Made::between(out.html, "id=\"pawl-data\">", "</script>"));
    return out;
}

TEST(Report, is_one_page_that_loads_nothing) {
    const Made made = make(1, 0.01);
    EXPECT_TRUE(is_report(made.html));
    EXPECT_FALSE(is_report("<html>my notes</html>"));
    EXPECT_EQ(made.html.find("{{"), std::string::npos) << "every place of the page is filled";
    for (const char* loads : {" src=", "@import", "url(http", "<link", "fetch("})
        EXPECT_EQ(made.html.find(loads), std::string::npos) << loads;
    EXPECT_NE(made.html.find("default-src 'none'"), std::string::npos);
}

TEST(Report, shows_names_and_the_model_as_text_whatever_they_hold) {
    const Made made = make(1, 0.01, ball + "# </pre><script>alert(1)</script>\n");
    EXPECT_NE(made.html.find("<h1>Ball &amp; &lt;floor></h1>"), std::string::npos);
    EXPECT_EQ(made.html.find("<script>alert(1)"), std::string::npos);
    EXPECT_NE(made.html.find("&lt;script>alert(1)"), std::string::npos);
    EXPECT_NE(made.html.find("ball.toml"), std::string::npos);
    EXPECT_EQ(made.html.find("/some/where"), std::string::npos) << "folders are nobody's business";
}

TEST(Report, holds_the_poses_and_times_of_all_rows) {
    const Made made = make(1, 0.01);
    const Trajectory& t = made.result.trajectory;
    const auto times = test::unpacked_doubles(made.block(made.data["time"]));
    const auto heights = test::unpacked_floats(made.block(made.column("ball.y")["float"]));
    ASSERT_EQ(times.size(), t.rows());
    ASSERT_EQ(heights.size(), t.rows());
    for (std::size_t i = 0; i < t.rows(); ++i) {
        EXPECT_EQ(times[i], t.row(i)[0]);
        EXPECT_EQ(heights[i], static_cast<float>(test::value(t, i, "ball.y")));
    }
    EXPECT_EQ(made.column("ball.x")["constant"], 0) << "what rests needs one number";
    EXPECT_EQ(made.data["spans"], 0);
}

TEST(Report, places_a_contact_and_its_force_while_it_is_closed) {
    const Made made = make(3, 0.01);
    const Trajectory& t = made.result.trajectory;
    const Json& contact = made.data["contacts"][0];
    const auto column = [&](const char* key) {
        const Json& c = made.data["columns"][contact[key].get<std::size_t>()];
        return c.contains("constant") ? std::vector<float>(t.rows(), c["constant"].get<float>())
                                      : test::unpacked_floats(made.block(c["float"]));
    };
    const auto x = column("x"), y = column("y"), angle = column("angle"), force = column("force");
    int closed = 0;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const bool is_closed = test::value(t, i, "C#1.closed") > 0;
        closed += is_closed;
        EXPECT_EQ(!std::isnan(y[i]), is_closed) << i;
        if (!is_closed) continue;
        EXPECT_NEAR(x[i], 0, 1e-12);
        EXPECT_NEAR(y[i], 0, 1e-12);            // rounding of the contact's place
        EXPECT_NEAR(angle[i], M_PI / 2, 1e-6);  // rounding of a float, here and below
        EXPECT_NEAR(force[i], test::value(t, i, "C#1.normal"), 1e-6 * 9.81);
    }
    EXPECT_GT(closed, 10) << "the ball has come to rest";
}

TEST(Report, plots_what_the_model_measures_first_and_no_noise) {
    const Made made = make(1, 0.01);
    const Json& first = made.data["plots"][0];
    EXPECT_EQ(first["title"], "Measures");
    EXPECT_EQ(first["unit"], "m");
    EXPECT_EQ(first["shown"], true);
    for (const Json& plot : made.data["plots"])
        for (const Json& c : plot["columns"])
            EXPECT_FALSE(made.data["columns"][c.get<std::size_t>()].contains("constant"))
                << plot["title"];
}

TEST(Report, plots_no_turning_that_is_rounding) {
    const auto titles_for = [](double omega) {
        PlanarMechanism mechanism;
        mechanism.bodies.resize(2);
        mechanism.bodies[1].name = "marble";
        Trajectory t;
        t.columns = {{"t", "s"},
                     {"marble.x", "m"},
                     {"marble.vx", "m/s"},
                     {"marble.angle", "rad"},
                     {"marble.omega", "rad/s"}};
        for (const double time : {0.0, 1.0})
            t.add(std::vector<double>{time, time, 1 + time, omega * time, omega * time});
        std::vector<std::string> out;
        for (const ReportPlot& p : report_plots(t, mechanism))
            if (p.shown) out.push_back(p.title);
        return out;
    };
    EXPECT_EQ(titles_for(1e-12), (std::vector<std::string>{"Positions"}));
    EXPECT_EQ(titles_for(0.1),
              (std::vector<std::string>{"Angular velocities", "Positions", "Angles"}));
}

TEST(Report, energy_ledger_sums_to_nothing_at_every_row) {
    const Made made = make(1, 0.01);
    const Trajectory& t = made.result.trajectory;
    ASSERT_GE(made.data["ledger"].size(), 3U);  // kinetic, weight, contact
    for (std::size_t i = 0; i < t.rows(); ++i) {
        double sum = 0;
        for (const Json& term : made.data["ledger"]) {
            const std::string name =
                made.data["columns"][term["column"].get<std::size_t>()]["name"];
            sum += term["sign"].get<int>() * (test::value(t, i, name) - test::value(t, 0, name));
        }
        EXPECT_NEAR(sum, 0, 1e-9 * 9.81) << i;  // the run's tolerance times its energy
    }
}

TEST(Report, ledger_shows_rounding_as_nothing) {
    Made made = make(0.1, 0.01);
    Json summary = Json::parse(made.result.summary);
    summary["audit"]["ledger"] = {{{"element", "spring"}, {"stored_J", 2.5}, {"work_J", 0.125}},
                                  {{"element", "catch"}, {"stored_J", -3e-18}, {"work_J", 1e-6}}};
    made.result.summary = summary.dump();
    const std::string html = report(made.result, made.placed);
    EXPECT_EQ(html.find("-3e-18"), std::string::npos);
    EXPECT_NE(html.find("0.125"), std::string::npos);
    EXPECT_NE(html.find("1e-06"), std::string::npos);
}

TEST(Report, last_row_of_the_energy_columns_is_the_ledger_of_the_audit) {
    const PlacedMechanism placed = test::placed_of(ball);
    DynamicOptions options;
    options.end = 1;
    const DynamicResult run = run_dynamics(placed, options);
    const std::size_t last = run.trajectory.rows() - 1;
    ASSERT_EQ(run.audit.ledger.size(), 2U);
    for (const LedgerLine& line : run.audit.ledger)
        EXPECT_EQ(test::value(run.trajectory, last, "energy." + line.element + ".work"), line.work);
    EXPECT_EQ(test::value(run.trajectory, last, "energy.weight.stored"),
              run.audit.ledger[0].stored);
}

TEST(Report, traces_the_measured_point_over_the_whole_motion) {
    const Made made = make(1, 0.01);
    const std::string path = Made::between(made.html, "<polyline class='trace' points='", "'");
    EXPECT_GT(std::count(path.begin(), path.end(), ' '), 100);
    EXPECT_NE(made.html.find("class='traced'"), std::string::npos);
}

// A long trajectory of the ball, made up: the height has one high peak.
Made make_long(std::size_t rows) {
    Made out{test::placed_of(ball), {}, {}, {}};
    StoredResult& r = out.result;
    r.model = ball;
    r.summary = R"({"format": 1, "pawl": "0"})";
    r.trajectory.columns = {{"t", "s"}, {"ball.x", "m"}, {"ball.y", "m"}, {"ball.angle", "rad"}};
    for (int i = 0; i < 200; ++i) r.trajectory.columns.push_back({"f" + std::to_string(i), "N"});
    std::vector<double> row(r.trajectory.columns.size());
    for (std::size_t i = 0; i < rows; ++i) {
        row[0] = 1e-3 * static_cast<double>(i);
        for (std::size_t c = 1; c < row.size(); ++c)
            row[c] = std::sin(row[0] * static_cast<double>(c));
        if (i == rows / 3) row[4] = 100;
        r.trajectory.add(row);
    }
    r.events.push_back(
        {1e-3 * static_cast<double>(rows / 3), EventKind::user, "", "", "", 0, 0, 0, 0, {}});
    out.html = report(r, out.placed);
    out.data = Json::parse(Made::between(out.html, "id=\"pawl-data\">", "</script>"));
    return out;
}

TEST(Report, of_a_long_result_is_thinned_but_keeps_events_and_peaks) {
    const std::size_t rows = 20000;
    const Made made = make_long(rows);
    EXPECT_EQ(made.data["samples"], rows);
    const std::size_t spans = made.data["spans"];
    EXPECT_GE(spans, 300U);
    EXPECT_LT(spans, rows);
    const auto peak = test::unpacked_short_floats(made.block(made.column("f0")["spans"]));
    ASSERT_EQ(peak.size(), 2 * spans);
    EXPECT_EQ(*std::max_element(peak.begin(), peak.end()), 100);
    const auto times = test::unpacked_doubles(made.block(made.data["time"]));
    EXPECT_TRUE(std::binary_search(times.begin(), times.end(), made.result.events[0].t));
    const auto span_times = test::unpacked_doubles(made.block(made.data["span_time"]));
    EXPECT_EQ(span_times.size(), spans + 1);
    EXPECT_NE(made.html.find("All samples are in trajectory.csv"), std::string::npos);
}

TEST(Report, of_any_length_is_below_five_megabytes_and_shows_the_motion_within_a_pixel) {
    const Made made = make_long(100000);
    EXPECT_LT(made.html.size(), 5e6);
    const auto times = test::unpacked_doubles(made.block(made.data["time"]));
    const auto heights = test::unpacked_floats(made.block(made.column("ball.y")["float"]));
    ASSERT_EQ(times.size(), heights.size());
    EXPECT_LT(times.size(), 60000U);
    const double scale = made.data["scale"];
    const Trajectory& all = made.result.trajectory;
    double off = 0;
    for (std::size_t i = 0, k = 0; i < all.rows(); ++i) {
        const double t = all.row(i)[0];
        while (k + 2 < times.size() && times[k + 1] < t) ++k;
        const double share = (t - times[k]) / (times[k + 1] - times[k]);
        off = std::max(
            off, std::abs(heights[k] + share * (heights[k + 1] - heights[k]) - all.row(i)[2]));
    }
    EXPECT_LT(off * scale, 1) << "drawing units";
}

TEST(Report, of_two_thousand_rows_and_two_hundred_columns_is_below_a_megabyte_and_a_half) {
    EXPECT_LT(make_long(2000).html.size(), 1.5e6);
}

TEST(Report, of_a_run_that_failed_at_its_start_shows_the_assembled_mechanism) {
    Made made = make(1, 0.01);
    const auto columns = made.result.trajectory.columns;
    made.result.trajectory = {};
    made.result.trajectory.columns = columns;
    made.result.events.clear();
    made.result.summary =
        R"({"format": 1, "pawl": "0", "status": "overlap", "message": "bodies overlap & press"})";
    const std::string html = report(made.result, made.placed);
    EXPECT_NE(html.find("bodies overlap &amp; press"), std::string::npos);
    EXPECT_NE(html.find("class='badge bad'>overlap"), std::string::npos);
    EXPECT_NE(html.find("data-body='ball' transform='translate("), std::string::npos);
    const Json data = Json::parse(Made::between(html, "id=\"pawl-data\">", "</script>"));
    EXPECT_EQ(data["rows"], 1);
    EXPECT_EQ(data["columns"][data["bodies"][0]["y"].get<std::size_t>()]["constant"], 1.1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
