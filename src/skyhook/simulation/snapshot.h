// Everything a user may want to know at one instant, from (t, q, v) alone: accelerations, reactions of every joint,
// drive forces, energies. Reactions of statically indeterminate loops are of least size over the reactions of all joints,
// moments divided by the characteristic length of the model, so that another cut gives the same.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/recursive/acceleration_solver.h"

namespace skyhook::simulation {

using formalism::recursive::Equations;

class Snapshot {
 public:
  // `active` holds the independent constraint rows, `all` every row of the same model and tree that holds at present: of those
  // that switch, the contacts that are closed and the coordinates that stick.
  Snapshot(std::shared_ptr<const Equations> active, std::shared_ptr<const Equations> all);

  // Reactions cost most where loops are statically indeterminate: left out, they keep their last values.
  Eval evaluate(double time, CSpan q_now, CSpan v_now, bool with_reactions = true);
  // In equilibrium: no velocities or accelerations, the forces of the constraints (active rows) as given; of v_now the inner
  // states alone are read.
  Eval evaluate_at_rest(double time, CSpan q_now, CSpan v_now, CSpan multipliers);
  // Without accelerations and reactions: enough for power() with known multipliers.
  void evaluate_motion(double time, CSpan q_now, CSpan v_now);
  // The same with energies.
  void evaluate_energy(double time, CSpan q_now, CSpan v_now);
  // As evaluate_motion() with lambda.
  Eval evaluate_drives(double time, CSpan q_now, CSpan v_now);

  double t = 0;
  CSpan q, v;
  std::vector<double> a, lambda;                       // lambda of the active rows
  std::vector<double> all_multipliers;                 // by Equations::rows(), least size; 0 where a row does not hold
  std::vector<double> positions, velocities;           // residuals g and G v + gI by Equations::rows(); likewise
  std::vector<formalism::recursive::NodeState> nodes;  // with gravity taken out of `a` again
  std::vector<double> reactions;                       // 6 a joint: force and moment on `to`, global axes
  std::vector<model::Wrench<double>> wrenches;         // of force elements, in A's axes
  std::vector<model::Relative<double>> relatives;      // of force elements
  std::vector<double> coordinate_forces;
  struct StateForce {
    double x = 0, v = 0, pull = 0;  // length or coordinate, its rate, tension
    Vec3d f, n;                     // on B, global axes; between frames only
  };
  std::vector<StateForce> state_forces;  // of force elements with inner states
  std::vector<double> state_rates;       // c'
  std::vector<formalism::recursive::ContributionState> contributions;
  std::vector<Equations::FrictionForce> frictions;  // of joints under load, in the order of Equations::frictions()
  std::vector<double>
      drives;  // force or moment of each coordinate that follows its drive, in the order of Tree::driven
  double kinetic = 0, potential = 0;
  const model::Contribution* without_energy = nullptr;  // the first whose stored energy is no finite number
  std::string blame;

  // Power that does not stem from stored energy: dampers, actuators, drives. Needs evaluate_motion() and the forces of
  // the driven rows and of joints with friction (multipliers of the active rows), or evaluate_drives().
  double power(CSpan multipliers) const;
  bool has_power() const { return has_power_; }
  bool holds(int row) const { return place_in_all_[static_cast<std::size_t>(row)] >= 0; }  // else it is switched off
  bool has_drive() const { return has_drive_; }  // or other power that depends on multipliers
  const Equations& equations() const { return *active_; }

 private:
  struct Mode {  // a self-stress: multipliers that do nothing together
    std::vector<std::pair<int, double>> rows;
  };
  Eval complete(bool with_reactions, formalism::recursive::Drives how = formalism::recursive::Drives::move);
  void measure_drives();
  void take_motion();  // from the workspace
  void measure_forces();
  void measure_state_forces();
  void measure_contributions();
  double contribution_power() const;
  double state_power() const;
  void measure_energy();
  void measure_residuals();
  void joint_reactions();
  bool is_reversed(int joint) const;
  Vec3d reaction_point(int joint) const;
  void least_reactions();
  void find_modes();

  std::shared_ptr<const Equations> active_, all_;
  formalism::recursive::AccelerationSolver solver_;
  Equations::Workspace ws_, ws_all_;
  std::vector<double> tau_, qdot_, g_, rate_, at_rest_, zero_g_, g_all_, rate_all_;
  std::vector<int> redundant_;      // rows of `all` that are not active
  std::vector<int> place_in_all_;   // by row: among the active rows of `all`; -1: it does not hold
  std::vector<int> joint_of_node_;  // whose reaction the node's wrench is; -1
  Csc mass_all_, jacobian_all_;     // of `all`, where rows are redundant
  std::vector<Mode> modes_;
  double length_;
  bool has_power_, has_drive_ = false;
};

}  // namespace skyhook::simulation
