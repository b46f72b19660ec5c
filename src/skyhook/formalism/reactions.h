// Reactions of every joint at an instant. Those of statically indeterminate loops are of least size over the reactions of all joints,
// moments divided by the characteristic length of the model, so that another cut gives the same.
#pragma once
#include <array>

#include "skyhook/formalism/snapshot.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism {

class Reactions {
 public:
  // `active` holds the independent constraint rows, `all` every row that holds.
  Reactions(std::shared_ptr<const recursive::Equations> active, std::shared_ptr<const recursive::Equations> all);
  bool any_redundant() const { return !redundant_.empty(); }
  // From the wrenches that the nodes pass on and lambda; also the multipliers of all rows.
  void measure(Snapshot& s);

 private:
  struct Mode {  // a self-stress: multipliers that do nothing together
    std::vector<std::pair<int, double>> rows;
  };
  // Rows that self-stresses may have in common (components.h), where some of them are redundant.
  struct Group {
    std::vector<int> kept, redundant;  // rows
    std::vector<int> columns;          // coordinates that they touch
  };
  struct Share {  // what a row, a mode puts on a joint, a row or a drive: see numbers in least_reactions()
    int on;
    std::array<double, 6> wrench;
  };
  using Shares = std::vector<Share>;
  void joint_reactions(Snapshot& s) const;
  bool is_reversed(int joint) const;
  Vec3d reaction_point(int joint, const Snapshot& s) const;
  void least_reactions(Snapshot& s);
  std::vector<Mode> find_modes(const Group& group, double size) const;
  std::vector<Shares> row_shares(const Snapshot& s);
  void take_least(const std::vector<Mode>& modes, const std::vector<Shares>& shares, Snapshot& s) const;
  void find_groups();

  std::shared_ptr<const recursive::Equations> active_, all_;
  EquationsOfMotion::Workspace ws_all_;
  std::vector<int> redundant_;      // rows of `all` that are not active
  std::vector<Group> groups_;       // that have such
  std::vector<char> is_in_group_;   // by row
  std::vector<int> place_in_all_;   // by row: among the active rows of `all`; -1: it does not hold
  std::vector<int> joint_of_node_;  // whose reaction the node's wrench is; -1
  Csc mass_all_, jacobian_all_;     // of `all`, where rows are redundant
};

// Of a wrench about the node's origin, what acts on its one coordinate.
double along_coordinate(const recursive::Node& node, const recursive::NodeState& x, const Vec3d& f, const Vec3d& n);

}  // namespace skyhook::formalism
