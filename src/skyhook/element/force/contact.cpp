#include "skyhook/element/force/contact.h"

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/one_sided.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {

namespace {

using model::Local, model::Relative, model::Wrench;

// Where the ground is nearest to a point: how far the point is above it, the unit normal there, and how that turns.
struct Foot {
  double gap;
  double nx, nz;            // normal
  double turn_dx, turn_dz;  // of the normal about -y, per displacement of the point
};

struct CurvePoint {
  double height, slope, curvature;
};
CurvePoint point_of(const model::Curve& curve, double x) {
  Dual<1, Dual<1>> twice(Dual<1>::variable(x, 0));
  twice.d[0] = Dual<1>(1.0);
  const auto y = curve.at(twice);
  return {y.v.v, y.v.d[0], y.d[0].d[0]};
}

// Newton's method for (s - x) + (h(s) - z) h'(s) = 0, from the point below.
Foot foot_on(const model::Curve& curve, double x, double z) {
  double s = x, slope = 1.0;
  CurvePoint c = point_of(curve, s);
  const bool is_above = z > c.height;
  bool is_found = false;
  for (int i = 0; i < 50 && !is_found; ++i) {
    const double flat = 1.0 + c.slope * c.slope;
    slope = flat + (c.height - z) * c.curvature;
    // Beyond the centre of curvature nothing is nearest: go on as on the tangent.
    const double step = -((s - x) + (c.height - z) * c.slope) / (slope > 0.1 * flat ? slope : flat);
    s += step;
    c = point_of(curve, s);
    is_found = std::abs(step) <= 1e-15 * (1.0 + std::abs(s));
  }
  const double length = std::sqrt(1.0 + c.slope * c.slope), nx = -c.slope / length, nz = 1.0 / length;
  slope = length * length + (c.height - z) * c.curvature;
  const double turn = slope > 0.0 ? c.curvature / (length * length * slope) : 0.0;
  const double away = is_found ? nx * (x - s) + nz * (z - c.height) : std::hypot(x - s, z - c.height);
  return {is_found || is_above ? away : -away, nx, nz, turn, turn * c.slope};
}

template <class T>
struct Gap {
  T value;
  Vec3<T> normal;
};
// The derivative of the distance is the normal, as the foot is nearest.
Gap<double> gap_of(const Foot& f, const Vec3d& /*r*/) { return {f.gap, {f.nx, 0.0, f.nz}}; }
Gap<Local> gap_of(const Foot& f, const Vec3<Local>& r) {
  Gap<Local> g{Local(f.gap), {Local(f.nx), Local(0.0), Local(f.nz)}};
  for (std::size_t i = 0; i < g.value.d.size(); ++i) {
    const double turn = f.turn_dx * r.x.d[i] + f.turn_dz * r.z.d[i];
    g.value.d[i] = f.nx * r.x.d[i] + f.nz * r.z.d[i];
    g.normal.x.d[i] = -f.nz * turn;
    g.normal.z.d[i] = f.nx * turn;
  }
  return g;
}

struct ContactLaw final : model::WrenchLaw<ContactLaw>, model::Switching, model::Tabulated {
  static constexpr int free = 1, touching = 2;
  double radius;
  std::optional<model::Curve> profile;
  Compliance ground;
  double friction, slip_speed;

  ContactLaw(const Contact& c, double damping)
      : radius(c.radius),
        profile(c.profile),
        ground{c.stiffness, c.depth, c.exponent, damping},
        friction(c.friction),
        slip_speed(c.slip_speed) {}

  template <class T>
  Gap<T> gap(const Vec3<T>& r) const {
    if (profile) return gap_of(foot_on(*profile, value_of(r.x), value_of(r.z)), r);
    return {r.z, {T(0.0), T(0.0), T(1.0)}};
  }
  double compression(const Relative<double>& m) const { return radius - gap(m.r).value; }
  bool is_touching(const Relative<double>& m, double p) const {
    return m.set.mode > 0 ? m.set.mode == touching : p > 0.0;
  }

  // Velocity with which the sphere's nearest point slides along the ground.
  template <class T>
  Vec3<T> slip(const Relative<T>& m, const Vec3<T>& normal) const {
    Vec3<T> v = m.v;
    if (radius > 0.0) v = v - T(radius) * cross(m.w, normal);
    return v - dot(v, normal) * normal;
  }

  template <class T>
  void law(const Relative<T>& m, Wrench<T>& out) const {
    using std::sqrt;
    out = {};
    if (m.set.mode == free) return;
    const Gap<T> g = gap(m.r);
    const T p = T(radius) - g.value;
    if (m.set.mode == 0 && value_of(p) <= 0.0) return;
    const T push = ground.push(p, T(-dot(m.v, g.normal)));
    out.f = push * g.normal;
    if (friction == 0.0) return;
    const Vec3<T> u = slip(m, g.normal);
    out.f = out.f - (T(friction) * push / sqrt(dot(u, u) + T(slip_speed * slip_speed))) * u;
    if (radius > 0.0) out.n = T(-radius) * cross(g.normal, out.f);
  }
  bool between_points() const override { return friction == 0.0 || radius == 0.0; }
  double energy(const Relative<double>& m) const override {
    return m.set.mode == free ? 0.0 : ground.energy(compression(m));
  }

  int first_mode(const Relative<double>& m) const override { return compression(m) > 0.0 ? touching : free; }
  double watch(const Relative<double>& m) const override {
    return m.set.mode == touching ? compression(m) : -compression(m);
  }
  int next_mode(const Relative<double>& m) const override { return m.set.mode == touching ? free : touching; }
  void look(const Relative<double>& m, model::TableLooks& looks) const override {
    if (profile) add_look(*profile, "profile", "x", "m", m.r.x, looks);
  }
  std::string event(int /*from*/, int to) const override { return to == touching ? "touches" : "leaves"; }

  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N", "normal force, pressing positive"},
            {"friction", "N", "size of the friction force"},
            {"compression", "m", "how deep they are in each other"},
            {"slip", "m/s", "sliding speed"}};
  }
  void measure(const Relative<double>& m, const Wrench<double>& w, std::vector<double>& out) const override {
    const Gap<double> g = gap(m.r);
    const double push = dot(w.f, g.normal);
    Relative<double> seen = m;
    if (between_points()) seen.w = {};
    out.insert(out.end(), {push, norm(w.f - push * g.normal), radius - g.value, norm(slip(seen, g.normal))});
  }
};

// With w = damping v, m v dv/dp = -F leaves the spring out: w / s(w) integrated over the speeds before the impact is
// w / s(-w) integrated over those after it.
// (1 + w^2)^(3/2) in three forms without cancellation.
double work_before(double w) {
  if (w < 1.0) return (std::expm1(1.5 * std::log1p(w * w)) - w * w * w) / 3.0;
  return (w * w * w * std::expm1(1.5 * std::log1p(1.0 / (w * w))) - 1.0) / 3.0;
}
double work_after(double w) { return (std::expm1(1.5 * std::log1p(w * w)) + w * w * w) / 3.0; }

// The w at which the speed after a free impact is `restitution` times that before it.
double damping_for(double restitution) {
  if (restitution == 1.0) return 0.0;
  double low = 0.0, high = 1.0;
  const auto bounces_more = [&](double w) { return work_after(restitution * w) < work_before(w); };
  while (bounces_more(high)) high *= 2.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (bounces_more(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace

void Contact::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  if (restitution && damping != 0.0)
    fail(source, "restitution", "damping and restitution are both given.", "Remove one of them: they say the same.");
  model::Force force = begin_force(pair, source);
  force.wrench = std::make_shared<ContactLaw>(*this, restitution ? damping_for(*restitution) / impact_speed : damping);
  model.forces.push_back(std::move(force));
}

}  // namespace skyhook::element
