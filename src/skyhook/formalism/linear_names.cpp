#include "skyhook/formalism/linear_names.h"

#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

using recursive::Equations;

std::vector<PrescribedMotion> prescribed_motions(const Equations& eq) {
  std::vector<PrescribedMotion> out;
  const auto& joints = eq.model().joints;
  const auto of_joint = [&](int joint, int dof, const model::Motion* motion) {
    out.push_back({{coordinate_name(joints[joint], dof, false), coordinate_unit(joints[joint], dof, false)}, motion});
  };
  for (const auto& driven : eq.tree().driven) of_joint(driven.joint, driven.dof, eq.tree().nodes[driven.node].drive);
  for (const auto& c : eq.pair_constraints()) {
    for (const auto& row : c.rows) {
      if (row.input >= 0)
        out.push_back({{(c.what ? c.what->name : joints[c.joint].name) + ".length", "m"}, row.motion});
    }
  }
  for (const auto& c : eq.linear_constraints()) {
    if (c.input < 0) continue;
    if (c.joint >= 0)
      of_joint(c.joint, c.dof, c.motion);
    else
      out.push_back({{c.what->name + ".drive", c.turns ? "rad" : "m"}, c.motion});
  }
  return out;
}

std::vector<std::string> tangent_units(const Equations& eq) {
  std::vector<std::string> out(eq.nv());
  for (const recursive::Node& node : eq.tree().nodes) {
    for (int k = 0; k < node.nv(); ++k) out[node.iv + k] = node.is_length(k) ? "m" : "rad";
  }
  for (const recursive::MeshNode& m : eq.tree().meshes) {
    for (int k = 0; k < m.mesh->coordinates; ++k) out[m.iv + k] = m.mesh->is_length[k] ? "m" : "-";
  }
  for (std::size_t k = 0; k < eq.tree().own.size(); ++k) out[eq.first_own() + k] = eq.tree().own[k].what.unit;
  for (int k = 0; k < eq.ns(); ++k) out[eq.nv() - eq.ns() + k] = eq.tree().states[k].unit;
  return out;
}

}  // namespace skyhook::formalism
