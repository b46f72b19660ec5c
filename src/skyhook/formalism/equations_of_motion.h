// What formulations see of the equations of motion: sizes, names, where rotations stand, rows, patterns, and their values with derivatives.
// Of trees, nodes and elements they know nothing (DESIGN, hinge 3); tools/check_layers watches.
#pragma once
#include <memory>
#include <utility>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/recursive/acceleration_solver.h"
#include "skyhook/formalism/recursive/mass_factor.h"

namespace skyhook::formalism {

using recursive::AccelerationSolver;
using recursive::Blocks;
using recursive::Drives;
using recursive::Input;
using recursive::Levels;
using recursive::MassFactor;
using recursive::Matrices;
using recursive::Output;

class EquationsOfMotion {
 public:
  using Workspace = recursive::Equations::Workspace;
  using Rotation = recursive::QuaternionSlot;  // a unit quaternion in q at iq, its angular velocity in v at iv

  template <class Equations>
  EquationsOfMotion(std::shared_ptr<Equations> equations)
      : eq_(std::move(equations)), position_of_(static_cast<std::size_t>(eq_->nv()), -1) {
    for (const auto& node : eq_->tree().nodes) {
      const int scalars = node.nq() == node.nv() ? node.nq() : node.nq() - 4;
      for (int k = 0; k < scalars; ++k) position_of_[static_cast<std::size_t>(node.iv + k)] = node.iq + k;
    }
  }

  int nq() const { return eq_->nq(); }
  int nv() const { return eq_->nv(); }
  int ns() const { return eq_->ns(); }
  int ng() const { return eq_->ng(); }
  int nz() const { return eq_->nz(); }
  int moving() const { return nv() - ns(); }  // velocity coordinates that are no inner states
  const std::vector<Rotation>& rotations() const { return eq_->tree().quaternions; }
  // The position whose rate this velocity coordinate is; -1: it belongs to a rotation or is an inner state.
  int position_of(int iv) const { return position_of_[static_cast<std::size_t>(iv)]; }

  const std::vector<std::string>& position_names() const { return eq_->tree().q_names; }
  const std::vector<std::string>& velocity_names() const { return eq_->tree().v_names; }
  const std::string& owner_of_velocity(int iv) const { return eq_->tree().v_owner[static_cast<std::size_t>(iv)]; }
  const std::vector<recursive::RowInfo>& rows() const { return eq_->rows(); }
  const std::vector<int>& active() const { return eq_->active(); }
  std::string unknown_name(int z) const { return eq_->unknown_name(z); }
  double nominal(int iv) const { return eq_->nominal(iv); }
  double position_nominal(int iq) const { return eq_->position_nominal(iq); }
  double unknown_nominal(int z) const { return eq_->unknown_nominal(z); }

  const Pattern& tangent_pattern() const { return eq_->tangent_pattern(); }
  const Pattern& loop_pattern() const { return eq_->loop_pattern(); }
  const Pattern& constraint_pattern() const { return eq_->constraint_pattern(); }
  const Pattern& mass_pattern() const { return eq_->mass_pattern(); }
  const Pattern& own_pattern() const { return eq_->own_pattern(); }
  const Pattern& own_rows_pattern() const { return eq_->own_rows_pattern(); }
  // visit(row, velocity coordinate): the dynamics of the coordinate depend on the row's multiplier beyond G^T.
  template <class Visit>
  void for_each_load(Visit&& visit) const {
    for (const auto& friction : eq_->frictions()) {
      const auto& c = eq_->pair_constraints()[static_cast<std::size_t>(friction.constraint)];
      for (const auto& row : c.rows) {
        for (const int iv : c.pair.dofs) {
          if (row.row >= 0) visit(row.row, iv);
        }
      }
    }
  }

  Workspace workspace() const { return eq_->workspace(); }
  AccelerationSolver acceleration_solver() const { return AccelerationSolver(*eq_); }
  Partition choose_dependent(const State& state) const { return formalism::choose_dependent(*eq_, state); }

  // As of recursive::Equations.
  int inputs() const { return eq_->inputs(); }
  void inputs(double t, Span u) const { eq_->inputs(t, u); }
  Eval residual(const Input& in, const Output& out, Workspace& ws) const { return eq_->residual(in, out, ws); }
  Eval derivatives(const Input& in, const Blocks& out, Workspace& ws) const { return eq_->derivatives(in, out, ws); }
  void matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const { eq_->matrices(t, q, out, ws); }
  void mass_columns(const Input& in, double* const* mass, Workspace& ws) const { eq_->mass_columns(in, mass, ws); }
  Eval dynamics(const Input& in, Span tau, Workspace& ws) const { return eq_->dynamics(in, tau, ws); }
  Eval explicit_form(const Input& in, const Output& out, Workspace& ws) const {
    return eq_->explicit_form(in, out, ws);
  }
  void constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const {
    eq_->constraints(t, q, v, g, g_rate, ws);
  }
  Eval constraint_accelerations(const Input& in, Span g_acceleration, Workspace& ws) const {
    return eq_->constraint_accelerations(in, g_acceleration, ws);
  }
  void find_unknowns(double t, CSpan q, CSpan v, Span found, Workspace& ws) const {
    eq_->find_unknowns(t, q, v, found, ws);
  }
  void kinematics(CSpan q, CSpan v, Span qdot) const { eq_->kinematics(q, v, qdot); }
  void plus(Span q, CSpan dv) const { eq_->plus(q, dv); }

 private:
  std::shared_ptr<const recursive::Equations> eq_;
  std::vector<int> position_of_;
};

}  // namespace skyhook::formalism
