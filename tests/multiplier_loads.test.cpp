// Loads that read the multipliers of their own rows ([Arnold 2004] (26a), (23)), as creep forces do. References: differences of the residual,
// the equations in minimal coordinates by hand, the residual formalism against the explicit one, one solver against the others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"
#include "run_model.testing.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/model/contribution.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

// Rows, a contact variable and a coordinate of its own, with loads that are not linear in the two multipliers.
struct Reader final : model::ConditionsLaw<Reader, model::LoadsLaw<Reader>> {
  model::Declared declaration;
  Reader() {
    declaration.coordinates = {{.name = "p", .unit = "m", .mass = 0.5, .start = 0.1}};
    declaration.contact_variables = {{"s", "m"}};
    declaration.rows = {{"height"}, {"side"}};
    declaration.has_loads = declaration.reads_multipliers = true;
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    using std::sin, std::tanh;
    const auto& [t, r, R, v, turn, set] = in.motion;
    const T &one = in.lambda[0], &two = in.lambda[1], &s = in.s[0], &p = in.p[0], &pd = in.p_rate[0];
    out.wrench.f = {T(-20.0) * r.x - T(0.2) * one * tanh(v.x), T(-20.0) * r.y + T(0.1) * two * s,
                    T(-0.1) * one * p - v.z};
    out.wrench.n = {T(-2.0) * turn.x - T(0.05) * one * two / (T(30.0) + one * one),
                    T(-2.0) * turn.y + T(0.02) * two * r.z, T(-2.0) * turn.z - T(0.1) * sin(T(0.1) * one) * v.y};
    out.forces[0] = T(-30.0) * p - pd + T(0.1) * one * s + T(0.05) * two * v.x;
  }
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T> s, std::span<T> g, std::span<T> h) const {
    using std::sin;
    const Vec3<T> tip = x.r + x.R * Vec3<T>{T(0.1), T(-0.2), T(0.3)};
    h[0] = T(2.0) * s[0] + T(0.3) * sin(s[0]) - tip.x * (T(1.0) + x.p[0]) - T(0.5) * tip.y;
    g[0] = tip.z - T(0.4) * s[0] + T(0.5) * x.p[0] * x.p[0] - T(0.4);
    g[1] = tip.y - T(0.2) * s[0] * tip.x + T(0.1) * x.p[0];
  }
  void search(const model::Pose<double>&, std::span<double> s) const override { s[0] = 0; }
};

// A point on the parabola z = x^2 / 2, pressed on it by its weight, that rubs: -mu N tanh(v / v_s) along the path.
struct Skid final : model::ConditionsLaw<Skid, model::LoadsLaw<Skid>> {
  static constexpr double mu = 0.3, v_s = 0.2;
  model::Declared declaration;
  Skid() {
    declaration.rows = {{"off the parabola"}};
    declaration.has_loads = declaration.reads_multipliers = true;
  }
  const model::Declared& declared() const override { return declaration; }
  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    using std::sqrt, std::tanh;
    const T& x = in.motion.r.x;
    const T bend = sqrt(T(1.0) + x * x), normal = -in.lambda[0] * bend;  // g is measured upward
    const T speed = (in.motion.v.x + x * in.motion.v.z) / bend, size = -T(mu) * normal * tanh(speed / T(v_s));
    out.wrench.f = {size / bend, T(0), size * x / bend};
  }
  template <class T>
  void law(const model::Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    g[0] = x.r.z - T(0.5) * x.r.x * x.r.x;
  }
};

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

testing::Loaded reader(const std::string& solver) {
  return with_law(
      "skyhook: 1\nbodies: {a: {mass: 2, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0.1]}, b: {mass: 1, inertia: [0.3, 0.2, "
      "0.4], at: [0.3, 0.1, 0.4]}}\njoints:\n"
      "  swing: {type: revolute, from: ground, to: a, axis: [1, 2, 0.5], at: [0, 0.1, 0.3], rate: 0.5}\n"
      "  fly: {type: free, from: ground, to: b}\noutputs: [\"*\"]\n"
      "experiments: {go: {until: 0.5 s, output_step: 0.1 s, tolerance: 1e-9, solver: " +
          solver + "}}\n",
      0, std::make_shared<const Reader>());
}

testing::Loaded skid(const std::string& solver) {
  return with_law(
      "skyhook: 1\nbodies: {bead: {mass: 2, at: [1, 0, 0.5]}}\njoints: {plane: {type: translation, from: ground, to: "
      "bead}}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 1.5 s, output_step: 0.1 s, tolerance: 1e-9, solver: " +
          solver + "}}\n",
      model::ground, std::make_shared<const Skid>());
}

bool takes_them(const std::string& solver) { return !solver.starts_with("hem5"); }

}  // namespace

TEST_CASE("Loads that read multipliers: exact derivatives are those of differences, unknowns found and kept") {
  const auto loaded = reader("bdf/ggl");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  CHECK(testing::jacobian_error(prepared, 0.3) < 1e-8);
  CHECK(testing::jacobian_error(prepared, 3) < 1e-8);
}

// The residual knows nothing of how accelerations and multipliers were found; nor does the recursion with given multipliers.
TEST_CASE("Loads that read multipliers: residual, recursion and the explicit solution agree") {
  const auto loaded = reader("bdf/ggl");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  const auto& eq = *prepared.active;
  const auto nv = static_cast<std::size_t>(eq.nv()), ng = static_cast<std::size_t>(eq.ng());
  std::vector<double> v(nv), a(nv), lambda(ng), zero(ng), tau(nv), qdot(static_cast<std::size_t>(eq.nq())), g(ng),
      rate(ng), row_acceleration(ng);
  auto ws = eq.workspace();
  auto solver = eq.acceleration_solver();
  for (int k = 0; k < 5; ++k) {
    for (std::size_t i = 0; i < nv; ++i) v[i] = std::sin(3.7 * static_cast<double>(i + 1) + k);
    REQUIRE(solver.solve(0, prepared.state.q, v, a, lambda, ws) == Eval::ok);
    CHECK(std::abs(lambda[0]) > 1);  // there is something to read
    const formalism::Input in{0, prepared.state.q, v, a, lambda, zero};
    REQUIRE(eq.residual(in, {tau, qdot, g, rate}, ws) == Eval::ok);
    for (const double x : tau) CHECK(std::abs(x) < 1e-10);
    REQUIRE(eq.constraint_accelerations(in, row_acceleration, ws) == Eval::ok);
    for (const double x : row_acceleration) CHECK(std::abs(x) < 1e-10);
    REQUIRE(eq.explicit_form(in, {tau, qdot, g, rate}, ws) == Eval::ok);
    for (std::size_t i = 0; i < nv; ++i) CHECK(std::abs(tau[i] - a[i]) < 1e-10);
  }
}

TEST_CASE("Loads that read multipliers: every solver finds the same motion, and what they do is booked") {
  std::optional<testing::Run> first;
  for (const std::string& solver : simulation::usable_solvers()) {
    if (!takes_them(solver)) continue;
    CAPTURE(solver);
    const auto r = testing::run(reader(solver));
    if (!first) first = r;
    for (const char* channel : {"own.p", "own.p_rate", "own.s", "b.z", "b.vx"})
      CHECK_MESSAGE(std::abs(r.last(channel) - first->last(channel)) < 2e-6, channel);
    for (const char* channel : {"own.force_z", "own.moment_x"})
      CHECK_MESSAGE(std::abs(r.last(channel) - first->last(channel)) < 1e-4, channel);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

// In x alone: b = 1 + x^2, v = b^(1/2) x', N = m (g + x'^2) / b^(1/2), m (b x'' + x x'^2 + g x) = b^(1/2) F, by small steps of Runge and Kutta.
TEST_CASE("Loads that read multipliers: a bead that rubs on a parabola moves as its one equation, with every solver") {
  const double g = 9.81, until = 1.5;
  const auto slope = [&](double x, double u) {
    const double b = 1 + x * x, root = std::sqrt(b), normal = (g + u * u) / root;
    return (-root * Skid::mu * normal * std::tanh(root * u / Skid::v_s) - x * u * u - g * x) / b;
  };
  double x = 1, u = 0;
  const int steps = 6000;
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = u, l1 = slope(x, u), k2 = u + h / 2 * l1, l2 = slope(x + h / 2 * k1, k2);
    const double k3 = u + h / 2 * l2, l3 = slope(x + h / 2 * k2, k3), k4 = u + h * l3, l4 = slope(x + h * k3, k4);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), u += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  for (const std::string& solver : simulation::usable_solvers()) {
    if (!takes_them(solver)) continue;
    CAPTURE(solver);
    const auto r = testing::run(skid(solver));
    CHECK(std::abs(r.last("bead.x") - x) < 2e-6);
    CHECK(std::abs(r.last("bead.vx") - u) < 1e-5);
    const double b = 1 + x * x, root = std::sqrt(b), normal = 2 * (g + u * u) / root;
    CHECK(std::abs(r.last("own.force") - normal * std::hypot(1.0, Skid::mu * std::tanh(root * u / Skid::v_s))) < 1e-4);
    CHECK(r.sink.summary.energy_closure < 1e-5);
  }
}

TEST_CASE("Loads that read multipliers: hem5 refuses them") {
  CHECK_THROWS_WITH_AS(testing::run(skid("hem5")), doctest::Contains("depend on its normal force"), ModelError);
}
