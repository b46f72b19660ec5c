// Static equilibrium ([Arnold 2004] (3)) and steady motion: M a = f with v and a as given, zero at rest. From a rough start by several ways
// in turn (equilibrium_search.h); contacts end closed or open, friction holds what it can hold, controllers have said their
// first word. What was found is judged afterwards (free_directions.h). Theory: docs/theory/13_equilibrium.md.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/analysis/steady_motion.h"
#include "skyhook/analysis/track_motion.h"
#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

struct EquilibriumOptions {
  GivenMotion motion = {};    // empty: rest
  bool only_nearest = false;  // Newton's method alone, from the start: for positions that are nearly right
  bool place_alone =
      false;  // without `lambda`, `a`, `contacts` and `frictions`, and `all` and `active` as prepared: what a run starts from
};

struct Equilibrium {
  bool found = false;
  bool stable = true;  // no direction in which the potential falls
  bool stability_is_known = true;
  bool unique = true;             // no direction in which nothing resists
  std::vector<std::string> free;  // those directions, by their coordinates; they stay where the search found them
  std::string problem;
  std::string way;  // which of the ways has led there: "descent", "relaxation", "newton"; empty: it began there
  int iterations = 0;
  double residual = 0;            // largest generalised force left, relative to the largest that acts
  formalism::State state;         // velocities zero or those of the motion, inner states as found
  std::vector<double> lambda;     // forces of the constraint rows of `active`
  std::vector<double> a;          // accelerations of the motion, zero at rest
  SteadyMotion motion;            // as it was given
  std::vector<double> signals;    // of controllers, as the equilibrium has them
  std::vector<Warning> warnings;  // what it leaves out and which tables it has left, without those switched off
  // Rows that hold there: those prepared, contacts that are closed and what sticks. With neither they are the prepared ones.
  std::shared_ptr<const simulation::Equations> all, active;
  struct Pressed {
    std::string name;
    bool holds;    // it is closed, or sticks
    double force;  // of the contact; that friction holds or slips with
  };
  std::vector<Pressed> contacts, frictions;
  struct Effort {
    std::string name;  // of the coordinate
    double
        force;  // N or N.m that must be added along it so that the motion stays as given; of a drive that leads along a track, its force
  };
  std::vector<Effort> efforts;
  TrackCourse course;  // of what travels along a track; empty name: nothing does
  struct Steered {
    std::string name;  // empty: nothing was steered
    double value = 0;  // as the user calls it, m or rad
    double start = 0;  // where it stands in the model
    bool is_driven = false;
  };
  Steered steered;
  std::shared_ptr<const model::Model> model;  // of the equations: where a drive steers, it stands at the value found
  // Where a steady motion was asked for in absolute coordinates: what all above is in the coordinates of; else null.
  std::shared_ptr<const simulation::Prepared> in_joints;
};

Equilibrium find_equilibrium(const simulation::Prepared& prepared, const EquilibriumOptions& options = {});

}  // namespace skyhook::analysis
