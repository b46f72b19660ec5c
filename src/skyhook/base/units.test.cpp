#include "skyhook/base/units.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

using namespace skyhook;

namespace {

constexpr double pi = std::numbers::pi;

void check_unit(const std::string& text, double factor, const Dimension& dimension) {
  CAPTURE(text);
  const Unit unit = parse_unit(text);
  CHECK(unit.factor == doctest::Approx(factor).epsilon(1e-15));
  CHECK(unit.dimension == dimension);
}

Finding finding_of(const std::string& text, bool quantity = false) {
  try {
    quantity ? (void)parse_quantity(text, {"m.yaml", 3, 10}) : (void)parse_unit(text, {"m.yaml", 3, 10});
  } catch (const ModelError& error) {
    return error.findings().front();
  }
  FAIL("no error for \"" << text << "\"");
  return {};
}

void check_error(const std::string& text, int column, const std::string& what, const std::string& advice = "") {
  CAPTURE(text);
  const Finding f = finding_of(text);
  CHECK(f.where.line == 3);
  CHECK(f.where.column == column);
  CHECK(f.what == what);
  CHECK(f.advice.starts_with(advice));
}

// Factors by definition: SI brochure; pound, inch and standard gravity are exact by treaty.
TEST_CASE("units have the factors of their definitions") {
  check_unit("kN.s/m", 1e3, Dimension::of(0, 1, -1));
  check_unit("km/h", 1.0 / 3.6, Dimension::of(1, 0, -1));
  check_unit("N.m/rad", 1.0, Dimension::of(2, 1, -2));
  check_unit("kN.m/deg", 1e3 * 180.0 / pi, Dimension::of(2, 1, -2));
  check_unit("rpm", 2 * pi / 60, Dimension::of(0, 0, -1));
  check_unit("rev/min", 2 * pi / 60, Dimension::of(0, 0, -1));
  check_unit("Hz", 1.0, Dimension::of(0, 0, -1));
  check_unit("1/s", 1.0, Dimension::of(0, 0, -1));
  check_unit("GPa", 1e9, Dimension::of(-1, 1, -2));
  check_unit("N/mm^2", 1e6, Dimension::of(-1, 1, -2));
  check_unit("mbar", 100.0, Dimension::of(-1, 1, -2));
  check_unit("t", 1000.0, Dimension::of(0, 1));
  check_unit("g", 1e-3, Dimension::of(0, 1));
  check_unit("mg", 1e-6, Dimension::of(0, 1));
  check_unit("mL", 1e-6, Dimension::of(3));
  check_unit("cl", 1e-5, Dimension::of(3));
  check_unit("in", 0.0254, Dimension::of(1));
  check_unit("mile", 1609.344, Dimension::of(1));
  check_unit("mph", 0.44704, Dimension::of(1, 0, -1));
  check_unit("lbf", 4.4482216152605, Dimension::of(1, 1, -2));
  check_unit("psi", 6894.757293168361, Dimension::of(-1, 1, -2));
  check_unit("lbf/in", 4.4482216152605 / 0.0254, Dimension::of(0, 1, -2));
  check_unit("%", 0.01, {});
  check_unit("V/A", 1.0, parse_unit("ohm").dimension);
  check_unit("V.A", 1.0, parse_unit("W").dimension);
}

TEST_CASE("a whole name wins over a prefix") {
  check_unit("min", 60.0, Dimension::of(0, 0, 1));  // not milli-inch
  check_unit("ft", 0.3048, Dimension::of(1));
  check_unit("h", 3600.0, Dimension::of(0, 0, 1));
  check_unit("ms", 1e-3, Dimension::of(0, 0, 1));
  check_unit("mm", 1e-3, Dimension::of(1));
  check_unit("um", 1e-6, Dimension::of(1));
  check_unit("µm", 1e-6, Dimension::of(1));
}

TEST_CASE("grammar of products, quotients and powers") {
  for (const std::string text : {"", " ", "-", "1", "rad", "m/m"}) check_unit(text, 1.0, {});
  check_unit("J/kg/K", 1.0, Dimension::of(2, 0, -2, 0, -1));  // a/b/c = a/(b.c)
  check_unit("J/(kg.K)", 1.0, Dimension::of(2, 0, -2, 0, -1));
  check_unit(" kg * m ^ 2 ", 1.0, Dimension::of(2, 1));
  check_unit("m.s^-2", 1.0, Dimension::of(1, 0, -2));
  check_unit("(km/h)^2", 1.0 / 3.6 / 3.6, Dimension::of(2, 0, -2));
  check_unit("N/m^1.5", 1.0, Dimension{{-1, 2, -4, 0, 0}});  // Hertzian contact
  check_unit("N/m^(3/2)", 1.0, Dimension{{-1, 2, -4, 0, 0}});
}

TEST_CASE("unit errors name the part, its place and what to write") {
  check_error("kN.q/m", 13, "unknown unit \"q\".", "");
  check_error("N/sec", 12, "unknown unit \"sec\".", "Did you mean \"s\"?");
  check_error("kgs", 10, "unknown unit \"kgs\".", "Did you mean \"kg\"?");
  check_error("Kg", 10, "unknown unit \"Kg\".", "Did you mean \"kg\"?");
  check_error("KN/m", 10, "unknown unit \"KN\".", "Did you mean \"kN\"?");
  check_error("kmh", 10, "unknown unit \"kmh\".", "Did you mean \"km/h\"?");
  check_error("degrees", 10, "unknown unit \"degrees\".", "Did you mean \"deg\"?");
  check_error("N m", 12, "unexpected \"m\" in the unit \"N m\".", "A product needs a dot, as in N.m.");
  check_error("Nm", 10, "unknown unit \"Nm\".", "Did you mean \"N.m\"?");
  check_error("kNs/m", 10, "unknown unit \"kNs\".", "Did you mean \"kN.s\"?");
  check_error("degr", 10, "unknown unit \"degr\".", "Did you mean \"deg\"?");
  check_error("degC", 10, "unknown unit \"degC\".", "Temperatures are written in K.");
  check_error("kg/m3", 14, "\"m3\" is no unit.", "Powers are written with a hat: m^3.");
  check_error("J/kg.K", 14, "the unit \"J/kg.K\" is ambiguous: a product follows a division.", "Write a/(b.c)");
  check_error("m/", 12, "the unit \"m/\" ends where a unit name is expected.");
  check_error("/s", 10, "unexpected \"/\" in the unit \"/s\".");
  check_error("(m", 10, "a parenthesis in the unit \"(m\" is not closed.");
  check_error("m)", 11, "unexpected \")\" in the unit \"m)\".");
  check_error("m^", 12, "a number is expected after \"^\" in the unit \"m^\".");
  check_error("m^0.3", 12, "the exponent 0.3 in the unit \"m^0.3\" is not usable.");
  check_error("m^1000", 12, "the exponent 1000 in the unit \"m^1000\" is not usable.");
  check_error("m^(1/0)", 12, "the exponent inf in the unit \"m^(1/0)\" is not usable.");
  check_error("N m", 12, "unexpected \"m\" in the unit \"N m\".");
  CHECK_THROWS_AS(parse_unit(std::string(10000, '(')), ModelError);
  CHECK_THROWS_AS(parse_unit("km^60.km^60"), ModelError);  // 1e360 is no double
}

TEST_CASE("dimensions print by their usual name") {
  const auto shown = [](const std::string& unit) { return to_string(parse_unit(unit).dimension); };
  for (const std::string name : {"N", "N/m", "N.s/m", "N.m", "m/s", "m/s^2", "kg", "m", "s", "1/s", "kg.m^2", "kg/m^3",
                                 "Pa", "W", "1/(m.s)", "N/m^1.5", "m^0.5"}) {
    CHECK(shown(name) == name);
  }
  CHECK(shown("kg.m/s^2") == "N");
  CHECK(shown("J") == "N.m");
  CHECK(shown("Hz") == "1/s");
  CHECK(shown("deg") == "1");
}

TEST_CASE("what to_string writes, parse_unit reads back") {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> exponent(-6, 6);
  for (int i = 0; i < 500; ++i) {
    Dimension d;
    for (int& e : d.twice) e = exponent(random);
    CAPTURE(to_string(d));
    CHECK(parse_unit(to_string(d)).dimension == d);
  }
}

TEST_CASE("powers of dimensions") {
  CHECK(pow(Dimension::of(3), 1.0 / 3.0) == Dimension::of(1));
  CHECK(pow(Dimension::of(2, 0, -2), 0.5) == Dimension::of(1, 0, -1));
  CHECK(pow(Dimension::of(1), 0.5) == Dimension{{1, 0, 0, 0, 0}});
  CHECK(!pow(Dimension::of(1), 0.25));
  CHECK(!pow(Dimension::of(1), 1e9));
  CHECK(!pow(Dimension::of(1), std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("quantities") {
  CHECK(parse_quantity("85 kN/m").si() == 85e3);
  CHECK(parse_quantity("85kN/m").unit->dimension == Dimension::of(0, 1, -2));
  CHECK(parse_quantity("1e3").value == 1000.0);
  CHECK(!parse_quantity("1e3").unit);
  CHECK(parse_quantity(" -2.5 ").si() == -2.5);
  CHECK(parse_quantity("+.5").si() == 0.5);
  CHECK(parse_quantity("1e3mm").si() == 1.0);
  CHECK(parse_quantity("30 km/h").si() == doctest::Approx(30 / 3.6).epsilon(1e-15));
  CHECK(parse_quantity("50 %").si() == 0.5);
  CHECK(parse_quantity("5 -").unit->dimension.is_dimensionless());
}

// n/1000 rounds once; n*0.001 rounds twice and shows as 0.009000000000000001 in reports.
TEST_CASE("millimetres convert to the double that the user would have written") {
  for (int n = 1; n < 2000; ++n) CHECK(parse_quantity(std::to_string(n) + " mm").si() == n / 1000.0);
}

TEST_CASE("quantity errors") {
  const auto check = [](const std::string& text, int column, const std::string& what) {
    CAPTURE(text);
    const Finding f = finding_of(text, true);
    CHECK(f.where.column == column);
    CHECK(f.what == what);
  };
  check("", 10, "\"\" is not a number.");
  check("inf", 10, "\"inf\" is not a number.");
  check(" -nan", 11, "\"-nan\" is not a number.");
  check("abc", 10, "\"abc\" is not a number.");
  check("--2", 10, "\"--2\" is not a number.");
  check("1e400 m", 10, "the number \"1e400 m\" is out of range.");
  check("85  kN/q", 17, "unknown unit \"q\".");
  check("1,5 m", 11, "unexpected \",\" in the unit \",5 m\".");
  check("0x10", 11, "unknown unit \"x\".");
}

TEST_CASE("a place advances over lines; an unknown column stays unknown") {
  CHECK(advanced({"f", 4, 7}, "abc", 2).column == 9);
  CHECK(advanced({"f", 4, 7}, "ab\ncd", 4).line == 5);
  CHECK(advanced({"f", 4, 7}, "ab\ncd", 4).column == 2);
  CHECK(advanced({"f", 4, 0}, "abc", 2).column == 0);
}

bool is_positive_or_model_error(const std::function<double()>& f) try {
  const double x = f();
  return x > 0.0 && std::isfinite(x);
} catch (const ModelError&) {
  return true;
}

TEST_CASE("random text never crashes the unit parser") {
  const std::string alphabet = "mkgsNPa/.*^()-12% \xC2\xB5\xFF" + std::string(1, '\0');
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    CHECK(is_positive_or_model_error([&] { return parse_unit(text).factor; }));
    CHECK(is_positive_or_model_error([&] { return 1.0 + std::abs(parse_quantity(text).value); }));
  }
}

}  // namespace
