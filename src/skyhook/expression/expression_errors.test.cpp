// Every message of the expression compiler, with its column.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "skyhook/expression/expression.h"
#include "skyhook/expression/function_table.h"

using namespace skyhook;
using namespace skyhook::expression;

namespace {

Scope scope() {
  return {.variables = {{"x", {}}, {"t", Dimension::of(0, 0, 1)}, {"travel", Dimension::of(1)}, {"a[1].x", {}}},
          .constants = [](const std::string& name) -> std::optional<Value> {
            if (name == "ride") return Value{1.3, Dimension::of(0, 0, -1)};
            if (name == "broken") return Value{std::numeric_limits<double>::infinity(), {}};
            return std::nullopt;
          },
          .constant_names = {"ride"}};
}

// The text starts at column 1, so that columns count characters of the text.
void check(const std::string& text, int column, const std::string& what, const std::string& advice = "") {
  CAPTURE(text);
  try {
    (void)Expression::compile(text, scope(), {"m.yaml", 3, 1});
  } catch (const ModelError& error) {
    const Finding& f = error.findings().front();
    CHECK(f.where.file == "m.yaml");
    CHECK(f.where.column == column);
    CHECK(f.what == what);
    CHECK(f.advice.starts_with(advice));
    if (advice.empty()) CHECK(f.advice.empty());
    return;
  }
  FAIL_CHECK("no error for " << text);
}

TEST_CASE("syntax errors") {
  check("", 1, "the expression is empty.");
  check("  ", 1, "the expression is empty.");
  check("x +", 4, "the expression ends where a value is expected.");
  check("x + * 2", 5, "unexpected \"*\".");
  check("x @ 2", 3, "unexpected character \"@\".");
  check("x × 2", 3, "unexpected character \"×\".");
  check("(x + 2", 7, "\")\" is missing for the \"(\" at character 1.");
  check("x + 2)", 6, "unexpected \")\".");
  check("2 x", 3, "an operator is missing before \"x\".", "A unit stands in brackets: 2[x].");
  check("2*5 kN", 5, "an operator is missing before \"kN\".", "A unit stands in brackets: 5[kN].");
  check("x 2", 3, "an operator is missing before \"2\".");
  check("(x)(x)", 4, "an operator is missing before \"(\".");
  check("x(2)", 2, "\"x\" is not a function: an operator is missing before \"(\".");
  check("1.2.3", 4, "an operator is missing before \".3\".");
  check("x.", 2, "unexpected \".\".");
  check("x ? 1", 6, "\":\" is missing after \"?\".", "A choice looks like c ? a : b.");
  check("x : 1", 3, "unexpected \":\".");
  check("1 < x < 2", 7, "comparisons cannot be chained.", "Write a < b and b < c.");
  check("x && x", 3, "unexpected \"&&\".", "Write \"and\".");
  check("x || x", 3, "unexpected \"||\".", "Write \"or\".");
  check("!x", 1, "unexpected \"!\".", "Write \"not\".");
  check("x**2", 2, "unexpected \"**\".", "Write \"^\"");
  check("x = 2", 3, "unexpected \"=\".", "Write \"==\"");
  check("1 + not x", 5, "unexpected \"not\".");
  check("x and", 6, "the expression ends where a value is expected.");
  check("1e999", 1, "the number \"1e999\" is out of range.");
  check("x [1]", 3, "unexpected \"[\".");
  check("a[1", 4, "\"]\" is missing for the \"[\" at character 2.");
  check("a[1)", 4, "\"]\" is missing for the \"[\" at character 2.");
  check("min(1, )", 8, "unexpected \")\".");
}

TEST_CASE("an error on a later line has its own line and column") {
  try {
    (void)Expression::compile("x +\n  yy", scope(), {"m.yaml", 3, 8});
    FAIL_CHECK("no error");
  } catch (const ModelError& error) {
    CHECK(error.findings().front().where.line == 4);
    CHECK(error.findings().front().where.column == 3);
  }
}

TEST_CASE("unknown names and functions come with a suggestion") {
  check("2*travle", 3, "unknown name \"travle\".", "Did you mean \"travel\"? Names here: x, t, travel");
  check("rid + 1", 1, "unknown name \"rid\".", "Did you mean \"ride\"?");
  check("sni(x)", 1, "unknown function \"sni\".", "Did you mean \"sin\"?");
  check("1 + sin", 5, "\"sin\" is a function.", "Write sin(x).");
  check("a[2].x", 1, "unknown name \"a[2].x\".", "Did you mean \"a[1].x\"?");
}

TEST_CASE("argument counts") {
  check("1 + atan2(x)", 5, "atan2 takes 2 arguments, not 1.", "Write atan2(y, x).");
  check("sin()", 1, "sin takes 1 argument, not 0.", "Write sin(x).");
  check("sin(1, 2)", 1, "sin takes 1 argument, not 2.", "Write sin(x).");
  check("min(1)", 1, "min takes at least 2 arguments, not 1.", "Write min(a, b, ...).");
  check("if(1, 2)", 1, "if takes 3 arguments, not 2.", "Write if(c, a, b).");
}

TEST_CASE("units in literals") {
  check("1 + 5[kM]", 7, "unknown unit \"kM\".", "Did you mean");
  check("5[N/q]", 5, "unknown unit \"q\".", "Units, nearest first:");
  check("5[m", 2, "the bracket of a unit is not closed.", "A unit looks like 5[kN/m].");
}

TEST_CASE("indices") {
  check("a[x].x", 3, "the index \"x\" depends on a variable.");
  check("a[0.5].x", 3, "the index \"0.5\" is 0.5, not a whole number from 0 on.");
  check("a[1-2].x", 3, "the index \"1-2\" is -1, not a whole number from 0 on.");
  check("a[1e300].x", 3, "the index \"1e300\" is 1e+300, not a whole number from 0 on.");
  check("a[1[m]].x", 3, "An index must be a plain number, but \"1[m]\" is in m.");
}

TEST_CASE("dimensions") {
  check("travel + t", 10, "\"+\" needs equal dimensions, but \"travel\" is in m and \"t\" is in s.");
  check("2*travel - 3", 12, "\"-\" needs equal dimensions, but \"2*travel\" is in m and \"3\" is a plain number.",
        "A number takes a unit in brackets");
  check("travel < 3", 10, "\"<\" needs equal dimensions, but \"travel\" is in m and \"3\" is a plain number.",
        "A number takes");
  check("min(travel, t)", 13, "\"min\" needs equal dimensions, but \"travel\" is in m and \"t\" is in s.");
  check("x > 0 ? travel : t", 18, "\"?:\" needs equal dimensions, but \"travel\" is in m and \"t\" is in s.");
  check("sin(t)", 5, "The argument of sin must be a plain number, but \"t\" is in s.");
  check("travel ? 1 : 2", 1, "A condition must be a plain number, but \"travel\" is in m.");
  check("travel and x", 1, "The left side of \"and\" must be a plain number, but \"travel\" is in m.");
  check("x or travel", 6, "The right side of \"or\" must be a plain number, but \"travel\" is in m.");
  check("not travel", 5, "The operand of \"not\" must be a plain number, but \"travel\" is in m.");
  check("x^t", 3, "An exponent must be a plain number, but \"t\" is in s.");
  check("travel^x", 8, "the exponent \"x\" varies, but \"travel\" is in m.", "Only a plain number");
  check("travel^0.3", 8, "m to the power of 0.3 has no dimension that can be expressed.");
  check("sqrt(sqrt(t))", 1, "the square root of s^0.5 has no dimension that can be expressed.");
}

TEST_CASE("what has no finite value is named") {
  check("2 + 1/0", 5, "\"1/0\" has no finite value.");
  check("3*sqrt(-1) + 1", 3, "\"sqrt(-1)\" has no finite value.");
  check("x + log(0)", 5, "\"log(0)\" has no finite value.");
  check("(-8)^0.5", 1, "\"(-8)^0.5\" has no finite value.");
  check("10^400", 1, "\"10^400\" has no finite value.");
  check("1 + broken", 5, "\"broken\" has no finite value.");
}

TEST_CASE("constant() of a varying expression") {
  const Expression e = Expression::compile("2*x + travel/1[m]", scope(), {"m.yaml", 3, 1});
  CHECK_THROWS_WITH_AS((void)e.constant(),
                       "m.yaml:3:1: \"2*x + travel/1[m]\" must be constant, but depends on x, travel.\n"
                       "  Only parameters can be used here.",
                       ModelError);
}

std::string repeated(const std::string& part, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += part;
  return text;
}
Expression compiled(const std::string& text) { return Expression::compile(text, scope(), {"m.yaml", 3, 1}); }

TEST_CASE("nesting is limited, with a clear message") {
  CHECK(compiled(repeated("(", 200) + "2" + repeated(")", 200)).constant() == 2);
  const std::string what = "the expression is nested deeper than 200 levels.";
  check(repeated("(", 10000) + "1" + repeated(")", 10000), 202, what, "Split it");
  check(repeated("(", 10000), 202, what, "Split it");
  check(repeated("-", 10000) + "x", 201, what, "Split it");
  check(repeated("not ", 10000) + "x", 801, what, "Split it");
  check(repeated("2^", 10000) + "x", 403, what, "Split it");
  check(repeated("x?x:", 10000) + "x", 803, what, "Split it");
  check(repeated("x?", 10000) + "x", 403, what, "Split it");
  check(repeated("sin(", 10000) + "x", 805, what, "Split it");
  check(repeated("a[", 10000) + "x", 403, what, "Split it");
}

TEST_CASE("too many intermediate values are refused, not overrun") {
  CHECK(compiled(repeated("x+(", 63) + "x" + repeated(")", 63)).evaluate<double>(std::vector<double>(4, 1.0)) == 64);
  check(repeated("x+(", 64) + "x" + repeated(")", 64), 1, "the expression needs more than 64 intermediate values.",
        "Split it");
}

// A megabyte in well under a second on one slow core: compiling is linear, with and without units.
TEST_CASE("very long input") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(compiled("x" + repeated("+x", 200000)).evaluate<double>(std::vector<double>(4, 1.0)) == 200001);
  CHECK(compiled("0" + repeated("+1[m]", 100000)).constant() == 100000);
  CHECK(compiled("max(x" + repeated(",x", 100000) + ")").evaluate<double>(std::vector<double>(4, 2.0)) == 2);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("garbage gives a ModelError or an expression, never a crash") {
  std::vector<std::string> parts = {"x",        "t",
                                    "travel",   "ride",
                                    "a[1].x",   "a[",
                                    "]",        "(",
                                    ")",        "[",
                                    "[m]",      "1",
                                    "0",        ".5",
                                    "1e9",      "+",
                                    "-",        "*",
                                    "/",        "^",
                                    "<",        "<=",
                                    "==",       "!=",
                                    "?",        ":",
                                    ",",        ".",
                                    " and ",    " or ",
                                    " not ",    "pi",
                                    "true",     " ",
                                    "\n",       "\xFF",
                                    "\xC3\x97", std::string(1, '\0'),
                                    "@",        "="};
  for (const Function& f : functions()) parts.push_back(std::string(f.name) + "(");
  std::mt19937 random(3);
  int compiled_count = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    for (unsigned n = 1 + random() % 14; n > 0; --n) text += parts[random() % parts.size()];
    Scope s = scope();
    s.check_dimensions = random() % 2 == 0;
    try {
      (void)Expression::compile(text, s, {"m.yaml", 3, 1}).evaluate<double>(std::vector<double>(4, 0.5));
      ++compiled_count;
    } catch (const ModelError&) {}
    try {
      (void)names_in(text, {});
    } catch (const ModelError&) {}
  }
  CHECK(compiled_count > 500);  // some of it is even sense
}

}  // namespace
