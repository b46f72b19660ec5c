// Makes snapshots from (t, q, v) alone: accelerations, reactions of every joint, drive forces, energies.
#pragma once
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/reactions.h"

namespace skyhook::formalism {

class Evaluator {
 public:
  // `active` holds the independent constraint rows, `all` every row of the same model and tree that holds at present: of those
  // that switch, the contacts that are closed and the coordinates that stick.
  Evaluator(std::shared_ptr<const EquationsOfMotion> active, std::shared_ptr<const EquationsOfMotion> all);

  // Each fills now(); what it does not speak of keeps its last values. Not ok: see blame().
  // Reactions cost most where loops are statically indeterminate, and may be left out.
  Eval evaluate(double t, CSpan q, CSpan v, bool with_reactions = true);
  // In equilibrium: no velocities or accelerations, the forces of the constraints (active rows) as given; of v the inner
  // states alone are read.
  Eval evaluate_at_rest(double t, CSpan q, CSpan v, CSpan multipliers);
  // Without accelerations and reactions: enough for power() with known multipliers.
  void evaluate_motion(double t, CSpan q, CSpan v);
  // The same with energies.
  void evaluate_energy(double t, CSpan q, CSpan v);
  // As evaluate_motion() with lambda.
  Eval evaluate_drives(double t, CSpan q, CSpan v);

  const Snapshot& now() const { return now_; }
  const std::string& blame() const { return blame_; }
  // Power that does not stem from stored energy may be there; it may depend on multipliers.
  bool has_power() const { return has_power_; }
  bool has_drive() const { return has_drive_; }
  const EquationsOfMotion& equations() const { return now_.equations(); }

 private:
  void begin(double t, CSpan q, CSpan v);
  Eval accelerate();
  Eval complete(bool with_reactions, Drives how = Drives::move);
  Eval residual(Drives how);
  void measure_drives();
  void take_motion();  // from the workspace
  void measure_forces();
  void measure_state_forces();
  void measure_contributions();
  void measure_residuals();

  std::shared_ptr<const recursive::Equations> active_, all_;
  AccelerationSolver solver_;
  Reactions reactions_;
  EquationsOfMotion::Workspace ws_, ws_all_;
  std::vector<double> tau_, qdot_, g_, rate_, zero_g_, g_all_, rate_all_;
  Snapshot now_;
  std::string blame_;
  bool has_power_, has_drive_ = false;
};

}  // namespace skyhook::formalism
