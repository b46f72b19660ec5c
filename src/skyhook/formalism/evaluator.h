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
  // Reactions cost most where loops are statically indeterminate, and may be left out; forces of drives that stand still may then be 0,
  // as they do no work.
  enum class Energies { measured, left_out };
  Eval evaluate(double t, CSpan q, CSpan v, bool with_reactions = true, Energies energies = Energies::measured);
  // As evaluate() without reactions and forces of drives.
  Eval evaluate_accelerations(double t, CSpan q, CSpan v, Energies energies = Energies::measured);
  // The same, or with reactions as evaluate(), a short time from where the accelerations were last found: their change to first order,
  // at less than half the price. hold() first, there.
  void hold();
  Eval evaluate_beside(double t, CSpan q, CSpan v, bool with_reactions, Energies energies = Energies::measured);
  // In equilibrium: no velocities or accelerations, the forces of the constraints (active rows) as given; of v the inner
  // states alone are read.
  Eval evaluate_at_rest(double t, CSpan q, CSpan v, CSpan multipliers);
  // Without accelerations and reactions: enough for power() with known multipliers.
  void evaluate_motion(double t, CSpan q, CSpan v);
  // Of the contributions the forces of those alone that are marked, by their numbers in the model.
  using Marked = std::span<const char>;
  void evaluate_motion(double t, CSpan q, CSpan v, Marked forces);
  // Without forces: the motion that laws see, from which they tell when they switch; of those alone that are marked.
  void evaluate_relative_motion(double t, CSpan q, CSpan v, Marked forces = {});
  // As evaluate_motion() with energies.
  void evaluate_energy(double t, CSpan q, CSpan v);
  // The same where another workspace of these equations has been moved to this state: its nodes are taken.
  void evaluate_energy(double t, CSpan q, CSpan v, EquationsOfMotion::Workspace& moved);
  void measure_energy();  // of what was evaluated last
  // As evaluate_motion() with lambda and the forces of drives: enough for power(). Where the forces of all drives that move
  // follow from the motion alone there is nothing to solve, and lambda stays.
  Eval evaluate_drives(double t, CSpan q, CSpan v);

  // While it lives accelerations come from another solver of the same equations, which has factors of a place nearby.
  class Borrowing {
   public:
    Borrowing(Evaluator& evaluator, AccelerationSolver* from) : evaluator_(evaluator) { evaluator.borrowed_ = from; }
    ~Borrowing() { evaluator_.borrowed_ = nullptr; }
    Borrowing(const Borrowing&) = delete;
    Borrowing& operator=(const Borrowing&) = delete;

   private:
    Evaluator& evaluator_;
  };

  // Accelerations and multipliers that the next solution, at this time, may begin with (active rows).
  void expect(double t, CSpan a, CSpan lambda) { solver().expect(t, a, lambda); }

  const Snapshot& now() const { return now_; }
  const std::string& blame() const { return blame_; }
  // Power that does not stem from stored energy may be there; it may depend on multipliers.
  bool has_power() const { return has_power_; }
  bool has_drive() const { return has_drive_; }
  const EquationsOfMotion& equations() const { return now_.equations(); }

 private:
  void begin(double t, CSpan q, CSpan v);
  void move_nodes(double t, CSpan q, CSpan v);
  void measure_signals();
  AccelerationSolver& solver() { return borrowed_ ? *borrowed_ : solver_; }
  bool begin_finite(double t, CSpan q, CSpan v);
  Eval accelerate();
  void find_change();
  Eval complete_accelerations(Energies energies);
  Eval complete(bool with_reactions, Energies energies, Drives how = Drives::move);
  Eval residual(Drives how);
  Eval react();
  bool drives_are_led();
  Eval drives_alone();
  void measure_drives();
  void take_nodes();                        // from the workspace
  void take_forces();                       // and what elements do
  void take_motion();                       // both
  void measure_forces(Marked marked = {});  // none marked: of all
  void measure_frictions();
  void measure_state_forces(Marked marked);
  void measure_contributions(Marked marked);
  void measure_contribution(std::size_t k);
  enum class Known { none, active_rows };
  void measure_residuals(Known known = Known::none);

  std::shared_ptr<const recursive::Equations> active_, all_;
  AccelerationSolver solver_;
  AccelerationSolver* borrowed_ = nullptr;
  Reactions reactions_;
  EquationsOfMotion::Workspace ws_, ws_all_;
  std::vector<double> tau_, qdot_, g_, rate_, zero_v_, zero_g_, g_all_, rate_all_;
  Snapshot now_;
  std::vector<double> held_a_, held_lambda_;
  std::vector<char> is_known_;  // of all rows: those that are active, where some are redundant
  std::vector<double> change_;  // of accelerations since the forces were evaluated
  bool is_held_ = false;        // and solver() can follow
  std::string blame_;
  bool has_power_, has_drive_ = false;
  bool may_be_led_ = false;  // of drives power() asks for the forces in the tree alone, of nothing for multipliers
  std::vector<int> coupled_drives_;  // nodes of those whose forces depend on accelerations
};

}  // namespace skyhook::formalism
