// Follows a run through the tables of its force laws and the limits of its signals, and notes where it leaves them.
#pragma once
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/table_excursions.h"

namespace skyhook::simulation {

class TableWatch {
 public:
  explicit TableWatch(const Equations& equations);
  bool empty() const { return items_.empty() && profiles_.empty() && limited_.empty(); }
  // At a state whose motion the snapshot knows.
  void look(const Snapshot& snapshot, TableExcursions& excursions);
  // Of a contact that touches its profile where this has a corner, because its table is held beyond a slope; empty: none does.
  std::string touched_corner(const Snapshot& snapshot) const;

 private:
  struct Item {
    const model::Contribution* force;
    std::size_t number;  // among the forces, coordinate forces or laws of the equations
    const model::Tabulated* between;
    const model::TabulatedCoordinate* along;
    const model::TabulatedLoads* whole;
  };
  struct Limited {
    const model::ContinuousSignal* what;
    std::size_t asked, given;  // among the continuous signals
  };
  std::vector<Item> items_;
  std::vector<int> profiles_;  // rigid contacts with one, among Equations::contacts()
  std::vector<Limited> limited_;
  model::TableLooks looks_;
};

}  // namespace skyhook::simulation
