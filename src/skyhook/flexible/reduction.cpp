#include "skyhook/flexible/reduction.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "skyhook/flexible/thermal.h"

namespace skyhook::flexible {
namespace {

void append(Dense& all, const Dense& more) {
  const int before = static_cast<int>(all.cols());
  all.conservativeResize(more.rows(), before + more.cols());
  all.rightCols(more.cols()) = more;
}

std::vector<int> dofs_of(const FeModel& part, const std::vector<Place>& places) {
  std::vector<int> dofs;
  for (const Place& place : places) {
    for (const int node : place.nodes) {
      for (const int d : part.nodes[static_cast<std::size_t>(node)].dof) {
        if (d >= 0) dofs.push_back(d);
      }
    }
  }
  std::ranges::sort(dofs);
  dofs.erase(std::ranges::unique(dofs).begin(), dofs.end());
  return dofs;
}

// Unit forces and moments at the places.
Dense unit_loads(const FeModel& part, const std::vector<Place>& places) {
  Dense loads(part.dofs, 0);
  for (const Place& place : places) {
    const Dense rows(place.rows);
    append(loads, rows.topRows(place.has_turn ? 6 : 3).transpose());
  }
  return loads;
}

Dense chosen_loads(const FeModel& part, const std::vector<Place>& places, const std::vector<PlaceDirection>& wanted) {
  Dense loads(part.dofs, 0);
  for (const auto& [place, direction] : wanted)
    append(loads, Dense(places[static_cast<std::size_t>(place)].rows).row(direction).transpose());
  return loads;
}

// Displacements of all when one unknown of the places moves by 1 and the others stay [Craig 1968].
Dense constraint_shapes(const FeModel& part, const Compliance& held, const std::vector<int>& dofs) {
  Dense moved = Dense::Zero(part.dofs, static_cast<int>(dofs.size()));
  for (std::size_t i = 0; i < dofs.size(); ++i) moved(dofs[i], static_cast<int>(i)) = 1;
  return moved - held.solve(part.stiffness * moved);
}

Dense response_shapes(const FeModel& part, const Dense& loads, double hz, const Location& where) {
  const Sparse A = part.stiffness - std::pow(two_pi * hz, 2) * part.mass;
  Eigen::SparseLU<Sparse> lu(A);
  if (lu.info() != Eigen::Success)
    throw ModelError(where, fmt::format("the part has no response at {:g} Hz: it vibrates by itself there.", hz),
                     "Take another frequency.");
  return lu.solve(loads);
}

// Of those found, the ones that are asked for.
Dense chosen(const FeModel& part, const std::vector<Place>& places, const Vibrations& v, const ReductionOptions& o,
             std::vector<std::string>& notes) {
  Dense out(part.dofs, 0);
  const Dense effective = effective_masses(part, v.shapes);
  const Dense shares = contributions(v, places, o.channels);
  int idle = 0, mute = 0;
  for (int i = 0; i < v.shapes.cols(); ++i) {
    const double hz = std::sqrt(v.squares[i]) / two_pi;
    if ((o.up_to && hz > *o.up_to) || (o.from && hz < *o.from)) continue;
    if (effective.row(i).maxCoeff() < o.least_participation) {
      ++idle;
      continue;
    }
    if (!o.channels.empty() && shares.row(i).maxCoeff() < o.least_contribution) {
      ++mute;
      continue;
    }
    append(out, v.shapes.col(i));
  }
  if (idle > 0)
    notes.push_back(
        fmt::format("{} vibrations that carry less than {:g} of the mass are left out.", idle, o.least_participation));
  if (mute > 0)
    notes.push_back(fmt::format("{} vibrations that contribute less than {:g} to each channel are left out.", mute,
                                o.least_contribution));
  const bool has_range = o.up_to || o.from;
  if (out.cols() == 0 && has_range) {
    const double first = v.squares.size() > 0 ? std::sqrt(v.squares[0]) / two_pi : 0;
    throw ModelError(o.where,
                     fmt::format("no vibration lies between {:g} and {:g} Hz: the first is at {:.5g} Hz.",
                                 o.from.value_or(0), o.up_to.value_or(INFINITY), first),
                     "Widen the range, or write `modes: 0` if deformations under forces are enough.");
  }
  return out;
}

Dense vibrations_of(const Compliance& c, const std::vector<Place>& places, const ReductionOptions& o,
                    std::vector<std::string>& notes) {
  if (!o.up_to && !o.from && o.modes <= 0) return Dense(c.part().dofs, 0);
  const Vibrations v = o.up_to ? vibrations_below(c, *o.up_to) : lowest_vibrations(c, o.modes);
  if (!o.up_to && v.squares.size() < o.modes)
    notes.push_back(fmt::format("{} vibrations were asked for, but the mesh has {}.", o.modes, v.squares.size()));
  return chosen(c.part(), places, v, o, notes);
}

Column sizes(const FeModel& part, const Dense& V) {
  return (V.array() * (part.mass * V).array()).colwise().sum().cwiseMax(0.0).sqrt().matrix().transpose();
}

// Columns that are not combinations of others, orthonormal over the mass: the most independent first. `before`: how large they were with their rigid
// part; what is nothing beside that is rounding.
Dense independent(const FeModel& part, Dense V, const Column& before) {
  const Sparse& M = part.mass;
  Dense Q(V.rows(), 0);
  for (int c = 0; c < V.cols(); ++c) V.col(c) *= before[c] > 0 ? 1 / before[c] : 0;
  while (V.cols() > 0) {
    const Column size = sizes(part, V);
    int best = 0;
    if (!(size.maxCoeff(&best) > 1e-7)) break;
    Column x = V.col(best) / size[best];
    if (Q.cols() > 0) x -= Q * (Q.transpose() * (M * x));
    x /= std::sqrt(x.dot(M * x));
    append(Q, x);
    V.col(best) = V.rightCols(1), V.conservativeResize(Eigen::NoChange, V.cols() - 1);
    const Column Mx = M * x;
    for (int pass = 0; pass < 2 && V.cols() > 0; ++pass) V -= x * (Mx.transpose() * V);
  }
  return Q;
}

// Orthogonal over mass and stiffness, the slowest first: from M x = mu K x, which keeps the digits of the slow ones.
void diagonalise(const FeModel& part, Reduced& out) {
  const Dense K = out.shapes.transpose() * (part.stiffness * out.shapes),
              M = out.shapes.transpose() * (part.mass * out.shapes);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen((M + M.transpose()) / 2, (K + K.transpose()) / 2);
  if (eigen.info() != Eigen::Success)
    throw ModelError(
        part.where,
        fmt::format("the shapes of {} have no stiffness: the stiffness matrix is not positive.", part.name));
  out.squares = eigen.eigenvalues().reverse().cwiseInverse();
  out.shapes = out.shapes * eigen.eigenvectors().rowwise().reverse() * out.squares.cwiseSqrt().asDiagonal();
}

// The largest displacement of a shape, or a tenth of the part's size times its rotation where that is more (a shaft that twists), is 1 m a unit.
double size_of(const FeModel& part, const Column& x, double length) {
  double largest = 0;
  for (const FeNode& n : part.nodes) {
    double u = 0, r = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (n.dof[i] >= 0) u += x[n.dof[i]] * x[n.dof[i]];
      if (n.dof[3 + i] >= 0) r += x[n.dof[3 + i]] * x[n.dof[3 + i]];
    }
    largest = std::max({largest, std::sqrt(u), length * std::sqrt(r)});
  }
  return largest;
}

double tenth_of_size(const FeModel& part) {
  Vec3d low = part.nodes[0].at, high = low;
  for (const FeNode& n : part.nodes) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], n.at[i]), high[i] = std::max(high[i], n.at[i]);
  }
  return norm(high - low) / 10;
}

void normalise(const FeModel& part, Reduced& out) {
  const double length = tenth_of_size(part);
  out.mass.resize(out.shapes.cols());
  for (int i = 0; i < out.shapes.cols(); ++i) {
    const double size = size_of(part, out.shapes.col(i), length);
    int at = 0;
    out.shapes.col(i).cwiseAbs().maxCoeff(&at);
    out.shapes.col(i) /= out.shapes(at, i) < 0 ? -size : size;  // a sign that does not depend on the machine
    out.mass[i] = out.shapes.col(i).dot(part.mass * out.shapes.col(i));
  }
}

void drop_above(Reduced& out, const ReductionOptions& o) {
  if (!o.drop_above) return;
  int keep = 0;
  while (keep < out.squares.size() && std::sqrt(out.squares[keep]) <= two_pi * *o.drop_above) ++keep;
  if (keep == out.squares.size()) return;
  out.notes.push_back(fmt::format("{} shapes above {:g} Hz are left out.", out.squares.size() - keep, *o.drop_above));
  if (keep == 0)
    throw ModelError(o.where,
                     fmt::format("no shape is below {:g} Hz: the first is at {:.5g} Hz.", *o.drop_above,
                                 std::sqrt(out.squares[0]) / two_pi),
                     "Raise `drop_above`.");
  out.shapes.conservativeResize(Eigen::NoChange, keep), out.squares.conservativeResize(keep);
}

}  // namespace

namespace {

// Of the given displacements, those that are not motions of the whole: files have six digits, so that the rest of these would be rounding.
Dense deforming(const FeModel& part, const FrameConditions& frame, const ReductionOptions& o,
                std::vector<std::string>& notes) {
  if (o.given.cols() == 0) return Dense(part.dofs, 0);
  const Column before = sizes(part, o.given), after = sizes(part, without_rigid(part, frame, o.given, o.where));
  Dense kept(part.dofs, 0);
  for (int k = 0; k < o.given.cols(); ++k) {
    if (after[k] > 1e-4 * before[k]) append(kept, o.given.col(k));
  }
  if (const long gone = o.given.cols() - kept.cols(); gone > 0)
    notes.push_back(fmt::format("{} of the given shapes are motions of the whole and are left out.", gone));
  return kept;
}

}  // namespace

Dense contributions(const Vibrations& v, const std::vector<Place>& places, const std::vector<Channel>& channels) {
  Dense share(v.shapes.cols(), static_cast<int>(channels.size()));
  for (int c = 0; c < share.cols(); ++c) {
    const Channel& channel = channels[static_cast<std::size_t>(c)];
    const Dense from = places[static_cast<std::size_t>(channel.from)].rows * v.shapes,
                to = places[static_cast<std::size_t>(channel.to)].rows * v.shapes;
    const Eigen::ArrayXd part =
        (from.row(channel.from_direction).array() * to.row(channel.to_direction).array()).abs().transpose() /
        v.squares.array();
    share.col(c) = part / std::max(1e-300, part.sum());
  }
  return share;
}

Dense effective_masses(const FeModel& part, const Dense& shapes) {
  const Dense R = rigid_motions(part), MR = part.mass * R, coupling = shapes.transpose() * MR;
  Dense share(shapes.cols(), 6);
  for (int i = 0; i < shapes.cols(); ++i) {
    const double own = shapes.col(i).dot(part.mass * shapes.col(i));
    for (int a = 0; a < 6; ++a)
      share(i, a) = coupling(i, a) * coupling(i, a) / own / std::max(1e-300, R.col(a).dot(MR.col(a)));
  }
  return share;
}

Reduced reduce(const FeModel& part, const std::vector<Place>& places, const FrameConditions& frame,
               const ReductionOptions& o) {
  Reduced out;
  out.frame = frame;
  Dense basis(part.dofs, 0);
  const bool is_held = o.boundary == ReductionOptions::Boundary::held && !places.empty();
  const std::vector<int> dofs = dofs_of(part, places);
  const Compliance compliance = is_held ? Compliance::held(part, dofs) : Compliance::free(part);
  if (is_held && !o.channels.empty())
    throw ModelError(o.where, "channels choose among vibrations of the free part, but it is held at its places.",
                     "Write `boundary: free`.");
  append(basis, vibrations_of(compliance, places, o, out.notes));
  out.vibrations = static_cast<int>(basis.cols());
  if (is_held && !o.static_at.empty())
    throw ModelError(o.where, "static_at chooses among forces on the free part, but it is held at its places.",
                     "Write `boundary: free`.");
  const Dense loads = o.static_at.empty() ? unit_loads(part, places) : chosen_loads(part, places, o.static_at);
  if (o.with_static && !places.empty())
    append(basis, is_held ? constraint_shapes(part, compliance, dofs) : compliance.solve(loads));
  out.statics = static_cast<int>(basis.cols()) - out.vibrations;
  for (const double hz : o.response_at) append(basis, response_shapes(part, loads, hz, o.where));
  out.responses = static_cast<int>(basis.cols()) - out.vibrations - out.statics;
  append(basis, compliance.solve(thermal_loads(part, o.thermal, o.where)));
  out.thermals = static_cast<int>(o.thermal.size());
  append(basis, deforming(part, frame, o, out.notes));
  out.given = static_cast<int>(basis.cols()) - out.vibrations - out.statics - out.responses - out.thermals;
  const int before = static_cast<int>(basis.cols());
  out.shapes = independent(part, without_rigid(part, frame, basis, o.where), sizes(part, basis));
  if (out.shapes.cols() == 0)
    throw ModelError(o.where, fmt::format("no shape is left of {}.", part.name),
                     "Ask for vibrations (`modes`), or give places for static ones.");
  if (const int gone = before - static_cast<int>(out.shapes.cols()) - (is_held && o.with_static ? 6 : 0); gone > 0)
    out.notes.push_back(fmt::format("{} shapes are combinations of others and are left out.", gone));
  diagonalise(part, out);
  drop_above(out, o);
  normalise(part, out);
  return out;
}

void stiffen(const FeModel& part, const Dense& by_preload, const Location& where, Reduced& r) {
  const Dense M = r.mass.asDiagonal(), K = (r.mass.array() * r.squares.array()).matrix().asDiagonal();
  const Dense G = (by_preload + by_preload.transpose()) / 2;
  const double softest = Eigen::GeneralizedSelfAdjointEigenSolver<Dense>(G, K, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (softest < 0) r.buckling_factor = -1 / softest;
  if (r.buckling_factor <= 1)
    throw ModelError(where, fmt::format("{} buckles under its preload, at {:.4g} of it.", part.name, r.buckling_factor),
                     "Take a smaller force; its sign is that of a pull or a push.");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen(M, K + G);
  r.squares = eigen.eigenvalues().reverse().cwiseInverse();
  r.shapes = r.shapes * eigen.eigenvectors().rowwise().reverse() * r.squares.cwiseSqrt().asDiagonal();
  normalise(part, r);
}

}  // namespace skyhook::flexible
