#include "skyhook/element/force/rubber_bushing.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/rotation_vector.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element {
namespace {

// A spring in series with a damper or a slider; its state c is the deflection of the spring.
struct Branch {
  int direction;  // x y z, then about these
  double stiffness;
  double time = 0;    // of a damper: c' = v - c / time
  double travel = 0;  // of a slider (Dahl 1968): c' = v - |v| c / travel
};

template <class T>
T rate_of(const Branch& branch, const T& v, const T& c) {
  if (branch.time > 0) return v - T(1 / branch.time) * c;
  return v - T((value_of(v) < 0 ? -1.0 : 1.0) / branch.travel) * v * c;
}

struct RubberLaw final : model::LoadsLaw<RubberLaw> {
  Vec3d stiffness, angular_stiffness, r_design;
  Mat3d R_design;
  std::vector<Branch> branches;
  bool resists_rotation = false;
  model::Declared declaration;

  const model::Declared& declared() const override { return declaration; }

  template <class T>
  Vec3<T> turned(const Mat3<T>& R) const {
    return rotation_vector(R * Mat3<T>(transpose(R_design)));
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const model::Relative<T>& m = in.motion;
    Vec3<T> pull, pull_about, phi, phi_rate;
    for (int k = 0; k < 3; ++k) pull[k] = T(stiffness[k]) * (m.r[k] - T(r_design[k]));
    if (resists_rotation) {
      phi = turned(m.R);
      phi_rate = gradient_for_rotation(-phi, m.w);  // J(phi) w, as J(phi)^T = J(-phi)
      for (int k = 0; k < 3; ++k) pull_about[k] = T(angular_stiffness[k]) * phi[k];
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const Branch& branch = branches[i];
      const int k = branch.direction % 3;
      const bool turns = branch.direction > 2;
      out.rates[i] = rate_of(branch, turns ? phi_rate[k] : m.v[k], in.c[i]);
      (turns ? pull_about : pull)[k] += T(branch.stiffness) * in.c[i];
    }
    out.wrench.f = -pull;
    if (resists_rotation) out.wrench.n = -gradient_for_rotation(phi, pull_about);
  }

  double energy(const model::LoadInput<double>& in) const override {
    const Vec3d d = in.motion.r - r_design, phi = turned(in.motion.R);
    double twice = 0;
    for (int k = 0; k < 3; ++k) twice += stiffness[k] * d[k] * d[k] + angular_stiffness[k] * phi[k] * phi[k];
    for (std::size_t i = 0; i < branches.size(); ++i) twice += branches[i].stiffness * in.c[i] * in.c[i];
    return 0.5 * twice;
  }

  std::vector<model::Quantity> quantities() const override {
    constexpr const char *shift = "displacement from design, axes of `from`", *turn = "rotation vector from design";
    return {{"dx", "m", shift},  {"dy", "m", shift},  {"dz", "m", shift},
            {"rx", "rad", turn}, {"ry", "rad", turn}, {"rz", "rad", turn}};
  }
  void measure(const model::LoadInput<double>& in, const model::Acting&, std::vector<double>& out) const override {
    for (const Vec3d& a : {in.motion.r - r_design, turned(in.motion.R)}) out.insert(out.end(), {a.x, a.y, a.z});
  }
  std::string signature() const override {
    std::string text;
    for (const Branch& branch : branches) text += fmt::format("{}{}", branch.direction, branch.time > 0 ? 'd' : 's');
    return text;
  }
};

void add_branch(RubberLaw& law, const Branch& branch, const std::string& name) {
  const bool turns = branch.direction > 2;
  law.branches.push_back(branch);
  const std::string direction{turns ? 'r' : 'd', "xyz"[branch.direction % 3]};  // as of its channels
  law.declaration.states.push_back({name + "_" + direction, turns ? "rad" : "m", 0.01, 0.0});
}

void add_branches(const model::Rows& rows, const char* field, int first, const RubberBushing& of,
                  const model::FieldSource& source, RubberLaw& law) {
  if (!rows.empty() && rows.size() != of.branch_times.size())
    fail(source, field, fmt::format("there are {} branches, but {} times.", rows.size(), of.branch_times.size()),
         "Give one of `branch_times` for each row.");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != 3) fail(source, field, "a branch needs three numbers.", "Write [x, y, z] for each branch.");
    for (int k = 0; k < 3; ++k) {
      if (rows[i][static_cast<std::size_t>(k)] > 0)
        add_branch(law, {first + k, rows[i][static_cast<std::size_t>(k)], of.branch_times[i]},
                   fmt::format("branch{}", i + 1));
    }
  }
}

void add_friction(const Vec3d& most, const Vec3d& stiffness, const char* field, int first,
                  const model::FieldSource& source, RubberLaw& law) {
  for (int k = 0; k < 3; ++k) {
    if ((most[k] > 0) != (stiffness[k] > 0))
      fail(source, field,
           fmt::format("friction along or about {} needs its stiffness, and the other way round.", "xyz"[k]),
           "Give both above zero, or both zero.");
    if (most[k] > 0) add_branch(law, {first + k, stiffness[k], 0, most[k] / stiffness[k]}, "friction");
  }
}

}  // namespace

void RubberBushing::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  auto law = std::make_shared<RubberLaw>();
  law->stiffness = stiffness;
  law->angular_stiffness = angular_stiffness;
  law->r_design = transpose_times(pair.from.axes, pair.to.at - pair.from.at);
  law->R_design = transpose(pair.from.axes) * pair.to.axes;
  law->declaration.has_loads = true;
  if (!branch_times.empty() && branches.empty() && angular_branches.empty())
    fail(source, "branch_times", "there are times, but no branches.", "Give `branches` or `angular_branches`.");
  add_branches(branches, "branches", 0, *this, source, *law);
  add_branches(angular_branches, "angular_branches", 3, *this, source, *law);
  add_friction(friction, friction_stiffness, "friction", 0, source, *law);
  add_friction(angular_friction, angular_friction_stiffness, "angular_friction", 3, source, *law);
  law->resists_rotation = !(angular_stiffness == Vec3d{});
  for (const Branch& branch : law->branches) law->resists_rotation |= branch.direction > 2;
  model.contributions.push_back(contribution(pair, source, std::move(law)));
}

}  // namespace skyhook::element
