// Storage for the blocks that derivatives() of the equations fills, for those who want them by themselves.
#pragma once
#include <memory>

#include "skyhook/formalism/evaluation.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism {

class BlockStore {
 public:
  template <class Equations>
  explicit BlockStore(const Equations& eq)
      : stiffness_(std::make_shared<Pattern>(eq.tangent_pattern())),
        damping_(stiffness_.matrix.pattern),
        mass_(stiffness_.matrix.pattern),
        eta_(std::make_shared<Pattern>(eq.loop_pattern())),
        jacobian_(std::make_shared<Pattern>(eq.constraint_pattern())),
        rate_(jacobian_.matrix.pattern),
        friction_(jacobian_.matrix.pattern) {}

  Blocks blocks() {
    return {stiffness_.columns.data(), damping_.columns.data(), mass_.columns.data(),    eta_.columns.data(),
            jacobian_.columns.data(),  rate_.columns.data(),    friction_.columns.data()};
  }
  const Csc& stiffness() const { return stiffness_.matrix; }
  const Csc& damping() const { return damping_.matrix; }
  const Csc& mass() const { return mass_.matrix; }
  const Csc& jacobian() const { return jacobian_.matrix; }
  const Csc& g_rate_part() const { return rate_.matrix; }
  const Csc& friction() const { return friction_.matrix; }

 private:
  struct Part {
    Csc matrix;
    std::vector<double*> columns;
    explicit Part(std::shared_ptr<const Pattern> pattern) : matrix(std::move(pattern)), columns(matrix.pattern->cols) {
      for (int j = 0; j < matrix.pattern->cols; ++j) columns[j] = matrix.value.data() + matrix.pattern->start[j];
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
  };
  Part stiffness_, damping_, mass_, eta_, jacobian_, rate_, friction_;
};

}  // namespace skyhook::formalism
