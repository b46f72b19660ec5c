// Nothing allocates in the step loop after warm-up: every malloc of the process is counted.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include "run_model.testing.h"
#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/formulation/ggl_explicit.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/held_force.testing.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/math/fixed_lu.h"
#include "skyhook/simulation/motion.h"
#include "skyhook/simulation/sampler.h"
#include "skyhook/simulation/snapshot.h"

// Replaces malloc of the C library, which operator new, Eigen, KLU and SUNDIALS all use. Not under a sanitizer: it has its own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SKYHOOK_COUNTS_ALLOCATIONS
static std::atomic<long> allocations{0}, news{0};  // all; by operator new
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t n) { return ++allocations, __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) { return ++allocations, __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) { return ++allocations, __libc_realloc(p, n); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return ++allocations, __libc_memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
  return ++allocations, (*p = __libc_memalign(alignment, n)) ? 0 : 12;
}
}
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++news;
  if (void* p = std::malloc(n)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

using namespace skyhook;

#ifdef SKYHOOK_COUNTS_ALLOCATIONS

namespace {

std::unique_ptr<simulation::Motion> motion_of(const simulation::Prepared& p, const model::Experiment& experiment,
                                              const std::string& solver) {
  simulation::Evaluator evaluator(p.active, p.all);
  REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  const simulation::Snapshot& s = evaluator.now();
  return simulation::start_motion(simulation::find_solver(solver, {}), experiment, p.active,
                                  {p.state.t, p.state.q, p.state.v, s.a, s.lambda});
}

}  // namespace

TEST_CASE("The counter counts") {
  const long before = allocations, news_before = news;
  auto* volatile x = new std::vector<double>(1000);
  CHECK(allocations - before == 2);
  CHECK(news - news_before == 2);
  delete x;
}

TEST_CASE("Sampling controllers allocates nothing after the first time") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies: {b: {mass: 1}}\njoints: {g: {type: prismatic, from: ground, to: b, axis: x, displacement: "
      "1}}\n"
      "forces: {s: {type: spring_damper, from: ground, to: b, stiffness: 5}, m: {type: actuator, joint: g, signal: "
      "p}}\n"
      "controllers:\n  p: {type: pid, sample_time: 1, delay: 2.5, input: s.force, setpoint: =sin(t), kp: 1, ki: 2}\n"
      "  a: {type: state_space, sample_time: 1, inputs: [b.vx, e], A: [[1, 2], [3, 4]], B: [[1, 0], [0, 1]], C: [[1, "
      "1]]}\n"
      "  e: {type: expression, sample_time: 2, inputs: {x: a}, memory: {r: 1}, next: {r: =r + x}, outputs: {y: =r*x}}\n"
      "  l: {type: lookup, sample_time: 1, input: g.force_x, interpolation: monotone, table: [[0, 1], [1, 2]]}\n"
      "  k: {type: skyhook, sample_time: 1, body_velocity: b.vx, damper_velocity: s.rate, gain: 1, maximum_damping: "
      "2}\n"
      "experiments: {run: {until: 1}}\n");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  simulation::Running running;
  model::Held held = model::held_at_start(*loaded.model);
  simulation::Sampler sampler(*p.model, simulation::all_channels(*p.active));
  CHECK(sampler.reads_reactions());
  long before = 0;
  for (int k = 0; k < 100; ++k) {
    if (k == 1) before = allocations;
    sampler.act(sampler.next(), s, running, held);
  }
  CHECK(allocations - before == 0);
  CHECK(sampler.samples(0) > 40);
}

TEST_CASE("Reading channels and taking down their last values allocates nothing after the first time") {
  const auto loaded = testing::load("suspension/five_link");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
  const auto channels = simulation::all_channels(*p.active);
  simulation::Running running;
  running.last.resize(channels.size());
  long before = 0;
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (k == 1) before = allocations;
    for (const auto& c : channels) {
      if (c.remember) c.remember(s, running.last[static_cast<std::size_t>(c.memory)]);
      sum += c.value(s, running);
    }
  }
  CHECK(allocations - before == 0);
  CHECK(std::isfinite(sum));
}

TEST_CASE("Nothing allocates between step 50 and step 200") {
  for (const std::string name : {"mechanisms/four_bar", "mechanisms/heavy_top", "mechanisms/andrews",
                                 "mechanisms/chain", "mechanisms/bricard", "flexible/slider_crank"}) {
    for (const auto source : {JacobianStrategy::Source::exact, JacobianStrategy::Source::grouped}) {
      CAPTURE(name);
      CAPTURE(static_cast<int>(source));
      // With one tolerance for all, differences of modes are too coarse for IDA's corrector.
      if (source == JacobianStrategy::Source::grouped && name.starts_with("flexible")) continue;
      const auto loaded = testing::load(name);
      const auto p = simulation::prepare(loaded.model, loaded.experiment);
      const formulation::Ggl problem(p.active);
      simulation::Evaluator evaluator(p.active, p.all);
      const simulation::Snapshot& s = evaluator.now();
      REQUIRE(evaluator.evaluate(p.state.t, p.state.q, p.state.v) == Eval::ok);
      std::vector<double> y(problem.structure().size()), yp(y.size());
      std::copy(p.state.q.begin(), p.state.q.end(), y.begin());
      std::copy(p.state.v.begin(), p.state.v.end(), y.begin() + problem.v());
      std::copy(s.lambda.begin(), s.lambda.end(), y.begin() + problem.lambda());
      p.active->kinematics(p.state.q, p.state.v, Span(yp).first(p.active->nq()));
      std::copy(s.a.begin(), s.a.end(), yp.begin() + problem.v());
      integrator::Ida ida(problem, {.relative_tolerance = 1e-8, .absolute_tolerance = 1e-8, .jacobian = {source}},
                          p.state.t, y, yp);
      long before = 0, news_before = 0;
      for (int step = 0; step < 200; ++step) {
        if (step == 50) before = allocations, news_before = news;
        const auto result = ida.step(1e9);
        REQUIRE(result.status == integrator::StepStatus::ok);
      }
      CHECK(news - news_before == 0);
      CHECK(allocations - before < 50);  // KLU allocates (17 times) where it must choose new pivots, twice at most here
    }
  }
}

TEST_CASE("Nothing allocates in the iteration matrix once it has been evaluated") {
  for (const std::string name : {"mechanisms/four_bar", "mechanisms/heavy_top", "mechanisms/pendulum_chain"}) {
    const auto loaded = testing::load(name);
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    const formulation::GglExplicit problem(p.active);
    const auto workspace = problem.workspace();
    std::vector<double> y(problem.structure().size()), yp(y.size()), F(y.size()), b(y.size(), 1.0);
    std::copy(p.state.q.begin(), p.state.q.end(), y.begin());
    std::copy(p.state.v.begin(), p.state.v.end(), y.begin() + p.active->nq());
    for (const std::string& strategy : jacobian_names()) {
      CAPTURE(name);
      CAPTURE(strategy);
      IterationMatrix matrix(problem, *find_jacobian(strategy));
      Cost cost;
      long before = 0;
      for (int k = 0; k < 6; ++k) {
        if (k == 2) before = allocations;
        const Point point{0.01 * k, y, yp};
        REQUIRE(problem.residual(point, F, *workspace) == Eval::ok);
        REQUIRE(matrix.evaluate(point, F, 100, *workspace, cost) == Eval::ok);
        if (matrix.can_update()) REQUIRE(matrix.update({point.t + 0.005, y, yp}, 101, *workspace, cost) == Eval::ok);
        REQUIRE(matrix.factor(0.01, cost));
        matrix.solve(b);
      }
      CHECK(allocations - before == 0);
    }
  }
}

// Bricard's linkage makes `bdf` choose pivots anew, which it does in memory that it has.
TEST_CASE("Choosing other pivots allocates nothing") {
  PatternBuilder builder(30, 30);
  for (int j = 0; j < 30; ++j) {
    for (int i : {j, (j + 7) % 30, (3 * j + 1) % 30}) builder.add(i, j);
  }
  const auto pattern = std::make_shared<const Pattern>(builder.build());
  FixedLu lu(pattern);
  std::vector<double> values(pattern->row.size());
  long before = 0;
  for (int k = 0; k < 50; ++k) {
    if (k == 1) before = allocations;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::sin(7.3 * static_cast<double>(i * i) + 1.7 * k) * (i % 3 == std::size_t(k % 3) ? 1 : 1e-7);
    REQUIRE(lu.factor(values));
  }
  CHECK(lu.pivotings() > 10);
  CHECK(allocations - before == 0);
}

// The same for the others, with the formulation that each prefers.
TEST_CASE("Nothing allocates in the steps of the other solvers") {
  for (const std::string name :
       {"mechanisms/four_bar", "mechanisms/heavy_top", "mechanisms/andrews", "mechanisms/bricard"}) {
    for (const std::string solver :
         {"bdf", "bdf/index2_projected", "dopri5/projecting", "adams/projecting", "hem5", "radau5"}) {
      CAPTURE(name);
      CAPTURE(solver);
      auto loaded = testing::load(name);
      loaded.experiment.tolerance = 1e-8;
      const auto p = simulation::prepare(loaded.model, loaded.experiment);
      const auto motion = motion_of(p, loaded.experiment, solver);
      long before = 0, news_before = 0;
      for (int step = 0; step < 200; ++step) {
        if (step == 50) before = allocations, news_before = news;
        REQUIRE(motion->step(1e9).status == integrator::StepStatus::ok);
      }
      CHECK(news - news_before == 0);
      // KLU, in projections, accelerations and radau5, allocates (16 times) where it must choose new pivots; radau5 has two matrices that change with
      // every other step size.
      CHECK(allocations - before <= (solver == "bdf" ? 0 : solver == "radau5" ? 150 : 2 * 16));
    }
  }
}

// Restarts inside the last step, after which the step before is forgotten.
TEST_CASE_TEMPLATE("A restart allocates nothing", Integrator, integrator::Bdf, integrator::Ida, integrator::Radau5,
                   integrator::Dopri5, integrator::Adams, integrator::Hem5) {
  test_problems::HeldForce problem;
  problem.hold(0.05);
  auto run =
      test_problems::begin_at<Integrator>(problem, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-6}, 0, {});
  test_problems::HeldForce::Vector y;
  long before = 0;
  for (int k = 0; k < 150; ++k) {
    if (k == 50) before = allocations;
    integrator::StepResult last;
    for (int step = 0; step < 3; ++step) {
      last = run.step(1e3);
      REQUIRE(last.status == integrator::StepStatus::ok);
    }
    const double event = run.t() - 0.3 * last.h;
    run.interpolate(event, y, {});
    problem.hold(event);
    test_problems::restart_at(run, problem, k % 2 == 0 ? integrator::Jump::input : integrator::Jump::state, event, y);
  }
  CHECK(allocations - before == 0);
}

TEST_CASE("Contributions with coordinates of their own allocate nothing in steps") {
  for (const std::string contact : {"", ", contact_stiffness: 200"}) {
    for (const std::string solver : {"bdf/ggl", "ida", "bdf/index2_projected", "dopri5/projecting", "hem5", "radau5"}) {
      CAPTURE(contact);
      CAPTURE(solver);
      const auto loaded = testing::load_text(
          "skyhook: 1\nbodies: {wheel: {mass: 2, at: [0, 0, 0.5]}}\njoints: {ride: {type: prismatic, from: ground, to: "
          "wheel, axis: z}}\nforces: {rail: {type: track_mass, from: ground, to: wheel, radius: 0.5, mass: 1, "
          "stiffness: "
          "300" +
          contact + "}}\nexperiments: {go: {until: 1 s, tolerance: 1e-8}}\n");
      const auto p = simulation::prepare(loaded.model, loaded.experiment);
      const auto motion = motion_of(p, loaded.experiment, solver);
      long news_before = 0;
      for (int step = 0; step < 200; ++step) {
        if (step == 50) news_before = news;
        REQUIRE(motion->step(1e9).status == integrator::StepStatus::ok);
      }
      CHECK(news - news_before == 0);
    }
  }
}

TEST_CASE("Calling and differencing a plug-in allocates nothing, with unknowns of its own or without") {
  for (const std::string plugin :
       {"line_spring.so, parameters: {stiffness: 2, free_length: 1}",
        "11_plugin_unknowns.so, parameters: {pressure: 5e5, area: 0.01, height: 1, volume: 0.003, linear: 50}"}) {
    const auto loaded = testing::load_text(
        "skyhook: 1\nbodies: {a: {mass: 1, at: [0, 0, 1]}}\n"
        "joints: {j: {type: prismatic, from: ground, to: a, axis: z}}\n"
        "forces: {s: {type: plugin, from: ground, to: a, library: " SKYHOOK_PLUGINS "/" +
        plugin + "}}\n");
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    for (const auto z : {formulation::Ggl::Unknowns::kept, formulation::Ggl::Unknowns::found}) {
      const formulation::Ggl problem(p.active, z);
      std::vector<double> y(problem.structure().size(), 0.1), yp(y.size(), 0.2), F(y.size());
      auto ws = problem.workspace();
      Csc dy(problem.structure().pattern), dyp = dy;
      long before = 0;
      for (int i = 0; i < 100; ++i) {
        if (i == 10) before = allocations;
        REQUIRE(problem.residual({0, y, yp}, F, *ws) == Eval::ok);
        REQUIRE(problem.derivatives({0, y, yp}, dy, dyp, *ws) == Eval::ok);
      }
      CHECK(allocations - before == 0);
    }
  }
}

#endif
