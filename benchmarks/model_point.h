// A model file at the start of an experiment, through the functions that integrators call.
#pragma once
#include <memory>

#include "skyhook/formulation/ggl.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::bench {

struct ModelChoice {
  std::string title;
  std::string file;             // in models/, without ending
  std::string experiment = {};  // empty: the first
  int n = 0;                    // parameter N, where there is one
  bool moves = false;           // with the velocities of its start, else with some that are not zero
};

class ModelPoint {
 public:
  explicit ModelPoint(const ModelChoice& choice);
  ModelPoint(const ModelPoint&) = delete;
  ModelPoint& operator=(const ModelPoint&) = delete;

  void residual();
  void derivatives();  // both matrices of the whole DAE
  void mass();         // dF/dy' alone
  std::string size() const;

 private:
  Point next();

  simulation::Prepared prepared_;
  formulation::Ggl problem_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<double> y_, yp_, F_;
  Csc dF_dy_, dF_dyp_;
  bool is_odd_ = false;
};

// What the table of Jacobians measures, besides the trees of workload.h.
std::vector<ModelChoice> jacobian_models();

}  // namespace skyhook::bench
