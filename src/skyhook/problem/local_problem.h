// Hinge 1 for methods of one step on positions that are no vectors (rotations): F(t, y, y') = 0 with y = (d, v, ...), where d are the
// increments of a step from the position q at which it begins, q ⊞ d. Methods of Newmark's family on Lie groups ([Bruels 2010],
// [Arnold 2015]) take d' for the velocities, rotations included; so the first rows are
//
//   stretch d' = v - ...
//
// and the form belongs to one step: with the next one q and d = 0 begin anew. `stretch` is for a method in whose Newton iteration d' and
// v' follow d and v at different rates, r alpha and alpha: with stretch = r one number serves both.
#pragma once
#include "skyhook/problem/problem.h"

namespace skyhook {

struct LocalSizes {
  int nq = 0, nd = 0, nv = 0;     // positions, increments, velocities; the last nv - nd velocities have no increment
  std::vector<int> position_of;   // of each increment; -1: it is part of a rotation
  std::vector<int> increment_of;  // of each position; of a rotation its first
};

struct LocalProblem : DaeProblem {
  virtual const LocalSizes& local_sizes() const = 0;
  virtual void begin_step(CSpan q, double stretch, Workspace&) const = 0;
  virtual void plus(Span q, CSpan step) const = 0;  // q ⊞ step, of nv entries: zero where there is no increment
  // v' that keeps the constraints, near a consistent state: for what a method needs at its start.
  virtual Eval accelerations(double t, CSpan q, CSpan v, Span a, Workspace&) const = 0;
};

}  // namespace skyhook
