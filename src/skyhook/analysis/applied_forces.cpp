#include "skyhook/analysis/applied_forces.h"

#include <algorithm>
#include <optional>

#include "skyhook/model/model.h"

namespace skyhook::analysis {
namespace {

struct AppliedForce {
  model::Marker at;
  Vec3d along;
  bool is_moment;
};

// Along the axes of the ground, as large as its signal.
struct AppliedLaw final : model::WrenchLaw<AppliedLaw> {
  AppliedLaw(const Vec3d& direction, bool is_moment) : along(direction), turns(is_moment) {}
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    for (int k = 0; k < 3; ++k) (turns ? out.n : out.f)[k] = T(m.set.signal * along[k]);
  }

  Vec3d along;
  bool turns;
};

std::optional<model::Marker> place_of(const model::Model& m, const std::string& name) {
  const auto body = std::ranges::find(m.bodies, name, &model::Body::name);
  if (body != m.bodies.end())
    return model::Marker{name, body->where, static_cast<int>(body - m.bodies.begin()), body->at, body->axes};
  const auto marker = std::ranges::find(m.markers, name, &model::Marker::name);
  if (marker != m.markers.end() && marker->body != model::ground) return *marker;
  return {};
}

std::optional<AppliedForce> find(const model::Model& m, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.size() < dot + 3) return {};
  const std::string kind = name.substr(dot + 1, name.size() - dot - 2);
  const int axis = name.back() - 'x';
  if ((kind != "force_" && kind != "torque_") || axis < 0 || axis > 2) return {};
  const auto place = place_of(m, name.substr(0, dot));
  if (!place) return {};
  AppliedForce out{*place, {}, kind == "torque_"};
  out.along[axis] = 1;
  return out;
}

}  // namespace

bool is_applied_force(const model::Model& model, const std::string& name) { return find(model, name).has_value(); }

simulation::Prepared with_applied_forces(const simulation::Prepared& p, const std::vector<std::string>& names) {
  auto m = std::make_shared<model::Model>(*p.model);
  for (const std::string& name : names) {
    const auto force = find(*m, name);
    if (!force || std::ranges::find(m->signals, name, &model::Signal::name) != m->signals.end()) continue;
    model::Contribution c;
    c.name = name, c.type = "input", c.to = force->at;
    c.from.at = force->at.at;
    c.wrench = std::make_shared<AppliedLaw>(force->along, force->is_moment);
    c.signal = {static_cast<int>(m->signals.size())};
    m->signals.push_back({name, force->is_moment ? "N.m" : "N"});
    m->contributions.push_back(std::move(c));
  }
  if (m->signals.size() == p.model->signals.size()) return p;
  simulation::Prepared out = p;
  out.model = m;
  auto held = std::make_shared<model::Held>(*p.active->held());
  held->signals.resize(m->signals.size(), 0.0), held->modes.resize(m->contributions.size(), 0);
  const auto again = [&](const simulation::Equations& eq) {
    return std::make_shared<const simulation::Equations>(m, p.topology, eq.active(), held);
  };
  out.active = again(*p.active), out.all = again(*p.all);
  return out;
}

}  // namespace skyhook::analysis
