#include "skyhook/element/force/contact.h"

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/one_sided.h"
#include "skyhook/model/surface.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {

namespace {

using model::Relative, model::Surface, model::Wrench;

struct ContactLaw final : model::WrenchLaw<ContactLaw>, model::Switching, model::Tabulated {
  static constexpr int free = 1, touching = 2;
  double radius;
  std::shared_ptr<const Surface> surface;
  Compliance ground;
  double friction, slip_speed;

  ContactLaw(const Contact& c, double damping, std::shared_ptr<const Surface> on)
      : radius(c.radius),
        surface(std::move(on)),
        ground{c.stiffness, c.depth, c.exponent, damping},
        friction(c.friction),
        slip_speed(c.slip_speed) {}

  double compression(const Relative<double>& m) const { return radius - surface->nearest(m.r).distance; }

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
    const Surface::Nearest<T> g = surface->nearest(m.r);
    const T p = T(radius) - g.distance;
    if (m.set.mode == 0 && value_of(p) <= 0.0) return;
    const T push = ground.push(p, T(-dot(m.v, g.normal)));
    out.f = push * g.normal;
    if (friction == 0.0) return;
    const Vec3<T> u = slip(m, g.normal);
    const double grip = friction * surface->friction(value_of(m.r.x), value_of(m.r.y));
    out.f = out.f - (T(grip) * push / sqrt(dot(u, u) + T(slip_speed * slip_speed))) * u;
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
  void look(const Relative<double>& m, model::TableLooks& looks) const override { surface->look(m.r.x, m.r.y, looks); }
  std::string event(int /*from*/, int to) const override { return to == touching ? "touches" : "leaves"; }

  std::vector<model::Quantity> quantities() const override {
    return {{"force", "N", "normal force, pressing positive"},
            {"friction", "N", "size of the friction force"},
            {"compression", "m", "how deep they are in each other"},
            {"slip", "m/s", "sliding speed"}};
  }
  void measure(const Relative<double>& m, const Wrench<double>& w, std::vector<double>& out) const override {
    const Surface::Nearest<double> g = surface->nearest(m.r);
    const double push = dot(w.f, g.normal);
    Relative<double> seen = m;
    if (between_points()) seen.w = {};
    out.insert(out.end(), {push, norm(w.f - push * g.normal), radius - g.distance, norm(slip(seen, g.normal))});
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
  const Pair pair = place(source, model);
  if (restitution && damping != 0.0)
    fail(source, "restitution", "damping and restitution are both given.", "Remove one of them: they say the same.");
  model::Contribution force = begin_contribution(pair, source);
  force.events = events;
  force.wrench = std::make_shared<ContactLaw>(*this, restitution ? damping_for(*restitution) / impact_speed : damping,
                                              ground_of(*this, profile, model, source));
  model.contributions.push_back(std::move(force));
}

}  // namespace skyhook::element
