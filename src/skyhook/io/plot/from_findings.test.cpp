#include "skyhook/io/plot/from_findings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;
using namespace skyhook::io::plot;

namespace {

analysis::Findings response() {
  analysis::Findings f{.analysis = "response", .abscissa = {"frequency", "Hz"}};
  f.channels = {{"a.gain", "m/N"}, {"a.phase", "rad"}, {"b.gain", "-"}, {"b.phase", "rad"}};
  for (const double s : {1.0, 10.0}) f.points.push_back({s, {s, -std::numbers::pi / 2, 2 * s, 0}, {}, {}});
  return f;
}

}  // namespace

TEST_CASE(
    "Findings as figure: gains on logarithmic axes, a panel for each unit, the phase in degrees, a second result "
    "dashed") {
  const analysis::Findings f = response();
  const Figure figure = figure_of(f, "a car", &f, " (b.h5)");
  CHECK(figure.title == "a car");
  REQUIRE(figure.panels.size() == 3);
  CHECK(axis_title(figure.panels[0].y) == "gain [m/N]");
  CHECK(axis_title(figure.panels[2].y) == "phase [deg]");
  CHECK(figure.panels[0].x.logarithmic);
  CHECK(figure.panels[0].y.logarithmic);
  CHECK_FALSE(figure.panels[2].y.logarithmic);
  REQUIRE(figure.panels[0].curves.size() == 2);
  CHECK(figure.panels[0].curves[1].dash == Dash::dashed);
  CHECK(figure.panels[0].curves[1].label == "a (b.h5)");
  CHECK(figure.panels[1].curves[0].colour == figure.panels[2].curves[1].colour);  // of b in all panels
  CHECK(figure.panels[2].curves[0].y[0] == doctest::Approx(-90));
  CHECK(paper_for(figure).height > paper_for(Figure{}).height);
}

TEST_CASE("Findings as figure: a root locus in the complex plane and over its parameter, with its crossing") {
  analysis::Findings f{.analysis = "modes", .abscissa = {"speed", "m/s"}};
  for (const char* kind : {"frequency", "damping", "real", "imag"})
    f.channels.push_back({std::string("branch1.") + kind, kind == std::string("damping") ? "-" : "1/s"});
  for (const double s : {0.0, 1.0}) f.points.push_back({s, {2, 0.1 - 0.2 * s, s - 0.5, 3}, {}, {}});
  f.events = {{0.5, "crossing", "it grows", "", "crossing"}};
  const Figure figure = figure_of(f, "");
  REQUIRE(figure.panels.size() == 3);
  CHECK(figure.panels[0].curves[0].x == std::vector<double>{-0.5, 0.5});
  CHECK(figure.panels[0].curves[0].y == std::vector<double>{3, 3});
  CHECK(figure.panels[2].curves[0].y[0] == doctest::Approx(10));  // %
  REQUIRE(figure.panels[1].events.size() == 1);
  CHECK(figure.panels[1].events[0].x == 0.5);
}

TEST_CASE("Findings as figure: values of one position stand side by side by unit") {
  analysis::Findings f{.analysis = "equilibrium"};
  f.channels = {{"a", "N"}, {"b", "m"}, {"c", "N"}, {"unknown", "N"}};
  f.points.push_back({0, {5, 1, -2, std::nan("")}, {}, {}});
  const Figure figure = figure_of(f, "");
  REQUIRE(figure.panels.size() == 2);
  REQUIRE(figure.panels[0].curves.size() == 2);
  CHECK(figure.panels[0].curves[1].label == "c");
  CHECK(figure.panels[0].curves[1].y == std::vector<double>{0, -2});
  CHECK(figure.panels[0].curves[1].x == std::vector<double>{2, 2});
}
