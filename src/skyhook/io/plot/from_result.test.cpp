#include "skyhook/io/plot/from_result.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using plot::figure_of;

namespace {

struct Example {
  example::TemporaryFile file;
  Example() { example::write(file, 101); }
  ResultFile open() const { return ResultFile::open(file); }
};

}  // namespace

TEST_CASE("Channels of one unit share a panel; each or all together if wished") {
  const Example at;
  const ResultFile run = at.open();
  const plot::Figure f = figure_of(run, {});
  CHECK(f.title == "half_car, bump");
  REQUIRE(f.panels.size() == 3);
  CHECK(plot::axis_title(f.panels[0].y) == "chassis.z [m]");
  CHECK(plot::axis_title(f.panels[1].y) == "strut.force [N]");
  CHECK(plot::axis_title(f.panels[2].y) == "cubic");  // without a unit
  CHECK(plot::axis_title(f.panels[0].x) == "time [s]");
  REQUIRE(f.panels[0].events.size() == 1);
  CHECK(f.panels[0].events[0].x == 0.5);
  CHECK(f.panels[0].events[0].label == "touchdown: wheel on road");
  CHECK(f.panels[0].curves[0].y[50] == doctest::Approx(std::sin(1.5)));

  const plot::Figure all = figure_of(run, {.panels = plot::Panels::one});
  REQUIRE(all.panels.size() == 1);
  CHECK(all.panels[0].curves[1].label == "strut.force [N]");
  CHECK(all.panels[0].y.unit.empty());
}

TEST_CASE("A part of the time, another x axis, another run") {
  const Example at;
  const ResultFile run = at.open();
  const plot::Figure part = figure_of(run, {.channels = {"chassis.z"}, .from = 0.205, .to = 0.4});
  const auto& x = part.panels.at(0).curves.at(0).x;
  CHECK(x.front() == doctest::Approx(0.20));  // one sample beyond, so that the curve reaches the edge
  CHECK(x.back() == doctest::Approx(0.41));
  CHECK(part.panels[0].x.low.value() == 0.205);

  const plot::Figure xy = figure_of(run, {.channels = {"cubic"}, .x = "chassis.z"});
  CHECK(plot::axis_title(xy.panels.at(0).x) == "chassis.z [m]");
  CHECK(xy.panels[0].curves[0].x[20] == doctest::Approx(std::sin(0.6)));

  const plot::Figure two = figure_of(run, {.channels = {"chassis.z"}}, &run);
  REQUIRE(two.panels.at(0).curves.size() == 2);
  CHECK(two.panels[0].curves[1].dash == plot::Dash::dashed);
  CHECK(two.panels[0].curves[1].colour == two.panels[0].curves[0].colour);
  CHECK(two.panels[0].y.label == "chassis.z");

  CHECK(example::message_of([&] { figure_of(run, {.channels = {"chasis.z"}}); }).find("chassis.z") !=
        std::string::npos);
  CHECK(example::message_of([&] { figure_of(run, {.from = 2, .to = 1}); }).find("not before") != std::string::npos);
}

TEST_CASE("Formulas of channels: curves over time and frequency have panels of their own, numbers are level lines") {
  const Example at;
  const ResultFile run = at.open();
  const plot::Figure f = figure_of(run, {.channels = {"2*chassis.z", "chassis.z", "rms(chassis.z)", "psd(chassis.z)"}});
  REQUIRE(f.panels.size() == 2);
  REQUIRE(f.panels[0].curves.size() == 3);
  CHECK(f.panels[0].curves[0].label == "2*chassis.z");
  CHECK(f.panels[0].curves[0].y[50] == doctest::Approx(2 * std::sin(1.5)));
  CHECK(f.panels[0].curves[2].y.size() == 2);
  CHECK(plot::axis_title(f.panels[1].x) == "frequency [Hz]");
  CHECK(plot::axis_title(f.panels[1].y) == "psd(chassis.z) [m^2/Hz]");
  CHECK(f.panels[1].x.logarithmic);
  CHECK(f.panels[1].y.logarithmic);
  CHECK(f.panels[1].events.empty());
}
