#include "skyhook/formalism/fill.h"

#include <fmt/format.h>

#include <memory>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/klu.h"

namespace skyhook::formalism {
namespace {

int velocities_of(const model::Model& m, const TreeLink& link) {
  if (link.joint < 0) return 6;
  int count = 0;
  for (const model::Dof& dof : m.joints[link.joint].shape.dofs) count += dof.kind == model::Dof::Kind::ball ? 3 : 1;
  for (const auto& drive : m.joints[link.joint].drive) count -= drive.has_value() ? 1 : 0;
  return count;
}

std::string chosen(const char* name, double fill, const char* other, const std::string& others) {
  return fmt::format("{}, with {:.0f} entries in the factors of the iteration matrix; {} would have {}", name, fill,
                     other, others);
}

}  // namespace

double fill_of(const model::Model& m, const Topology& topology) {
  const std::shared_ptr<const model::Model> shared(std::shared_ptr<const model::Model>{}, &m);  // for the call alone
  const recursive::Equations eq(shared, topology);
  const int nv = eq.nv();
  PatternBuilder builder(nv + eq.ng(), nv + eq.ng());
  const auto each = [](const Pattern& p, auto&& act) {
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) act(p.row[k], j);
    }
  };
  each(eq.tangent_pattern(), [&](int i, int j) { builder.add(i, j); });
  each(eq.constraint_pattern(), [&](int i, int j) { builder.add(nv + i, j), builder.add(j, nv + i); });
  for (int i = 0; i < eq.ng(); ++i) builder.add(nv + i, nv + i);  // where elimination puts something
  return estimated_fill(builder.build());
}

double least_fill_of(const model::Model& m, const Topology& topology) {
  std::vector<double> above(topology.links.size(), 0.0);  // coordinates that carry the body, its own included
  double sum = 0;
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const TreeLink& link = topology.links[i];
    const int own = velocities_of(m, link);
    const double carried = link.parent == model::ground ? 0.0 : above[topology.link_of_body[link.parent]];
    above[i] = carried + own;
    sum += own * (2 * carried + own);
  }
  return sum;
}

Topology choose_by_fill(const model::Model& m, const std::vector<std::string>& independent) {
  using model::Coordinates;
  Topology joint = choose_tree_in(m, independent, Coordinates::joint);
  Topology absolute = choose_tree_in(m, independent, Coordinates::absolute);
  const double of_absolute = fill_of(m, absolute), least = least_fill_of(m, joint);
  if (least > of_absolute) {
    absolute.why = chosen("absolute", of_absolute, "those of joints", fmt::format("at least {:.0f}", least));
    return absolute;
  }
  const double of_joint = fill_of(m, joint);
  if (of_joint > of_absolute) {
    absolute.why = chosen("absolute", of_absolute, "those of joints", fmt::format("{:.0f}", of_joint));
    return absolute;
  }
  joint.why = chosen("those of joints", of_joint, "absolute ones", fmt::format("{:.0f}", of_absolute));
  return joint;
}

}  // namespace skyhook::formalism
