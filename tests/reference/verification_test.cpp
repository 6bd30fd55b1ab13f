// The verification manual as a test: every row of every problem passes, and a row that should fail
// does.
#include "verification/verification.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "verification/verification_data.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string test_name(const std::string& problem) {
    std::string name;
    for (const char c : problem) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}

class VerificationProblem : public testing::TestWithParam<std::string> {};

TEST_P(VerificationProblem, passes_in_every_row) {
    const auto outcomes = verify(GetParam());
    EXPECT_FALSE(outcomes.empty());
    for (const VerificationOutcome& o : outcomes) {
        EXPECT_EQ(o.problem, GetParam());
        EXPECT_TRUE(o.pass) << o.quantity << " at " << o.at << ": computed " << o.computed
                            << " instead of " << o.reference << ' ' << o.unit << ", error "
                            << o.error << " > " << o.tolerance << ' ' << o.note;
        EXPECT_FALSE(o.source.empty()) << o.quantity;
    }
}

INSTANTIATE_TEST_SUITE_P(manual, VerificationProblem, testing::ValuesIn(verification_problems()),
                         [](const auto& info) { return test_name(info.param); });

TEST(Verification, of_everything_is_the_sum_of_its_problems) {
    std::size_t rows = 0;
    for (const std::string& problem : verification_problems()) rows += verify(problem).size();
    EXPECT_EQ(verify("").size(), rows);
    EXPECT_GE(rows, verification_rows().size());
    EXPECT_TRUE(verify("no such problem").empty());
}

TEST(Verification, holds_the_slider_crank_and_the_trigger_topology) {
    const auto outcomes = verify("");
    for (const char* problem : {"K1", "W6"})
        EXPECT_TRUE(std::any_of(outcomes.begin(), outcomes.end(),
                                [&](const VerificationOutcome& o) { return o.problem == problem; }))
            << problem;
}

TEST(Verification, row_with_a_tampered_reference_fails) {
    std::string_view problem;
    for (const VerificationRow& row : verification_rows()) {
        if (row.problem == problem) continue;  // one of each problem
        problem = row.problem;
        VerificationRow tampered = row;
        tampered.reference += 3 * row.tolerance;
        const VerificationOutcome o = verify(tampered);
        EXPECT_FALSE(o.pass) << row.problem << ' ' << row.column << " at " << row.at;
        EXPECT_NEAR(o.error, 3 * row.tolerance,
                    1.1 * row.tolerance);  // what passes is within one tolerance
    }
}

TEST(Verification, tables_are_read_with_their_sources_and_formulas) {
    Diagnostics diagnostics;
    const auto rows = read_verification_rows(
        "# a comment\n"
        "source,book,\"A book, 1988\"\n"
        "\n"
        "K1,slider_crank,rod.x,0,mm,-380.5,-467.1,1e-7,book\n"
        "K1,slider_crank,rod.x,90*pi/180,mm,,2+0.5,0,closed form,\"a=1, b; c=2\"\n",
        diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].source, "A book, 1988");
    EXPECT_EQ(rows[0].published, -380.5);
    EXPECT_EQ(rows[0].set, "");
    EXPECT_EQ(rows[1].at, 90 * std::numbers::pi / 180);
    EXPECT_TRUE(std::isnan(rows[1].published));
    EXPECT_EQ(rows[1].reference, 2.5);
    EXPECT_EQ(rows[1].source, "closed form");
    EXPECT_EQ(rows[1].set, "a=1, b; c=2");
}

TEST(Verification, lines_of_a_table_that_are_wrong_are_reported_with_their_place) {
    const auto errors = [](const char* text) {
        Diagnostics diagnostics;
        diagnostics.file = "table.csv";
        EXPECT_TRUE(read_verification_rows(text, diagnostics).empty()) << text;
        return diagnostics.text();
    };
    EXPECT_NE(errors("source,book,\"A book\"\nK1,m,x,0,mm,,1,1e-7,boot\n")
                  .find("table.csv:2:21: error: there is no source 'boot'; did you mean 'book'?"),
              std::string::npos);
    EXPECT_NE(errors("K1,m,x,soon,mm,,1,1e-7,a book\n").find("table.csv:1:8: error: 'soon' is not"),
              std::string::npos);
    EXPECT_NE(errors("K1,m,x,0,mm,,1,1e-7\n").find("9 or 10 cells and a source 3, not 8"),
              std::string::npos);
    EXPECT_NE(errors("K1,m,x,0,mm,,1,-1,a book\n").find("1:16: error: a tolerance must not be"),
              std::string::npos);
    EXPECT_NE(errors("K1,\"m,x,0,mm,,1,1,a book\n").find("1:4: error: a quoted text has no end"),
              std::string::npos);
}

TEST(Verification, row_that_asks_for_what_is_not_there_fails_and_says_why) {
    const VerificationRow good = verification_rows()[0];
    ASSERT_TRUE(verify(good).pass);
    VerificationRow row = good;
    row.model = "no_such_model";
    EXPECT_FALSE(verify(row).pass);
    EXPECT_NE(verify(row).note.find("no_such_model"), std::string::npos);
    row = good;
    row.column = "crank.nothing";
    EXPECT_FALSE(verify(row).pass);
    EXPECT_NE(verify(row).note.find("crank.nothing"), std::string::npos);
    row = good;
    row.at = 1e6;  // beyond the end of the run
    EXPECT_FALSE(verify(row).pass);
    EXPECT_FALSE(verify(row).note.empty());
    row = good;
    row.column = "t@dead_point:1";  // this model meets none
    EXPECT_FALSE(verify(row).pass);
    EXPECT_FALSE(verify(row).note.empty());
}

TEST(Verification, manual_has_a_section_for_each_problem_and_marks_failures) {
    auto outcomes = verify("K1");
    EXPECT_NE(verification_manual(outcomes).find("\n## K1\n"), std::string::npos);
    EXPECT_EQ(verification_manual(outcomes).find("**no**"), std::string::npos);
    outcomes[0].pass = false;
    EXPECT_NE(verification_manual(outcomes).find("**no**"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
