#include "skyhook/simulation/turns.h"

#include "skyhook/formalism/transfer.h"

namespace skyhook::simulation {
namespace {

constexpr int hinges = 3;  // at most of a joint

// visit(owner, number of the hinge, its place in Held::angles)
template <class Visit>
void for_each_hinge(const model::Model& model, int joint, Visit&& visit) {
  int hinge = 0;
  for (const model::Dof& dof : model.joints[static_cast<std::size_t>(joint)].shape.dofs) {
    if (dof.kind != model::Dof::Kind::revolute || hinge == hinges) continue;
    visit(Owner{"joint", model.joints[static_cast<std::size_t>(joint)].name}, hinge,
          static_cast<std::size_t>(hinges * joint + hinge));
    ++hinge;
  }
}

// visit(owner, its place in Held::angles), of contributions on the angle about an axis
template <class Visit>
void for_each_turning(const model::Model& model, Visit&& visit) {
  for (std::size_t k = 0; k < model.contributions.size(); ++k) {
    if (model.contributions[k].counts_turns())
      visit(Owner{"force", model.contributions[k].name}, model::held_angle(model, k));
  }
}

}  // namespace

void save_turns(const Equations& eq, const model::Held& held, Saving& to) {
  for (const int j : eq.cuts())
    for_each_hinge(eq.model(), j,
                   [&](const Owner& owner, int k, std::size_t at) { to.put(owner, "angle", held.angles[at], k); });
  for_each_turning(eq.model(), [&](const Owner& owner, std::size_t at) { to.put(owner, "angle", held.angles[at]); });
}

void restore_turns(const Equations& eq, const Restoring& from, model::Held& held) {
  for (const int j : eq.cuts()) {
    for_each_hinge(eq.model(), j, [&](const Owner& owner, int k, std::size_t at) {
      held.angles[at] = from.finite(owner, "angle", k).value_or(held.angles[at]);
    });
  }
  for_each_turning(eq.model(), [&](const Owner& owner, std::size_t at) {
    held.angles[at] = from.finite(owner, "angle").value_or(held.angles[at]);
  });
}

std::vector<double> saved_turns(const model::Model& model, double t, const RunState& from) {
  const Restoring saved(from);
  std::vector<double> out = formalism::given_angles(model, t);
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    for_each_hinge(model, j, [&](const Owner& owner, int k, std::size_t at) {
      out[at] = saved.finite(owner, "angle", k).value_or(out[at]);
    });
  }
  for_each_turning(
      model, [&](const Owner& owner, std::size_t at) { out[at] = saved.finite(owner, "angle").value_or(out[at]); });
  return out;
}

}  // namespace skyhook::simulation
