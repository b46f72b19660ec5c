// Dry friction in mechanisms whose drives leave no freedom: nothing can stick there, the friction only turns round. And two frictions
// in one mechanism, of which one keeps the other at rest.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;
using std::numbers::pi;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};

Run run_with(const std::string& solver, const std::string& text, const Wish& wish = {}) {
  Loaded loaded = load_text(text, wish);
  loaded.experiment.solver = solver;
  return run(loaded);
}

std::vector<double> times(const Run& r, const std::string& name) {
  std::vector<double> out;
  for (const auto& event : r.sink.events) {
    if (event.name == name) out.push_back(event.t);
  }
  return out;
}

void check_times(const std::vector<double>& found, const std::vector<double>& expected, double within) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < within);
}

constexpr double J = 0.01, mass = 3, arm = 0.2, length = 0.6, slide = 2;

std::string slider_crank(const std::string& drive) {
  return "skyhook: 1\n"
         "bodies:\n"
         "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0]}\n"
         "  slider: {mass: 3, inertia: [0.1, 0.1, 0.1], at: [0.8, 0, 0]}\n"
         "joints:\n"
         "  a: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y, drive: \"=" +
         drive +
         "\"}\n"
         "  d: {type: prismatic, from: ground, to: slider, axis: x}\n"
         "  r: {type: rod, from: crank, to: slider, from_at: [0.2, 0, 0], to_at: [0.8, 0, 0]}\n"
         "forces: {s: {type: stick_slip, joint: d, hold: 3, slide: 2}}\n"
         "outputs: [a.angle, a.angle_rate, a.angle_acceleration, a.drive, d.displacement, d.displacement_rate, s.*]\n"
         "experiments: {e: {until: 3 s, output_step: 10 ms, tolerance: 1e-7}}\n";
}

// Virtual power: T phi' = J phi' phi'' + m x' x'' + slide |x'| with x = r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2), divided by phi'.
double drive_torque(double phi, double rate, double acceleration) {
  const double root = std::sqrt(length * length - arm * arm * std::sin(phi) * std::sin(phi));
  const double x1 = -arm * std::sin(phi) - arm * arm * std::sin(2 * phi) / (2 * root);
  const double x2 = -arm * std::cos(phi) - arm * arm * std::cos(2 * phi) / root -
                    std::pow(arm * arm * std::sin(2 * phi), 2) / (4 * std::pow(root, 3));
  const double friction = slide * (x1 * rate > 0 ? 1.0 : -1.0);
  return J * acceleration + x1 * (mass * (x1 * acceleration + x2 * rate * rate) + friction);
}

// Next to an event its two sides have two frictions.
bool is_near_one_of(double t, const std::vector<double>& instants) {
  return std::ranges::any_of(instants, [&](double at) { return std::abs(t - at) < 1e-6; });
}

void check_torque(const Run& r, const std::vector<double>& reversals) {
  double worst = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    if (is_near_one_of(r.sink.time[i], reversals)) continue;
    const double exact = drive_torque(r.at(i, "a.angle"), r.at(i, "a.angle_rate"), r.at(i, "a.angle_acceleration"));
    worst = std::max(worst, std::abs(r.at(i, "a.drive") - exact));
    CHECK(r.at(i, "s.sticks") == 0);
  }
  CHECK(worst < 1e-5);
}

std::string four_bar(const std::string& drive, const std::string& moment) {
  return "skyhook: 1\ngravity: off\n"
         "bodies:\n"
         "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0.1, 0, 0]}\n"
         "  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.2, 0, 0], com: [0.5, 0, 0.2]}\n"
         "  rocker: {mass: 3, inertia: [0.1, 0.1, 0.1], at: [0.8, 0, 0.4], com: [0.8, 0, 0.2]}\n"
         "joints:\n"
         "  a: {type: revolute, from: ground, to: crank, at: [0, 0, 0], axis: y, drive: \"=" +
         drive +
         "\"}\n"
         "  b: {type: revolute, from: crank, to: rod, at: [0.2, 0, 0], axis: y}\n"
         "  c: {type: revolute, from: rod, to: rocker, at: [0.8, 0, 0.4], axis: y, cut: true}\n"
         "  d: {type: revolute, from: rocker, to: ground, at: [0.8, 0, 0], axis: y}\n"
         "forces: {s: {type: stick_slip, joint: d, angular_hold: 3, angular_slide: " +
         moment +
         "}}\n"
         "outputs: [a.angle, a.angle_rate, a.drive, d.angle, d.angle_rate, s.sticks]\n"
         "experiments: {e: {until: 3 s, output_step: 10 ms, tolerance: 1e-8}}\n";
}

// Angles about y from the start, between 0 and 2 pi, at which crank and rod lie on one line: first stretched, then folded.
std::vector<double> dead_angles() {
  const double rod = std::hypot(0.6, 0.4), ground = 0.8, rocker = 0.4;
  const auto elevation = [&](double reach) {  // of the rocker's end as seen from the crank's axis
    return std::acos((reach * reach + ground * ground - rocker * rocker) / (2 * reach * ground));
  };
  // Positive about y turns x towards -z.
  return {2 * pi - elevation(rod + arm), pi - elevation(rod - arm)};
}

// The drive's moment with friction less that without, from the same motion.
void check_moment(const Run& r, const Run& smooth, const std::vector<double>& reversals) {
  double worst = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    if (is_near_one_of(r.sink.time[i], reversals)) continue;
    while (smooth.sink.time[k] < r.sink.time[i] - 1e-9) ++k;
    const double power = 2.0 * std::abs(r.at(i, "d.angle_rate"));
    const double more = r.at(i, "a.drive") - smooth.at(k, "a.drive");
    worst = std::max(worst, std::abs(more * r.at(i, "a.angle_rate") - power));
    CHECK(r.at(i, "s.sticks") == 0);
  }
  CHECK(worst < 1e-4);
}

}  // namespace

TEST_CASE("A driven slider crank turns its dry friction round at the dead centres, whatever the integrator") {
  const std::vector<double> constant = {(pi - 1) / 4, (2 * pi - 1) / 4, (3 * pi - 1) / 4, (4 * pi - 1) / 4};
  // phi = 4 sin(2 t): dead centres at phi = pi k, and the drive's own turning points.
  const double once = 0.5 * std::asin(pi / 4);
  const std::vector<double> swinging = {once, pi / 4, pi / 2 - once, pi / 2, pi / 2 + once, 3 * pi / 4, pi - once};
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run even = run_with(solver, slider_crank("1+4[1/s]*t"));
    check_times(times(even, "reverses"), constant, 1e-9);
    check_torque(even, constant);
    const Run swing = run_with(solver, slider_crank("4*sin(2[1/s]*t)"));
    check_times(times(swing, "reverses"), swinging, 1e-8);
    check_torque(swing, swinging);
  }
}

TEST_CASE("A driven four-bar turns the dry friction of its rocker round at the dead positions") {
  const std::vector<double> dead = dead_angles();
  std::vector<double> even = {dead[1] / 4, dead[0] / 4, (dead[1] + 2 * pi) / 4};
  const std::string drive = "4[1/s]*t", swing = "3*sin(2[1/s]*t)";
  const double once = 0.5 * std::asin(dead[1] / 3), back = 0.5 * std::asin((2 * pi - dead[0]) / 3);
  const std::vector<double> swinging = {once, pi / 4, pi / 2 - once, pi / 2 + back, 3 * pi / 4};
  const Run smooth = run_with("radau5", four_bar(drive, "0")), smooth_swing = run_with("radau5", four_bar(swing, "0"));
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, four_bar(drive, "2"));
    check_times(times(r, "reverses"), even, 1e-7);
    check_moment(r, smooth, even);
    const Run s = run_with(solver, four_bar(swing, "2"));
    check_times(times(s, "reverses"), swinging, 1e-7);
    check_moment(s, smooth_swing, swinging);
  }
}

// At rest from 0 to 0.5 s, forth until 1 s, back until 1.5 s, and at rest again. Before it has moved the friction is none, behind it
// that of the last motion: statics does not tell it.
TEST_CASE("Where a drive stands still the friction behind it rests") {
  const std::string drive = "1 + if(t < 0.5[s], 0, if(t < 1.5[s], 0.5 - 0.5*cos(2*pi*(t/1[s] - 0.5)), 0))";
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, slider_crank(drive));
    check_times(times(r, "slips"), {0.5}, 1e-8);
    check_times(times(r, "reverses"), {1.0}, 1e-8);
    CHECK(times(r, "sticks").empty());
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      if (r.sink.time[i] < 0.499) CHECK(r.at(i, "s.force") == 0);
      if (r.sink.time[i] > 1.501) CHECK(r.at(i, "s.force") == -slide);
      if (r.sink.time[i] > 1.501) CHECK(std::abs(r.at(i, "d.displacement_rate")) < 1e-6);
    }
  }
}

// One alone holds 3 N, the other 5 N. The first breaks away at 3 N, and the second carries the rest up to 5 N + 2 N = 7 N.
TEST_CASE("Two frictions on one motion hold more than each of them") {
  const std::string text =
      "skyhook: 1\ngravity: off\n"
      "bodies: {m: {mass: 1, at: [0, 0, 0]}, n: {mass: 1, at: [0, 1, 0]}}\n"
      "joints:\n"
      "  p: {type: prismatic, from: ground, to: m, axis: x}\n"
      "  q: {type: prismatic, from: ground, to: n, axis: x}\n"
      "  c: {type: coupler, coordinate_1: p.displacement, coordinate_2: q.displacement}\n"
      "forces:\n"
      "  s: {type: stick_slip, joint: q, hold: 3, slide: 2}\n"
      "  r: {type: stick_slip, joint: p, hold: 5, slide: 4}\n"
      "  f: {type: force, joint: p, value: \"=10[N/s]*t\"}\n"
      "outputs: [p.displacement, p.displacement_rate, s.force, r.force]\n"
      "experiments: {e: {until: 1 s, output_step: 10 ms, tolerance: 1e-7}}\n";
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text);
    check_times(times(r, "slips"), {0.3, 0.7}, 1e-9);
    CHECK(r.last("p.displacement_rate") == Approx((5 * (1 - 0.49) - 6 * 0.3) / 2).epsilon(1e-6));
    for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
      if (r.sink.time[i] < 0.699) CHECK(r.at(i, "p.displacement") == 0);
    }
  }
}
