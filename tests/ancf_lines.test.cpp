// What stands on beams of nodal coordinates, at nodes and between them, lines that share nodes, moved and mirrored, and what is said of them. References: beams of Euler and
// Bernoulli, weight, momentum.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "refusal.testing.h"
#include "run_model.testing.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/start.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/describe.h"

using namespace skyhook;
using testing::has;
using testing::load_text;

namespace {

const std::string steel_bar = "rectangle: [10 mm, 10 mm], young: 2e11 N/m^2, poisson: 0.3, density: 7800 kg/m^3";
constexpr double young = 2e11, second = 1e-8 / 12, line_weight = 7800 * 1e-4 * 9.81;

std::string soft_bar(const std::string& type) {
  return "rectangle: [50 mm, 50 mm], young: 1e6 N/m^2, density: 1000 kg/m^3, type: " + type;
}

// Within a share of itself, however small it is.
doctest::Approx near(double value, double share) { return doctest::Approx(value).epsilon(share).scale(0); }

// Read at rest: a run of a moment that begins there.
testing::Run at_rest(const std::string& text, const std::string& outputs) {
  testing::Loaded loaded =
      load_text("skyhook: 1\n" + text + "outputs: [" + outputs + "]\nexperiments:\n  rest: {analysis: equilibrium}\n" +
                "  e: {from: rest, until: 1 us, output_step: 1 us, solver: radau5, tolerance: 1e-6}\n");
  testing::Run out{analysis::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  simulation::simulate(out.prepared, loaded.experiment, out.sink, loaded.options);
  REQUIRE_MESSAGE(out.sink.summary.status == simulation::RunStatus::finished, out.sink.summary.reason);
  return out;
}

// Angular momentum about the origin: sums of M over the vectors of position and slope, M_kl e_k x e_l'. Of a free line, all of whose coordinates are there.
Vec3d angular_momentum(const testing::Run& run, std::size_t sample, const std::string& type) {
  const model::Body& body = run.prepared.model->bodies[0];
  const model::NodalMesh& mesh = *model::mesh_of(body);
  const int d = type.starts_with("planar") ? 2 : 3;
  const std::vector<double>& state = run.sink.states[sample];
  const auto nq = static_cast<std::size_t>(run.prepared.active->nq());
  const auto vector = [&](int k, bool of_rates) {
    Vec3d out;
    for (int c = 0; c < d; ++c) {
      const auto i = static_cast<std::size_t>(k * d + c);
      out[c] = of_rates ? state[nq + i] : state[i] + mesh.design[i];
    }
    return out;
  };
  Vec3d sum;
  for (int k = 0; k < mesh.coordinates / d; ++k) {
    for (int l = 0; l < mesh.coordinates / d; ++l) {
      if (const double m = mesh.mass.at(k * d, l * d); m != 0.0) sum += m * cross(vector(k, false), vector(l, true));
    }
  }
  return mesh.pictures[0].axes * sum;
}

}  // namespace

// Own weight w and a tip weight P: z = -(P L^3 / 3 + w L^4 / 8) / E I, slope (P L^2 / 2 + w L^3 / 6) / E I. Deflection 1 % of the length: what is nonlinear is 1e-4 of it. A body is
// welded to the end, so that position and rotation of the node are held to it.
TEST_CASE("ANCF lines: a node of a beam in space turns as beam theory says, and carries a welded body along") {
  const double P = 0.5 * 9.81, z = -(P / 3 + line_weight / 8) / (young * second),
               slope = (P / 2 + line_weight / 6) / (young * second);
  for (const std::string type : {"beam", "cable", "planar_beam", "planar_cable"}) {
    CAPTURE(type);
    const auto run = at_rest(
        "bodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 12, start: clamped, type: " + type +
            ", " + steel_bar +
            "}\n    markers: {tip: {node: end}}\n  knob: {mass: 0.5 kg, at: [1, 0, 0], inertia: [1e-6, 1e-6, 1e-6]}\n"
            "joints: {weld: {type: fixed, from: arm, to: knob, at: [1, 0, 0]}}\nignore_warnings: [cable_roll]\n",
        "arm.tip.z, arm.tip.angle_y, knob.z, knob.angle_y, weld.force_z");
    const double share = type.ends_with("cable") ? 5e-4 : 5e-3;  // order 4 and 2
    CHECK(run.last("arm.tip.z") == near(z, share));
    CHECK(run.last("arm.tip.angle_y") == near(slope, share));
    CHECK(run.last("knob.z") == near(run.last("arm.tip.z"), 1e-8));
    CHECK(run.last("knob.angle_y") == near(run.last("arm.tip.angle_y"), 1e-8));
    CHECK(run.last("weld.force_z") == near(P, 1e-4));
  }
}

// The same mechanism with the joints at nodes in the tree, and as constraints: one motion, one set of reactions, one energy. A body welded to the end carries another one on
// a hinge, a third hangs on a ball between two nodes.
TEST_CASE("ANCF lines: bodies on nodes move without constraints as they do with them") {
  for (const std::string type : {"cable", "beam", "planar_beam", "planar_cable"}) {
    CAPTURE(type);
    const auto of = [&](const std::string& cut, const std::string& solver) {
      testing::Loaded loaded = load_text(
          "skyhook: 1\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 3, start: hinged, "
          "damping: 5 ms, " +
          soft_bar(type) +
          "}\n    markers: {tip: {node: end}}\n  knob: {mass: 0.5 kg, at: [1.05, 0, 0.02], inertia: [1e-3, 2e-3, "
          "1e-3]}\n"
          "  flap: {mass: 0.2 kg, at: [1.2, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}\n  bob: {mass: 0.3 kg, at: [0.6, 0, "
          "-0.2], inertia: [1e-3, 1e-3, 1e-3]}\n"
          "joints:\n  weld: {type: fixed, from: arm, to: knob, at: [1, 0, 0]" +
          cut +
          "}\n  hinge: {type: revolute, from: knob, to: flap, at: [1.1, 0, 0], axis: y, rate: 2 rad/s}\n"
          "  ball: {type: spherical, from: bob, to: arm, at: [0.6, 0, 0]" +
          cut +
          "}\n"
          "ignore_warnings: [cable_roll]\noutputs: [arm.tip.x, arm.tip.z, knob.angle_y, hinge.angle, bob.x, "
          "weld.force_x, weld.force_z, weld.moment_y, hinge.force_z, ball.force_z, energy.kinetic, energy.potential, "
          "energy.balance]\n"
          "experiments: {e: {until: 0.3 s, output_step: 0.1 s, tolerance: 1e-10}}\n");
      loaded.experiment.solver = solver;
      return testing::run(loaded);
    };
    const auto with = of(", cut: true", "radau5"), without = of("", "radau5"), by_recursion = of("", "dopri5");
    CHECK(with.prepared.active->ng() == 9);
    CHECK(without.prepared.active->ng() == 0);
    CHECK(with.prepared.active->nv() - without.prepared.active->nv() ==
          9);  // a line has n, the hinge 1, and the ball 3 or the two bodies 12
    for (const auto* other : {&without, &by_recursion}) {
      for (std::size_t k = 1; k < with.sink.time.size(); ++k) {
        for (std::size_t c = 0; c < with.sink.channels[k].size(); ++c) {
          CAPTURE(c);
          const double a = with.sink.channels[k][c], b = other->sink.channels[k][c];
          CHECK(std::abs(a - b) < (other == &without ? 1e-8 : 1e-7) *
                                      std::max(1.0, std::abs(a)));  // explicit steps leave vibrations in forces
        }
      }
    }
    const auto told = simulation::describe(without.prepared);
    CHECK(std::ranges::count(told, "  knob moves with it by joint weld (fixed): 6 rows eliminated") == 1);
    CHECK(std::ranges::count(told, "  bob moves with it by joint ball (spherical): 3 rows eliminated") == 1);
    CHECK(std::ranges::any_of(
        told, [](const std::string& line) { return line.find("eliminated: start hinged (") != std::string::npos; }));
  }
}

TEST_CASE("ANCF lines: a moment along a beam in space twists it, and its end reads the angle") {
  // G It / L with It = 0.1406 h^4; small
  const double moment = 0.1, G = young / 2.6, it = 0.1406 * 1e-8, angle = moment / (G * it);
  for (const std::string forces : {"line", "enhanced"}) {
    const auto run = at_rest(
        "gravity: off\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, start: clamped, type: "
        "beam, forces: " +
            forces + ", " + steel_bar +
            "}\n    markers: {tip: {node: end}, half: {at: [0.5, 0, 0]}, odd: {at: [0.3, 0, 0]}}\nforces: {t: {type: "
            "torque, from: ground, to: arm.tip, x: 0.1 N.m}}\n",
        "arm.tip.angle_x, arm.half.angle_x, arm.odd.angle_x");
    CHECK(run.last("arm.tip.angle_x") == near(angle, 3e-3));  // of It to four digits
    CHECK(run.last("arm.half.angle_x") == near(0.5 * run.last("arm.tip.angle_x"), 1e-3));
    CHECK(run.last("arm.odd.angle_x") == near(0.3 * run.last("arm.tip.angle_x"), 1e-3));
  }
}

// A force P at a, read at s: P s^2 (3 a - s) / 6 E I before it, P a^2 (3 s - a) / 6 E I behind; slope P s (2 a - s) / 2 E I before it. Deflection 1e-3.
TEST_CASE("ANCF lines: forces and markers between nodes are where beam theory puts them") {
  const double a = 0.55, P = 1.0, s = 0.31, EI = young * second;
  for (const std::string type : {"cable", "planar_cable", "beam", "planar_beam"}) {
    CAPTURE(type);
    const auto run = at_rest(
        "gravity: off\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 20, start: clamped, "
        "type: " +
            type + ", " + steel_bar +
            "}\n    markers: {tip: {node: end}, push: {at: [0.55, 0, 0]}, look: {at: [0.31, 0, 0]}}\nforces: {f: "
            "{type: force, from: ground, to: arm.push, z: 1 N}}\n",
        "arm.tip.z, arm.push.z, arm.look.z, arm.look.angle_y, arm.tip.vz");
    const double share =
        type.ends_with("cable") ? 1e-3 : 5e-3;  // beams: order 2, within an element h^2 / (8 s^2) of the deflection
    CHECK(run.last("arm.tip.z") == near(P * a * a * (3 - a) / (6 * EI), share));
    CHECK(run.last("arm.push.z") == near(P * a * a * a / (3 * EI), share));
    CHECK(run.last("arm.look.z") == near(P * s * s * (3 * a - s) / (6 * EI), share));
    CHECK(run.last("arm.look.angle_y") == near(-P * s * (2 * a - s) / (2 * EI), 2 * share));
  }
}

TEST_CASE("ANCF lines: a body hung by a ball between two nodes swings with the line, and energy stays") {
  for (const std::string type : {"cable", "beam", "planar_beam"}) {
    CAPTURE(type);
    const auto run = testing::run_text(
        "skyhook: 1\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 3, start: hinged, " +
        soft_bar(type) +
        "}\n    markers: {here: {at: [0.6, 0, 0]}}\n  bob: {mass: 0.3 kg, at: [0.6, 0, -0.2], inertia: [1e-3, 1e-3, "
        "1e-3]}\n"
        "joints: {ball: {type: spherical, from: arm, to: bob, at: [0.6, 0, 0]}}\nforces: {gust: {type: force, from: "
        "ground, to: bob, y: 0.2 N}}\n"
        "outputs: [energy.balance, ball.force, arm.here.x, constraints.position]\nexperiments: {e: {until: 0.2 s, "
        "output_step: 0.1 s, tolerance: 1e-7}}\n");
    CHECK(std::abs(run.last("energy.balance")) < 1e-6);
    CHECK(run.last("ball.force") > 0.1);
    CHECK(run.last("constraints.position") < 1e-7);
    CHECK(run.last("arm.here.x") < 0.6);
  }
}

// A pulse makes it spin and tumble; from then on nothing acts.
TEST_CASE("ANCF lines: free flight keeps momentum, angular momentum and energy") {
  for (const std::string type : {"planar_beam", "planar_cable", "cable", "beam"}) {
    CAPTURE(type);
    const std::string pulse = "1[N]*exp(-((t-0.02[s])/0.005[s])^2)";
    const auto run = testing::run_text(
        "skyhook: 1\ngravity: off\nbodies:\n  arm:\n    beam: {from: [0.1, 0, 0], to: [1.1, 0, 0.2], elements: 3, " +
        soft_bar(type) + "}\nforces:\n  kick: {type: force, from: ground, to: {body: arm, node: end}, x: \"=0.3*" +
        pulse + "\", z: \"=" + pulse + "\"" + (type.starts_with("planar") ? "" : ", y: \"=0.7*" + pulse + "\"") +
        "}\noutputs: [energy.kinetic, energy.potential, arm.vx, arm.vz]\n"
        "experiments: {e: {until: 0.3 s, output_step: 0.1 s, tolerance: 1e-9, solver: dopri5}}\n");
    const Vec3d before = angular_momentum(run, 1, type), after = angular_momentum(run, 3, type);
    CHECK(norm(before) > 1e-3);
    CHECK(norm(after - before) < 1e-6 * norm(before));
    const auto energy = [&](std::size_t k) { return run.at(k, "energy.kinetic") + run.at(k, "energy.potential"); };
    CHECK(energy(3) == near(energy(1), 1e-6));
    CHECK(run.at(3, "arm.vx") == near(run.at(1, "arm.vx"), 1e-7));
    CHECK(run.at(3, "arm.vz") == near(run.at(1, "arm.vz"), 1e-7));
  }
}

// Contacts at nodes and between them: at rest the floor carries the weight, in shares that stand in balance.
TEST_CASE("ANCF lines: a beam falls on the ground and lies there") {
  for (const std::string type : {"planar_beam", "cable"}) {
    CAPTURE(type);
    const auto run = testing::run_text(
        "skyhook: 1\nbodies:\n  arm:\n    beam: {from: [0, 0, 0.1], to: [1, 0, 0.12], elements: 4, damping: 10 ms, " +
        soft_bar(type) +
        "}\nforces:\n  a: {type: contact, from: ground, to: {body: arm, node: start}, stiffness: 10 kN/m, damping: 1 "
        "s/m, friction: 0.3}\n"
        "  b: {type: contact, from: ground, to: {body: arm, at: [0.6, 0, 0.112]}, stiffness: 10 kN/m, damping: 1 s/m, "
        "friction: 0.3}\n"
        "  c: {type: contact, from: ground, to: {body: arm, node: end}, stiffness: 10 kN/m, damping: 1 s/m, friction: "
        "0.3}\n"
        "outputs: [a.force, b.force, c.force, energy.balance, arm.z]\nexperiments: {e: {until: 3 s, output_step: 1 s, "
        "tolerance: 1e-5, solver: radau5}}\n");
    const double a = run.last("a.force"), b = run.last("b.force"), c = run.last("c.force"),
                 weight = 2.5 * std::hypot(1, 0.02) * 9.81;
    CHECK(a + b + c == near(weight, 1e-3));
    CHECK(0.6 * b + c == near(0.5 * weight, 5e-3));  // moments; sag shortens the arms
    CHECK(std::min({a, b, c}) > 0);
    CHECK(std::abs(run.last("energy.balance")) < 1e-3 * weight * 0.1);
  }
}

// Stress by strain rate beta: a mode of frequency w has the share beta w / 2 of the critical damping.
TEST_CASE("ANCF lines: structural damping is that of a material whose stress follows strain rates") {
  const double beta = 1e-4;
  for (const std::string type : {"planar_beam", "planar_cable", "cable", "beam"}) {
    CAPTURE(type);
    const testing::Loaded loaded = load_text(
        "skyhook: 1\ngravity: off\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, start: "
        "clamped, damping: 0.1 ms, type: " +
        type + ", " + steel_bar + "}\nexperiments: {e: {until: 1 s}}\n");
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    std::string problem;
    const auto at = analysis::in_motion(*prepared.active, prepared.state, problem);
    REQUIRE_MESSAGE(at, problem);
    const auto modes = analysis::find_modes(prepared, *at, analysis::linearise(prepared, *at));
    std::vector<analysis::Mode> slow;
    for (const analysis::Mode& mode : modes.modes) {
      if (mode.oscillates) slow.push_back(mode);
    }
    std::ranges::sort(slow, {}, &analysis::Mode::frequency);
    REQUIRE(slow.size() > 2);
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(slow[k].damping == near(0.5 * beta * 2 * std::numbers::pi * slow[k].frequency, 1e-5));
    // E I and rho A: 3.516 sqrt(E I / rho A) / L^2
    CHECK(slow[0].frequency == near(3.51602 * std::sqrt(young * second / 0.78) / (2 * std::numbers::pi),
                                    type.ends_with("cable") ? 1e-3 : 4e-2));
  }
}

// An upright and a boom at a right angle: the corner turns by P L H / E I and moves sideways by P L H^2 / 2 E I; the tip sinks by P L^3 / 3 E I and the turn of the corner times L.
TEST_CASE("ANCF lines: lines welded to each other at an angle carry moments, by shared coordinates as by a joint") {
  const double P = 0.2, L = 1, H = 0.5, EI = young * second;
  for (const std::string type : {"planar_beam", "beam"}) {
    CAPTURE(type);
    const std::string mast = "{from: [0, 0, 0], to: [0, 0, 0.5], elements: 8, start: clamped, up: [1, 0, 0], type: " +
                             type + ", " + steel_bar + "}",
                      boom = "{from: [0, 0, 0.5], to: [1, 0, 0.5], elements: 8, type: " + type + ", " + steel_bar;
    const std::string load = "forces: {f: {type: force, from: ground, to: tip, z: -0.2 N}}\n";
    const auto shared =
        at_rest("gravity: off\nbodies:\n  frame:\n    beams: {mast: " + mast + ", boom: " + boom +
                    ", start: welded, start_at: mast.end}}\nmarkers: {tip: {body: frame, node: boom.end}}\n" + load,
                "tip.x, tip.z, tip.angle_y");
    const double z = -(P * L * L * L / 3 + P * L * L * H) / EI, x = P * L * H * H / 2 / EI;
    CHECK(shared.last("tip.z") - H == near(z, 1e-2));
    CHECK(shared.last("tip.x") - L == near(x, 2e-2));
    CHECK(shared.last("tip.angle_y") == near((P * L * L / 2 + P * L * H) / EI, 1e-2));
    const auto joined = at_rest("gravity: off\nbodies:\n  mast: {beam: " + mast + "}\n  boom: {beam: " + boom +
                                    "}}\nmarkers: {tip: {body: boom, node: end}}\n"
                                    "joints: {weld: {type: fixed, from: mast, to: boom, at: [0, 0, 0.5]}}\n" +
                                    load,
                                "tip.x, tip.z, tip.angle_y, weld.moment_y");
    CHECK(joined.last("tip.z") - H == near(shared.last("tip.z") - H, 2e-3));
    CHECK(std::abs(joined.last("weld.moment_y")) == near(P * L, 2e-3));
    CHECK(shared.prepared.active->ng() == 0);
    CHECK(joined.prepared.active->ng() > 0);
  }
}

TEST_CASE("ANCF lines: lines hinged to each other fall as with a joint, without constraints") {
  for (const std::string type : {"planar_beam", "cable"}) {
    CAPTURE(type);
    const std::string first = "{from: [0, 0, 0], to: [1, 0, 0], elements: 2, start: hinged, " + soft_bar(type) + "}",
                      second_line = "{from: [1, 0, 0], to: [1, 0, -0.5], elements: 2, " + soft_bar(type);
    const std::string end =
        "outputs: [tip.x, tip.z, energy.balance]\nexperiments: {e: {until: 0.2 s, output_step: 0.1 s, tolerance: "
        "1e-7}}\n";
    const auto shared =
        testing::run_text("skyhook: 1\nbodies:\n  pair:\n    beams: {a: " + first + ", b: " + second_line +
                          ", start: hinged, start_at: a.end}}\nmarkers: {tip: {body: pair, node: b.end}}\n" + end);
    const auto joined = testing::run_text(
        "skyhook: 1\nbodies:\n  a: {beam: " + first + "}\n  b: {beam: " + second_line +
        "}}\njoints: {pin: {type: spherical, from: a, to: b, at: [1, 0, 0]}}\nmarkers: {tip: {body: b, node: end}}\n" +
        end);
    CHECK(shared.prepared.active->ng() == 0);
    CHECK(std::abs(shared.last("energy.balance")) < 1e-6);
    CHECK(shared.last("tip.x") == near(joined.last("tip.x"), 1e-6));
    CHECK(shared.last("tip.z") == near(joined.last("tip.z"), 1e-6));
  }
}

// By hand, own weight of the boom included: P L^3 / 3 E I + w L^4 / 8 E I, and the corner turned by (P L + w L^2 / 2) H / E I of the mast.
TEST_CASE("ANCF lines: the crane carries its load as beams do, and it swings") {
  testing::Loaded loaded =
      testing::load("flexible/ancf_crane", {.experiment = "sway", .until = 0.6, .output_step = 0.3});
  testing::Run run{analysis::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(run.prepared.ok(), run.prepared.problem());
  simulation::simulate(run.prepared, loaded.experiment, run.sink, loaded.options);
  REQUIRE_MESSAGE(run.sink.summary.status == simulation::RunStatus::finished, run.sink.summary.reason);
  const double E = 2.1e11, L = 1.5, H = 2, rope = 7850 * std::numbers::pi * 25e-6 * 9.81, P = 200 * 9.81 + rope,
               w = 7850 * 0.0036 * 9.81;
  const double boom = E * std::pow(0.06, 4) / 12, mast = E * std::pow(0.08, 4) / 12;
  const double sag =
      P * L * L * L / (3 * boom) + w * std::pow(L, 4) / (8 * boom) + (P * L + w * L * L / 2) * H * L / mast;
  CHECK(run.at(0, "pull") == near(200 * 9.81, 1e-3));
  CHECK(2 - run.at(0, "tip") == near(sag, 0.03));  // four elements: order 2, 1.6 % of each
  CHECK(run.last("swing") > 1.55);
}

TEST_CASE("ANCF lines: a beam in a part stands where the part is moved and mirrored to") {
  const std::string part =
      "templates:\n  wing:\n    bodies:\n      arm:\n        beam: {from: [0, 0.1, 0], to: [0.3, 1, 0], elements: 3, "
      "start: clamped, " +
      soft_bar("beam") + "}\n        markers: {tip: {node: end}}\n";
  const auto run =
      testing::run_text("skyhook: 1\n" + part +
                        "use:\n  here: {template: wing}\n  there: {template: wing, move: [2, 0, 1]}\n  left: "
                        "{template: wing, mirror: y}\n"
                        "outputs: [here.arm.tip.x, here.arm.tip.y, here.arm.tip.z, there.arm.tip.x, there.arm.tip.y, "
                        "there.arm.tip.z, left.arm.tip.x, left.arm.tip.y, left.arm.tip.z]\n"
                        "experiments: {e: {until: 0.1 s, output_step: 0.1 s, tolerance: 1e-7}}\n");
  CHECK(run.last("here.arm.tip.z") < -0.01);
  CHECK(run.last("there.arm.tip.x") == near(run.last("here.arm.tip.x") + 2, 1e-7));
  CHECK(run.last("there.arm.tip.y") == near(run.last("here.arm.tip.y"), 1e-7));
  CHECK(run.last("there.arm.tip.z") == near(run.last("here.arm.tip.z") + 1, 1e-7));
  CHECK(run.last("left.arm.tip.x") == near(run.last("here.arm.tip.x"), 1e-7));
  CHECK(run.last("left.arm.tip.y") == near(-run.last("here.arm.tip.y"), 1e-7));
  CHECK(run.last("left.arm.tip.z") == near(run.last("here.arm.tip.z"), 1e-7));
}

TEST_CASE(
    "ANCF lines: channels of the body are those of its centre of mass; check and linearize know what its coordinates "
    "are") {
  const testing::Loaded loaded =
      load_text("skyhook: 1\nbodies: {arm: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 2, start: hinged, " +
                soft_bar("planar_beam") +
                "}}}\noutputs: [arm.x, arm.z, arm.vz, arm.az]\nexperiments: {e: {until: 10 ms, output_step: 10 ms, "
                "tolerance: 1e-8, solver: radau5}}\n");
  const auto run = testing::run(loaded);
  CHECK(run.at(0, "arm.x") == doctest::Approx(0.5));
  CHECK(run.last("arm.z") < -1e-4);
  std::string told;
  for (const std::string& line : simulation::describe(run.prepared)) told += line + "\n";
  CHECK(told.find("floats") == std::string::npos);
  CHECK(told.find("nothing that has a body") == std::string::npos);
  std::string problem;
  const auto at = analysis::in_motion(*run.prepared.active, run.prepared.state, problem);
  REQUIRE_MESSAGE(at, problem);
  int slopes = 0;
  for (const auto& state : analysis::linearise(run.prepared, *at).states) {
    const bool is_slope = state.name.find("slope") != std::string::npos, is_rate = state.name.ends_with("_rate");
    CHECK(state.unit == (is_slope ? is_rate ? "1/s" : "-" : is_rate ? "m/s" : "m"));
    slopes += is_slope;
  }
  CHECK(slopes > 0);
}

TEST_CASE("ANCF lines: roll of a cable is by convention, and what holds it is told so") {
  const auto warned = [](const std::string& type, const std::string& joint) {
    const testing::Loaded loaded =
        load_text("skyhook: 1\nbodies:\n  arm: {beam: {from: [0, 0, 0], to: [1, 0, 0], " + soft_bar(type) +
                  "}}\n  knob: {mass: 1 kg, at: [1, 0, 0], inertia: [1, 1, 1]}\n" + "joints: {j: {type: " + joint +
                  ", from: arm, to: knob, at: [1, 0, 0]}}\nexperiments: {e: {until: 1 s}}\n");
    return std::ranges::any_of(loaded.model->warnings, [](const Warning& w) { return w.name == "cable_roll"; });
  };
  CHECK(warned("cable", "fixed"));
  CHECK(!warned("cable", "spherical"));
  CHECK(!warned("beam", "fixed"));
  CHECK(!warned("planar_cable", "fixed"));
}

TEST_CASE("ANCF lines: what cannot be is refused with its reason") {
  const auto refusal = [](const std::string& bodies, const std::string& rest = "") {
    return testing::refusal("skyhook: 1\nbodies:\n  arm:\n    " + bodies + "\n" + rest +
                            "experiments: {e: {until: 1 s}}\n");
  };
  const auto line = [](const std::string& given) { return "beam: {from: [0, 0, 0], to: [1, 0, 0], " + given + "}"; };
  const std::string bar = "rectangle: [50 mm, 50 mm], material: steel";
  CHECK(refusal(line(bar)).empty());
  CHECK(has(refusal("beam: {from: [1, 0, 0], to: [1, 0, 0], " + bar + "}"), "it has no length"));
  CHECK(has(refusal(line("material: steel")), "needs one section"));
  CHECK(has(refusal(line("material: steel, rectangle: [0 mm, 10 mm]")), "rectangle"));
  CHECK(has(refusal(line("material: steel, area: 0 m^2, iy: 1e-8 m^4, iz: 1e-8 m^4, it: 1e-8 m^4")), "area"));
  CHECK(has(refusal(line("rectangle: [50 mm, 50 mm], young: 1e9 N/m^2, density: 1000 kg/m^3, poisson: 0.5")),
            "Poisson's ratio 0.5"));
  CHECK(has(refusal(line(bar + ", elements: -3")), "elements"));
  CHECK(has(refusal(line(bar + ", elements: 0")), "elements"));
  CHECK(!refusal(line(bar + ", elements: 2.5")).empty());
  CHECK(!refusal("beam: {from: [0, 0, 0], to: [.nan, 0, 0], " + bar + "}").empty());
  CHECK(!refusal("beam: {from: [0, 0, 0], to: [.inf, 0, 0], " + bar + "}").empty());
  CHECK(!refusal(line(bar + ", damping: -1 ms")).empty());
  CHECK(has(refusal(line(bar + ", start: glued")), "glued"));
  CHECK(has(refusal(line(bar + ", start: welded")), "does not say to what"));
  CHECK(has(refusal(line(bar + ", start: clamped, start_at: wall.end")), "its start is clamped"));
  CHECK(has(refusal(line(bar + ", start: welded, start_at: wall.end")),
            "no line before it in `beams` is called \"wall\""));
  const auto two = [&](const std::string& second) {
    return "beams: {mast: {from: [0, 0, 0], to: [0, 0, 1], up: [1, 0, 0], " + bar + "}, boom: {" + second + ", " + bar +
           "}}";
  };
  CHECK(refusal(two("from: [0, 0, 1], to: [1, 0, 1], start: hinged, start_at: mast.end")).empty());
  CHECK(has(refusal(two("from: [0, 0, 1], to: [1, 0, 1], start: hinged, start_at: mst.end")), "Did you mean"));
  CHECK(has(refusal(two("from: [0, 0, 1], to: [1, 0, 1], start: hinged, start_at: mast.99")), "has no node \"99\""));
  CHECK(has(refusal(two("from: [0, 0, 0.5], to: [1, 0, 0.5], start: hinged, start_at: mast.end")), "0.5 m apart"));
  CHECK(has(refusal(two("from: [0, 0, 1], to: [1, 0, 1], type: planar_cable, start: welded, start_at: mast.end")),
            "of another type"));
  CHECK(has(refusal(two("from: [0, 0, 1], to: [0, 1, 1], normal: [1, 0, 0], start: welded, start_at: mast.end")),
            "same plane"));
  CHECK(has(refusal(line(bar) + "\n    markers: {m: {node: ende}}"), "has no node \"ende\""));
  CHECK(has(refusal(line(bar), "joints: {weld: {type: fixed, from: wall, to: arm, at: [0, 0, 0]}}\n"), "wall"));
  CHECK(has(refusal(line(bar) + "\n    mass: 1 kg"), "Remove the line"));
}

TEST_CASE(
    "ANCF lines: a place where lines meet without a weld must say of which line it is; points in names are refused") {
  const auto text = [](const std::string& name, const std::string& start, const std::string& more) {
    return "skyhook: 1\nbodies:\n  arms:\n    beams:\n"
           "      a: {from: [0, 0, 0], to: [1, 0, 0], elements: 2, start: clamped, " +
           steel_bar +
           "}\n"
           "      " +
           name + ": {from: [1, 0, 0], to: [1, 0, 1], elements: 2, start: " + start + ", start_at: a.end, " +
           steel_bar + "}\n" + more;
  };
  const auto said = [](const std::string& model) {
    try {
      load_text(model);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string pull = "forces: {pull: {type: force, from: ground, to: arms, to_at: [1, 0, 0], z: 1}}\n",
                    node = "    markers: {corner: {node: a.end}}\n";
  const std::string both = said(text("b", "hinged", pull));
  CHECK_MESSAGE(
      both.find("where two of its lines meet that are not welded there: at node \"a.end\" and at node \"b.start\"") !=
          std::string::npos,
      both);
  CHECK(both.find("`node: a.end`") != std::string::npos);
  CHECK(said(text("b", "welded", pull)).empty());
  CHECK(said(text("b", "hinged", node + pull)).empty());  // which is said
  const std::string dotted = said(text("b.c", "welded", ""));
  CHECK_MESSAGE(dotted.find("beam \"b.c\" has a point in its name") != std::string::npos, dotted);
}

// A place belongs to the first line there.
TEST_CASE("ANCF lines: a node is refused where it lies on another line that is not welded to it") {
  const auto text = [](const std::string& start, const std::string& marker) {
    return "skyhook: 1\nbodies:\n  arms:\n    beams:\n"
           "      a: {from: [0, 0, 0], to: [1, 0, 0], elements: 2, start: clamped, " +
           steel_bar +
           "}\n"
           "      b: {from: [1, 0, 0], to: [1, 0, 1], elements: 2, start: " +
           start + ", start_at: a.end, " + steel_bar +
           "}\n"
           "    markers: {m: " +
           marker + "}\noutputs: [arms.m.x]\n";
  };
  const auto said = [](const std::string& model) {
    try {
      load_text(model);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string hinged = said(text("hinged", "{node: b.start}"));
  CHECK_MESSAGE(
      hinged.find("where node \"a.end\" of another line lies, which is not welded to it") != std::string::npos, hinged);
  CHECK_MESSAGE(hinged.find("test.yaml:7") != std::string::npos, hinged);
  CHECK(said(text("welded", "{node: b.start}")).empty());
  CHECK(said(text("hinged", "{node: b.1}")).empty());
  CHECK(said(text("hinged", "{node: a.end}")).empty());
}

// [Lee 1968]: two bars of 1.2 m welded at right angles, hinged at both ends, E I = 1440 N m2, a load at a fifth of the upper one. It snaps through at 18.55 kN, where the lower bar bends over.
TEST_CASE("ANCF lines: Lee's frame stands below its limit load, and hangs beyond it") {
  const auto loaded_with = [](const std::string& newton) {
    const std::string bar =
        "normal: [0, 1, 0], elements: 20, poisson: 0, rectangle: [30 mm, 20 mm], young: 7.2e10 N/m^2, density: 2700 "
        "kg/m^3";
    return at_rest(
        "gravity: 0\nbodies:\n  frame:\n    beams:\n      column: {from: [0, 0, 0], to: [0, 0, 1.2], start: hinged, " +
            bar +
            "}\n      bar: {from: [0, 0, 1.2], to: [1.2, 0, 1.2], start: welded, start_at: column.end, end: hinged, " +
            bar +
            "}\n    markers: {p: {node: bar.4}}\nforces: {push: {type: force, from: ground, to: frame, to_at: [0.24, "
            "0, 1.2], z: -" +
            newton + "}}\n",
        "frame.p.x, frame.p.z");
  };
  const auto stands = loaded_with("18000"), hangs = loaded_with("19000");
  CHECK(stands.last("frame.p.x") < 0.5);
  CHECK(stands.last("frame.p.z") > 0.7);
  CHECK(hangs.last("frame.p.x") > 1);
  CHECK(hangs.last("frame.p.z") < 0.4);
}

// [Simo 1986]: a beam of 10 m, E A = 2.8e7 N, E I = 1.4e4 N m2, 1.2 kg/m, on a hub that spins up to 6 rad/s in 15 s. Its end stays behind by 0.574 m at most, read from their figure; at full speed it is
// longer by rho A w^2 L^3 / 3 E A = 5.143e-4 m.
TEST_CASE("ANCF lines: a beam that spins up lags behind, and is stretched at full speed") {
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: 0\nbodies:\n  hub: {mass: 1, inertia: [1, 1, 1]}\n  arm:\n"
      "    beam: {from: [0, 0, 0], to: [10, 0, 0], normal: [0, 0, 1], elements: 4, type: planar_cable, rectangle: "
      "[5.16398 mm, 77.45967 mm], young: 7e10 N/m^2, density: 3000 kg/m^3}\n"
      "    markers: {tip: {node: end}}\njoints:\n"
      "  axle: {type: revolute, from: ground, to: hub, at: [0, 0, 0], axis: z, drive: \"=if(t < 15[s], "
      "0.4*((t/1[s])^2/2 + (7.5/pi)^2*(cos(pi*t/7.5[s]) - 1)), 6*t/1[s] - 45)\"}\n"
      "  root: {type: fixed, from: hub, to: arm, at: [0, 0, 0]}\n"
      "outputs:\n  longer: =cos(axle.angle)*arm.tip.x + sin(axle.angle)*arm.tip.y - 10[m]\n  ahead: "
      "=cos(axle.angle)*arm.tip.y - sin(axle.angle)*arm.tip.x\n"
      "experiments: {up: {until: 16 s, output_step: 50 ms, tolerance: 1e-4, solver: radau5}}\n");
  double least = 0;
  for (std::size_t k = 0; k < run.sink.time.size(); ++k) least = std::min(least, run.at(k, "ahead"));
  CHECK(least == near(-0.574, 3e-3));
  CHECK(run.last("longer") == near(1.2 * 36 * 1000 / (3 * 2.8e7), 5e-3));
}
