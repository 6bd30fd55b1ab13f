#include "model_file/text/document.h"

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

Node parsed(std::string_view text) {
    Diagnostics diagnostics;
    const auto node = parse_document(text, diagnostics);
    EXPECT_TRUE(node) << diagnostics.text();
    return node.value_or(Node{});
}

TEST(Document, children_keep_the_order_of_the_file) {
    const Node root = parsed("[b.z]\nq = 1\na = 2\n[a]\n[b.c]\n");
    ASSERT_EQ(root.children.size(), 2u);
    EXPECT_EQ(root.children[0].key, "b");
    EXPECT_EQ(root.children[0].children[0].key, "z");
    EXPECT_EQ(root.children[0].children[1].key, "c");
    EXPECT_EQ(root.children[0].children[0].children[0].key, "q");
    EXPECT_EQ(root.children[1].key, "a");
}

TEST(Document, values_know_where_they_begin_and_end) {
    const std::string text = "name = 'ü' # é\nx = [ 1,\n  2.5 ]\n";
    const Node root = parsed(text);
    const auto slice = [&](const Node& node) {
        const std::size_t begin = offset_of(text, node.begin);
        return text.substr(begin, offset_of(text, node.end) - begin);
    };
    EXPECT_EQ(slice(*root.find("name")), "'ü'");
    EXPECT_EQ(slice(*root.find("x")), "[ 1,\n  2.5 ]");
    EXPECT_EQ(slice(root.find("x")->children[1]), "2.5");
}

TEST(Document, place_inside_a_string_counts_characters) {
    const Node root = parsed("a = \"üx\"\nb = '''x'''\nc = \"\\tx\"\nd = \"\"\"\nx\"\"\"\n");
    EXPECT_EQ(root.find("a")->inside(2).column, 7);  // behind the two bytes of ü
    EXPECT_EQ(root.find("b")->inside(0).column, 8);
    EXPECT_EQ(root.find("c")->inside(1).column, 5);  // an escape: the beginning
    EXPECT_EQ(root.find("d")->inside(0).line, 4);    // several lines: the beginning
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
