// The equations of an equilibrium or a steady motion at a position, and Newton's steps for them (docs/theory/13_equilibrium.md):
//
//   [K + b D + s M   G^T] [dq     ]     [tau]
//   [G               -e ] [dlambda] = - [c  ]
//
// sparse, with inner states of forces beside q in units of their nominal sizes. Rows of contacts and of what sticks are among those
// of G: each is on, c = g, or off, where its multiplier has a value that is given, zero or that of slipping.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "skyhook/analysis/steady_motion.h"
#include "skyhook/formalism/block_store.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/sparse_lu.h"

namespace skyhook::analysis {

class Statics {
 public:
  using Equations = formalism::EquationsOfMotion;
  using State = formalism::State;

  // A row that switches.
  struct Switch {
    const model::Contribution* what;
    int at;  // among the active rows
    bool is_contact;
    double hold = 0, slide = 0;  // of what sticks
    bool on = false;
    double target = 0;  // of the multiplier where it is off
    int changes = 0;
  };

  // `eq` holds every row that may be on. `turns`: what `eq` holds, where its angles are to follow the state, which then carries them
  // (State::angles); steps must stay below half a turn.
  Statics(std::shared_ptr<const Equations> eq, SteadyMotion motion, std::shared_ptr<model::Held> turns = nullptr);

  const Equations& equations() const { return *eq_; }
  const SteadyMotion& motion() const { return motion_; }
  double length() const { return length_; }
  double force_scale() const { return scale_; }
  const std::string& blame() const { return ws_.blame(); }

  // Scales, multipliers and switches at the start. False: nothing can be evaluated there.
  bool begin(State& state);
  // tau, g and the velocities of the motion, which go into the state. False: an element cannot be evaluated.
  bool evaluate(State& state);
  bool differentiate(const State& state);
  // Multipliers of the rows that are on, so that they leave the least accelerations.
  bool balance(State& state);
  // Moves the state onto the rows that are on, by least displacements. False: it does not get nearer.
  bool close(State& state);
  // In how many directions that the rows leave K + s M is negative, K symmetrised; nullopt: not known. After factor(s).
  std::optional<int> downward_directions() const;
  // Which rows are on from here, by multipliers and gaps; true: some have changed.
  bool decide();

  // How far from equilibrium: forces over the largest that acts, rates of states, and errors of the rows over a length.
  double size() const;
  double forces() const;  // largest, of coordinates that are not held
  double rates() const;   // largest, of inner states
  double gaps() const;    // largest error of rows that hold, over the length

  struct Step {
    bool ok = false;
    Vector dq, dlambda;
  };
  // `momentum`: velocities that the step begins with, for b = 1/h and s = 1/h^2.
  Step step(double s, double b = 0, const Vector* momentum = nullptr);
  // The matrix of step(s) factored; then solutions for any right side of nv + ng entries.
  bool factor(double s, double b = 0);
  void solve(Vector& x);
  // The part of a step on which no open contact is passed through, and which of the switches ends it; -1: none.
  struct Reach {
    double part = 1;
    int contact = -1;
  };
  Reach until_contact(const Step& step) const;

  // With couplings of the motion: d tau / d q of the coordinates, as of a step with s = b = 0; sparse, by columns.
  const Vector& accelerations() const { return a_; }  // those of the motion, as last evaluated
  const Csc& mass() const { return store_.mass(); }
  const Csc& jacobian() const { return store_.jacobian(); }
  DenseMatrix stiffness() const;                 // nv by nv
  const Csc& matrix() const { return matrix_; }  // as last factored, without scales and compliance
  bool is_held(int iv) const { return is_held_[iv] != 0; }
  bool is_on(int row) const { return row_is_on(row); }

  Vector tau, g, rate, lambda;
  std::vector<Switch> switches;

 private:
  formalism::Input input(const State& s) const;
  void hold(Switch& at, CSpan signals) const;
  void hold_turns(const State& state) const;
  bool follow(State& state);
  void make_pattern();
  void fill(double s, double b);
  void scale();
  bool row_is_on(int k) const { return switch_of_[k] < 0 || switches[switch_of_[k]].on; }

  std::shared_ptr<const Equations> eq_;
  SteadyMotion motion_;
  std::shared_ptr<model::Held> turns_;
  formalism::BlockStore store_;
  Equations::Workspace ws_;
  Vector qdot_, zero_g_, a_, scales_, scaled_, x_;
  Vector u_;  // of drives that stand, those of cut joints too
  double length_, scale_ = 1, fastest_ = 1;
  std::vector<char> is_held_;
  std::vector<int> switch_of_;  // by active row; -1: it always holds
  std::vector<SteadyMotion::Coupling> couplings_;
  // Where the blocks of store_ were found; nothing was evaluated since.
  struct Differentiated {
    bool is_known = false;
    Vector q, v, a, lambda;
  } differentiated_;
  Csc matrix_;
  std::vector<int> tangent_at_, jacobian_at_, transposed_at_, diagonal_at_;
  std::optional<SparseLu> lu_;
};

}  // namespace skyhook::analysis
