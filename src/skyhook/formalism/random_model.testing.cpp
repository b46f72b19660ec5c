#include "skyhook/formalism/random_model.testing.h"

#include <numeric>

#include "skyhook/element/force/joint_friction.h"
#include "skyhook/element/joint_rows.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/model/guide.h"
#include "skyhook/model/surface.h"

namespace skyhook::formalism::testing {
namespace {

struct WavesAskew final : model::Relief {
  model::Bend at(double x, double y) const override {
    const double phase = 0.9 * x - 1.1 * y, h = 0.03 * std::sin(phase), d = 0.03 * std::cos(phase);
    return {h, 0.9 * d, -1.1 * d, -0.81 * h, 0.99 * h, -1.21 * h};
  }
  bool varies_across() const override { return true; }
};

// A law without symmetry of any kind: every force component depends on every local variable.
struct OddLaw : model::WrenchLaw<OddLaw> {
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    using std::sin;
    const Vec3<T> e = m.R * Vec3<T>{T(0.3), T(-0.5), T(0.8)};
    out.f = {T(-20) * m.r.x - T(3) * m.v.y + e.y * m.w.z, T(-15) * m.r.y * m.r.x - T(2) * m.v.x + e.x,
             T(-9) * m.r.z + m.v.z * m.w.x * e.z};
    out.n = {T(-4) * e.z * m.r.y - T(0.5) * m.w.x, m.r.x * m.v.y - T(0.7) * m.w.y + e.y * e.x,
             sin(m.r.z) * e.x - T(0.3) * m.w.z + T(0.1) * m.t};
  }
};

struct OddCoordinateLaw : model::CoordinateElement {
  double force(double x, double v, double t, const model::Setting&) const override {
    return -7 * x * x * x - 0.4 * v * x + 0.1 * t;
  }
  Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t, const model::Setting&) const override {
    return -7 * x * x * x - 0.4 * v * x + 0.1 * t;
  }
};

// Two inner states; force and rates depend on everything there is.
struct OddStateLaw : model::StateLaw<OddStateLaw> {
  std::vector<model::InnerState> states() const override { return {{"first", "N", 1, 0.3}, {"second", "m", 1, -0.2}}; }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    using std::sin;
    rates[0] = T(3) * s.v - T(2) * c[0] * c[1] + sin(s.x) * c[0] + T(0.2) * T(s.t);
    rates[1] = s.x * s.x - T(0.7) * c[1] + T(0.4) * s.v * c[0];
    return T(8) * s.x + c[0] * (T(1.5) + s.v) - T(2) * c[1] * c[1] * s.x + T(0.1) * T(s.t);
  }
};

// A motion without symmetry of any kind: turns about two axes and a way through space, each of all coordinates.
struct OddGuide : model::GuideLaw<OddGuide> {
  int count;
  Vec3d first, second;
  explicit OddGuide(int n, Random& random) : count(n), first(random.unit()), second(random.unit()) {}
  int coordinates() const override { return count; }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    using std::cos, std::sin;
    T a(0), b(0);
    Vec3<T> r;
    for (int k = 0; k < count; ++k) {
      a += T(0.7 + 0.2 * k) * q[k] + T(0.3) * sin(q[k]) * q[0];
      b += T(0.4 - 0.5 * k) * q[k] * q[(k + 1) % count];
      r[k % 3] += q[k] + T(0.2) * q[k] * q[k] * q[0], r[(k + 1) % 3] += sin(T(0.5) * q[k]), r[(k + 2) % 3] += a * b;
    }
    return {r, axis_rotation(first, cos(a), sin(a)) * axis_rotation(second, cos(b), sin(b))};
  }
};

model::JointShape guided_shape(int count, Random& random) {
  const auto guide = std::make_shared<const OddGuide>(count, random);
  model::JointShape shape;
  for (int k = 0; k < count; ++k)
    shape.dofs.push_back({Dof::Kind::guided, {}, "q" + std::to_string(k), Mirror::even, guide, k % 2 == 1});
  return shape;
}

model::JointShape shape_of(const std::string& type, Random& random) {
  using element::no_motion_along, element::fixed_orientation, element::parallel_axis, element::operator+;
  const Vec3d axis = random.integer(0, 1) ? random.unit()
                                          : std::array<Vec3d, 4>{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1},
                                                                 Vec3d{0, 0, -1}}[random.integer(0, 3)];
  const element::Triad t = element::triad(axis);
  const Dof turn{Dof::Kind::revolute, t.e, "angle"}, slide{Dof::Kind::prismatic, t.e, "displacement"};
  const Dof ball{Dof::Kind::ball, {}, "angle"};
  const element::Rows points = no_motion_along({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const std::vector<Dof> xyz{{Dof::Kind::prismatic, {1, 0, 0}, "x"},
                             {Dof::Kind::prismatic, {0, 1, 0}, "y"},
                             {Dof::Kind::prismatic, {0, 0, 1}, "z"}};
  const std::vector<Dof> cardan{{Dof::Kind::revolute, {1, 0, 0}, "angle_x"},
                                {Dof::Kind::revolute, {0, 1, 0}, "angle_y"},
                                {Dof::Kind::revolute, {0, 0, 1}, "angle_z"}};
  if (type == "fixed") return {{}, points + fixed_orientation(t)};
  if (type == "revolute") return {{turn}, points + parallel_axis(t)};
  if (type == "prismatic") return {{slide}, no_motion_along({t.u, t.v}) + fixed_orientation(t)};
  if (type == "cylindrical") return {{slide, turn}, no_motion_along({t.u, t.v}) + parallel_axis(t)};
  if (type == "universal")
    return {{{Dof::Kind::revolute, t.e, "angle_1"}, {Dof::Kind::revolute, t.u, "angle_2"}},
            points + element::Rows{element::perpendicular_row(t.e, t.u)}};
  if (type == "planar")
    return {{{Dof::Kind::prismatic, t.u, "u"}, {Dof::Kind::prismatic, t.v, "v"}, turn},
            no_motion_along({t.e}) + parallel_axis(t)};
  if (type == "spherical") return {{ball}, points};
  if (type == "spherical_cardan") return {cardan, points};
  if (type == "free") return {{xyz[0], xyz[1], xyz[2], ball}, {}};
  if (type == "guided1") return guided_shape(1, random);
  if (type == "guided3") return guided_shape(3, random);
  if (type == "guided2_turn") {  // a guide in the midst of a chain
    model::JointShape shape = guided_shape(2, random);
    shape.dofs.insert(shape.dofs.begin(), slide), shape.dofs.push_back(turn);
    return shape;
  }
  return {{xyz[0], xyz[1], xyz[2], cardan[0], cardan[1], cardan[2]}, {}};
}

const std::vector<std::string>& joint_types() {
  static const std::vector<std::string> types{"fixed",   "revolute",  "prismatic",        "cylindrical", "universal",
                                              "planar",  "spherical", "spherical_cardan", "free",        "free_cardan",
                                              "guided1", "guided3",   "guided2_turn"};
  return types;
}

model::Body make_body(const std::string& name, Random& random) {
  model::Body body;
  body.name = name, body.mass = random(0.5, 2), body.at = random.vector(), body.com = body.at + random.vector(0.3);
  const Mat3d turn = cardan_rotation(random.vector(3));
  body.inertia = turn * Mat3d::diagonal({random(0.2, 0.3), random(0.2, 0.3), random(0.2, 0.3)}) * transpose(turn);
  return body;
}

// Every part of the law counts: speeds are of the order of stick_speed, loads of that of preload and smooth_load.
model::Contribution make_friction(int number, int joint, const Dof& dof, Random& random) {
  element::JointFriction of;
  of.coefficient = random(0.2, 0.8);
  const double radius = random(0.1, 0.5);
  if (dof.kind == Dof::Kind::revolute) of.radius = radius;
  of.stick_speed = random(0.5, 1), of.preload = random(0, 0.3);
  of.moment_arm = random(0.3, 1), of.thrust = random(0, 1), of.smooth_load = 0.1;
  model::Contribution friction;
  friction.name = "friction" + std::to_string(number), friction.joint = joint;
  friction.friction = of.law(dof);
  return friction;
}

model::Marker make_marker(int body, Random& random) {
  return {"", {}, body, random.vector(), cardan_rotation(random.vector(3))};
}

}  // namespace

double Random::operator()(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
int Random::integer(int low, int high) { return std::uniform_int_distribution<>(low, high)(engine_); }
Vec3d Random::vector(double size) { return {size * (*this)(), size * (*this)(), size * (*this)()}; }
Vec3d Random::unit() { return normalized(vector() + Vec3d{0.01, 0.02, 0.03}); }

model::Joint make_joint(const std::string& name, const std::string& type, int from, int to, const Vec3d& at,
                        Random& random) {
  model::Joint joint;
  joint.name = name, joint.type = type, joint.from = from, joint.to = to, joint.at_from = joint.at_to = at;
  joint.shape = shape_of(type, random);
  int scalars = 0;
  for (const Dof& dof : joint.shape.dofs) scalars += dof.kind == Dof::Kind::ball ? 3 : 1;
  joint.reference.assign(scalars, 0.0);
  joint.position.resize(scalars), joint.velocity.resize(scalars), joint.drive.resize(scalars),
      joint.drive_where.resize(scalars);
  return joint;
}

std::shared_ptr<model::Model> random_model(unsigned seed, const Recipe& recipe) {
  Random random(seed);
  auto m = std::make_shared<model::Model>();
  m->gravity = random.vector(10);
  for (int b = 0; b < recipe.bodies; ++b) {
    m->bodies.push_back(make_body("body" + std::to_string(b), random));
    const auto& types = joint_types();
    const std::string type = types[(b + seed) % types.size()];
    int from = random.integer(model::ground, b - 1), to = b;
    if (recipe.reversed && random.integer(0, 1)) std::swap(from, to);
    m->joints.push_back(make_joint("joint" + std::to_string(b), type, from, to, m->bodies[b].at, random));
    m->joints.back().at_to = m->joints.back().at_from + random.vector(0.1);
    const bool is_cut = recipe.cut_every > 0 && (b + static_cast<int>(seed)) % recipe.cut_every == 0;
    m->joints.back().cut = is_cut && !m->joints.back().shape.is_guided();
  }
  auto two_bodies = [&](int& a, int& b) {
    a = random.integer(model::ground, recipe.bodies - 1);
    do b = random.integer(model::ground, recipe.bodies - 1);
    while (b == a);
  };
  for (int k = 0; k < recipe.loops; ++k) {
    int a, b;
    two_bodies(a, b);
    m->joints.push_back(
        make_joint("loop" + std::to_string(k), joint_types()[(k + seed) % 8], a, b, random.vector(), random));
    m->joints.back().cut = true;
    const auto& dofs = m->joints.back().shape.dofs;
    if (dofs.size() != 1 || dofs[0].kind == Dof::Kind::ball) continue;
    if (recipe.friction)
      m->contributions.push_back(make_friction(k, static_cast<int>(m->joints.size()) - 1, dofs[0], random));
    model::Contribution force;  // acts on the measured coordinate
    force.name = "cut" + std::to_string(k), force.joint = static_cast<int>(m->joints.size()) - 1, force.dof = 0;
    force.coordinate = std::make_shared<OddCoordinateLaw>();
    m->contributions.push_back(force);
  }
  for (int k = 0; k < recipe.rods; ++k) {
    int a, b;
    two_bodies(a, b);
    model::Contribution rod;
    rod.name = "rod" + std::to_string(k), rod.from = make_marker(a, random), rod.to = make_marker(b, random);
    rod.row = {.kind = model::Row::Kind::distance, .length = 0.7};
    if (k % 2 == 1)
      rod.row->drive.emplace(expression::Expression::compile("0.7 + 0.1*sin(3*t)", {{{"t", {}}}, {}}, {}));
    m->contributions.push_back(rod);
  }
  for (int k = 0; k < recipe.forces; ++k) {
    int a, b;
    two_bodies(a, b);
    model::Contribution force;
    force.name = "force" + std::to_string(k), force.from = make_marker(a, random), force.to = make_marker(b, random);
    force.wrench = std::make_shared<OddLaw>();
    m->contributions.push_back(force);
  }
  std::vector<std::pair<int, int>> scalars;  // joint, scalar coordinate
  for (int j = 0; j < recipe.bodies; ++j) {
    int k = 0;
    for (const Dof& dof : m->joints[j].shape.dofs) {
      if (dof.kind != Dof::Kind::ball) scalars.push_back({j, k});
      k += dof.kind == Dof::Kind::ball ? 3 : 1;
    }
  }
  auto pick = [&] { return scalars[random.integer(0, static_cast<int>(scalars.size()) - 1)]; };
  for (int k = 0; k < recipe.couplers && !scalars.empty(); ++k) {
    const auto a = pick(), b = pick();
    model::Contribution coupler;
    coupler.name = "coupler" + std::to_string(k);
    coupler.row = {.kind = model::Row::Kind::sum, .terms = {{a.first, a.second, 1.5}, {b.first, b.second, -0.7}}};
    m->contributions.push_back(coupler);
    model::Contribution force;
    force.name = "spring" + std::to_string(k), force.joint = a.first, force.dof = a.second;
    force.coordinate = std::make_shared<OddCoordinateLaw>();
    m->contributions.push_back(force);
  }
  for (int k = 0; k < recipe.drives && !scalars.empty(); ++k) {
    const auto a = pick();
    m->joints[a.first].drive[a.second].emplace(
        expression::Expression::compile("0.3*sin(2*t) + t^2", {{{"t", {}}}, {}}, {}));
  }
  for (int k = 0; k < recipe.inner; ++k) {
    model::Contribution force;
    force.name = "inner" + std::to_string(k), force.inner = std::make_shared<OddStateLaw>();
    for (int j = recipe.bodies; j < recipe.bodies + recipe.loops && k % 3 == 2; ++j) {
      const auto& dofs = m->joints[static_cast<std::size_t>(j)].shape.dofs;
      if (dofs.size() == 1 && dofs[0].kind != Dof::Kind::ball) force.joint = j;
    }
    if (k % 3 == 1 && !scalars.empty()) {
      const auto at = pick();
      force.joint = at.first, force.dof = at.second;
    }
    if (force.joint < 0) {
      int a, b;
      two_bodies(a, b);
      force.from = make_marker(a, random), force.to = make_marker(b, random);
    }
    m->contributions.push_back(force);
  }
  for (int k = 0; k < recipe.contacts; ++k) {
    int a, b;
    two_bodies(a, b);
    model::Contribution contact;
    contact.name = "contact" + std::to_string(k);
    contact.from = make_marker(a, random), contact.to = make_marker(b, random);
    contact.row = {.kind = std::array{model::Row::Kind::plane, model::Row::Kind::profile,
                                      model::Row::Kind::distance}[static_cast<std::size_t>(k) % 3],
                   .holds = model::Row::Holds::pressed,
                   .length = 0.7,
                   .radius = 0.2,
                   .restitution = random(0, 1)};
    // Waves so flat that no point of these models comes near their centres of curvature; of every other one across as well.
    model::Surface::Parts waves{
        .profile = model::Curve(expression::Expression::compile("0.03*sin(1.3*x) + 0.2*x", {{{"x", {}}}, {}}, {}))};
    if ((a + b) % 2 == 1) waves.reliefs = {std::make_shared<WavesAskew>()};
    contact.row->surface = std::make_shared<model::Surface>(std::move(waves));
    m->contributions.push_back(contact);
  }
  for (int k = 0; k < recipe.stick_slips && !scalars.empty(); ++k) {
    const auto a = pick();
    model::Contribution force;
    force.name = "stick" + std::to_string(k), force.joint = a.first, force.dof = a.second;
    force.coordinate = std::make_shared<OddCoordinateLaw>();
    force.row = {.kind = model::Row::Kind::sum,
                 .holds = model::Row::Holds::stuck,
                 .terms = {{a.first, a.second, 1.0}},
                 .hold = random(2, 3)};
    m->contributions.push_back(force);
  }
  return m;
}

std::shared_ptr<recursive::Equations> with_every_row(std::shared_ptr<const model::Model> model) {
  const Topology topology = choose_tree(*model);
  std::vector<int> rows(recursive::Equations(model, topology).rows().size());
  std::iota(rows.begin(), rows.end(), 0);
  auto held = std::make_shared<model::Held>(model::held_at_start(*model));
  held->offsets.assign(rows.size(), 0.3);
  return std::make_shared<recursive::Equations>(std::move(model), topology, rows, std::move(held));
}

}  // namespace skyhook::formalism::testing
