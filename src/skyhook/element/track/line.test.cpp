// References: arcs, ramps and ends by hand; the formulas of the transitions.
#include "skyhook/element/track/line.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/element/source.testing.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;
using model::TrackSegment;

namespace {

constexpr double pi = std::numbers::pi;

TrackSegment straight(double length) {
  TrackSegment s;
  s.type = "straight", s.length = length;
  return s;
}
TrackSegment curve(double length, double radius, const char* turn, double cant = 0) {
  TrackSegment s;
  s.type = "curve", s.length = length, s.radius = radius, s.turn = turn;
  if (cant != 0) s.cant = cant;
  return s;
}
TrackSegment transition(double length, const char* shape = "") {
  TrackSegment s;
  s.type = "transition", s.length = length, s.shape = shape;
  return s;
}
TrackSegment change(const char* turn) {
  TrackSegment s;
  s.type = "line_change", s.radius = 500, s.angle = "1:12", s.turn = turn, s.distance = 4;
  return s;
}

model::Model model_of(const RailLine& line) {
  TestSource source;
  model::Model model = two_bodies();
  line.add_to(source, model);
  return model;
}
std::shared_ptr<const model::TrackLine> line_of(const RailLine& line) { return model_of(line).tracks.at(0).line; }

RailLine curved(const char* shape = "", const char* turn = "left") {
  RailLine line;
  line.layout = {straight(50), transition(50, shape), curve(500, 300, turn, 0.12), transition(50, shape),
                 straight(450)};
  return line;
}

std::string refusal(const RailLine& line) {
  try {
    model_of(line);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A track without layout is straight without end, with the usual gauge and rails") {
  const model::Track track = model_of({}).tracks.at(0);
  CHECK(track.gauge == 1.435);
  CHECK(track.base == Approx(1.5));
  CHECK(track.inclination == Approx(1 / 40.0));
  CHECK(track.rail == "uic60");
  CHECK(track.line->is_endless());
  RailLine back;
  back.along = -1;
  CHECK(line_of(back)->place(10.0).position.x == Approx(-10));
  CHECK(line_of(back)->foot({-25, 1, 0}) == Approx(25));
}

TEST_CASE("Curvature, cant and heading of a line with transitions are those of their formulas") {
  const double full = 1 / 300.0, tilt = 0.12 / 1.5;
  for (const std::string shape : {"clothoid", "bloss", "sine"}) {
    const auto line = line_of(curved(shape.c_str()));
    CHECK(line->length() == Approx(1100).epsilon(1e-14));
    for (double u = 0.05; u < 1; u += 0.1) {
      const double f = shape == "bloss"  ? u * u * (3 - 2 * u)
                       : shape == "sine" ? u - std::sin(2 * pi * u) / (2 * pi)
                                         : u;
      const auto in = line->layout(50 + 50 * u), out = line->layout(650 - 50 * u);
      CHECK(in.curvature == Approx(full * f).epsilon(1e-12));
      CHECK(out.curvature == Approx(full * f).epsilon(1e-12));
      if (shape != "clothoid") CHECK(in.tilt == Approx(-tilt * f).epsilon(1e-12));
      // The ramp is rounded over 5 m and steeper in between, about the same middle.
      if (shape == "clothoid" && u > 0.1 && u < 0.9)
        CHECK(in.tilt == Approx(-tilt * (0.5 + (u - 0.5) * 50 / 45.0)).epsilon(1e-12));
    }
    // Each shape turns by half of what the full curvature would.
    CHECK(line->layout(1000).heading == Approx((500 + 50) * full).epsilon(1e-13));
    CHECK(line->jumps().empty());
  }
  const auto left = line_of(curved("sine", "left"))->place(777.0),
             right = line_of(curved("sine", "right"))->place(777.0);
  CHECK(left.position.y == Approx(-right.position.y).epsilon(1e-13));
  CHECK(left.axes.column(1).z == Approx(-right.axes.column(1).z).epsilon(1e-13));
}

TEST_CASE("Cant lifts the outer rail; the middle rises by half of it, or not at all") {
  RailLine l = curved();
  for (const bool inner : {true, false}) {
    l.pivot = inner ? "inner" : "centre";
    const auto line = line_of(l);
    for (const double s : {10.0, 52.0, 75.0, 98.0, 300.0, 640.0, 900.0}) {
      const auto p = line->place(s);
      const double half = 0.75, left = p.position.z + half * p.axes.column(1).z,
                   right = p.position.z - half * p.axes.column(1).z;
      const double cant = -1.5 * line->layout(s).tilt;
      if (inner)
        CHECK(std::abs(left) < 1e-4 * cant + 1e-12);  // the rail keeps its height, but for the cosine of the climb
      CHECK(right - left == Approx(cant).epsilon(1e-5));
      CHECK(std::abs(p.position.z - (inner ? 0.5 * cant : 0.0)) < 1e-12);
    }
  }
}

// Along a rounded ramp all is smooth: its second derivative has no step that grows as the places come nearer.
TEST_CASE("Ramps of cant have no corners") {
  for (const char* shape : {"clothoid", "sine"}) {
    const auto line = line_of(curved(shape));
    for (double s = 45; s < 110; s += 0.01) {
      const double here = line->layout(s).tilt, next = line->layout(s + 0.01).tilt, then = line->layout(s + 0.02).tilt;
      CHECK(std::abs(then - 2 * next + here) < 1e-4 * 0.08);  // 0.01^2 times 0.6 m/(45 m 5 m) of it at most
    }
  }
}

TEST_CASE("A change to the track beside ends there, in the direction that it came from") {
  RailLine l;
  l.layout = {straight(20), change("left"), straight(100)};
  const auto line = line_of(l);
  const double a = std::atan(1 / 12.0), between = (4 - 1000 * (1 - std::cos(a))) / std::sin(a);
  CHECK(between == Approx(6.57).epsilon(1e-3));  // m of straight
  CHECK(line->length() == Approx(120 + 1000 * a + between).epsilon(1e-13));
  const auto end = line->place(line->length());
  CHECK(end.position.y == Approx(4).epsilon(1e-13));
  CHECK(std::abs(end.tangent().y) < 1e-15);
  CHECK(line->jumps().size() == 4);
  CHECK(model_of(l).warnings.empty());  // turnouts jump
  l.layout = {straight(20), curve(50, 500, "left"), straight(10)};
  const model::Model model = model_of(l);
  REQUIRE(model.warnings.size() == 2);
  CHECK(model.warnings[0].name == "no_transition");
}

TEST_CASE("Gradients are joined by arcs, and the line climbs by as much as they say") {
  RailLine l = curved();
  l.pivot = "centre";
  l.gradients = {{{}, 300, 0.01, 5000}, {{}, 700, -0.02, 4000}};
  const auto line = line_of(l);
  const auto sine = [](double g) { return g / std::hypot(1, g); };
  CHECK(line->layout(200).climb == 0);
  CHECK(line->layout(500).climb == Approx(sine(0.01)).epsilon(1e-13));
  CHECK(line->layout(1000).climb == Approx(sine(-0.02)).epsilon(1e-13));
  CHECK(line->layout(300).climb == Approx(0.5 * sine(0.01)).epsilon(1e-12));
  // An arc about its middle rises by the mean of its ends: as two straight lines that meet there.
  CHECK(line->place(1100.0).position.z == Approx(400 * sine(0.01) + 400 * sine(-0.02)).epsilon(1e-12));
  CHECK(line->layout(1000).heading == Approx(550 / 300.0).epsilon(1e-13));  // cut pieces turn as before
}

TEST_CASE("A measured line follows its tables, and has a curve where these have one") {
  RailLine l;
  l.curvature = table({0, 100, 160, 400}, {0, 0, 0.001, 0.001});
  l.cant = table({0, 90, 170, 400}, {0, 0, 0.06, 0.06});
  l.gradient = table({0, 200, 210, 400}, {0, 0, 0.01, 0.01});
  l.pivot = "centre";
  const auto line = line_of(l);
  CHECK(line->length() == Approx(400).epsilon(1e-14));
  for (const double s : {50.0, 95.0, 130.0, 165.0, 205.0, 399.0}) {
    CHECK(line->layout(s).curvature == Approx(l.curvature->at(s)).epsilon(1e-12));
    CHECK(line->layout(s).tilt == Approx(-l.cant->at(s) / 1.5).epsilon(1e-12));
    CHECK(line->layout(s).climb == Approx(l.gradient->at(s)).epsilon(1e-12));
  }
  CHECK(line->layout(400).heading ==
        Approx(0.001 * 240 + 0.03).epsilon(1e-12));  // the smooth ramp has half of its area
}

TEST_CASE("What cannot be laid is refused, and the message says why") {
  CHECK(refusal(curved()).empty());
  const auto with = [](std::vector<TrackSegment> layout) {
    RailLine line;
    line.layout = std::move(layout);
    return refusal(line);
  };
  CHECK(with({straight(10), curve(10, 300, "left", 0.1)}).find("Put a transition") != std::string::npos);
  CHECK(with({transition(10), transition(10)}).find("follows a transition") != std::string::npos);
  CHECK(with({transition(10), curve(10, 300, "left", 0.8)}).find("tips over") != std::string::npos);
  CHECK(with({curve(10, 300, "")}).find("where it goes") != std::string::npos);
  CHECK(with({curve(9, 300, "left", 0.1), transition(9), curve(9, 300, "right", 0.1)}).find("inner rail becomes") !=
        std::string::npos);
  TrackSegment bent = straight(10);
  bent.radius = 100;
  CHECK(with({bent}).find("has no \"radius\"") != std::string::npos);
  TrackSegment wide = change("left");
  wide.angle = "1:4";
  CHECK(with({wide}).find("farther than its distance") != std::string::npos);
  wide.angle = "one in four";
  CHECK(with({wide}).find("no ratio") != std::string::npos);
  RailLine kinked = curved();
  kinked.gradients = {{{}, 300, 0.01, 0}};
  CHECK(refusal(kinked).find("kink") != std::string::npos);
  RailLine narrow;
  narrow.base = 1.4;
  CHECK(refused_field(narrow) == "base");
  RailLine twice = curved();
  twice.curvature = table({0, 1}, {0, 0});
  CHECK(refused_field(twice) == "curvature");
  RailLine leaning;
  leaning.curvature = table({0, 400}, {0, 0});
  leaning.cant = table({0, 100, 200, 400}, {0, 0.05, 0.76, 0.05});
  CHECK(refused_field(leaning) == "cant");
  CHECK(refusal(leaning).find("at 200 m the cant is 0.76 m on a base of 1.5 m: a vehicle tips over") !=
        std::string::npos);
  leaning.cant = table({0, 100, 200, 400}, {0, 0.05, -0.05, -0.05});
  CHECK(refusal(leaning).find("between 100 m and 200 m the cant turns") != std::string::npos);
  leaning.pivot = "centre";
  CHECK(refusal(leaning).empty());
  leaning.cant = model::Curve(MonotoneCubic(std::array{0.0, 100.0}, std::array{0.0, 0.05}), model::Beyond::unsaid);
  CHECK(refusal(leaning).find("cant ends at 100 m, and the curvature at 400 m") != std::string::npos);
  leaning.cant.reset(), leaning.gradient = table({0, 100, 400}, {0, 10, 0});
  CHECK(refused_field(leaning) == "gradient");
  RailLine formula;
  formula.curvature = model::Curve(test::formula("0*s/1[m^2]", "s:m"));
  CHECK(refused_field(formula) == "curvature");
}
