// Skyhook on a workload, through the functions that its integrator calls.
#pragma once
#include <memory>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formulation/ggl.h"
#include "workload.h"

namespace skyhook::bench {

class OurTree : public TreeSimulator {
 public:
  explicit OurTree(const Workload& workload);  // reads the model file that belongs to it
  void residual() override;
  void forward() override;
  void derivatives();  // both matrices of the whole DAE
  std::string size() const { return std::to_string(equations_->nv()) + ", " + std::to_string(equations_->ng()); }
  std::vector<double> residual_forces() override;
  std::vector<double> accelerations() override;

 private:
  using Equations = formalism::recursive::Equations;
  std::vector<double> by_body(CSpan tree_order) const;

  std::shared_ptr<const Equations> equations_;
  formulation::Ggl problem_;
  std::unique_ptr<Workspace> workspace_;
  Equations::Workspace equations_workspace_;
  std::vector<double> y_, yp_, F_, a_;
  Csc dF_dy_, dF_dyp_;
};

}  // namespace skyhook::bench
