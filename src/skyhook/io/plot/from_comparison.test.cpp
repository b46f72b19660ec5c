#include "skyhook/io/plot/from_comparison.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace skyhook;
using namespace skyhook::io::plot;

namespace {

analysis::ComparedRun run(const std::string& solver, double error, double seconds, long evaluations) {
  analysis::ComparedRun r{.solver = solver, .status = "finished", .error = {error, 0}};
  r.cost.seconds = seconds, r.cost.residuals = evaluations;
  return r;
}

}  // namespace

TEST_CASE("A comparison as figure: time and evaluations over the error, a curve a solver") {
  analysis::Comparison c;
  c.runs = {run("a", 1e-3, 0.1, 100), run("a", std::nan(""), 9, 9), run("a", 1e-6, 0.3, 200), run("b", 1e-4, 0.2, 300)};
  c.runs[1].status = "failed";
  c.reference.error.positions = 1e-9;
  Figure f = figure_of(c, "a car, bump");
  CHECK(f.title == "a car, bump");
  REQUIRE(f.panels.size() == 2);
  CHECK(axis_title(f.panels[0].y) == "time [s]");
  CHECK(axis_title(f.panels[1].y) == "evaluations");
  for (const Panel& p : f.panels) {
    CHECK(p.x.logarithmic);
    CHECK(p.y.logarithmic);
    REQUIRE(p.curves.size() == 2);
    CHECK(p.curves[0].x == std::vector<double>{1e-3, 1e-6});
    CHECK(p.curves[0].mark != p.curves[1].mark);
    CHECK(p.curves[1].label == "b");
    CHECK(p.events.empty());
  }
  CHECK(f.panels[0].curves[0].y == std::vector<double>{0.1, 0.3});
  CHECK(f.panels[1].curves[1].y == std::vector<double>{300});

  c.runs[2].at_limit = true;
  f = figure_of(c, "");
  REQUIRE(f.panels[0].events.size() == 1);
  CHECK(f.panels[0].events[0].x == 1e-9);
}

TEST_CASE("A comparison as figure: no two of eight solvers have the same mark") {
  analysis::Comparison c;
  for (const char* solver : {"a", "b", "c", "d", "e", "f", "g", "h"}) c.runs.push_back(run(solver, 1e-3, 0.1, 100));
  const Figure figure = figure_of(c, "");
  std::set<Mark> marks;
  for (const Curve& curve : figure.panels[0].curves) marks.insert(curve.mark);
  CHECK(marks.size() == 8);
}
