// Displacements of a part under forces, and its slowest vibrations.
#pragma once
#include <memory>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// Deformation under forces. Held: at the given unknowns. Free: the part accelerates as a whole, and inertia balances the forces (inertia relief);
// the deformation has no momentum then, R^T M q = 0.
class Compliance {
 public:
  static Compliance held(const FeModel& part, std::vector<int> dofs);
  static Compliance free(const FeModel& part);
  Compliance(Compliance&&) noexcept;
  ~Compliance();

  Dense solve(const Dense& forces) const;  // of each column
  const FeModel& part() const;
  int freedoms() const;  // how many independent deformations there are

 private:
  struct Data;
  explicit Compliance(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// Of motions of the whole (dofs x 6): six unknowns that, held, hold it, and as well as possible.
std::vector<int> supports(const Dense& motions);

struct Vibrations {
  Dense shapes;    // dofs x count, unit modal mass
  Column squares;  // omega^2, rising
  bool converged = false;
  int solves = 0;  // right-hand sides
};

// The `wanted` lowest vibrations K x = omega^2 M x of the part as it is held, by a block Krylov method on the compliance (blocks, because symmetric
// parts have equal frequencies), or all of them at once where the part is small. Without those of no mass.
Vibrations lowest_vibrations(const Compliance& compliance, int wanted, double tolerance = 1e-12);
// All below a frequency, and at least the first one above it, so that nothing is missed; at most `most`.
Vibrations vibrations_below(const Compliance& compliance, double hz, int most = 500);

}  // namespace skyhook::flexible
