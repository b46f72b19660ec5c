// Contributions with coordinates of their own that have inertia, in every way in which a law may use them. References: differences of the
// residual, one solver against the others, Newton's law with the constraint eliminated by hand, energy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "exact_jacobian.testing.h"
#include "run_model.testing.h"
#include "skyhook/model/contribution.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

// Two coordinates p, an inner state, an algebraic unknown, a contact variable and a row, each of which reads all the others may give.
struct Everything final : model::ConditionsLaw<Everything, model::LoadsLaw<Everything>> {
  model::Declared declaration;
  Everything() {
    declaration.coordinates = {{.name = "p", .unit = "m", .mass = 0.5, .start = 0.1},
                               {.name = "u", .unit = "m", .mass = 0.8, .rate = 0.3}};
    declaration.states = {{"c", "N", 1, 0.1}};
    declaration.algebraic = {{"w", "N"}};
    declaration.contact_variables = {{"s", "m"}};
    declaration.rows = {{"height"}};
    declaration.has_loads = true;
  }
  const model::Declared& declared() const override { return declaration; }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    using std::cos, std::sin;
    const auto& [t, r, R, v, turn, set] = in.motion;
    const T &c = in.c[0], &w = in.w[0], &s = in.s[0], &p = in.p[0], &u = in.p[1], &pd = in.p_rate[0],
            &ud = in.p_rate[1];
    out.wrench.f = {T(-20.0) * (r.x - T(0.3)) - v.x + T(4.0) * p + c, T(-20.0) * r.y - v.y + T(3.0) * sin(u) - w,
                    T(-20.0) * (r.z - T(0.2)) - v.z + s * p};
    out.wrench.n = {T(-2.0) * turn.x - R[2][1], T(-2.0) * turn.y + u * c, T(-2.0) * turn.z + pd * r.x};
    out.rates[0] = T(-3.0) * c + p * u + T(0.5) * ud + r.y + T(0.2) * w;
    out.b[0] = w + T(0.2) * w * w * w - r.z * u - T(0.5) * pd - T(0.3) * s + T(0.1) * c - T(0.1) * v.x;
    out.forces[0] = T(-30.0) * p - pd - T(2.0) * u * r.x + T(0.3) * c + w + T(0.2) * s * v.z;
    out.forces[1] = T(-25.0) * u - ud + T(3.0) * r.y * cos(u) + p * w + T(0.1) * turn.z;
  }

  template <class T>
  void law(const model::Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    using std::sin;
    const T &p = x.p[0], &u = x.p[1];
    const Vec3<T> tip = x.r + x.R * Vec3<T>{T(0.1), T(-0.2), T(0.3)};
    h[0] = T(2.0) * s[0] + T(0.3) * sin(s[0]) - tip.x * (T(1.0) + p) - T(0.5) * tip.y * u;
    g[0] = tip.z - T(0.4) * s[0] * (T(1.0) + u) + T(0.5) * p * p - T(0.3) * x.R[0][1] - T(0.4);
  }
  void search(const model::Pose<double>&, std::span<double> s) const override { s[0] = 0; }
};

// A point that its own coordinate lifts: z = p^2 / 2.
struct Lift final : model::ConditionsLaw<Lift> {
  model::Declared declaration;
  explicit Lift(double mass) {
    declaration.coordinates = {{.name = "p", .unit = "m^0.5", .mass = mass, .start = 1.0}};
    declaration.rows = {{"lift"}};
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    g[0] = x.r.z - T(0.5) * x.p[0] * x.p[0];
  }
};

// A bar of two elements with consistent masses, held at one end, in modal coordinates of nobody: m / 6 [[4, 1], [1, 2]] and k [[2, -1], [-1, 1]].
// The free end pushes on the body with a spring of stiffness `tie`.
struct Bar final : model::LoadsLaw<Bar> {
  model::Declared declaration;
  double m = 3, k = 200, tie = 0;
  explicit Bar(double stiffness) : tie(stiffness) {
    declaration.coordinates = {{.name = "middle", .unit = "m"}, {.name = "end", .unit = "m", .start = 0.1}};
    declaration.inertia = {4 * m / 6, m / 6, m / 6, 2 * m / 6};
    declaration.has_loads = true;
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const T &a = in.p[0], &b = in.p[1], pull = T(tie) * (b - in.motion.r.z);
    out.wrench.f = {T(0), T(0), pull};
    out.forces[0] = T(-k) * (T(2) * a - b);
    out.forces[1] = T(-k) * (b - a) - pull;
  }
  double energy(const model::LoadInput<double>& in) const override {
    const double a = in.p[0], b = in.p[1], pull = b - in.motion.r.z;
    return 0.5 * (k * (a * a + (b - a) * (b - a)) + tie * pull * pull);
  }
};

// A ball of mass 2 that falls with 6 N onto a spring: free flight and half swings in turn.
struct Bouncer final : model::LoadsLaw<Bouncer>, model::SwitchingLaw {
  model::Declared declaration;
  static constexpr double mass = 2, weight = 6, stiffness = 500;
  Bouncer() {
    declaration.coordinates = {{.name = "height", .unit = "m", .mass = mass, .start = 0.5}};
    declaration.has_loads = true;
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const bool touches = in.motion.set.mode == 0 ? in.p[0] < T(0) : in.motion.set.mode == 2;
    out.forces[0] = T(-weight) - (touches ? T(stiffness) * in.p[0] : T(0));
  }
  double energy(const model::LoadInput<double>& in) const override {
    return weight * in.p[0] + (in.p[0] < 0 ? 0.5 * stiffness * in.p[0] * in.p[0] : 0.0);
  }
  int first_mode(const model::LoadInput<double>& in) const override { return in.p[0] < 0 ? 2 : 1; }
  double watch(const model::LoadInput<double>& in) const override {
    return in.motion.set.mode == 1 ? in.p[0] : -in.p[0];
  }
  int next_mode(const model::LoadInput<double>& in) const override { return in.motion.set.mode == 1 ? 2 : 1; }
  std::string event(int, int to) const override { return to == 2 ? "touches" : "lifts off"; }
};

// The element "own" from the body `from` to the last body.
testing::Loaded with_law(const std::string& text, int from, std::shared_ptr<const model::ContributionLaw> law) {
  testing::Loaded loaded = testing::load_text(text);
  const auto frame = [&](int body) {
    model::Marker marker;
    marker.body = body;
    if (body != model::ground) marker.at = loaded.model->bodies[static_cast<std::size_t>(body)].at;
    return marker;
  };
  loaded.model->contributions.push_back({.name = "own",
                                         .type = "law",
                                         .where = {"test.yaml", 7},
                                         .from = frame(from),
                                         .to = frame(static_cast<int>(loaded.model->bodies.size()) - 1),
                                         .law = std::move(law)});
  return loaded;
}

testing::Loaded everything(const std::string& solver) {
  return with_law(
      "skyhook: 1\nbodies: {a: {mass: 2, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0.1]}, b: {mass: 1, inertia: [0.3, 0.2, "
      "0.4], at: [0.3, 0.1, 0.4]}}\njoints:\n"
      "  swing: {type: revolute, from: ground, to: a, axis: [1, 2, 0.5], at: [0, 0.1, 0.3], rate: 0.5}\n"
      "  fly: {type: free, from: ground, to: b}\noutputs: [\"*\"]\n"
      "experiments: {go: {until: 1 s, output_step: 0.1 s, tolerance: 1e-9, solver: " +
          solver + "}}\n",
      0, std::make_shared<const Everything>());
}

testing::Loaded lift(double mass, const std::string& experiment) {
  return with_law(
      "skyhook: 1\nbodies: {rider: {mass: 3, at: [0, 0, 0.5]}}\njoints: {up: {type: prismatic, from: ground, "
      "to: rider, axis: z}}\noutputs: [\"*\"]\nexperiments: {go: {" +
          experiment + "}}\n",
      model::ground, std::make_shared<const Lift>(mass));
}

}  // namespace

TEST_CASE("Own coordinates: exact derivatives are those of differences, of everything that a law may have") {
  const auto loaded = everything("bdf/ggl");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
}

TEST_CASE("Own coordinates: every solver finds the same motion") {
  std::optional<testing::Run> first;
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run(everything(solver));
    if (!first) first = r;
    for (const char* channel : {"own.p", "own.p_rate", "own.u", "own.u_rate", "own.c", "own.w", "own.s", "b.z", "b.vx"})
      CHECK_MESSAGE(std::abs(r.last(channel) - first->last(channel)) < 2e-6, channel);
    for (const char* channel : {"own.force_z", "own.u_acceleration"})
      CHECK_MESSAGE(std::abs(r.last(channel) - first->last(channel)) < 1e-4, channel);
  }
}

// Of (m + M p^2) p'' + M p p'^2 = -M g p, which z = p^2 / 2 leaves, by small steps of Runge and Kutta.
TEST_CASE("Own coordinates: a row that is not linear in them moves as its one equation, with every solver") {
  const double m = 2, M = 3, g = 9.81, until = 1.5;
  const auto slope = [&](double p, double v) { return -M * p * (g + v * v) / (m + M * p * p); };
  double p = 1, v = 0;
  const int steps = 3000;
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = v, l1 = slope(p, v), k2 = v + h / 2 * l1, l2 = slope(p + h / 2 * k1, k2);
    const double k3 = v + h / 2 * l2, l3 = slope(p + h / 2 * k2, k3), k4 = v + h * l3, l4 = slope(p + h * k3, k4);
    p += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run(lift(m, "until: 1.5 s, output_step: 0.1 s, tolerance: 1e-9, solver: " + solver));
    CHECK(std::abs(r.last("own.p") - p) < 2e-6);
    CHECK(std::abs(r.last("own.p_rate") - v) < 1e-5);
    CHECK(std::abs(r.last("up.displacement") - (p * p / 2 - 0.5)) < 2e-6);
    CHECK(std::abs(r.last("own.force_z") - M * (g + v * v + p * slope(p, v))) < 1e-3);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

TEST_CASE("Own coordinates: a law without inertia is refused, and one with too many") {
  const auto message = [](const std::shared_ptr<model::ContributionLaw>& law) {
    const auto loaded = with_law(
        "skyhook: 1\nbodies: {b: {mass: 1, at: [0, 0, 0]}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: "
        "z}}\nexperiments: {go: {until: 1 s}}\n",
        model::ground, law);
    try {
      simulation::prepare(loaded.model, loaded.experiment);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const double mass : {0.0, -1.0, std::nan("")}) {
    const std::string text = message(std::make_shared<Lift>(mass));
    CHECK(text.find("test.yaml:7") != std::string::npos);
    CHECK(text.find("\"own\": its coordinate \"p\" has no inertia") != std::string::npos);
  }
  const auto many = std::make_shared<Lift>(1);
  many->declaration.coordinates.resize(5, many->declaration.coordinates[0]);
  CHECK(message(many).find("more than 4") != std::string::npos);
}

TEST_CASE("Own coordinates: what the program tells of them") {
  const auto loaded = lift(2, "until: 1 s");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(prepared.degrees_of_freedom() == 1);
  CHECK(prepared.all->position_names().back() == "own.p");
  CHECK(prepared.all->velocity_names().back() == "own.p_rate");
  CHECK(prepared.all->owner_of_velocity(prepared.all->nv() - 1) == "own");
}

TEST_CASE("Own coordinates: tolerances know their usual size") {
  auto law = std::make_shared<Lift>(2);
  law->declaration.coordinates[0].nominal = 1e-3;
  const auto loaded = with_law(
      "skyhook: 1\nbodies: {b: {mass: 1, at: [0, 0, 0.5]}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: "
      "z}}\nexperiments: {go: {until: 1 s}}\n",
      model::ground, law);
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  const formulation::Ggl ggl(prepared.active);
  const auto& variables = ggl.structure().y;
  for (const auto& [name, nominal] : {std::pair{"own.p", 1e-3}, {"own.p_rate", 1e-3}, {"j.displacement", 1.0}}) {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    REQUIRE(found != variables.end());
    CHECK(found->nominal == nominal);
  }
}

namespace {

testing::Loaded beside(const std::string& experiment, std::shared_ptr<const model::ContributionLaw> law) {
  return with_law(
      "skyhook: 1\ngravity: off\nbodies: {b: {mass: 1, at: [0, 0, 0]}}\njoints: {up: {type: prismatic, from: ground, "
      "to: b, "
      "axis: z}}\noutputs: [\"*\"]\nexperiments: {go: {" +
          experiment + "}}\n",
      model::ground, std::move(law));
}

}  // namespace

// Two modes of M x'' + K x = 0 by hand: det(K - w^2 M) = 0 with M = m/6 [[4, 1], [1, 2]], K = k [[2, -1], [-1, 1]] is
// 7 y^2 - 10 y + 1 = 0 in y = w^2 m / (6 k), and the shapes are (1 + y, 2 - 4 y).
TEST_CASE("Own coordinates: inertia that couples them, a bar with consistent masses, with every solver") {
  const Bar bar(0);
  double x[2] = {0, 0}, v[2] = {0, 0};
  const double until = 1.3;
  const double y[2] = {(10 - std::sqrt(72.0)) / 14, (10 + std::sqrt(72.0)) / 14};
  const double a0 = 1 + y[0], b0 = 2 - 4 * y[0], a1 = 1 + y[1], b1 = 2 - 4 * y[1];
  const double c0 = 0.1 * -a1 / (a0 * b1 - a1 * b0),
               c1 = 0.1 * a0 / (a0 * b1 - a1 * b0);  // starts at (0, 0.1), at rest
  const double share[2] = {c0, c1};
  for (int i = 0; i < 2; ++i) {
    const double w = std::sqrt(6 * bar.k * y[i] / bar.m);
    x[0] += share[i] * (1 + y[i]) * std::cos(w * until), x[1] += share[i] * (2 - 4 * y[i]) * std::cos(w * until);
    v[1] -= share[i] * (2 - 4 * y[i]) * w * std::sin(w * until);
  }
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run(
        beside("until: 1.3 s, output_step: 0.1 s, tolerance: 1e-9, solver: " + solver, std::make_shared<const Bar>(0)));
    CHECK(std::abs(r.last("own.middle") - x[0]) < 2e-6);
    CHECK(std::abs(r.last("own.end") - x[1]) < 2e-6);
    CHECK(std::abs(r.last("own.end_rate") - v[1]) < 5e-5);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

TEST_CASE("Own coordinates: coupled inertia and a body, derivatives and every solver") {
  const auto loaded = beside("until: 1 s", std::make_shared<const Bar>(80));
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  std::optional<testing::Run> first;
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto r = testing::run(
        beside("until: 1 s, output_step: 0.1 s, tolerance: 1e-9, solver: " + solver, std::make_shared<const Bar>(80)));
    if (!first) first = r;
    for (const char* channel : {"own.middle", "own.end", "up.displacement", "own.end_rate"})
      CHECK_MESSAGE(std::abs(r.last(channel) - first->last(channel)) < 5e-6, channel);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

TEST_CASE("Own coordinates: inertia that is none is refused") {
  const auto message = [](std::vector<double> inertia) {
    auto bar = std::make_shared<Bar>(0);
    bar->declaration.inertia = std::move(inertia);
    const auto loaded = beside("until: 1 s", bar);
    try {
      simulation::prepare(loaded.model, loaded.experiment);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message({1, 2, 3}).find("has 3 entries, not 4") != std::string::npos);
  CHECK(message({1, 0.5, 0.4, 1}).find("not symmetric") != std::string::npos);
  CHECK(message({1, 2, 2, 1}).find("not positive definite") != std::string::npos);
  CHECK(message({1, 0.5, 0.5, std::nan("")}).find("test.yaml:7") != std::string::npos);
}

// Flight from 0.5 m: touches at sqrt(2 h m / F) with v = sqrt(2 h F / m), and lifts off half a swing about -F/k later.
TEST_CASE("Own coordinates: a law with unknowns of its own may switch; events stand where they must") {
  const double fall = std::sqrt(2 * 0.5 * Bouncer::mass / Bouncer::weight),
               speed = Bouncer::weight / Bouncer::mass * fall;
  const double w = std::sqrt(Bouncer::stiffness / Bouncer::mass), depth = Bouncer::weight / Bouncer::stiffness;
  const double swing = 2 / w * (std::numbers::pi / 2 + std::atan(depth * w / speed));
  for (const char* solver : {"bdf/ggl", "dopri5", "radau5/ggl"}) {
    CAPTURE(solver);
    const auto r =
        testing::run(beside(std::string("until: 2 s, output_step: 0.1 s, tolerance: 1e-8, solver: ") + solver,
                            std::make_shared<const Bouncer>()));
    std::vector<std::pair<double, std::string>> seen;
    for (const auto& event : r.sink.events) {
      if (event.element == "own") seen.push_back({event.t, event.name});
    }
    REQUIRE(seen.size() >= 3);
    CHECK(seen[0].second.find("touches") != std::string::npos);
    CHECK(seen[0].first == doctest::Approx(fall).epsilon(1e-6));
    CHECK(seen[1].second.find("lifts off") != std::string::npos);
    CHECK(seen[1].first == doctest::Approx(fall + swing).epsilon(1e-6));
    CHECK(seen[2].first == doctest::Approx(3 * fall + swing).epsilon(1e-6));
  }
}
