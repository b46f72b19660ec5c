#include "skyhook/analysis/in_joint_coordinates.h"

#include "skyhook/formalism/transfer.h"

namespace skyhook::analysis {

using simulation::Equations;
using simulation::Prepared;

Prepared in_joint_coordinates(const Prepared& prepared) {
  auto m = std::make_shared<model::Model>(*prepared.model);
  m->coordinates = model::Coordinates::joint;
  for (model::Body& body : m->bodies) body.coordinates.reset();
  auto held = std::make_shared<model::Held>(*prepared.all->held());
  held->offsets.clear();  // by row, of which there are fewer now
  Prepared out = prepared;
  out.model = m, out.in_joints = nullptr;
  out.topology = formalism::choose_tree(*m);
  out.all = std::make_shared<const Equations>(m, out.topology, std::nullopt, held);
  out.state = formalism::transfer(*prepared.all, prepared.state, *out.all);
  held->angles = formalism::angles_at(*prepared.all, prepared.state);
  out.rank = formalism::find_rank(*out.all, out.state);
  out.active = out.rank.redundant.empty()
                   ? out.all
                   : std::make_shared<const Equations>(m, out.topology, out.rank.independent, held);
  return out;
}

formalism::State in_coordinates_of(const Prepared& prepared, const Equations& from, const formalism::State& state) {
  formalism::State out = formalism::transfer(from, state, *prepared.all);
  out.angles = formalism::angles_at(from, state);
  return out;
}

Prepared starting_at(const Prepared& prepared, const formalism::State& state) {
  Prepared out = prepared;
  auto held = std::make_shared<model::Held>(*prepared.all->held());
  held->angles = state.angles;
  out.all = std::make_shared<const Equations>(prepared.model, prepared.topology, prepared.all->active(), held);
  out.active = std::make_shared<const Equations>(prepared.model, prepared.topology, prepared.active->active(), held);
  out.state = state, out.state.angles.clear();
  return out;
}

}  // namespace skyhook::analysis
