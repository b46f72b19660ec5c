// The planar truck of [Eich 1998] on its hill, against equations written down from the data by hand; its hinge and its gas spring.
#include <array>
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;
using doctest::Approx;

namespace {

const std::string name = "road/truck_planar";

struct Planar {
  double x = 0, z = 0;
};
Planar operator+(Planar a, Planar b) { return {a.x + b.x, a.z + b.z}; }
Planar operator-(Planar a, Planar b) { return {a.x - b.x, a.z - b.z}; }
double dot(Planar a, Planar b) { return a.x * b.x + a.z * b.z; }

// Position and rate of a body: a point of it, turned about y by the angle.
struct Body {
  Planar at, rate;
  double angle = 0, spin = 0;
  Planar arm(Planar p) const {
    return {p.x * std::cos(angle) + p.z * std::sin(angle), -p.x * std::sin(angle) + p.z * std::cos(angle)};
  }
  Planar point(Planar p) const { return at + arm(p); }
  Planar velocity(Planar p) const {
    const Planar a = arm(p);
    return rate + Planar{spin * a.z, -spin * a.x};
  }
};

struct Load {
  Planar force;
  double moment = 0;  // about y
};

// p1 rear axle z; p2, p3 chassis z and pitch; p4 front axle z; p5, p6 cabin; p7, p8, p9 loading area x, z, pitch; then their rates.
using State = std::array<double, 18>;

double hill(double t) { return t > 0 ? 1e-3 * std::pow(t, 6) * std::exp(-t) : 0.0; }
double hill_rate(double t) { return t > 0 ? 1e-3 * (6 - t) * std::pow(t, 5) * std::exp(-t) : 0.0; }

struct Truck {
  static constexpr double a12 = -2.06, a23 = 2.44, a24 = 1.94, a42 = 3.64, a25 = 0.98, a52 = -3.07, b42 = 0.9,
                          b24 = -0.8;
  static constexpr double c25 = 2.44, c1d = -1.91, c2d = -1.31, h1 = -1.34, g = 9.81;
  bool pneumatic = false;

  static Planar law(double k, double d, double f, Planar r, Planar v) {
    const double length = std::sqrt(dot(r, r)), size = k * length + d * dot(r, v) / length + f;
    return {size * r.x / length, size * r.z / length};
  }
  Planar front(Planar r, Planar v) const {
    if (!pneumatic) return law(2.711e5, 38537, -84924.838, r, v);
    const double length = std::sqrt(dot(r, r)), p = 1e5 * 0.0562, s = 39.13228;
    const double spring = (-41548.838 + p) * std::pow((1 + s * 0.16) / (1 + s * length), 1.4) - p;
    return law(0, 38537, spring, r, v);
  }
  // Tension pulls the points together.
  static void act(Planar f, const Body& from, Planar a, Load& on_from, const Body& to, Planar b, Load& on_to) {
    const Planar ra = from.arm(a), rb = to.arm(b);
    on_from.force = on_from.force + f, on_from.moment += ra.z * f.x - ra.x * f.z;
    on_to.force = on_to.force - f, on_to.moment -= rb.z * f.x - rb.x * f.z;
  }
  State rates(double t, const State& y) const {
    const Body road_rear{{a12, hill(t - 6.5 / 15)}, {0, hill_rate(t - 6.5 / 15)}};
    const Body road_front{{a23, hill(t - 2.0 / 15)}, {0, hill_rate(t - 2.0 / 15)}};
    const Body rear{{a12, y[0]}, {0, y[9]}}, front_axle{{a23, y[3]}, {0, y[12]}};
    const Body chassis{{0, y[1]}, {0, y[10]}, y[2], y[11]}, cabin{{a24 - b24, y[4]}, {0, y[13]}, y[5], y[14]};
    const Body bed{{y[6], y[7]}, {y[15], y[16]}, y[8], y[17]};
    Load none, r, c, f, k, b;
    const auto add = [&](const Body& from, Planar p, Load& on_from, const Body& to, Planar q, Load& on_to,
                         auto&& force) {
      act(force(to.point(q) - from.point(p), to.velocity(q) - from.velocity(p)), from, p, on_from, to, q, on_to);
    };
    const auto spring = [](double stiffness, double damping, double nominal) {
      return [=](Planar x, Planar v) { return law(stiffness, damping, nominal, x, v); };
    };
    add(road_rear, {}, none, rear, {}, r, spring(44e5, 600, -2329145.162));
    add(road_front, {}, none, front_axle, {}, f, spring(22e5, 300, -1147434.838));
    add(rear, {}, r, chassis, {a12, h1}, c, spring(8.247e5, 21593, -246872.662));
    add(front_axle, {}, f, chassis, {a23, h1}, c, [&](Planar x, Planar v) { return front(x, v); });
    add(chassis, {a24, 0}, c, cabin, {b24, 0}, k, spring(1.357e5, 12218, -127842.88235294));
    add(chassis, {a42, 0}, c, cabin, {b42, 0}, k, spring(1.357e5, 12218, -127208.11764706));
    add(chassis, {a25, 0}, c, bed, {c25, 0}, b, spring(9e5, 38500, -854905.94111111));
    add(chassis, {a52, 0}, c, bed, {c1d, 0}, b, spring(7.7e5, 33013, -766354.91099974));
    add(chassis, {a52, 0}, c, bed, {c2d, 0}, b, spring(7.7e5, 33013, -766354.91099974));
    State out;
    for (std::size_t i = 0; i < 9; ++i) out[i] = y[9 + i];
    out[9] = r.force.z / 1450 - g, out[10] = c.force.z / 3335 - g, out[11] = c.moment / 14313;
    out[12] = f.force.z / 600 - g, out[13] = k.force.z / 1100 - g, out[14] = k.moment / 948;
    out[15] = b.force.x / 11515, out[16] = b.force.z / 11515 - g, out[17] = b.moment / 33000;
    return out;
  }
  // By the classical Runge-Kutta method. Highest rate 88 1/s: of order (88/s * 1 ms)^4 of what moves so fast, and little does.
  State advance(State y, double from, double to) const {
    constexpr double h = 1e-3;
    const auto plus = [](const State& a, double by, const State& b) {
      State out;
      for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + by * b[i];
      return out;
    };
    const int steps = static_cast<int>(std::lround((to - from) / h));
    for (int n = 0; n < steps; ++n) {
      const double t = from + n * h;
      const State k1 = rates(t, y), k2 = rates(t + h / 2, plus(y, h / 2, k1)),
                  k3 = rates(t + h / 2, plus(y, h / 2, k2)), k4 = rates(t + h, plus(y, h, k3));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
  }
};
constexpr State at_rest = {0.5, 2.0, 0, 0.5, 2.9, 0, -1.46, 2.9, 0};

}  // namespace

// Reference: equations of motion by hand, from the same numbers but sharing no code. The hill raises the chassis by 116 mm; agreement to
// 1e-7 m is that of both tolerances.
TEST_CASE("Truck: goes over its hill as equations by hand do, on steel and on gas") {
  for (const bool pneumatic : {false, true}) {
    CAPTURE(pneumatic);
    const auto run =
        testing::run(name, {.experiment = pneumatic ? "hill_pneumatic" : "hill", .tolerance = 1e-9, .output_step = 2});
    const Truck truck{pneumatic};
    State y = at_rest;
    double lifted = 0;
    for (std::size_t k = 1; k <= 10; ++k) {
      const double t = 2.0 * static_cast<double>(k);
      y = truck.advance(y, t - 2, t);
      CAPTURE(t);
      CHECK(run.at(k, "road_front") == Approx(hill(t - 2.0 / 15)).epsilon(1e-12));
      CHECK(run.at(k, "road_rear") == Approx(hill(t - 2.0 / 15 - 0.3)).epsilon(1e-12));
      CHECK(std::abs(run.at(k, "chassis") - (y[1] - 2.0)) < 1e-7);
      CHECK(std::abs(run.at(k, "pitch") - y[2]) < 1e-7);
      CHECK(std::abs(run.at(k, "cabin") - (y[4] - 2.9)) < 1e-7);
      CHECK(std::abs(run.at(k, "load_x") - (y[6] + 1.46)) < 1e-7);
      lifted = std::max(lifted, y[1] - 2.0);
    }
    CHECK(lifted == Approx(hill(6)).epsilon(0.05));  // and 2 % more on steel, 4 % on gas, as by hand
  }
}

// Reference: the data give the multiplier that carries the loading area with the weight and the force of the spring before it,
// m5 g - 44905.941 N; the drawn position is the equilibrium of all versions.
TEST_CASE("Truck: hinged or on gas it stands as drawn, and the hinge carries what the data say") {
  for (const char* experiment : {"rest_constrained", "rest_pneumatic"}) {
    CAPTURE(experiment);
    const auto loaded = testing::load(name, {.experiment = experiment});
    const auto e = analysis::find_equilibrium(simulation::prepare(loaded.model, loaded.experiment));
    REQUIRE_MESSAGE(e.found, e.problem);
    CHECK(e.stable);
    for (const double q : e.state.q) CHECK(std::abs(q) < 1e-8);
    model::Experiment stands = loaded.experiment;
    stands.until = 1;
    const simulation::Prepared prepared = simulation::prepare(loaded.model, stands, &e.state);
    const simulation::Simulation truck(prepared, stands);
    CHECK(truck.channel("rear_tyre.force") == Approx(-129145.162).epsilon(1e-12));
    CHECK(truck.channel("front_tyre.force") == Approx(-47434.838).epsilon(1e-12));
    if (std::string(experiment) == "rest_constrained")
      CHECK(truck.channel("bed_hinge.force_z") == Approx(68056.2088888888).epsilon(1e-12));
  }
}

// Reference: two routes. The hinge in the tree, and as constraint rows between bodies that float.
TEST_CASE("Truck: hinged, it goes over its hill in coordinates of joints and of bodies alike") {
  std::array<testing::Run, 2> runs;
  for (const bool absolute : {false, true}) {
    auto loaded =
        testing::load(name, {.experiment = "hill_constrained", .tolerance = 1e-8, .until = 8, .output_step = 1});
    if (absolute) loaded.model->coordinates = model::Coordinates::absolute;
    runs[absolute] = testing::run(loaded);
    CHECK(runs[absolute].sink.summary.energy_closure < 1e-6);
  }
  for (std::size_t k = 0; k <= 8; ++k) {
    for (const char* channel : {"chassis", "pitch", "load_x", "cabin"})
      CHECK(std::abs(runs[0].at(k, channel) - runs[1].at(k, channel)) < 1e-6);
    CHECK(runs[0].at(k, "hinge") == Approx(runs[1].at(k, "hinge")).epsilon(1e-5));
  }
}
