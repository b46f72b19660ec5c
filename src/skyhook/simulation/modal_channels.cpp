#include "skyhook/simulation/modal_channels.h"

#include "skyhook/model/modal_body.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::simulation {

void add_modes(ChannelList& list, const Equations& eq, const Equations::Modal& modal) {
  const model::Body& body = eq.model().bodies[static_cast<std::size_t>(modal.body)];
  for (int k = 0; k < modal.modes; ++k) {
    const auto iq = static_cast<std::size_t>(modal.iq + k), iv = static_cast<std::size_t>(modal.iv + k);
    const std::string name = eq.position_names()[iq].substr(body.name.size() + 1);
    const auto rate = [=](const Snapshot& s, const Running&) { return s.v[iv]; };
    const auto acceleration = [=](const Snapshot& s, const Running&) { return s.a[iv]; };
    Channel& c = list.add(body.name, {name, "m", "coordinate of the mode"},
                          [=](const Snapshot& s, const Running&) { return s.q[iq]; });
    c.rate = rate, c.curvature = acceleration;
    list.add(body.name, {name + "_rate", "m/s", "rate of the coordinate"}, rate).rate = acceleration;
    list.add_acceleration(body.name, {name + "_acceleration", "m/s^2", "second derivative of the coordinate"},
                          acceleration);
  }
  const auto strain = [modal, K = body.modal->stiffness](const Snapshot& s, const Running&) {
    const auto n = static_cast<std::size_t>(modal.modes), first = static_cast<std::size_t>(modal.iq);
    double sum = 0;
    for (std::size_t i = 0; i < n && !K.empty(); ++i) {
      for (std::size_t j = 0; j < n; ++j) sum += 0.5 * K[i * n + j] * s.q[first + i] * s.q[first + j];
    }
    return sum;
  };
  list.add(body.name, {"strain_energy", "J", "energy in the strain of its modes"}, strain);
}

void add_nodes(ChannelList& list, const Equations& eq, const formalism::MeshCoordinates& mesh) {
  const model::Body& body = eq.model().bodies[static_cast<std::size_t>(mesh.body)];
  const auto iq = static_cast<std::size_t>(mesh.iq), iv = static_cast<std::size_t>(mesh.iv),
             count = static_cast<std::size_t>(mesh.count);
  const model::NodalMesh& nodal = *model::mesh_of(body);
  // the centre of mass is linear in the coordinates, as all places are
  const auto shares = std::make_shared<std::vector<Vec3d>>(nodal.first);
  for (Vec3d& share : *shares) share = (1 / nodal.total_mass) * share;
  const auto sum = [=](std::span<const double> of) {
    Vec3d out;
    for (std::size_t k = 0; k < count; ++k) out += of[k] * (*shares)[k];
    return out;
  };
  const Vec3d design = (1 / nodal.total_mass) * nodal.first_design;
  const auto velocity = [=](const Snapshot& s) { return sum(std::span(s.v).subspan(iv)); };
  const auto acceleration = [=](const Snapshot& s) { return sum(std::span(s.a).subspan(iv)); };
  list.add_vector(
      body.name, "", "m", "position of its centre of mass, global",
      [=](const Snapshot& s) { return design + sum(std::span(s.q).subspan(iq)); }, velocity, acceleration);
  list.add_vector(body.name, "v", "m/s", "velocity of its centre of mass, global", velocity, acceleration);
  for (int k = 0; k < 3; ++k)
    list.add_acceleration(
        body.name,
        {std::string("a") + ChannelList::axis_names[k], "m/s^2", "acceleration of its centre of mass, global"},
        [=](const Snapshot& s, const Running&) { return acceleration(s)[k]; });
  const auto strain = [=, forces = nodal.forces](const Snapshot& s, const Running&) {
    return forces->energy(std::span<const double>(s.q).subspan(iq, count));
  };
  list.add(body.name, {"strain_energy", "J", "energy in the strain of its elements"}, strain);
}

}  // namespace skyhook::simulation
