// Generalised coordinate partitioning ([Aboubakr 2015] §2.2): y = (x, x') with x the increments of nv - ng independent
// tangent coordinates in a chart (chart.h), so that positions and velocities satisfy their constraints to rounding at
// every evaluation. Names no integrator.
//
// The independent coordinates are those that a column-pivoted, mass-scaled QR of G leaves (formalism::choose_dependent). The
// chart lives in the workspace and is renewed in accepted(), which then answers true: when a ball has turned far from the
// chart's origin, or when the dependent coordinates have become too sensitive to the independent ones (near dead centres).
// Interpolated y of the step before a renewal belongs to the chart of that step; hence `Of` below.
//
// Inner states of force elements stand among x', being velocities without position: no constraint knows them, so they are the
// last of the independent coordinates, and their x stays zero.
//
// x' and x'' are exact: rotation vectors with the differential of the exponential map, accelerations by the sparse solve.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/second_order_ode.h"

namespace skyhook::formulation {

struct PartitioningOptions {
  double largest_turn = 1.5;          // rad; of a ball from the chart's origin. The chart is singular at 2 pi
  double largest_growth = 10.0;       // of Sensitivity::energy over its least in this chart (1 where that is smaller)
  double least_gain = 2.0;            // in that: what makes another choice of the coordinates worth a new beginning
  double largest_error_growth = 2.0;  // of errors, from independent to dependent coordinates; of rates it is the cube
  double least_rcond = 0.1;           // of the chart's matrix, over what it was when the chart was chosen
  double poor_rows = 30.0;            // growth of the constraint rows' condition that calls for other rows
};

class Partitioning : public SecondOrderOde {
 public:
  // `start` is consistent: formalism::assemble, fit_velocities. `equations` hold independent constraints.
  Partitioning(formalism::EquationsOfMotion equations, formalism::State start, PartitioningOptions options = {});

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval rhs(double t, CSpan y, Span yp, Workspace&) const override;
  long factorisations(const Workspace&) const override;
  bool accepted(double t, Span y, Workspace&) const override;
  int first_order() const override { return equations_.ns(); }
  // By exact derivatives of the equations of motion, taken to the independent coordinates; see reduced_response.h for what is left out.
  Eval prepare(double t, CSpan y, double b, double c, Workspace&) const override;
  void respond(CSpan dx, CSpan dv, Span dF, Workspace&) const override;

  // y at the start, in the chart with which a workspace begins.
  std::vector<double> initial() const;
  // Which y is meant: the integrator's y(), from which the next step begins, or one that interpolate() gave within the step
  // just taken.
  enum class Of { next_step, last_step };
  // Positions and velocities at y. Not ok: `blame` of the workspace says why.
  Eval state(double t, CSpan y, Of of, Span q, Span v, Workspace&) const;
  // Charts that this workspace has left so far.
  long renewals(const Workspace&) const;
  // No choice of coordinates is good any more: the constraint rows have come near to depending on each other. Where there are
  // redundant ones, others carry the rank here: choose anew (formalism::find_rank) and go on from the state with them.
  bool wants_other_rows(const Workspace&) const;
  // The present independent coordinates, "crank.angle".
  std::vector<std::string> independent(const Workspace&) const;

 private:
  struct Work;
  enum class Need { none, better_choice, new_origin };
  Need need(Work&) const;
  bool renew(double t, Span y, Need, Work&) const;

  formalism::EquationsOfMotion equations_;
  formalism::State start_;
  std::vector<int> independent_;  // at the start
  double condition_;              // of the constraint rows at the start
  PartitioningOptions options_;
  Structure structure_;
};

}  // namespace skyhook::formulation
