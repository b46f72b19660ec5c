// What formulations and the run see of the equations of motion: sizes, names, where coordinates and rotations stand, rows, parts of
// contributions, patterns, and values with derivatives. Of trees, nodes and how elements are assembled they know nothing;
// tools/check_layers watches. A view is a few words that share the equations, and is copied.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "skyhook/formalism/evaluation.h"
#include "skyhook/formalism/forward.h"
#include "skyhook/formalism/state.h"

namespace skyhook::model {
struct Held;
struct InnerState;
struct Model;
struct Setting;
}  // namespace skyhook::model

namespace skyhook::formalism {

class AccelerationSolver;
struct Partition;
struct Parts;
struct Topology;

// Where a scalar coordinate of a joint stands in the state.
struct JointCoordinate {
  int iq = -1, iv = -1;      // -1: nowhere, the joint is cut or the coordinate follows its drive
  bool in_rotation = false;  // iq, iv: where the quaternion and the angular velocity begin
  int drive = -1;            // among driven()
  bool is_driven() const { return drive >= 0; }
};

class EquationsOfMotion {
 public:
  class Workspace;   // what evaluations change
  struct Rotation {  // a unit quaternion in q at iq, its angular velocity in v at iv
    int iq, iv;
  };
  struct Driven {  // a joint coordinate that follows its drive
    int joint, dof;
  };
  struct Modal {  // a body that bends: where its modes stand
    int body, iq, iv, modes;
  };
  struct Load {  // the dynamics of a velocity coordinate depend on the row's multiplier beyond G^T
    int row, iv;
  };

  // As recursive::Equations.
  EquationsOfMotion(std::shared_ptr<const model::Model> model, const Topology& topology,
                    std::optional<std::vector<int>> active = {}, std::shared_ptr<const model::Held> held = {});
  template <class Equations>
    requires std::is_convertible_v<std::shared_ptr<Equations>, std::shared_ptr<const recursive::Equations>>
  EquationsOfMotion(std::shared_ptr<Equations> equations) : eq_(std::move(equations)) {
    look();
  }
  EquationsOfMotion(const std::shared_ptr<const EquationsOfMotion>& shared) : EquationsOfMotion(*shared) {}

  // For formalism/, which looks behind the view.
  operator const recursive::Equations&() const { return *eq_; }
  const std::shared_ptr<const recursive::Equations>& behind() const { return eq_; }

  // The same with every row that does not switch, and another value of what is held.
  std::shared_ptr<const EquationsOfMotion> holding(std::shared_ptr<const model::Held> held) const;

  const model::Model& model() const;
  const std::shared_ptr<const model::Held>& held() const;
  // `signals`: the continuous ones, as a Snapshot has them or as they are at a state.
  model::Setting setting(const model::Contribution& what, CSpan signals) const;
  std::vector<double> signals_at(const State& state) const;

  int nq() const { return nq_; }
  int nv() const { return nv_; }  // inner states included
  int ns() const { return ns_; }
  int ng() const { return ng_; }
  int nz() const { return nz_; }            // algebraic unknowns and contact variables of contributions
  int remembered() const;                   // of these, and places on lines: what Held::branch has
  int moving() const { return nv_ - ns_; }  // velocity coordinates that are no inner states
  int own() const { return own_; }          // of these, behind those of joints: masses of contributions
  double heaviest() const;                  // of all masses
  const std::vector<int>& cuts() const;     // joints that close loops
  bool is_cut(int joint) const;             // it has no coordinates in the state
  bool counts_turns() const;                // of angles that are measured, from Held::angles
  bool reads_turns() const;                 // forces or rows act on such an angle
  JointCoordinate coordinate(int joint, int scalar) const;
  const std::vector<Driven>& driven() const;
  const std::vector<Rotation>& rotations() const;
  const std::vector<Modal>& modal() const;
  bool in_rotation(int iq) const;
  // The position whose rate this velocity coordinate is; -1: it belongs to a rotation or is an inner state.
  int position_of(int iv) const;
  // The angular velocity that it belongs to is that of `from` against `to`, in axes of `from`: the joint is passed backwards.
  bool is_turned_around(int iv) const;

  const std::vector<std::string>& position_names() const;
  const std::vector<std::string>& velocity_names() const;
  const std::string& state_name(int state) const;      // among (q, v)
  const std::string& owner_of_velocity(int iv) const;  // joint, body or contribution
  std::string freedom_name(int iv) const;              // of a motion along it: "crank.angle", "ball.rotation_x"
  double reference(int iq) const;                      // what the user calls the design position
  const std::vector<model::InnerState>& inner_states() const;
  std::string unknown_name(int z) const;
  double nominal(int iv) const;  // usual size, for tolerances
  double position_nominal(int iq) const;
  double unknown_nominal(int z) const;

  const std::vector<RowInfo>& rows() const;  // all, redundant ones included; those that switch come last
  const std::vector<int>& active() const;    // those that are held here
  const std::vector<SwitchRow>& switch_rows() const;
  const Parts& parts() const;  // of contributions (parts.h)

  const Pattern& tangent_pattern() const;
  const Pattern& loop_pattern() const;
  const Pattern& constraint_pattern() const;
  const Pattern& mass_pattern() const;
  const Pattern& own_pattern() const;
  const Pattern& own_rows_pattern() const;
  std::vector<Load> loads() const;

  Workspace workspace() const;
  AccelerationSolver acceleration_solver() const;
  Partition choose_dependent(const State& state) const;

  // As of recursive::Equations.
  int inputs() const;
  void inputs(double t, Span u) const;
  Eval residual(const Input& in, const Output& out, Workspace& ws) const;
  Eval derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  void matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const;
  void mass_columns(const Input& in, double* const* mass, Workspace& ws) const;
  Eval dynamics(const Input& in, Span tau, Workspace& ws) const;
  Eval explicit_form(const Input& in, const Output& out, Workspace& ws) const;
  void constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const;
  Eval constraint_accelerations(const Input& in, Span g_acceleration, Workspace& ws) const;
  void contact_motion(double t, CSpan q, CSpan v, Span gap, Span gap_rate, Workspace& ws) const;
  void find_unknowns(double t, CSpan q, CSpan v, Span found, Workspace& ws) const;
  double find_angles(double t, CSpan q, CSpan v, Span angles, Workspace& ws) const;
  void kinematics(CSpan q, CSpan v, Span qdot) const;
  void plus(Span q, CSpan dv) const;

 private:
  struct Facts;  // what is found once
  void look();

  std::shared_ptr<const recursive::Equations> eq_;
  std::shared_ptr<const Facts> facts_;
  int nq_ = 0, nv_ = 0, ns_ = 0, ng_ = 0, nz_ = 0, own_ = 0;
};

// A copy has memory of its own.
class EquationsOfMotion::Workspace {
 public:
  Workspace();  // of no equations yet
  explicit Workspace(const recursive::Equations& equations);
  Workspace(const Workspace& other);
  Workspace& operator=(const Workspace& other);
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  std::string& blame();  // who is the cause where an evaluation is not ok
  const std::string& blame() const;
  // For formalism/.
  operator recursive::EquationsWorkspace&() { return *work_; }
  recursive::EquationsWorkspace* operator->() { return work_.get(); }

 private:
  std::unique_ptr<recursive::EquationsWorkspace> work_;
};

}  // namespace skyhook::formalism
