// Beams of nodal coordinates with bodies and forces at their nodes. References: differences of the values; the mass matrix as second derivative; the explicit recursion
// against the residual.
#include "skyhook/formalism/recursive/mesh_node.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/flexible/ancf.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/model/on_line.h"

using namespace skyhook;
using formalism::recursive::Equations;
using formalism::testing::Random;

namespace {

model::Body mesh_body(flexible::AncfBeam::Kind kind, flexible::AncfBeam::End start) {
  flexible::AncfBeam beam;
  beam.name = "beam", beam.kind = kind, beam.start = start, beam.elements = 3;
  beam.from = {0.1, 0.2, 0.3}, beam.to = {1.1, 0.5, 0.1}, beam.up = {0.2, 0.3, 0.9}, beam.damping = 0.02;
  beam.material = {1e4, 4e3, 100}, beam.section = flexible::round_section(0.1, 0, 0.25), beam.poisson = 0.25;
  model::ModalBody bends;
  bends.mesh = std::make_shared<const model::NodalMesh>(flexible::ancf_mesh(beam));
  model::Body body;
  body.name = "beam", body.at = beam.from, body.axes = flexible::ancf_axes(beam), body.mass = bends.mesh->total_mass;
  body.modal = std::make_shared<const model::ModalBody>(std::move(bends));
  return body;
}

// Two bodies on joints of a random model; the second one is also joined to a node of the beam by a hinge, and a third hangs between two nodes of it on forces.
std::shared_ptr<model::Model> model_with_mesh(flexible::AncfBeam::Kind kind, flexible::AncfBeam::End start,
                                              unsigned seed) {
  auto m = std::make_shared<model::Model>(
      *formalism::testing::random_model(seed, {.bodies = 3, .loops = 0, .rods = 0, .forces = 2, .contacts = 0}));
  const int beam = static_cast<int>(m->bodies.size());
  m->bodies.push_back(mesh_body(kind, start));
  const auto& nodes = model::mesh_of(m->bodies.back())->nodes;
  Random random(seed);
  m->joints.push_back(formalism::testing::make_joint("at_middle", "revolute", beam, 1, nodes[1].at, random));
  model::Contribution spring = m->contributions.front();
  for (model::Contribution& c : m->contributions) {
    if (!c.wrench) continue;
    spring = c, spring.name = "at_end", spring.from = {"", {}, 2, m->bodies[2].at},
    spring.to = {"", {}, beam, 0.3 * nodes[2].at + 0.7 * nodes[3].at};
    m->contributions.push_back(spring);
    break;
  }
  return m;
}

// The same with bodies that hang on the beam alone: welded to its end, on a hinge at a node with another one on a ball behind it, welded between two nodes and welded to the
// one that the random tree holds too; the first and the third also meet in a joint, which closes a loop.
std::shared_ptr<model::Model> model_with_standing_bodies(flexible::AncfBeam::Kind kind, flexible::AncfBeam::End start,
                                                         unsigned seed) {
  const auto m = model_with_mesh(kind, start, seed);
  const int beam = 3;
  const auto nodes = model::mesh_of(m->bodies[beam])->nodes;
  Random random(seed + 100);
  const auto add = [&](const std::string& name, const std::string& type, int on, const Vec3d& at) {
    model::Body body = m->bodies[static_cast<std::size_t>(on) % 3];
    const Vec3d moved = at + random.vector(0.1) - body.at;
    body.name = name, body.at += moved, body.com += moved;
    const int number = static_cast<int>(m->bodies.size());
    m->bodies.push_back(body);
    const bool turned = number % 2 == 0;
    m->joints.push_back(
        formalism::testing::make_joint("of_" + name, type, turned ? number : on, turned ? on : number, at, random));
    return number;
  };
  const int tip = add("tip", "fixed", beam, nodes[3].at), arm = add("arm", "revolute", beam, nodes[1].at);
  add("ball", "spherical", arm, nodes[1].at + Vec3d{0.1, 0.2, -0.1});
  const int rider = add("rider", "fixed", beam, 0.4 * nodes[1].at + 0.6 * nodes[2].at);
  m->joints.push_back(
      formalism::testing::make_joint("loop", "cylindrical", tip, rider, 0.5 * (nodes[1].at + nodes[3].at), random));
  return m;
}

// Which of the joints of these bodies are in the tree.
void check_standing(const Equations& eq) {
  for (std::size_t j = 0; j < eq.model().joints.size(); ++j) {
    const std::string& name = eq.model().joints[j].name;
    CHECK_MESSAGE((eq.tree().last_node_of_joint[j] >= 0) == (name != "loop" && name != "at_middle"), name);
  }
}

struct MeshMotion {
  std::vector<double> q, v, a, lambda, eta;
  formalism::Input input() const { return {0.2, q, v, a, lambda, eta}; }
};
MeshMotion mesh_motion(const Equations& eq, unsigned seed) {
  Random random(seed);
  const auto some = [&](int n, double size) {
    std::vector<double> out(static_cast<std::size_t>(n));
    for (double& x : out) x = size * random();
    return out;
  };
  MeshMotion m{eq.tree().q_design, some(eq.nv(), 1), some(eq.nv(), 1), some(eq.ng(), 1), some(eq.ng(), 1)};
  eq.plus(m.q, some(eq.nv(), 0.15));
  return m;
}
std::vector<double> mesh_residual(const Equations& eq, const MeshMotion& m, Equations::Workspace& ws) {
  std::vector<double> tau(eq.nv()), qdot(eq.nq()), g(eq.ng()), rate(eq.ng());
  REQUIRE(eq.residual(m.input(), {tau, qdot, g, rate}, ws) == Eval::ok);
  tau.insert(tau.end(), g.begin(), g.end()), tau.insert(tau.end(), rate.begin(), rate.end());
  return tau;
}
struct MeshMatrix {
  std::vector<double> values;
  std::vector<double*> columns;
  explicit MeshMatrix(const Pattern& p) : values(static_cast<std::size_t>(p.nonzeros()), 0.0) {
    for (int j = 0; j < p.cols; ++j) columns.push_back(values.data() + p.start[j]);
  }
  double at(const Pattern& p, int i, int j) const {
    return p.find(i, j) < 0 ? 0.0 : values[static_cast<std::size_t>(p.find(i, j))];
  }
};

using BeamKind = flexible::AncfBeam::Kind;
using BeamEnd = flexible::AncfBeam::End;
constexpr BeamKind beam_kinds[] = {BeamKind::planar_beam, BeamKind::planar_cable, BeamKind::cable, BeamKind::beam};

}  // namespace

TEST_CASE("beams of nodal coordinates: derivatives are those of the values, joints and forces at nodes included") {
  for (int which = 0; which < 24; ++which) {
    const BeamKind kind = beam_kinds[which % 4];
    const BeamEnd start =
        std::array{BeamEnd::free, BeamEnd::hinged, BeamEnd::clamped}[static_cast<std::size_t>(which / 4 % 3)];
    const bool stands = which >= 12;
    CAPTURE(static_cast<int>(kind));
    CAPTURE(static_cast<int>(start));
    CAPTURE(stands);
    const auto model = stands ? model_with_standing_bodies(kind, start, 3) : model_with_mesh(kind, start, 3);
    const Equations eq(model, formalism::choose_tree(*model));
    REQUIRE(eq.tree().meshes.size() == 1);
    REQUIRE(eq.ng() >= 3);
    if (stands) check_standing(eq);
    auto ws = eq.workspace();
    const MeshMotion m = mesh_motion(eq, 7);
    MeshMatrix K(eq.tangent_pattern()), D(eq.tangent_pattern()), M(eq.tangent_pattern()), eta(eq.loop_pattern()),
        G(eq.constraint_pattern()), rates(eq.constraint_pattern());
    REQUIRE(eq.derivatives(m.input(),
                           {K.columns.data(), D.columns.data(), M.columns.data(), eta.columns.data(), G.columns.data(),
                            rates.columns.data()},
                           ws) == Eval::ok);
    double largest = 1, off = 0;
    for (const double x : K.values) largest = std::max(largest, std::abs(x));
    constexpr double h = 1e-6;
    for (int j = 0; j < eq.nv(); ++j) {
      for (int what = 0; what < 3; ++what) {
        MeshMotion up = m, down = m;
        std::vector<double> step(eq.nv(), 0.0);
        step[j] = h;
        if (what == 0) {
          eq.plus(up.q, step), step[j] = -h, eq.plus(down.q, step);
        } else {
          (what == 1 ? up.v : up.a)[j] += h, (what == 1 ? down.v : down.a)[j] -= h;
        }
        const std::vector<double> a = mesh_residual(eq, up, ws), b = mesh_residual(eq, down, ws);
        const MeshMatrix& exact = what == 0 ? K : what == 1 ? D : M;
        for (int i = 0; i < eq.nv(); ++i)
          off = std::max(off, std::abs((a[i] - b[i]) / (2 * h) - exact.at(eq.tangent_pattern(), i, j)));
        if (what != 0) continue;
        for (int i = 0; i < eq.ng(); ++i)
          off = std::max(off,
                         std::abs((a[eq.nv() + i] - b[eq.nv() + i]) / (2 * h) - G.at(eq.constraint_pattern(), i, j)));
      }
    }
    CHECK(off < 2e-8 * largest);
  }
}

TEST_CASE(
    "beams of nodal coordinates: accelerations of the recursion leave no residual, and the mass matrix is that of the "
    "residual") {
  for (int which = 0; which < 8; ++which) {
    const BeamKind kind = beam_kinds[which % 4];
    const bool stands = which >= 4;
    CAPTURE(static_cast<int>(kind));
    CAPTURE(stands);
    const auto model =
        stands ? model_with_standing_bodies(kind, BeamEnd::hinged, 5) : model_with_mesh(kind, BeamEnd::hinged, 5);
    const Equations eq(model, formalism::choose_tree(*model));
    if (stands) check_standing(eq);
    auto ws = eq.workspace();
    MeshMotion m = mesh_motion(eq, 11);
    std::vector<double> a(eq.nv());
    REQUIRE(eq.accelerations(m.input(), a, ws) == Eval::ok);
    m.a = a;
    const std::vector<double> rest = mesh_residual(eq, m, ws);
    double size = 1;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (int i = 0; i < eq.nv(); ++i) CHECK(std::abs(rest[i]) < 1e-11 * size);

    std::vector<double> mass(eq.mass_pattern().nonzeros()), rows(eq.constraint_pattern().nonzeros());
    eq.matrices(0.2, m.q, {mass, rows}, ws);
    MeshMatrix by_columns(eq.tangent_pattern());
    eq.mass_columns(m.input(), by_columns.columns.data(), ws);
    for (int j = 0; j < eq.nv(); ++j) {
      MeshMotion more = m;
      more.a[j] += 1;
      const std::vector<double> b = mesh_residual(eq, more, ws);
      for (int i = 0; i < eq.nv(); ++i) {
        const int at = eq.mass_pattern().find(i, j);
        CHECK(std::abs(b[i] - rest[i] - (at < 0 ? 0.0 : mass[at])) < 1e-9 * size);
        CHECK(by_columns.at(eq.tangent_pattern(), i, j) == doctest::Approx(at < 0 ? 0.0 : mass[at]).epsilon(1e-12));
      }
    }
  }
}

namespace {

// The same, and a point of a body of the tree slides on the beam, off it by some hundredths of its length: what rows are where they do not hold counts too.
std::shared_ptr<model::Model> model_with_slider(flexible::AncfBeam::Kind kind, flexible::AncfBeam::End start,
                                                unsigned seed, bool has_station, double drag) {
  auto m = model_with_mesh(kind, start, seed);
  const int beam = static_cast<int>(m->bodies.size()) - 1;
  if (!has_station) {
    m->joints.pop_back();
    std::erase_if(m->contributions, [](const model::Contribution& c) { return c.name == "at_end"; });
  }
  const auto& nodes = model::mesh_of(m->bodies.back())->nodes;
  model::Contribution slide;
  slide.name = "slide", slide.type = "point_on_line";
  slide.from = {"", {}, beam, m->bodies.back().at},
  slide.to = {"", {}, 2, 0.4 * nodes[1].at + 0.6 * nodes[2].at + Vec3d{0.02, -0.03, 0.01}};
  slide.law = std::make_shared<const model::OnLine>(0, 1.06, drag);
  m->contributions.push_back(slide);
  return m;
}
MeshMotion near_line(const Equations& eq, unsigned seed) {
  MeshMotion m = mesh_motion(eq, seed);
  m.q = eq.tree().q_design;
  Random random(seed);
  std::vector<double> step(eq.nv());
  for (double& x : step) x = 0.04 * random();
  eq.plus(m.q, step);
  return m;
}
MeshMotion moved_along(const Equations& eq, MeshMotion m, double h) {
  std::vector<double> step(m.v);
  for (double& x : step) x *= h;
  eq.plus(m.q, step);
  for (std::size_t k = 0; k < m.v.size(); ++k) m.v[k] += h * m.a[k];
  return m;
}

struct SliderCase {
  BeamKind kind;
  BeamEnd start;
  bool has_station;
  double drag;
};
std::vector<SliderCase> slider_cases() {
  std::vector<SliderCase> out;
  for (const BeamKind kind : beam_kinds) {
    for (const BeamEnd start : {BeamEnd::free, BeamEnd::clamped}) {
      out.push_back({kind, start, false, 0.0}), out.push_back({kind, start, true, 0.7});
    }
  }
  return out;
}

}  // namespace

TEST_CASE(
    "a point that slides on a line: derivatives of forces, rows and their rates are those of the values, off the line "
    "too") {
  for (const auto& [kind, start, has_station, drag] : slider_cases()) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(static_cast<int>(start));
    CAPTURE(has_station);
    const auto model = model_with_slider(kind, start, 3, has_station, drag);
    const Equations eq(model, formalism::choose_tree(*model));
    REQUIRE(eq.ng() >= 2);
    auto ws = eq.workspace();
    const MeshMotion m = near_line(eq, 7);
    MeshMatrix K(eq.tangent_pattern()), D(eq.tangent_pattern()), M(eq.tangent_pattern()), eta(eq.loop_pattern()),
        G(eq.constraint_pattern()), rates(eq.constraint_pattern());
    REQUIRE(eq.derivatives(m.input(),
                           {K.columns.data(), D.columns.data(), M.columns.data(), eta.columns.data(), G.columns.data(),
                            rates.columns.data()},
                           ws) == Eval::ok);
    double largest = 1, off = 0;
    for (const double x : K.values) largest = std::max(largest, std::abs(x));
    constexpr double h = 1e-6;
    const auto entry = [&](int i, int j, bool by_v) {
      const int row = i - eq.nv(), pair = eq.ng();
      if (row < 0) return (by_v ? D : K).at(eq.tangent_pattern(), i, j);
      if (row < pair) return by_v ? 0.0 : G.at(eq.constraint_pattern(), row, j);
      return (by_v ? G : rates).at(eq.constraint_pattern(), row - pair, j);
    };
    for (int j = 0; j < eq.nv(); ++j) {
      for (const bool by_v : {false, true}) {
        MeshMotion up = m, down = m;
        std::vector<double> step(eq.nv(), 0.0);
        step[j] = h;
        if (by_v)
          up.v[j] += h, down.v[j] -= h;
        else
          eq.plus(up.q, step), step[j] = -h, eq.plus(down.q, step);
        const std::vector<double> a = mesh_residual(eq, up, ws), b = mesh_residual(eq, down, ws);
        for (std::size_t i = 0; i < a.size(); ++i)
          off = std::max(off, std::abs((a[i] - b[i]) / (2 * h) - entry(static_cast<int>(i), j, by_v)));
      }
    }
    CHECK(off < 2e-8 * largest);
  }
}

// G^T eta by itself has a pattern and blocks of its own: they are those of G^T lambda, which the forces have.
TEST_CASE("a point that slides on a line: G^T eta changes as G^T lambda does") {
  for (const auto& [kind, start, has_station, drag] : slider_cases()) {
    CAPTURE(static_cast<int>(kind));
    CAPTURE(has_station);
    const auto model = model_with_slider(kind, start, 3, has_station, drag);
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    MeshMotion with = near_line(eq, 7), without = with;
    std::ranges::fill(without.lambda, 0.0);
    with.eta = with.lambda;
    MeshMatrix K(eq.tangent_pattern()), none(eq.tangent_pattern()), D(eq.tangent_pattern()), M(eq.tangent_pattern()),
        eta(eq.loop_pattern()), G(eq.constraint_pattern()), rates(eq.constraint_pattern());
    REQUIRE(eq.derivatives(without.input(),
                           {none.columns.data(), D.columns.data(), M.columns.data(), eta.columns.data(),
                            G.columns.data(), rates.columns.data()},
                           ws) == Eval::ok);
    REQUIRE(eq.derivatives(with.input(),
                           {K.columns.data(), D.columns.data(), M.columns.data(), eta.columns.data(), G.columns.data(),
                            rates.columns.data()},
                           ws) == Eval::ok);
    for (int j = 0; j < eq.nv(); ++j) {
      CAPTURE(j);
      CAPTURE(eq.nv());
      for (int i = 0; i < eq.nv(); ++i)
        CHECK(std::abs(eta.at(eq.loop_pattern(), i, j) -
                       (K.at(eq.tangent_pattern(), i, j) - none.at(eq.tangent_pattern(), i, j))) <
              1e-9 * (1 + std::abs(none.at(eq.tangent_pattern(), i, j))));
    }
  }
}

TEST_CASE(
    "a point that slides on a line: rows are accelerated as their rates change along the motion, and explicit "
    "accelerations leave no residual") {
  for (const auto& [kind, start, has_station, drag] : slider_cases()) {
    CAPTURE(static_cast<int>(kind));
    const auto model = model_with_slider(kind, start, 5, has_station, drag);
    const Equations eq(model, formalism::choose_tree(*model));
    auto ws = eq.workspace();
    MeshMotion m = near_line(eq, 11);
    std::vector<double> acceleration(eq.ng()), a(eq.nv());
    REQUIRE(eq.constraint_accelerations(m.input(), acceleration, ws) == Eval::ok);
    constexpr double h = 1e-5;
    const std::vector<double> up = mesh_residual(eq, moved_along(eq, m, h), ws),
                              down = mesh_residual(eq, moved_along(eq, m, -h), ws);
    for (int r = 0; r < eq.ng(); ++r) {
      const std::size_t rate = up.size() - static_cast<std::size_t>(eq.ng() - r);
      CHECK(std::abs((up[rate] - down[rate]) / (2 * h) - acceleration[r]) < 1e-6 * (1 + std::abs(acceleration[r])));
    }
    REQUIRE(eq.accelerations(m.input(), a, ws) == Eval::ok);
    m.a = a;
    double size = 1;
    for (const double x : a) size = std::max(size, std::abs(x));
    const std::vector<double> rest = mesh_residual(eq, m, ws);
    for (int i = 0; i < eq.nv(); ++i) CHECK(std::abs(rest[i]) < 1e-10 * size);
  }
}
