// Where a run starts: given values are held or their change is told, the rest is where mass moves least and kinetic energy is
// least, whatever the order of lines, the cuts and the axes.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/start.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/math/dense.h"

using namespace skyhook;

namespace {

constexpr double deg = std::numbers::pi / 180;

simulation::Prepared prepared(const std::string& text, const std::string& experiment = "r") {
  const auto loaded = testing::load_text(text, {.experiment = experiment});
  auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(p.ok(), p.problem());
  return p;
}

struct Start {
  formalism::Poses poses;
  formalism::Velocities velocities;
  double energy = 0;
};
Start start_of(const simulation::Prepared& p) {
  Start out{formalism::poses_of(*p.all, p.state), formalism::velocities_of(*p.all, p.state, formalism::Drives::move)};
  for (std::size_t b = 0; b < out.poses.size(); ++b) {
    const auto& body = p.model->bodies[b];
    const Vec3d v = out.velocities[b].v, w = transpose_times(out.poses[b].R, out.velocities[b].w);
    out.energy += 0.5 * body.mass * dot(v, v) + 0.5 * dot(w, body.inertia * w);
  }
  return out;
}

double difference(const Start& a, const Start& b) {
  double most = std::abs(a.energy - b.energy);
  for (std::size_t k = 0; k < a.poses.size(); ++k) {
    for (int i = 0; i < 3; ++i) most = std::max(most, norm(a.poses[k].R[i] - b.poses[k].R[i]));
    most = std::max({most, norm(a.poses[k].c - b.poses[k].c), norm(a.velocities[k].v - b.velocities[k].v),
                     norm(a.velocities[k].w - b.velocities[k].w)});
  }
  return most;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// Five links in a plane, three degrees of freedom.
const std::string five_links_bodies = R"(
skyhook: 1
gravity: off
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0, 0, 0.2]}
  b: {mass: 2, inertia: [0.02, 0.02, 0.02], at: [0, 0, 0.4], com: [0.1, 0, 0.5]}
  c: {mass: 3, inertia: [0.03, 0.03, 0.03], at: [0.2, 0, 0.6], com: [0.4, 0, 0.6]}
  d: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.6, 0, 0.6], com: [0.7, 0, 0.5]}
  e: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0.8, 0, 0.4], com: [0.8, 0, 0.2]}
experiments: {r: {until: 0.5, output_step: 0.1}}
joints:
)";
struct Line {
  std::string name, rest;
};
const std::vector<Line> five_links_joints{
    {"A", "from: ground, to: a, at: [0, 0, 0]"}, {"B", "from: a, to: b, at: [0, 0, 0.4]"},
    {"C", "from: b, to: c, at: [0.2, 0, 0.6]"},  {"D", "from: c, to: d, at: [0.6, 0, 0.6]"},
    {"E", "from: d, to: e, at: [0.8, 0, 0.4]"},  {"F", "from: e, to: ground, at: [0.8, 0, 0]"}};

// The joints in an order, one of them cut by wish, some with initial values.
std::string five_links(const std::vector<std::size_t>& order, const std::string& cut,
                       const std::vector<Line>& given = {{"A", "rate: 2"}}) {
  std::string text = five_links_bodies;
  for (const std::size_t k : order) {
    const Line& joint = five_links_joints[k];
    std::string values = joint.name == cut ? ", cut: true" : "";
    for (const Line& g : given) {
      if (g.name == joint.name) values += ", " + g.rest;
    }
    text += "  " + joint.name + ": {type: revolute, axis: y, " + joint.rest + values + "}\n";
  }
  return text;
}

// The least kinetic energy of the five links with A.rate = 2, in plane velocities (vx, vz, wy) of each body and the conditions at
// the hinges: neither joint coordinates nor the program's mechanics. With x = sqrt(m) v it is the solution of least size.
double least_energy() {
  const double mass[5] = {1, 2, 3, 1, 1}, inertia[5] = {0.01, 0.02, 0.03, 0.01, 0.01};
  const double com[5][2] = {{0, 0.2}, {0.1, 0.5}, {0.4, 0.6}, {0.7, 0.5}, {0.8, 0.2}};
  const double hinge[6][2] = {{0, 0}, {0, 0.4}, {0.2, 0.6}, {0.6, 0.6}, {0.8, 0.4}, {0.8, 0}};
  DenseMatrix A(13, 15);
  Vector b(13, 0.0);
  // A point r from the centre of mass has the velocity (vx + wy rz, vz - wy rx).
  const auto add = [&](int row, int body, const double* point, double sign) {
    const double rx = point[0] - com[body][0], rz = point[1] - com[body][1];
    A(row, 3 * body) += sign, A(row, 3 * body + 2) += sign * rz;
    A(row + 1, 3 * body + 1) += sign, A(row + 1, 3 * body + 2) -= sign * rx;
  };
  for (int h = 0; h < 6; ++h) {
    if (h > 0) add(2 * h, h - 1, hinge[h], 1);
    if (h < 5) add(2 * h, h, hinge[h], -1);
  }
  A(12, 2) = 1, b[12] = 2;
  for (int j = 0; j < 15; ++j) {
    const double root = std::sqrt(j % 3 == 2 ? inertia[j / 3] : mass[j / 3]);
    for (int i = 0; i < 13; ++i) A(i, j) /= root;
  }
  double energy = 0;
  for (const double x : LeastNorm(A, 1e-12).solve(b)) energy += 0.5 * x * x;
  return energy;
}

}  // namespace

TEST_CASE("Initial values: rates that are not given have least kinetic energy, by any order of lines and any cut") {
  const double least = least_energy();
  CHECK(least > 0.1);
  const Start first = start_of(prepared(five_links({0, 1, 2, 3, 4, 5}, "")));
  CHECK(std::abs(first.energy - least) < 1e-10);
  for (const auto& order : {std::vector<std::size_t>{0, 1, 3, 2, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 0, 4, 1, 5, 3}})
    CHECK(difference(first, start_of(prepared(five_links(order, "")))) < 1e-10);
  for (const std::string cut : {"A", "B", "C", "D", "E", "F"}) {
    CAPTURE(cut);
    CHECK(difference(first, start_of(prepared(five_links({0, 1, 2, 3, 4, 5}, cut)))) < 1e-10);
  }
}

TEST_CASE("Initial values: positions that are not given have least displacement of mass, by any order and any cut") {
  const std::vector<Line> given{{"A", "angle: 25 deg, rate: 1"}, {"D", "angle: -10 deg"}};
  const auto p = prepared(five_links({0, 1, 2, 3, 4, 5}, "", given));
  CHECK(p.warnings.empty());
  const Start first = start_of(p);
  for (const auto& order : {std::vector<std::size_t>{0, 1, 3, 2, 4, 5}, {5, 4, 3, 2, 1, 0}})
    CHECK(difference(first, start_of(prepared(five_links(order, "", given)))) < 1e-10);
  for (const std::string cut : {"A", "B", "C", "D", "E", "F"}) {
    CAPTURE(cut);
    const auto q = prepared(five_links({0, 1, 2, 3, 4, 5}, cut, given));
    CHECK(q.warnings.empty());  // those of a cut joint are held as well
    CHECK(difference(first, start_of(q)) < 1e-10);
  }
}

TEST_CASE("Initial values: other axes of the hinges and of the model change nothing") {
  const Start first = start_of(prepared(five_links({0, 1, 2, 3, 4, 5}, "")));
  std::string turned = five_links({0, 1, 2, 3, 4, 5}, "");  // A counts the other way round, C from the other body
  turned = replaced(turned, "A: {type: revolute, axis: y", "A: {type: revolute, axis: [0, -1, 0]");
  turned = replaced(turned, "rate: 2", "rate: -2");
  turned = replaced(turned, "from: b, to: c", "from: c, to: b");
  CHECK(difference(first, start_of(prepared(turned))) < 1e-10);
}

// A bar of mass m and length l lies along x with its centre at the origin, in a plane; its end, at l/2, is hinged to the ground at
// l/2 + d. Turned by t its centre is at p - R a with p = (l/2 + dx, dy), a = (l/2, 0). The displacement of mass is
//   m/2 |p - R a|^2 + I (1 - cos t),  least at  tan t = m (l/2) p_y / (m (l/2) p_x + I).
TEST_CASE("Initial values: a bar pulled to a hinge stops where its mass has moved least, in closed form") {
  const double m = 3, l = 0.8, I = m * l * l / 12, dx = 0.1, dy = 0.35;
  const double t = std::atan2(m * l / 2 * dy, m * l / 2 * (l / 2 + dx) + I);
  for (const char* cut : {"P: {cut: true, ", "H: {cut: true, "}) {
    std::string text = R"(
skyhook: 1
gravity: off
bodies: {bar: {mass: 3, inertia: [0, 0.16, 0.16]}}
joints:
  P: {type: planar, from: ground, to: bar, plane: xy}
  H: {type: revolute, from: ground, to: bar, axis: z, at: [0.5, 0.35, 0], at_to: [0.4, 0, 0]}
experiments: {r: {until: 1}}
)";
    text = replaced(text, std::string(cut).substr(0, 4), cut);
    const Start s = start_of(prepared(text));
    CHECK(std::abs(std::atan2(s.poses[0].R.r1.x, s.poses[0].R.r0.x) - t) < 1e-11);
    CHECK(norm(s.poses[0].c - Vec3d{0.5 - l / 2 * std::cos(t), 0.35 - l / 2 * std::sin(t), 0}) < 1e-11);
  }
}

// Two masses on one line, drawn 1 m apart and joined by a rod of 1.3 m: they part in the inverse ratio of their masses.
TEST_CASE("Initial values: a rod that is too long pushes light things further than heavy ones") {
  const auto p = prepared(R"(
skyhook: 1
gravity: off
bodies: {left: {mass: 1, at: [0, 0, 0]}, right: {mass: 3, at: [1, 0, 0]}}
joints:
  L: {type: prismatic, from: ground, to: left, axis: x}
  R: {type: prismatic, from: ground, to: right, axis: x}
  rod: {type: rod, from: left, to: right, length: 1.3}
experiments: {r: {until: 1}}
)");
  const Start s = start_of(p);
  CHECK(std::abs(s.poses[0].c.x + 0.225) < 1e-11);
  CHECK(std::abs(s.poses[1].c.x - 1.075) < 1e-11);
}

namespace {

// A joint of every type between a moving body and a bar, cut or not; nothing else holds the bar.
std::string on_joint(const std::string& joint, bool cut) {
  return std::string(R"(
skyhook: 1
bodies:
  base: {mass: 2, inertia: [0.1, 0.2, 0.15], at: [0.1, 0.2, 0.3]}
  bar: {mass: 1, inertia: [0.02, 0.05, 0.04], at: [0.6, 0.1, 0.4], com: [0.8, 0.2, 0.3]}
joints:
  G: {type: revolute, from: ground, to: base, axis: [1, 2, 3], angle: 30 deg, rate: 1.5}
  J: {from: base, to: bar, )") +
         joint + (cut ? ", cut: true" : "") + "}\nexperiments: {r: {until: 1}}\n";
}

}  // namespace

TEST_CASE("Initial values: those of a cut joint are measured between its frames and held") {
  for (const std::string joint :
       {"type: revolute, axis: [1, 1, 0], angle: 200 deg, rate: 3", "type: revolute, axis: y, angle: 800 deg",
        "type: prismatic, axis: [0, 1, 1], displacement: 0.3, rate: -2",
        "type: cylindrical, axis: x, displacement: 0.2, angle: 50 deg, displacement_rate: 1, angle_rate: -4",
        "type: universal, axis_1: x, axis_2: y, angle_1: 40 deg, angle_2: -70 deg, angle_1_rate: 2, angle_2_rate: 1",
        "type: planar, plane: xz, displacement_1: 0.1, displacement_2: -0.2, angle: 30 deg, angle_rate: 2, "
        "displacement_1_rate: 3",
        "type: spherical, angles: [20 deg, 50 deg, -30 deg], angular_velocity: [1, 2, 3]",
        "type: spherical, coordinates: cardan, angles: [20 deg, 50 deg, -30 deg], angular_velocity: [1, 2, 3]",
        "type: free, displacement: [0.1, 0.2, 0.3], velocity: [3, 2, 1], angles: [20 deg, 50 deg, -30 deg], "
        "angular_velocity: [1, 2, 3]"}) {
    CAPTURE(joint);
    const auto cut = prepared(on_joint(joint, true));
    CHECK(cut.warnings.empty());
    CHECK(difference(start_of(prepared(on_joint(joint, false))), start_of(cut)) < 1e-10);
  }
}

namespace {

const std::string parallelogram = R"(skyhook: 1
parameters: {m: 1 kg, L: 0.5 m, J: =m*L^2/12}
bodies:
  crank_1: {mass: =m, inertia: [=J, =J, 0], at: [0, 0, 0], com: [0, 0, =-L/2]}
  crank_2: {mass: =m, inertia: [=J, =J, 0], at: [1, 0, 0], com: [1, 0, =-L/2]}
  beam: {mass: =2*m, inertia: [0, 0.2, 0.2], at: [0, 0, =-L], com: [0.5, 0, =-L]}
joints:
  A: {type: revolute, from: ground, to: crank_1, axis: y, angle: 40 deg}
  B: {type: revolute, from: ground, to: crank_2, axis: y, angle: 10 deg}
  C: {type: revolute, from: crank_1, to: beam, axis: y}
  D: {type: revolute, from: crank_2, to: beam, at: [1, 0, =-L], axis: y, angle: 5 deg}
experiments:
  r: {until: 1 s}
  strict: {until: 1 s, strict: true}
  fits: {until: 1 s, strict: true, initial: {B.angle: 40 deg, D.angle: -40 deg}}
)";

}  // namespace

// A parallelogram has A = B = -D = t: with 40, 10 and 5 deg asked for, least squares are at t = (40 + 10 - 5)/3 = 15 deg.
TEST_CASE("Initial values: those that contradict each other change least, and the run says so") {
  for (const std::string cut : {"", "A", "B", "C", "D"}) {
    CAPTURE(cut);
    std::string text = parallelogram;
    if (!cut.empty()) text = replaced(text, "  " + cut + ": {", "  " + cut + ": {cut: true, ");
    const auto loaded = testing::load_text(text, {.experiment = "r"});
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE(p.ok());
    const auto changed = simulation::changed_values(p);
    REQUIRE(changed.size() == 3);
    const char* names[] = {"A.angle", "B.angle", "D.angle"};
    const double given[] = {40, 10, 5}, used[] = {15, 15, -15};
    const int line[] = {8, 9, 11};
    for (int k = 0; k < 3; ++k) {
      CHECK(changed[k].name == names[k]);
      CHECK(std::abs(changed[k].given - given[k] * deg) < 1e-14);
      CHECK(std::abs(changed[k].used - used[k] * deg) < 1e-6);  // mass has a millionth of the say
      CHECK(changed[k].unit == "rad");
      CHECK(changed[k].where.line == line[k]);
    }
    simulation::MemorySink sink;
    simulation::simulate(p, loaded.experiment, sink);
    REQUIRE(sink.summary.warnings.size() == 3);
    CHECK(sink.summary.warnings[0].name == "initial_value_changed");
    CHECK(sink.summary.warnings[0].where.line == 8);
    CHECK(sink.summary.warnings[0].what.find("A.angle is given as 40 deg") != std::string::npos);
    CHECK(sink.summary.warnings[0].what.find("starts with 15 deg") != std::string::npos);
  }
}

TEST_CASE("Initial values: strict refuses and names all that would change") {
  const auto loaded = testing::load_text(parallelogram, {.experiment = "strict"});
  try {
    simulation::prepare(loaded.model, loaded.experiment);
    FAIL("not refused");
  } catch (const ModelError& error) {
    REQUIRE(error.findings().size() == 3);
    CHECK(error.findings()[2].what.find("D.angle is given as 5 deg") != std::string::npos);
    CHECK(error.findings()[2].where.line == 11);
  }
  const auto fits = testing::load_text(parallelogram, {.experiment = "fits"});
  CHECK(simulation::prepare(fits.model, fits.experiment).warnings.empty());
}

TEST_CASE("Initial values: rates that contradict each other change least, and the run says so") {
  std::string text = parallelogram;
  text = replaced(text, "angle: 40 deg", "rate: 4");
  text = replaced(text, "angle: 10 deg", "rate: 1");
  text = replaced(text, ", angle: 5 deg", "");
  const auto p = prepared(text);
  const auto changed = simulation::changed_values(p);
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].name == "A.angle_rate");
  CHECK(std::abs(changed[0].used - 2.5) < 1e-12);
  CHECK(std::abs(changed[1].used - 2.5) < 1e-12);
}

// The friction needs the load of the hinge, which is therefore cut.
TEST_CASE("Initial values: a joint with friction under load takes them, and may be independent") {
  const std::string text = R"(skyhook: 1
bodies:
  car: {mass: 1800 kg, inertia: [500, 2500, 2600], at: [0, 0, 0.5]}
  ball: {mass: 3 kg, inertia: [0.01, 0.01, 0.01], at: [-2.5, 0, 0.45]}
  trailer: {mass: 900 kg, inertia: [300, 900, 1000], at: [-2.5, 0, 0.45], com: [-6, 0, 0.7]}
joints:
  road: {type: planar, from: ground, to: car, plane: xy, displacement_1_rate: 20 m/s}
  yaw: {type: revolute, from: car, to: ball, axis: z, angle: 8 deg}
  pitch: {type: revolute, from: ball, to: trailer, axis: y}
forces: {fr: {type: joint_friction, joint: yaw, coefficient: 0.3, radius: 25 mm}}
experiments:
  r: {until: 1 s, outputs: [yaw.angle, yaw.angle_rate, road.x_rate, pitch.angle_rate]}
  turned: {until: 1 s, initial: {yaw.angle: -12 deg, yaw.rate: 0.3}, outputs: [yaw.angle, yaw.angle_rate]}
  held: {until: 1 s, independent: [yaw], outputs: [yaw.angle, yaw.angle_rate]}
)";
  const auto first = [&](const std::string& experiment, const std::string& channel) {
    const auto loaded = testing::load_text(text, {.experiment = experiment, .until = 1e-3, .output_step = 1e-3});
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(p.ok(), p.problem());
    CHECK(p.warnings.empty());
    simulation::MemorySink sink;
    simulation::simulate(p, loaded.experiment, sink);
    const int k = sink.find(channel);
    REQUIRE(k >= 0);
    return sink.channels.at(0).at(static_cast<std::size_t>(k));
  };
  CHECK(std::abs(first("r", "yaw.angle") - 8 * deg) < 1e-11);
  CHECK(std::abs(first("r", "yaw.angle_rate")) < 1e-10);  // in no loop: carried along at rest
  CHECK(std::abs(first("r", "road.x_rate") - 20) < 1e-10);
  CHECK(std::abs(first("r", "pitch.angle_rate")) < 1e-10);
  CHECK(std::abs(first("turned", "yaw.angle") + 12 * deg) < 1e-11);
  CHECK(std::abs(first("turned", "yaw.angle_rate") - 0.3) < 1e-10);
  CHECK(std::abs(first("held", "yaw.angle") - 8 * deg) < 1e-11);
}

// A car that drives: what hangs in loops on it does not swing back because that would save energy.
TEST_CASE("Initial values: loops are carried along by what carries them") {
  const auto p = prepared(R"(
skyhook: 1
bodies:
  car: {mass: 1000, inertia: [300, 900, 1000], at: [0, 0, 0.5]}
  arm_1: {mass: 5, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0.5], com: [1, 0, 0.3]}
  arm_2: {mass: 5, inertia: [0.1, 0.1, 0.1], at: [1.5, 0, 0.5], com: [1.5, 0, 0.3]}
  beam: {mass: 20, inertia: [1, 1, 1], at: [1, 0, 0.1], com: [1.25, 0, 0.1]}
joints:
  road: {type: planar, from: ground, to: car, plane: xy, displacement_1_rate: 20, angle: 90 deg, angle_rate: 0.5}
  A: {type: revolute, from: car, to: arm_1, axis: y}
  B: {type: revolute, from: car, to: arm_2, axis: y}
  C: {type: revolute, from: arm_1, to: beam, axis: y, at: [1, 0, 0.1]}
  D: {type: revolute, from: arm_2, to: beam, axis: y, at: [1.5, 0, 0.1]}
experiments: {r: {until: 1}}
)");
  for (const char* name : {"A.angle", "B.angle"}) {
    const auto& names = p.all->position_names();
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    REQUIRE(at < static_cast<long>(names.size()));
    CHECK(std::abs(p.state.q[at]) < 1e-12);
    CHECK(std::abs(p.state.v[at]) < 1e-11);
  }
}

TEST_CASE("Initial values: rates of a run that starts from the equilibrium are told") {
  const std::string text = R"(skyhook: 1
bodies: {m: {mass: 1}}
joints:
  J: {type: prismatic, from: ground, to: m, axis: z, rate: 3}
forces: {s: {type: spring_damper, joint: J, stiffness: 100}}
experiments: {rest: {analysis: equilibrium}, r: {until: 1, from: rest}}
)";
  const auto loaded = testing::load_text(text, {.experiment = "r"});
  const auto p = analysis::prepare(loaded.model, loaded.experiment);
  REQUIRE(p.warnings.size() == 1);
  CHECK(p.warnings[0].where.line == 4);
  CHECK(p.warnings[0].what.find("J.displacement_rate is given as 3 m/s") != std::string::npos);
}

// Rows that the tree satisfies by itself are nothing, or rounding: they must not be taken for conditions.
TEST_CASE("A force that has no value before the loop is closed keeps nothing from starting") {
  const auto loaded = testing::load_text(R"yaml(
skyhook: 1
bodies:
  crank: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}
  rod: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [2, 0, 0]}
  block: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [3, 0, 0]}
joints:
  hinge: {type: revolute, from: ground, to: crank, axis: y, at: [0, 0, 0], angle: 60 deg}
  pin: {type: revolute, from: crank, to: rod, axis: y, at: [1, 0, 0]}
  eye: {type: revolute, from: rod, to: block, axis: y, at: [3, 0, 0]}
  way: {type: prismatic, from: ground, to: block, axis: x, at: [3, 0, 0]}
forces: {pull: {type: force, joint: way, value: "=5[N/m^0.5]*sqrt(-q - 0.1[m])"}}
experiments: {run: {until: 10 ms}}
)yaml");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  CHECK_MESSAGE(p.ok(), p.problem());
}

TEST_CASE("A hinge beside a hinge holds nothing") {
  for (const char* axis : {"y", "[0.3, -0.7, 0.5]"}) {
    CAPTURE(axis);
    const auto p = prepared(std::string("skyhook: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\njoints:\n"
                                        "  p: {type: revolute, from: ground, to: a, rate: 30, axis: ") +
                            axis + "}\n  q: {type: revolute, from: ground, to: a, cut: true, axis: " + axis +
                            "}\nexperiments: {r: {until: 1}}\n");
    CHECK(p.state.v[0] == doctest::Approx(30).epsilon(1e-12));
    CHECK(p.degrees_of_freedom() == 1);
  }
}

TEST_CASE("A rod that cannot be closed tells the gap in metres, whatever its length") {
  for (const auto& [length, gap] : {std::pair{"1", "open by 3 m"}, {"0.1", "open by 3.9 m"}}) {
    const auto loaded = testing::load_text(
        std::string(
            "skyhook: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  h: {type: fixed, from: ground, to: a}\n"
            "  R: {type: rod, from: ground, to: a, from_at: [4, 0, 0], to_at: [0, 0, 0], length: ") +
        length + "}\nexperiments: {r: {until: 1}}\n");
    const auto p = simulation::prepare(loaded.model, loaded.experiment);
    CHECK_FALSE(p.ok());
    CHECK_MESSAGE(p.problem().find(gap) != std::string::npos, p.problem());
  }
}

TEST_CASE("A cut hinge keeps the turns that are given") {
  const std::string text =
      "skyhook: 1\ngravity: off\nbodies: {a: {mass: 1, inertia: [1, 1, 1], com: [0.5, 0, 0]}}\njoints:\n"
      "  h: {type: revolute, from: ground, to: a, axis: y, reference: 10 deg, CUT angle: 400 deg, rate: 1}\n"
      "outputs: [h.angle]\nexperiments: {r: {until: 1, tolerance: 1e-8}}\n";
  for (const char* cut : {"", "cut: true,"}) {
    CAPTURE(cut);
    const auto r = testing::run_text(replaced(text, "CUT", cut));
    CHECK(r.at(0, "h.angle") == doctest::Approx(400 * deg));
    CHECK(r.last("h.angle") == doctest::Approx(400 * deg + 1));
  }
}
