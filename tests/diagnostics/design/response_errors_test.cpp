// Tables [response.NAME], [sweep] and distributions that are wrong.
#include <gtest/gtest.h>

#include "../errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string model_with(const std::string& more) {
    return "format = 1\n[parameters]\nk = { value = \"5 N\", tolerance = \"1 N\" }\n[body.bolt]\n"
           "[joint.guide]\ntype = \"prismatic\"\na = \"ground\"\nb = \"bolt\"\n"
           "[event.released]\nwhen = \"t > 0.5\"\n" +
           more;
}

TEST(ResponseErrors, are_reported_at_their_place_in_the_text) {
    struct Case {
        const char *text, *message;
    };
    for (const Case& c : {
             Case{"[response.r]\n", "11:1: error: response 'r' needs the key 'value'"},
             Case{"[response.r]\nvalue = 5\n",
                  "12:9: error: response 'r', value: expected a string such as \"max:bolt.x\", not "
                  "a"},
             Case{
                 "[response.r]\nvalue = \"max:blot.x\"\n",
                 "12:14: error: response 'r', value: no element with columns is called 'blot'; did "
                 "you mean 'bolt'?"},
             Case{"[response.r]\nvalue = \"mx:bolt.x\"\n",
                  "12:10: error: response 'r', value: there is no column quantity 'mx:'; did "
                  "you mean 'max'"},
             Case{"[response.r]\nvalue = \"count@engage:gude\"\n",
                  "12:23: error: response 'r', value: nothing called 'gude' can have the event "
                  "'engage'"},
             Case{"[response.r]\nvalue = \"t@slip:gude:2\"\n",
                  "12:17: error: response 'r', value: nothing called 'gude' can have the event "
                  "'slip'; did you mean 'guide'?"},
             Case{"[response.r]\nvalue = \"max:bolt.x@impact:C#1..end\"\n",
                  "12:28: error: response 'r', value: nothing called 'C' can have the event "
                  "'impact'"},
             Case{"[response.r]\nvalue = \"max:bolt.x@1 s..1 s\"\n",
                  "12:10: error: response 'r', value: the window ends where it begins"},
             Case{"[response.r]\nvalue = \"t@relaesed\"\n",
                  "12:12: error: response 'r', value: no kind of event and no event of the model "
                  "is called 'relaesed'; did you mean 'released'?"},
             Case{"[response.r]\nvalue = \"bolt.x\"\nunit = \"parsec\"\n", "13:"},
             Case{"[response.r]\nvalue = \"bolt.x\"\nunit = \"mm\"\nmin = \"5 s\"\n",
                  "14:7: error: response 'r', min: expected a length, as the unit of the response"},
             Case{"[response.r]\nvalue = \"bolt.x\"\nmin = 5\nmax = 4\n",
                  "14:7: error: response 'r', max: must not be less than min"},
             Case{"[response.r]\nvalue = \"bolt.x\"\nmost = 4\n", "unknown key 'most'"},
             Case{"[sweep]\nmethod = \"grit\"\n", "did you mean 'grid'"},
             Case{"[sweep]\nruns = -1\n", "12:8: error: sweep, runs: must not be negative"},
             Case{"sweep = 5\n", "sweep"},
         }) {
        const std::string told = errors_of(model_with(c.text));
        EXPECT_NE(told.find(c.message), std::string::npos) << c.text << told;
    }
}

TEST(ResponseErrors, distribution_is_one_of_the_names) {
    EXPECT_NE(errors_of("format = 1\n[parameters]\nk = { value = 5, tolerance = 1, distribution = "
                        "\"gauss\" }\n")
                  .find("3:49: error: parameter 'k', distribution: unknown value 'gauss'"),
              std::string::npos);
}

TEST(ResponseErrors, limits_may_be_expressions_of_parameters) {
    Diagnostics diagnostics;
    const auto model = read_model(
        model_with("[response.r]\nvalue = \"force.spring\"\nmin = \"k/2\"\nmax = \"2 kN\"\n"), "",
        {}, diagnostics);
    ASSERT_TRUE(model) << diagnostics.text();
    EXPECT_EQ(model->responses[0].unit, "N");
    EXPECT_EQ(model->responses[0].min, 2.5);
    EXPECT_EQ(model->responses[0].max, 2000);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
