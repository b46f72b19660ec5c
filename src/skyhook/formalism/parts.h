// The parts of contributions that the equations hold, by their shapes. Each list is in the order in which a Snapshot has its values.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/forward.h"
#include "skyhook/formalism/state.h"
#include "skyhook/model/element.h"

namespace skyhook::model {
struct Contribution;
class Motion;
}  // namespace skyhook::model

namespace skyhook::formalism {

struct Parts {
  struct Wrench {  // Snapshot::wrenches, relatives
    const model::Contribution* what;
    std::shared_ptr<const model::WrenchElement>
        law;  // of a force on the coordinate of a cut joint: as it acts between the frames
  };
  struct OnCoordinate {  // Snapshot::coordinate_forces
    const model::Contribution* what;
    int iq, iv;
    double reference;  // q + reference is what the user calls the coordinate
  };
  struct Inner {  // Snapshot::state_forces
    const model::Contribution* what;
    int first, count;   // its states among the velocity coordinates
    bool on_cut_joint;  // it acts on the coordinate of one, which is measured
  };
  struct Friction {  // Snapshot::frictions
    const model::Contribution* what;
    bool turns;  // of a hinge, else of a slider
  };
  struct Law {  // Snapshot::contributions
    const model::Contribution* what;
    std::vector<int> rows;         // its constraints among all rows
    std::vector<int> multipliers;  // theirs among those of the active rows; -1: it has none
    int first_state, first_own;    // inner state and coordinate of its own, among the velocity coordinates
    int first_unknown, unknowns;   // among those of all contributions: algebraic ones, then contact variables
  };
  struct Rod {
    const model::Contribution* what;
    int row;
    double length;  // by which its multiplier is scaled
  };
  struct Condition {  // a row that is linear in coordinates: of a drive, a coupler, or of what sticks
    int joint, dof;   // of the drive; -1: it is none
    const model::Contribution* what;
    const model::Motion* motion;  // null: it stands still
    int row;
  };

  std::vector<Wrench> wrenches;
  std::vector<OnCoordinate> on_coordinates;
  std::vector<Inner> inner;
  std::vector<Friction> frictions;
  std::vector<Law> laws;
  std::vector<Rod> rods;
  std::vector<Condition> conditions;
  std::vector<const model::Contribution*> contacts;  // by their numbers, open or closed
};

Parts parts_of(const recursive::Equations& eq);

// How the frames of `wrenches` move against each other; their settings are left out. No law is asked.
std::vector<model::Relative<double>> relatives_of(const recursive::Equations& eq, const State& state);

}  // namespace skyhook::formalism
