// A model on a rig that moves its wheels and coordinates: what `analysis: kinematics` asks for as drives and forces of the model.
//
// All of them follow one number s, the travel of the first that moves, in its SI unit. Time stands still: s enters the equations as
// t = t0 + slowness s, so that drives have rates, while formulas of t see no more than 0.1 ms pass.
#pragma once
#include <cmath>
#include <memory>

#include "skyhook/model/kinematics.h"

namespace skyhook::analysis {

struct KinematicRig {
  std::shared_ptr<const model::Model> model;
  std::string abscissa, unit;     // what s is
  double from = 0, to = 0;        // of s
  double t0 = 0;                  // where s is zero
  double slowness = 1e-4;         // seconds for a unit of s: the largest s is reached after 0.1 ms
  std::vector<std::string> pads;  // by wheel: the joint that carries it; empty: none does

  double time_at(double s) const { return t0 + slowness * s; }
  double step() const { return 1e-5 * std::abs(to - from); }  // for differences along s
  // Outputs of what the rig has left out or fixed are none of its own.
  std::vector<model::Output> that_remain(const std::vector<model::Output>& outputs) const;
  std::vector<std::string> gone;  // forces, and joints without their coordinates
};

// A pad under a wheel is a joint without constraints of its own between vehicle and carrier, at the wheel's centre, whose z is driven:
// the wheel keeps its height and moves freely across. All other drives stand at their values at t0.
KinematicRig make_rig(const model::Model& model, const model::Kinematics& plan, double t0);

// The same where the travel stands at s and the steering alone moves, by 1 for 1 of s. Its equations have the same coordinates.
std::shared_ptr<const model::Model> steered(const KinematicRig& rig, const model::Kinematics::Coordinate& steering,
                                            double s);

}  // namespace skyhook::analysis
