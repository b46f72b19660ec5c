// The equations of motion of a model in joint coordinates ([Arnold 2006] (1); loops as in [Arnold 2004] (19) to (22)):
//
//   M(q) a - f(t, q, v) + G(q)^T lambda,   g(t, q),   G v + gI,   G a + gII
//
// where f depends on lambda too if joints have friction that depends on their load (load_friction.h), and c' of the inner
// states c of force elements ([Arnold 2004] (16)), which stand behind v as coordinates without position and with mass
// 1: all formulations carry them along. With their exact derivatives, assembled like finite elements: recursion
// derivatives of the tree plus local element blocks through the frames. Const after construction; everything that
// changes lives in the Workspace.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/base/kept_answers.h"
#include "skyhook/formalism/evaluation.h"
#include "skyhook/formalism/force_values.h"
#include "skyhook/formalism/recursive/contraction.h"
#include "skyhook/formalism/recursive/contribution_item.h"
#include "skyhook/formalism/recursive/evaluated_at.h"
#include "skyhook/formalism/recursive/load_friction.h"
#include "skyhook/formalism/recursive/mass_matrix.h"
#include "skyhook/formalism/recursive/measured_term.h"
#include "skyhook/formalism/recursive/path_block.h"
#include "skyhook/formalism/recursive/signal_item.h"
#include "skyhook/formalism/recursive/state_item.h"
#include "skyhook/formalism/recursive/tree_derivatives.h"
#include "skyhook/math/csc.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formalism::recursive {

// Where a contribution has found its contact last, and what follows from that: one evaluation asks several times at one pose.
struct FoundContact {
  bool is_known = false, has_changes = false;
  unsigned answers = 0;
  Vec3d r;
  Mat3d R;
  std::array<double, model::most_contact_variables> own{}, begin{};
  std::size_t begins = 0;  // how many of these there were
  double way = 0;
  LocalConditions conditions;

  bool is_at(const model::Pose<double>& pose, std::span<const double> begin_of_s) const {
    return is_known && answers == KeptAnswers::number() && r == pose.r && R == pose.R && way == pose.way &&
           std::equal(pose.p.begin(), pose.p.end(), own.begin()) && begins == begin_of_s.size() &&
           std::equal(begin_of_s.begin(), begin_of_s.end(), begin.begin());
  }
};

// A matrix over columns of the motion subspace, before it is contracted.
struct WideMatrix {
  std::vector<double> values;
  std::vector<double*> columns;
  double* const* on(const Pattern& pattern) {
    values.assign(static_cast<std::size_t>(pattern.nonzeros()), 0.0);
    columns.resize(static_cast<std::size_t>(pattern.cols));
    for (int j = 0; j < pattern.cols; ++j) columns[static_cast<std::size_t>(j)] = values.data() + pattern.start[j];
    return columns.data();
  }
};

// What evaluations change.
struct EquationsWorkspace {
  std::vector<NodeState> nodes;
  std::vector<Articulated> articulated;
  std::vector<double> tangent;  // nv
  std::vector<Load> eta;        // wrench of the eta of all constraints on each node
  std::vector<Twist> path;
  std::vector<double> pulls, rates;  // of the force elements with inner states; of the states
  std::vector<StrokeGradient> strokes;
  PathBlock block;
  model::Relative<model::Local> local;  // its seeds are set once
  TreeDerivatives::Workspace derivatives;
  MassMatrix::Workspace mass;
  LocalConditions conditions;       // of the contribution looked at last
  LinePoint line;                   // the same, of what slides on a line
  std::vector<FoundContact> found;  // by contribution
  LocalLoads loads;
  SignalWork signals;
  std::vector<double> own, own_rate;                       // its own coordinates
  std::array<double, model::most_rows> own_multipliers{};  // and those of its rows, where its loads read them
  std::vector<double> levels;                              // of the constraints: thrown away
  bool keeps_forces = false;        // an evaluation leaves what elements do, where z is not given
  ForceValues forces;               // there; whoever asks makes room
  EvaluatedAt residual;             // the last one: its nodes are marked, see Equations::note_residual()
  std::vector<Load> carried;        // what each node carries with its subtree, all forces and multipliers included
  std::array<WideMatrix, 10> wide;  // where points of modal bodies are
  std::vector<double> scratch;
  std::vector<double> mesh_stiffness, mesh_damping;  // of the mesh looked at last
  std::string blame;
};

class Equations {
 public:
  using Workspace = EquationsWorkspace;

  // `active`: indices of the constraint rows to keep; absent: all but those that switch. `held` may change between evaluations;
  // absent: signals as at the start, laws that switch decide by themselves.
  Equations(std::shared_ptr<const model::Model> model, const Topology& topology,
            std::optional<std::vector<int>> active = {}, std::shared_ptr<const model::Held> held = {});

  const model::Model& model() const { return *model_; }
  const std::shared_ptr<const model::Model>& shared_model() const { return model_; }
  const Tree& tree() const { return tree_; }
  const Topology& topology() const { return topology_; }
  bool is_cut(int joint) const { return tree_.last_node_of_joint[joint] < 0; }  // it has no coordinates in the state
  int nq() const { return tree_.nq; }
  int nv() const { return tree_.nv + ns(); }  // inner states included
  int ns() const { return static_cast<int>(tree_.states.size()); }
  int columns() const { return tree_.columns; }  // of the motion subspace: nv(), and six for each point of a modal body
  bool is_wide() const { return !tree_.points.empty(); }
  int ng() const { return static_cast<int>(active_.size()); }
  const std::vector<RowInfo>& rows() const {
    return rows_;
  }  // all, redundant ones included; those that switch come last
  const std::vector<SwitchRow>& switch_rows() const { return switch_rows_; }  // contacts, then what sticks
  const std::vector<int>& active() const { return active_; }
  // Usual size of a velocity coordinate, for tolerances.
  double nominal(int iv) const {
    const int own = iv - first_own();
    if (own < 0 && bends()) return modal_nominal(iv);
    return own < 0         ? joint_nominal_[iv]
           : iv < tree_.nv ? tree_.own[own].what.nominal
                           : tree_.states[iv - tree_.nv].nominal;
  }
  // The same of a position coordinate.
  double position_nominal(int iq) const {
    const int own = iq - nq() + static_cast<int>(tree_.own.size());
    if (own < 0 && bends()) return modal_position_nominal(iq);
    return own < 0 ? joint_position_nominal_[iq] : tree_.own[own].what.nominal;
  }
  // The first velocity coordinate that is a contribution's own.
  int first_own() const { return tree_.nv - static_cast<int>(tree_.own.size()); }
  // Over coordinates. Of those kept here (tangent_pattern_, ...) the columns are those of the motion subspace, which is the same where no body
  // bends.
  const Pattern& tangent_pattern() const {
    return need_derivatives(), is_wide() ? narrow_->tangent.pattern() : tangent_pattern_;
  }
  const Pattern& loop_pattern() const {
    return need_derivatives(), is_wide() ? narrow_->loop.pattern() : loop_pattern_;
  }
  const Pattern& constraint_pattern() const { return is_wide() ? narrow_->constraint.pattern() : constraint_pattern_; }
  const Pattern& mass_pattern() const {
    return need_mass(), is_wide() ? narrow_->mass.pattern() : mass_matrix_.pattern();
  }
  // What depends on the unknowns z of contributions, columns z: rows of tau (nv), of G^T eta (nv), of g_rate (ng), of h (nz).
  const Pattern& own_pattern() const { return is_wide() ? narrow_->own.pattern() : own_pattern_; }
  const Pattern& own_rows_pattern() const {
    return is_wide() ? narrow_->own_rows.pattern() : own_rows_pattern_;
  }  // h over velocity coordinates: nz x nv
  Workspace workspace() const;

  // The excitations u of [Arnold 2006] (8): each prescribed motion with its first and second time derivative. Forces
  // that depend on time keep to t: their formulas mix it with the motion, there is no u to tell apart.
  int inputs() const { return 3 * static_cast<int>(motions_.size()); }
  void inputs(double t, Span u) const;

  // Residual formalism, O(N).
  Eval residual(const Input& in, const Output& out, Workspace& ws) const;
  // Exact derivatives of everything residual() computes.
  Eval derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  // M and G alone, which depend on t and q only.
  void matrices(double t, CSpan q, const Matrices& out, Workspace& ws) const;
  // The same with g and G v + gI.
  void matrices(double t, CSpan q, CSpan v, const Matrices& out, Span g, Span g_rate, Workspace& ws) const;
  // M alone, into the columns of Blocks::mass: no forces and no constraints are evaluated. Reads t, q, u.
  void mass_columns(const Input& in, double* const* mass, Workspace& ws) const;
  // M a - f alone, without the constraints and friction that depends on their forces.
  Eval dynamics(const Input& in, Span tau, Workspace& ws) const;
  // What the accelerations under constraints follow from, in one outward pass; M and G too where they are wanted, G alone without room for M.
  Eval levels(const Input& in, const Levels& out, Workspace& ws, const Matrices* wanted = nullptr) const;
  // After levels() at the same motion: the nodes come to carry what residual() leaves there for lambda and accelerations that are larger by
  // in.a than those of levels(). No force is evaluated again.
  Eval add_reactions(const Input& in, Workspace& ws) const;
  // There too: what the nodes carry and their accelerations become those of accelerations that are larger by `change`; forces = M change.
  void change_accelerations(CSpan change, Span forces, Workspace& ws) const;
  // How fast joint k with friction slides, and its row P: speed = P v, the friction's generalised force is -P^T F. After
  // levels() or residual(), which move the nodes.
  double sliding(std::size_t k, const Workspace& ws, Span row) const;
  // Explicit formalism, O(N): a = M^-1 (f - G^T lambda).
  Eval accelerations(const Input& in, Span a, Workspace& ws) const;
  // What the nodes pass on with the accelerations just found there, as residual() with these has it. Without constraints, modal nodes and meshes.
  void add_inertia(CSpan v, CSpan a, Workspace& ws) const;
  // The same with all else that residual() tells: `tau` becomes a.
  Eval explicit_form(const Input& in, const Output& out, Workspace& ws) const;
  // g and G v + gI alone: no forces are evaluated.
  void constraints(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws) const;
  // The same for nodes of the workspace that have their positions and velocities. Rows between two frames may be left out, those that are
  // marked, and their rows of G be told too.
  void constraints_of_nodes(double t, CSpan q, CSpan v, Span g, Span g_rate, Workspace& ws,
                            std::span<const char> left_out = {}, Span jacobian = {}) const;
  // G a + gII for the given a (gII for a = 0).
  Eval constraint_accelerations(const Input& in, Span g_acceleration, Workspace& ws) const;
  // Of all contacts, closed or not, in the order of the model. `rate` is N v + nI, drives that move a side included.
  void contact_motion(double t, CSpan q, CSpan v, Span gap, Span gap_rate, Workspace& ws) const;
  // N a + nII of all contacts: how fast gap_rate grows for the accelerations in.a.
  Eval contact_accelerations(const Input& in, Span gap_acceleration, Workspace& ws) const;
  // The row N of one contact, the gradient of its gap, in all nv() velocity coordinates.
  void contact_row(int contact, double t, CSpan q, Span row, Workspace& ws) const;
  // "body ... has no inertia that resists rotation about ...", or gimbal lock, for messages; where `ws` has moved the nodes.
  std::string without_inertia(int iv, const Workspace& ws) const;
  int coordinate_without_inertia(int node, const Workspace& ws) const;
  // out = H(q) v
  void kinematics(CSpan q, CSpan v, Span qdot) const;
  // q ⊞ dv, in place: dv in tangent coordinates
  void plus(Span q, CSpan dv) const;

  // For recorders and analyses ------------------------------------------------------------------------------------
  struct ForceItem {
    Pair pair;
    const model::Contribution* force;
    std::shared_ptr<const model::WrenchElement> law;
    bool between_points;
    std::vector<int> slots;  // n x n, column by column: entry (i, j) in column j of the tangent pattern
  };
  struct CoordinateItem {
    int iq, iv, slot;
    double reference;
    const model::Contribution* force;
  };
  struct PairConstraint {
    Pair pair;
    std::vector<PairRow> rows;
    int joint;                        // model joint, or else
    const model::Contribution* what;  // a rod or contact
    int active_rows = 0;
    std::vector<int> slots = {}, loop_slots = {};  // n x n as above, in the tangent and the loop pattern
    std::vector<int> row_slots = {};               // rows x n: entry of (row, column j) in the constraint pattern
    int friction = -1;                             // among frictions()
  };
  struct LinearConstraint {  // sum ratio * q = offset(t); terms of cut joints stand among measured_terms()
    struct Term {
      int iq, iv;
      double ratio;
      int slot;
    };
    std::vector<Term> terms;
    double offset;  // constant part: ratio-weighted references
    const model::Motion* motion;
    int row, row_all;
    int joint, dof;  // driven joint coordinate, or else -1 and
    const model::Contribution*
        what;            // a coupler, or what sticks at Held::offsets[row_all], in terms of q (without its reference)
    int input = -1;      // offset, rate and acceleration among the inputs
    bool turns = false;  // its multiplier is a moment
    bool sticks() const { return what && what->holds(model::Row::Holds::stuck); }
  };
  const std::vector<ForceItem>& forces() const { return forces_; }
  const std::vector<CoordinateItem>& coordinate_forces() const { return coordinate_forces_; }
  const std::vector<StateItem>& state_forces() const { return state_forces_; }
  const std::vector<PairConstraint>& pair_constraints() const { return pair_constraints_; }
  const std::vector<LinearConstraint>& linear_constraints() const { return linear_constraints_; }
  const std::vector<MeasuredTerm>& measured_terms() const { return measured_terms_; }
  // Angles of a cut joint from which its turns are counted.
  MeasuredCoordinate::Angles angles_of(int joint) const;
  MeasuredCoordinate::Angles angle_of(const model::Contribution& what) const;  // the same, about its axis
  bool counts_turns() const { return !cut_hinges_.empty() || !turning_.empty(); }
  bool reads_turns() const;  // forces or rows act on such an angle
  // Held::angles at the rotations of the nodes, each nearest to what stands there.
  void find_angles(const std::vector<NodeState>& nodes, Span angles) const;
  // Returns the largest angular velocity between the two sides of such a joint.
  double find_angles(double t, CSpan q, CSpan v, Span angles, Workspace& ws) const;
  void look_at(const MeasuredTerm& term, double t, bool with_changes, const std::vector<NodeState>& nodes,
               PairMotion& m, LocalConditions& c) const;
  // Contacts by their numbers, open or closed.
  const std::vector<const model::Contribution*>& contacts() const { return contacts_; }
  const PairConstraint& contact(int index) const { return pair_constraints_[first_contact_ + index]; }
  const std::vector<LoadFriction>& frictions() const { return frictions_; }
  const std::vector<ContributionItem>& contributions() const { return contributions_; }
  // How many algebraic unknowns and contact variables contributions have, and what they are at a motion, for Held::branch: where one is
  // not found it stays as it was.
  int nz() const { return nz_; }
  // Of Held::branch: these, and behind them places on lines.
  int remembered() const { return remembered_; }
  std::string unknown_name(int z) const;
  double unknown_nominal(int z) const;
  void find_unknowns(double t, CSpan q, CSpan v, Span found, Workspace& ws) const;
  // At a motion of the nodes.
  // `lambda`: multipliers of the active rows, for laws that read theirs; empty: none is known.
  Eval contribution_state(std::size_t k, double t, const std::vector<NodeState>& nodes, CSpan v, CSpan lambda,
                          ContributionState& out, Workspace& ws) const;
  // The same without loads, save where algebraic unknowns or multipliers are read.
  Eval contribution_motion(std::size_t k, double t, const std::vector<NodeState>& nodes, CSpan v, CSpan lambda,
                           ContributionState& out, Workspace& ws) const;
  // Contributions whose loads depend on multipliers, among contributions().
  const std::vector<int>& readers() const { return readers_; }
  // What depends on multipliers beyond G^T lambda: friction of joints, loads of readers.
  bool has_feedback() const { return !frictions_.empty() || !readers_.empty(); }
  // Of such a contribution, at nodes that have moved: how many parts its loads have (force and moment on B, then forces on its own
  // coordinates); the generalised force of a unit of one of them; those of force and moment, one after another, on the columns of the path alone, which are added to coordinates; the parts at multipliers of the active rows, and their slopes, parts x its rows.
  static constexpr std::size_t frame_parts = 6;
  static int load_parts(const ContributionItem& item) { return static_cast<int>(frame_parts) + item.owns; }
  void load_row(const ContributionItem& item, int part, double t, Span row, Workspace& ws) const;
  void load_rows(const ContributionItem& item, double t, Span rows, Workspace& ws) const;
  void add_column(Span row, int column, double value) const {
    if (column < tree_.first_waist)
      row[column] += value;
    else
      put(row, column, value);
  }
  Eval loads_at(const ContributionItem& item, double t, CSpan v, CSpan lambda, Span parts, Span slopes,
                Workspace& ws) const;
  // Friction of joint k at the given motion and multipliers (active rows).
  FrictionForce friction_force(std::size_t k, const std::vector<NodeState>& nodes, CSpan lambda) const;
  Vec3d gravity() const { return model_->gravity; }
  const std::shared_ptr<const model::Held>& held() const { return held_; }
  // `signals`: the continuous ones at the same motion, for those that listen to one.
  model::Setting setting(const model::Contribution& what, CSpan signals) const {
    const auto index = static_cast<std::size_t>(what.signal.index);
    const double signal = what.signal.index < 0       ? 0.0
                          : what.signal.is_continuous ? signals[index]
                                                      : held_->signals[index];
    return {signal, held_->modes[model::number_of(*model_, what)],
            what.counts_turns() ? angle_of(what) : angles_of(what.joint)};
  }
  // The continuous signals at a motion of the nodes.
  SignalWork signal_work() const;
  Eval find_signals(double t, CSpan q, CSpan v, const std::vector<NodeState>& nodes, SignalWork& work,
                    std::string& blame) const;

 private:
  bool bends() const { return !tree_.modal.empty() || !tree_.meshes.empty(); }
  double modal_nominal(int iv) const;
  double modal_position_nominal(int iq) const;
  void note_nominals();
  SignalReading reading_of(const model::SignalInput& given) const;
  void read_joint(SignalReading& out) const;
  void read_element(SignalReading& out) const;
  void add_signals();
  void add_listeners();
  const SignalItem& signal_item(int number) const;
  bool signals_read_turns() const;
  void add_signal_pattern(PatternBuilder& tangent) const;
  void find_signal_slots() const;
  int longest_signal_path() const;
  double read(const SignalReading& from, double t, CSpan q, CSpan v, const std::vector<NodeState>& nodes,
              CSpan found) const;
  void slopes_of(const SignalItem& item, const Input& in, Workspace& ws) const;
  void add_pair_gradient(const SignalReading& from, std::size_t number, double slope, const SignalItem& item, double t,
                         Workspace& ws) const;
  Eval signal_gradients(const Input& in, Workspace& ws) const;
  void listener_column(const SignalListener& listener, const Input& in, Workspace& ws) const;
  Eval signal_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  Pair pair_of(const model::Joint& joint) const;
  Pair pair_of(const model::Contribution& what) const;
  void add_state_force(const model::Contribution& force, int first);
  void find_state_slots() const;
  void find_guided_nodes();
  void find_modal_slots() const;
  void add_modal_forces(const Input& in, Span tau) const;
  void modal_force_derivatives(const Blocks& out) const;
  void find_mesh_slots() const;
  void mesh_force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  Eval wide_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  // Adds a column's part of a row over coordinates, or writes it where that is all there is.
  void put(Span row, int column, double value) const {
    if (column < tree_.first_waist) {
      row[column] = value;
      return;
    }
    const Node& node = tree_.nodes[tree_.node_of_v[column]];
    std::array<double, 6> six{};
    six[column - node.iv] = value;
    node.waist->add_transposed(six, row);
  }
  void find_guided_slots() const;
  void add_joint_rows();
  void add_cut_hinges(int joint);
  void add_drive_rows();
  void add_contributions();
  void add_frame_force(const model::Contribution& what);
  void add_coordinate_force(const model::Contribution& what);
  const ContributionItem& add_item(const model::Contribution& what, int first_state, int first_unknown);
  void number_places_on_lines();
  void add_friction(const model::Contribution& what);
  void add_plain_row(const model::Contribution& what);
  LinearConstraint linear_row(const model::Contribution& what, int row);
  void add_term(int joint, int scalar, double ratio, LinearConstraint& c);
  MeasuredTerm measured_term(int joint, int scalar, double ratio, int row) const;
  void complete_matrices(double t, const Matrices& wide, const Matrices& out, Workspace& ws) const;
  Matrices wide_matrices(Workspace& ws) const;
  void contract(const Matrices& out, Workspace& ws) const;
  void add_measured_levels(double t, Span g, Span g_rate, Span g_acceleration, Workspace& ws) const;
  void measured_reactions(double t, CSpan lambda, CSpan eta, Workspace& ws) const;
  void clear_measured_rows(const MeasuredTerm& term, Span jacobian) const;
  void add_measured_rows(double t, Span jacobian, Workspace& ws) const;
  void measured_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  double stuck_at(const LinearConstraint& c) const;
  void choose_active(std::optional<std::vector<int>> active);
  void number_inputs();
  Eval set_drives(const Input& in,
                  Workspace& ws) const;  // not ok: one of them is not finite, or a guide has no such place
  Eval look_at_guides(CSpan q, Workspace& ws) const;
  void build_constraint_pattern();
  void build_derivatives() const;
  void need_mass() const;
  void need_derivatives() const;
  void find_loop_nodes();
  void note_residual(const Input& in, Workspace& ws) const;
  bool is_at_residual(const Input& in, const Workspace& ws) const;
  void take_carried(Workspace& ws) const;
  Eval sum_wrenches(const Input& in, Workspace& ws) const;
  void guide_derivatives(const Blocks& out, Workspace& ws) const;
  Eval apply_forces(const Input& in, Workspace& ws) const;
  Eval apply_states(const Input& in, Workspace& ws) const;
  void finish_states(const Input& in, Span tau, const Workspace& ws) const;
  Eval apply_multipliers(const Input& in, Workspace& ws) const;
  Eval add_coordinate_forces(const Input& in, Span tau, Workspace& ws) const;
  void add_linear_multipliers(CSpan lambda, Span tau) const;
  struct Rubbing {  // friction of a joint: F against its free motion
    Vec3d axis;     // global
    double speed, force;
    LoadFriction::Load load;
  };
  Rubbing rubbing(const PairConstraint& c, const PairMotion& m, CSpan lambda, const std::vector<NodeState>& x) const;
  void add_friction(const PairConstraint& c, const PairMotion& m, CSpan lambda, const std::vector<NodeState>& x,
                    model::Wrench<double>& reaction) const;
  void friction_responses(const PairConstraint& c, const Rubbing& r, PathBlock& block) const;
  void friction_columns(const PairConstraint& c, const Rubbing& r, CSpan lambda, double* const* columns,
                        const PathBlock& block) const;
  Eval solve_tree(const Input& in, Span a, Workspace& ws) const;
  template <class Add>
  Eval change_nodes(CSpan change, Span forces, Workspace& ws, Add&& add) const;
  Eval constraint_values(const Input& in, const Output& out, Workspace& ws) const;
  static model::Relative<model::Local> seeds();
  Eval force_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  Eval state_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  Eval blame_contribution(const ContributionItem& item, const std::string& what, Workspace& ws) const;
  Eval look_at(const ContributionItem& item, double t, CSpan z, bool with_changes, const std::vector<NodeState>& nodes,
               PairMotion& m, Workspace& ws) const;
  Eval find_at(const ContributionItem& item, const model::Pose<double>& pose, bool with_changes, Workspace& ws) const;
  Eval find_rows(const ContributionItem& item, const model::Pose<double>& pose, bool with_changes, bool is_touching,
                 Workspace& ws) const;
  // `measured`: to be filled where the law knows what it measures.
  Eval look_at_loads(const ContributionItem& item, CSpan v, CSpan z, CSpan lambda, PairMotion& m, Workspace& ws,
                     std::vector<double>* measured = nullptr) const;
  Eval add_loads(const ContributionItem& item, const Input& in, PairMotion& m, Workspace& ws) const;
  void load_columns(const ContributionItem& item, const PairMotion& m, double* const* columns, Workspace& ws) const;
  LocalLoads::Known known(const ContributionItem& item, CSpan v, CSpan w, const PairMotion& m,
                          const Workspace& ws) const;
  Eval contribution_unknowns(const Input& in, Span h, Workspace& ws) const;
  const model::InnerState& unknown(int z, const ContributionItem*& owner) const;
  void find_unknown_slots(ContributionItem& item) const;
  void unknown_columns(const ContributionItem& item, const Input& in, const PairMotion& m, const Blocks& out,
                       Workspace& ws) const;
  void unknown_rows(const ContributionItem& item, const PairMotion& m, const Blocks& out, Workspace& ws) const;
  Eval apply_contributions(const Input& in, Workspace& ws) const;
  Eval keep_contributions(const Input& in, Workspace& ws) const;
  void apply_loads(const ContributionItem& item, const PairMotion& m, Workspace& ws) const;
  enum class Loads { found, left_out };
  Eval contribution_state(const ContributionItem& item, double t, const std::vector<NodeState>& nodes, CSpan v,
                          CSpan lambda, Loads loads, PairMotion& m, ContributionState& out, Workspace& ws) const;
  Eval contribution_reactions(const Input& in, CSpan eta, Workspace& ws) const;
  Eval contribution_levels(double t, CSpan z, Span g, Span g_rate, Span g_acceleration, Workspace& ws) const;
  void fill_contribution_rows(double t, Span jacobian, Workspace& ws) const;
  Eval contribution_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;
  void row_blocks(const ContributionItem& item, const PairMotion& m, const Blocks& out, Workspace& ws) const;
  void state_blocks(const ContributionItem& item, const PairMotion& m, const Blocks& out, Workspace& ws) const;
  void own_blocks(const ContributionItem& item, const Input& in, const PairMotion& m, const Blocks& out,
                  Workspace& ws) const;
  SlidingLine sliding_line(const model::Contribution& what, const model::OnLine& law) const;
  Pair pair_on_line(const model::Contribution& what) const;
  Eval look_at_line(const ContributionItem& item, double t, const std::vector<NodeState>& nodes, PairMotion& m,
                    Workspace& ws) const;
  void add_line_multipliers(double t, CSpan multipliers, Span tau, Workspace& ws) const;
  void add_line_drag(double t, Span tau, Workspace& ws) const;
  void line_accelerations(const ContributionItem& item, const Vec3d& acceleration, Span out, Workspace& ws) const;
  void line_levels(const ContributionItem& item, const PairMotion& m, Span g, Span g_rate, Span g_acceleration,
                   Workspace& ws) const;
  void fill_line_rows(const ContributionItem& item, bool is_known, Span jacobian, Workspace& ws) const;
  Eval line_derivatives(const ContributionItem& item, const Input& in, const Blocks& out, Workspace& ws) const;
  void line_row_blocks(const ContributionItem& item, std::size_t r, const LineForce& row, const PairMotion& m,
                       const Blocks& out, Workspace& ws) const;
  void line_force_blocks(const ContributionItem& item, const LineForce& force, const std::vector<int>& path_slots,
                         const SlidingLine::Slots& slots, const PairMotion& m, double* const* columns,
                         Workspace& ws) const;
  void line_drag_blocks(const ContributionItem& item, const LineForce& drag, const PairMotion& m, const Blocks& out,
                        Workspace& ws) const;
  void add_line_pattern(const ContributionItem& item, PatternBuilder& to) const;
  SlidingLine::Slots line_slots(const ContributionItem& item, const Pattern& pattern) const;
  void find_contribution_slots() const;
  void find_contribution_row_slots();
  void find_own_slots(ContributionItem& item) const;
  void build_own_patterns();
  void find_path(const Pair& pair, const PairMotion& m, Workspace& ws) const;
  void fill_row(const PairConstraint& c, std::size_t r, const GlobalRow& row, Span jacobian, const Workspace& ws) const;
  void fill_linear_rows(double t, Span jacobian, Workspace& ws) const;
  void constraint_derivatives(const Input& in, const Blocks& out, Workspace& ws) const;

  std::shared_ptr<const model::Model> model_;
  std::shared_ptr<const model::Held> held_;
  Topology topology_;
  Tree tree_;
  // A node that follows a guide, and where its coordinates meet in the tangent and the loop pattern; empty: not in the latter.
  struct GuidedBlock {
    int node;
    std::vector<int> slots, loop_slots;
  };
  // The patterns of M and of the derivatives grow with the square of a chain's length: they are found at the first need, with the slots
  // of all items in them. Nothing else of what is mutable changes then.
  struct Needs {
    std::once_flag mass, derivatives;
  };
  std::unique_ptr<Needs> needs_ = std::make_unique<Needs>();
  mutable std::vector<GuidedBlock> guided_;
  mutable TreeDerivatives tree_derivatives_;
  mutable MassMatrix mass_matrix_;
  mutable std::vector<ForceItem> forces_;
  mutable std::vector<CoordinateItem> coordinate_forces_;
  mutable std::vector<StateItem> state_forces_;
  mutable std::vector<PairConstraint> pair_constraints_;
  std::vector<LinearConstraint> linear_constraints_;
  mutable std::vector<MeasuredTerm> measured_terms_;
  struct CutHinge {  // an angle of a cut joint
    int joint;
    MeasuredCoordinate angle;
  };
  std::vector<CutHinge> cut_hinges_;
  std::vector<double> joint_position_nominal_, joint_nominal_;  // of the tree's coordinates
  struct Turning {                                              // the angle of a contribution about its axis
    const model::Contribution* what;
    Place A, B;
  };
  std::vector<Turning> turning_;
  std::vector<LoadFriction> frictions_;
  mutable std::vector<ContributionItem> contributions_;
  int nz_ = 0, remembered_ = 0;
  bool has_lines_ = false;  // some of these slide on one
  std::vector<int> readers_;
  std::vector<SignalItem> signals_;  // each behind those that it reads
  mutable std::vector<SignalListener> listeners_;
  std::vector<RowInfo> rows_;
  std::vector<SwitchRow> switch_rows_;
  std::vector<const model::Contribution*> contacts_;
  int first_contact_ = 0;  // among pair_constraints_
  std::vector<int> active_;
  std::vector<int> loop_nodes_;                // that constraints between frames load, children first
  std::vector<const model::Motion*> motions_;  // of the inputs: those of Tree::driven, then of constraints
  Pattern own_pattern_, own_rows_pattern_;
  Pattern constraint_pattern_;
  mutable Pattern tangent_pattern_, loop_pattern_;
  struct Narrow {
    Contraction tangent, loop, constraint, mass, own, own_rows;
  };
  std::unique_ptr<Narrow> narrow_ = std::make_unique<Narrow>();  // found as the patterns are
  mutable std::vector<std::vector<int>> modal_slots_;            // of K and D, column by column, by Tree::modal
  mutable std::vector<std::vector<int>> mesh_slots_;             // of the pattern of each of Tree::meshes, in its order
};

// Of the contact `c` at the positions and velocities of the nodes; its force on B, and how large it is, positive where it presses.
Gap gap_of(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes);
Vec3d contact_force(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes, double lambda);
double normal_force(const Equations::PairConstraint& c, const std::vector<NodeState>& nodes, double lambda);

}  // namespace skyhook::formalism::recursive
