// Every expression that the model file can give a force is found, by whatever name.
#include <gtest/gtest.h>

#include "mechanism/force_row.h"
#include "model_file/reference/format_description.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

int expressions_of(const TableDescription& table, std::string_view kind) {
    int count = 0;
    for (const KindDescription& k : table.kinds)
        if (k.name == kind)
            for (const FieldDescription& field : k.fields)
                count += field.form == FieldDescription::Form::expression;
    return count;
}

TEST(ForceExpressions, all_fields_with_expressions_are_found) {
    const auto tables = describe_format();
    int found_tables = 0;
    for (const TableDescription& table : tables) {
        if (table.header.find("force.") == std::string::npos) continue;
        ++found_tables;
        const auto compare = [&]<class Kind>(Kind kind) {
            if constexpr (requires { kind.law; }) kind.law.emplace();
            int count = 0;
            for_each_expression(kind, [&](const ForceExpression&) { ++count; });
            EXPECT_EQ(count, expressions_of(table, Kind::name)) << Kind::name;
        };
        [&]<class... Kind>(const std::variant<Kind...>*) {
            (compare(Kind{}), ...);
        }(static_cast<const ForceKind<PlanarSpace>*>(nullptr));
    }
    EXPECT_EQ(found_tables, 1);
}

// A kind of the future: it says along what it acts in its field list alone.
struct Rope {
    double pull = 0;
    template <class V>
    void fields(V& v) {
        v.distance();
        v.number("pull", pull, dimension::force, "while it is tight");
    }
};

TEST(ForceExpressions, what_a_force_acts_along_is_said_by_its_fields) {
    EXPECT_TRUE(acts_along_distance<Rope>());
    [&]<class... Kind>(const std::variant<Kind...>*) {
        const auto see = [&]<class K>(const K*) {
            EXPECT_EQ(acts_along_distance<K>(), (std::is_same_v<K, Spring<PlanarSpace>>))
                << K::name;
        };
        (see(static_cast<const Kind*>(nullptr)), ...);
    }(static_cast<const ForceKind<PlanarSpace>*>(nullptr));
}

// A measure in every such field, alone in its model: the force must follow it.
TEST(ForceExpressions, a_measure_works_in_every_field) {
    const char* const forces[] = {
        R"({ type = "spring", a = "ground", b = "b.P", law = "5*m" })",
        R"({ type = "joint_spring", joint = "g", law = "5*m" })",
        R"({ type = "servo", joint = "g", kp = 5, target = "m + s" })",
        R"({ type = "joint_force", joint = "g", value = "5*m" })",
        R"({ type = "force", point = "b", x = "5*m" })",
        R"({ type = "force", point = "b", x = "5*m", y = "7*m", axes = "body" })",
    };
    for (const char* force : forces) {
        DynamicOptions options;
        options.end = 0.1;
        options.step = 0.1;
        const DynamicResult r = run_dynamics(
            test::placed_of(
                std::string("format = 1\n"
                            "body.b = { mass = 1, inertia = 1, points = { P = [1, 0] } }\n"
                            "joint.g = { type = \"prismatic\", a = \"ground\", b = "
                            "\"b\" }\nmeasure.m = { type = \"expression\", value = "
                            "\"2*t + 3\" }\nforce.f = ") +
                force + "\n"),
            options);
        ASSERT_EQ(r.status, DynamicStatus::completed) << force << r.message;
        // v = integral of 10 t + 15
        EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "b.vx"), 1.55, 1e-9)
            << force;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
