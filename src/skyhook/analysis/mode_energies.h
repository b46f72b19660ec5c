// Which bodies carry the kinetic energy of a mode, which elements its strain energy, and which take energy out of it.
//
// With the displacement d of body points and the complex force F that an element sets against its displacement s (12.12):
//
//   kinetic ~ m |d|^2 + r* I r,    strain ~ -Re(F_q s*),    dissipated ~ -Re(F (lambda s)*) - Re(lambda) strain
//
// F_q is F with velocities as they are. Forces come from central differences of the elements' laws along the mode, so that every law takes
// part as it is. What remains of y* K y is held by weight, by preloads and by spin.
#pragma once
#include "skyhook/analysis/modes.h"
#include "skyhook/formalism/block_store.h"
#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/evaluator.h"

namespace skyhook::analysis {

class ModeEnergies {
 public:
  ModeEnergies(const simulation::Prepared& prepared, const OperatingPoint& at, const Linearisation& linear);
  // Of the coordinates themselves. `blocks` must live on.
  ModeEnergies(const simulation::Prepared& prepared, const OperatingPoint& at, const formalism::BlockStore& blocks);
  // Fills kinetic, strain and dissipated from the shape.
  void measure(Mode& mode);

 private:
  struct Moved {  // forces of elements and what they act along
    std::vector<const model::Contribution*> owner;
    ComplexVector force, place;
  };
  Moved along(const Mode& mode, bool with_velocities);
  double held_in_all(const Mode& mode) const;  // Re(y* (K y + E c)), or Re(p* (K p + D_c c))
  void begin();
  void measure_kinetic(Mode& mode) const;
  double modal_kinetic(const Mode& mode, std::size_t k) const;
  void measure_elements(Mode& mode);

  const simulation::Prepared prepared_;  // where drives stand if the point does
  const OperatingPoint& at_;
  const Linearisation* linear_ = nullptr;  // one of the two
  const formalism::BlockStore* blocks_ = nullptr;
  formalism::Poses poses_;
  formalism::Evaluator evaluator_;
  formalism::Snapshot middle_;
  Csc mass_;
};

}  // namespace skyhook::analysis
