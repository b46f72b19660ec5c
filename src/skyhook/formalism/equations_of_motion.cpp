#include "skyhook/formalism/equations_of_motion.h"

#include <algorithm>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

using recursive::Equations;
using recursive::Tree;

struct EquationsOfMotion::Facts {
  std::vector<Rotation> rotations;
  std::vector<Driven> driven;
  std::vector<Modal> modal;
  std::vector<int> position_of;  // by velocity coordinate
  Parts parts;
};

namespace {

// Positions and their rates stand in the same order, but for rotations.
std::vector<int> positions_of(const Equations& eq) {
  std::vector<int> out(static_cast<std::size_t>(eq.nv()), -1);
  auto rotation = eq.tree().quaternions.begin();
  for (int iq = 0, iv = 0; iq < eq.nq();) {
    if (rotation != eq.tree().quaternions.end() && rotation->iq == iq) {
      iq += 4, iv += 3, ++rotation;
      continue;
    }
    out[static_cast<std::size_t>(iv++)] = iq++;
  }
  return out;
}

}  // namespace

EquationsOfMotion::EquationsOfMotion(std::shared_ptr<const model::Model> model, const Topology& topology,
                                     std::optional<std::vector<int>> active, std::shared_ptr<const model::Held> held)
    : eq_(std::make_shared<const Equations>(std::move(model), topology, std::move(active), std::move(held))) {
  look();
}

void EquationsOfMotion::look() {
  const Tree& tree = eq_->tree();
  nq_ = eq_->nq(), nv_ = eq_->nv(), ns_ = eq_->ns(), ng_ = eq_->ng(), nz_ = eq_->nz();
  own_ = tree.nv - eq_->first_own();
  auto facts = std::make_shared<Facts>();
  for (const auto& slot : tree.quaternions) facts->rotations.push_back({slot.iq, slot.iv});
  for (const auto& driven : tree.driven) facts->driven.push_back({driven.joint, driven.dof});
  for (const auto& m : tree.modal) facts->modal.push_back({m.body, m.iq, m.iv, m.modes});
  facts->position_of = positions_of(*eq_);
  facts->parts = parts_of(*eq_);
  facts_ = std::move(facts);
}

std::shared_ptr<const EquationsOfMotion> EquationsOfMotion::holding(std::shared_ptr<const model::Held> held) const {
  return std::make_shared<const EquationsOfMotion>(eq_->shared_model(), eq_->topology(), std::nullopt, std::move(held));
}

const model::Model& EquationsOfMotion::model() const { return eq_->model(); }
const std::shared_ptr<const model::Held>& EquationsOfMotion::held() const { return eq_->held(); }
model::Setting EquationsOfMotion::setting(const model::Contribution& what, CSpan signals) const {
  return eq_->setting(what, signals);
}
std::vector<double> EquationsOfMotion::signals_at(const State& state) const {
  if (model().continuous.empty()) return {};
  recursive::SignalWork work = eq_->signal_work();
  std::string ignored;
  eq_->find_signals(state.t, state.q, state.v, nodes_of(*eq_, state), work, ignored);
  return work.values;
}

int EquationsOfMotion::remembered() const { return eq_->remembered(); }
double EquationsOfMotion::heaviest() const {
  double most = 0;
  for (const auto& node : eq_->tree().nodes) most = std::max(most, node.mass);
  return most;
}

// ---- coordinates

const std::vector<int>& EquationsOfMotion::cuts() const { return eq_->topology().cuts; }

bool EquationsOfMotion::is_cut(int joint) const {
  return eq_->topology().link_of_joint[static_cast<std::size_t>(joint)] < 0;
}

bool EquationsOfMotion::counts_turns() const { return eq_->counts_turns(); }
bool EquationsOfMotion::reads_turns() const { return eq_->reads_turns(); }

JointCoordinate EquationsOfMotion::coordinate(int joint, int scalar) const {
  if (is_cut(joint)) return {};
  const auto& at = eq_->tree().coordinates[static_cast<std::size_t>(joint)][static_cast<std::size_t>(scalar)];
  if (!at.is_driven()) return {at.iq, at.iv, at.in_ball};
  const auto& driven = eq_->tree().driven;
  const auto found = std::ranges::find(driven, at.node, &recursive::DrivenNode::node);
  return {.drive = static_cast<int>(found - driven.begin())};
}

const std::vector<EquationsOfMotion::Driven>& EquationsOfMotion::driven() const { return facts_->driven; }
const std::vector<EquationsOfMotion::Rotation>& EquationsOfMotion::rotations() const { return facts_->rotations; }
const std::vector<EquationsOfMotion::Modal>& EquationsOfMotion::modal() const { return facts_->modal; }

bool EquationsOfMotion::in_rotation(int iq) const {
  return std::ranges::any_of(rotations(), [&](const Rotation& r) { return iq >= r.iq && iq < r.iq + 4; });
}

int EquationsOfMotion::position_of(int iv) const { return facts_->position_of[static_cast<std::size_t>(iv)]; }

bool EquationsOfMotion::is_turned_around(int iv) const {
  if (std::ranges::none_of(rotations(), [&](const Rotation& r) { return iv >= r.iv && iv < r.iv + 3; })) return false;
  const auto& joints = model().joints;
  const auto found = std::ranges::find(joints, owner_of_velocity(iv), &model::Joint::name);
  if (found == joints.end()) return false;
  const int link = eq_->topology().link_of_joint[static_cast<std::size_t>(found - joints.begin())];
  return link >= 0 && eq_->topology().links[static_cast<std::size_t>(link)].reversed;
}

// ---- names and sizes

const std::vector<std::string>& EquationsOfMotion::position_names() const { return eq_->tree().q_names; }
const std::vector<std::string>& EquationsOfMotion::velocity_names() const { return eq_->tree().v_names; }

const std::string& EquationsOfMotion::state_name(int state) const {
  return state < nq_ ? position_names()[static_cast<std::size_t>(state)]
                     : velocity_names()[static_cast<std::size_t>(state - nq_)];
}

const std::string& EquationsOfMotion::owner_of_velocity(int iv) const {
  return eq_->tree().v_owner[static_cast<std::size_t>(iv)];
}

std::string EquationsOfMotion::freedom_name(int iv) const {
  if (const int iq = position_of(iv); iq >= 0) return position_names()[static_cast<std::size_t>(iq)];
  const auto its = std::ranges::lower_bound(rotations(), iv - 2, {}, &Rotation::iv);
  return its == rotations().end() || its->iv > iv ? velocity_names()[static_cast<std::size_t>(iv)]
                                                  : owner_of_velocity(iv) + ".rotation_" + "xyz"[iv - its->iv];
}

double EquationsOfMotion::reference(int iq) const { return eq_->tree().q_reference[static_cast<std::size_t>(iq)]; }
const std::vector<model::InnerState>& EquationsOfMotion::inner_states() const { return eq_->tree().states; }
std::string EquationsOfMotion::unknown_name(int z) const { return eq_->unknown_name(z); }
double EquationsOfMotion::nominal(int iv) const { return eq_->nominal(iv); }
double EquationsOfMotion::position_nominal(int iq) const { return eq_->position_nominal(iq); }
double EquationsOfMotion::unknown_nominal(int z) const { return eq_->unknown_nominal(z); }

// ---- rows, parts, patterns

const std::vector<RowInfo>& EquationsOfMotion::rows() const { return eq_->rows(); }
const std::vector<int>& EquationsOfMotion::active() const { return eq_->active(); }
const std::vector<SwitchRow>& EquationsOfMotion::switch_rows() const { return eq_->switch_rows(); }
const Parts& EquationsOfMotion::parts() const { return facts_->parts; }

const Pattern& EquationsOfMotion::tangent_pattern() const { return eq_->tangent_pattern(); }
const Pattern& EquationsOfMotion::loop_pattern() const { return eq_->loop_pattern(); }
const Pattern& EquationsOfMotion::constraint_pattern() const { return eq_->constraint_pattern(); }
const Pattern& EquationsOfMotion::mass_pattern() const { return eq_->mass_pattern(); }
const Pattern& EquationsOfMotion::own_pattern() const { return eq_->own_pattern(); }
const Pattern& EquationsOfMotion::own_rows_pattern() const { return eq_->own_rows_pattern(); }

std::vector<EquationsOfMotion::Load> EquationsOfMotion::loads() const {
  std::vector<Load> out;
  for (const auto& friction : eq_->frictions()) {
    const auto& c = eq_->pair_constraints()[static_cast<std::size_t>(friction.constraint)];
    for (const auto& row : c.rows) {
      for (const int iv : eq_->tree().coordinates_of(c.pair.dofs)) {
        if (row.row >= 0) out.push_back({row.row, iv});
      }
    }
  }
  for (const int k : eq_->readers()) {
    const auto& item = eq_->contributions()[static_cast<std::size_t>(k)];
    for (const int row : item.rows) {
      for (const int iv : eq_->tree().coordinates_of(item.moving())) {
        if (row >= 0) out.push_back({row, iv});
      }
    }
  }
  return out;
}

// ---- values

EquationsOfMotion::Workspace EquationsOfMotion::workspace() const { return Workspace(*eq_); }
AccelerationSolver EquationsOfMotion::acceleration_solver() const { return AccelerationSolver(*eq_); }
Partition EquationsOfMotion::choose_dependent(const State& state) const {
  return formalism::choose_dependent(*eq_, state);
}

int EquationsOfMotion::inputs() const { return eq_->inputs(); }
void EquationsOfMotion::inputs(double t, Span u) const { eq_->inputs(t, u); }

Eval EquationsOfMotion::residual(const Input& in, const Output& out, Workspace& ws) const {
  return eq_->residual(in, out, ws);
}
Eval EquationsOfMotion::derivatives(const Input& in, const Blocks& out, Workspace& ws) const {
  return eq_->derivatives(in, out, ws);
}
void EquationsOfMotion::matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const {
  eq_->matrices(t, q, out, ws);
}
void EquationsOfMotion::mass_columns(const Input& in, double* const* mass, Workspace& ws) const {
  eq_->mass_columns(in, mass, ws);
}
Eval EquationsOfMotion::dynamics(const Input& in, Span tau, Workspace& ws) const { return eq_->dynamics(in, tau, ws); }
Eval EquationsOfMotion::explicit_form(const Input& in, const Output& out, Workspace& ws) const {
  return eq_->explicit_form(in, out, ws);
}
void EquationsOfMotion::constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const {
  eq_->constraints(t, q, v, g, g_rate, ws);
}
Eval EquationsOfMotion::constraint_accelerations(const Input& in, Span g_acceleration, Workspace& ws) const {
  return eq_->constraint_accelerations(in, g_acceleration, ws);
}
void EquationsOfMotion::contact_motion(double t, CSpan q, CSpan v, Span gap, Span gap_rate, Workspace& ws) const {
  eq_->contact_motion(t, q, v, gap, gap_rate, ws);
}
void EquationsOfMotion::find_unknowns(double t, CSpan q, CSpan v, Span found, Workspace& ws) const {
  eq_->find_unknowns(t, q, v, found, ws);
}
double EquationsOfMotion::find_angles(double t, CSpan q, CSpan v, Span angles, Workspace& ws) const {
  return eq_->find_angles(t, q, v, angles, ws);
}
void EquationsOfMotion::kinematics(CSpan q, CSpan v, Span qdot) const { eq_->kinematics(q, v, qdot); }
void EquationsOfMotion::plus(Span q, CSpan dv) const { eq_->plus(q, dv); }

// ---- workspace

using Workspace = EquationsOfMotion::Workspace;

Workspace::Workspace() = default;
Workspace::Workspace(const Equations& equations)
    : work_(std::make_unique<recursive::EquationsWorkspace>(equations.workspace())) {}
Workspace::Workspace(const Workspace& other)
    : work_(other.work_ ? std::make_unique<recursive::EquationsWorkspace>(*other.work_) : nullptr) {}
Workspace& Workspace::operator=(const Workspace& other) { return *this = Workspace(other); }
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

std::string& Workspace::blame() { return work_->blame; }
const std::string& Workspace::blame() const { return work_->blame; }

}  // namespace skyhook::formalism
