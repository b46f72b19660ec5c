// Given initial values as conditions on positions or rates. Whether the joint stands in the tree or is cut makes no difference to them.
#pragma once
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {

class Conditions {
 public:
  enum class Of { positions, rates };
  Conditions(const recursive::Equations& eq, GivenValues values, Of of);

  const GivenValues& values() const { return values_; }
  int count() const { return static_cast<int>(values_.size()); }
  // Tangent coordinate if it is one of the tree; -1: measured between the joint's frames.
  int tree_coordinate(int k) const { return places_[k].iv; }

  // Value less what is asked for, angles and lengths / ℓ. Those of a ball whose three angles are given are the components of the
  // rotation that is missing.
  Vector differences(CSpan q, CSpan v, const std::vector<recursive::NodeState>& nodes) const;
  // Between whose frames it is measured where it is none of the tree; else what it depends on is tree_coordinate().
  const recursive::Pair& pair(int k) const { return places_[k].pair; }
  // Its derivatives by tangent coordinates, one row for each.
  struct RowEntry {
    int row, column;
    double value;
  };
  std::vector<RowEntry> entries(const std::vector<recursive::NodeState>& nodes) const;
  DenseMatrix rows(const std::vector<recursive::NodeState>& nodes) const;
  // What they are, in the user's count.
  Vector used(CSpan q, CSpan v, const std::vector<recursive::NodeState>& nodes) const;
  bool is_length(int k) const;
  bool is_whole_ball(int k) const { return places_[k].in_whole_ball >= 0; }
  // Nothing is missing of the differences, of no component of a whole ball.
  bool is_met(int k, const Vector& differences, double within) const;
  // For the ramp from design: values between those at design and those asked for, angles without their whole turns.
  void set_share(double share);
  double largest_change() const;  // rad or ℓ, of what set_share changes
  // Coordinates of the tree at their targets; rates only where they are met but for rounding.
  void put_tree_values(Span q) const;
  void put_exact_rates(Span v) const;

 private:
  struct Place {
    int iq = -1, iv = -1;  // in the tree and no ball
    recursive::Pair pair;  // else
    double target = 0, design = 0;
    bool ramps = false;
    int in_whole_ball = -1;  // which of the three angles, where all of a ball are given
  };
  JointMotion motion(const Place& place, const std::vector<recursive::NodeState>& nodes) const;

  const recursive::Equations& eq_;
  GivenValues values_;
  std::vector<Place> places_;
  bool rates_;
  double length_;
};

}  // namespace skyhook::formalism
