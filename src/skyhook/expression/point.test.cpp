#include "skyhook/expression/point.h"

#include <doctest/doctest.h>

#include <map>

using namespace skyhook;
using namespace skyhook::expression;

namespace {

// Points a = (1, 2, 3) m and b = (3, 6, 9) m, a vector of rates k in N/m, a number s and a length l.
Scope scope() {
  static const std::map<std::string, Value> known = {{"a.x", {1, Dimension::of(1)}},
                                                     {"a.y", {2, Dimension::of(1)}},
                                                     {"a.z", {3, Dimension::of(1)}},
                                                     {"b.x", {3, Dimension::of(1)}},
                                                     {"b.y", {6, Dimension::of(1)}},
                                                     {"b.z", {9, Dimension::of(1)}},
                                                     {"k.x", {10, Dimension::of(0, 1, -2)}},
                                                     {"k.y", {20, Dimension::of(0, 1, -2)}},
                                                     {"k.z", {30, Dimension::of(0, 1, -2)}},
                                                     {"s", {2, {}}},
                                                     {"l", {4, Dimension::of(1)}}};
  Scope scope;
  scope.constants = [](const std::string& name) -> std::optional<Value> {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  return scope;
}

double value(const std::string& text, char axis) { return coordinate_of(text, axis, scope(), {"m.yaml", 4, 10}).value; }

std::string error(const std::string& text) {
  try {
    value(text, 'x');
    return "";
  } catch (const ModelError& e) {
    return e.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Points are added, scaled and chosen, coordinate by coordinate") {
  CHECK(value("a", 'y') == 2);
  CHECK(value("(a + b)/2", 'x') == 2);
  CHECK(value("(a + b)/2", 'z') == 6);
  CHECK(value("-a + 0.25*(b - a)*s", 'y') == -2 + 0.25 * 4 * 2);
  CHECK(value("s > 1 ? b : a", 'z') == 9);
  CHECK(value("a + (b - a)*(b.z - a.z)/l", 'x') == 1 + 2.0 * 6 / 4);
  CHECK(coordinate_of("k*l", 'y', scope(), {}).dimension == Dimension::of(1, 1, -2));
}

TEST_CASE("What is no expression of points is refused, with its place") {
  CHECK(has(error("a + l"),
            "m.yaml:4:14: \"+\" needs two points or two numbers, but \"a\" is a point and \"l\" a number."));
  CHECK(has(error("a*b"), "must be a number, but \"b\" is a point"));
  CHECK(has(error("l/a"), "What stands behind \"/\" must be a number"));
  CHECK(has(error("a^2"), "The base of a power must be a number"));
  CHECK(has(error("sqrt(a)"), "An argument of sqrt must be a number"));
  CHECK(has(error("a < b"), "Each side of \"<\" must be a number"));
  CHECK(has(error("a ? a : b"), "A condition must be a number"));
  CHECK(has(error("not a"), "must be a number"));
  CHECK(has(error("s ? a : l"), "needs two points or two numbers"));
  CHECK(has(error("a + k"), "needs equal dimensions"));
  CHECK(has(error("2*l"), "\"2*l\" is a number, not a point."));
  CHECK(has(error("a.w"), "unknown name \"a.w\""));
}

TEST_CASE("A point where a number is expected is told from an unknown name") {
  try {
    Expression::compile("2*a", scope(), {"m.yaml", 4, 10});
    FAIL("not refused");
  } catch (const ModelError& e) {
    CHECK(has(e.what(), "m.yaml:4:12: \"a\" is a point, but a number is expected here.\n  Write a.x, a.y or a.z."));
  }
}

TEST_CASE("An expression uses a point where its bare name stands") {
  const auto is_point = [](const std::string& name) { return name == "a" || name == "b"; };
  CHECK(uses_point("(a + b)/2", is_point));
  CHECK_FALSE(uses_point("hypot(a.x - b.x, a.y - b.y)", is_point));
  CHECK_FALSE(uses_point("a +", is_point));
}
