// bdf and ida are two programs for one family of methods: on a hundred random models, damped closed loops and trees, they must
// agree within a hundred tolerances, each at the same one.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  std::string body(const std::string& name, const std::array<double, 3>& at) {
    const double mass = between(0.8, 2), i = mass * between(0.02, 0.05);
    return fmt::format("  {}: {{mass: {} kg, inertia: [{}, {}, {}], at: [{}, {}, {}]}}\n", name, mass, i,
                       i * between(1.0, 1.3), i * between(0.9, 1.2), at[0], at[1], at[2]);
  }
  std::string damped(const std::string& joint) {
    return fmt::format(
        "  d_{0}: {{type: spring_damper, joint: {0}.angle, angular_stiffness: {1}, angular_damping: {2}}}\n", joint,
        between(2, 8), between(0.4, 1.2));
  }

 private:
  std::mt19937 engine_;
};

struct Parts {
  std::string bodies, joints, forces;
  std::string text() const {
    return "skyhook: 1\nname: random\nbodies:\n" + bodies + "joints:\n" + joints + "forces:\n" + forces +
           "experiments: {run: {until: 0.5 s, output_step: 50 ms}}\n";
  }
};

void add_hinge(Random& r, Parts& p, int k, const std::string& from, const std::array<double, 3>& at, double x,
               double z) {
  p.joints += fmt::format(
      "  j{0}: {{type: revolute, from: {1}, to: b{0}, at: [{2}, {3}, {4}], axis: [{5}, 1, {6}], cut: false}}\n", k,
      from, at[0], at[1], at[2], x, z);
  p.forces += r.damped(fmt::format("j{}", k));
}

// Links between two points of the ground, hinges about y; the last hinge closes the loop.
Parts loop(Random& r, int links) {
  Parts p;
  const double width = r.between(0.8, 1.2) * links / 3;
  std::array<double, 3> from{0, 0, 0};
  for (int k = 0; k < links; ++k) {
    const bool last = k + 1 == links;
    const std::array<double, 3> to{last ? width : width * (k + 1) / links + r.between(-0.05, 0.05), 0,
                                   last ? 0.0 : -r.between(0.3, 0.6)};
    p.bodies += r.body(fmt::format("b{}", k), {0.5 * (from[0] + to[0]), 0, 0.5 * (from[2] + to[2])});
    add_hinge(r, p, k, k == 0 ? "ground" : fmt::format("b{}", k - 1), from, 0, 0);
    from = to;
  }
  p.joints +=
      fmt::format("  close: {{type: revolute, from: b{}, to: ground, at: [{}, 0, 0], axis: y}}\n", links - 1, from[0]);
  return p;
}

// Bodies hang at random ones before them, by hinges about any axis.
Parts tree(Random& r, int bodies) {
  Parts p;
  std::vector<std::array<double, 3>> centre;
  for (int k = 0; k < bodies; ++k) {
    const int parent = k == 0 ? -1 : r.below(k);
    const std::array<double, 3> at = parent < 0 ? std::array<double, 3>{} : centre[static_cast<std::size_t>(parent)];
    centre.push_back({at[0] + r.between(-0.5, 0.5), at[1] + r.between(-0.2, 0.2), at[2] - r.between(0.1, 0.5)});
    p.bodies += r.body(fmt::format("b{}", k), centre.back());
    add_hinge(r, p, k, parent < 0 ? "ground" : fmt::format("b{}", parent), at, r.between(-0.5, 0.5),
              r.between(-0.5, 0.5));
  }
  return p;
}

// Positions absolute (rad), velocities relative to the largest speed or 1.
double difference(const simulation::MemorySink& a, const simulation::MemorySink& b, std::size_t nq) {
  REQUIRE(a.time == b.time);
  double positions = 0, velocities = 0, speed = 1;
  for (std::size_t k = 0; k < a.states.size(); ++k) {
    for (std::size_t i = 0; i < a.states[k].size(); ++i) {
      const double d = std::abs(a.states[k][i] - b.states[k][i]);
      if (i >= nq) speed = std::max(speed, std::abs(b.states[k][i]));
      (i < nq ? positions : velocities) = std::max(i < nq ? positions : velocities, d);
    }
  }
  return std::max(positions, velocities / speed);
}

}  // namespace

TEST_CASE("bdf and ida agree on a hundred random models within a hundred tolerances") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random r(1000 + seed);
    const bool closed = seed % 2 == 0;
    const Parts parts = closed ? loop(r, 3 + r.below(2)) : tree(r, 2 + r.below(5));
    auto loaded = testing::load_text(parts.text(), {.outputs = {"energy.balance"}});
    const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK((prepared.active->ng() > 0) == closed);
    const auto simulated = [&](const char* solver, double tolerance) {
      simulation::MemorySink sink;
      loaded.experiment.solver = solver, loaded.experiment.tolerance = tolerance;
      loaded.experiment.largest_step = loaded.experiment.until;  // the tolerance alone decides
      const auto summary = simulation::simulate(prepared, loaded.experiment, sink);
      REQUIRE_MESSAGE(summary.status == simulation::RunStatus::finished,
                      solver << " at " << tolerance << ": " << summary.reason);
      return sink;
    };
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7}) {
      const double apart = difference(simulated("bdf/ggl", tolerance), simulated("ida/ggl", tolerance),
                                      static_cast<std::size_t>(prepared.all->nq()));
      CHECK(apart > 0);  // two programs
      CHECK_MESSAGE(apart <= 100 * tolerance, (closed ? "loop" : "tree") << " at " << tolerance << ": " << apart);
    }
  }
}
