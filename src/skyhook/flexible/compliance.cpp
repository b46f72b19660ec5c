#include "skyhook/flexible/compliance.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "skyhook/flexible/rigid_motion.h"

namespace skyhook::flexible {

struct Compliance::Data {
  const FeModel* part;
  Sparse spread;  // dofs x unknowns that are not held
  Eigen::SimplicialLDLT<Sparse> factor;
  bool is_free = false;
  Dense rigid, rigid_mass;  // R with R^T M R = 1, and M R
  int count = 0;
};

namespace {

Sparse spread_of(int dofs, const std::vector<int>& held) {
  std::vector<char> is_held(static_cast<std::size_t>(dofs));
  for (const int d : held) is_held[static_cast<std::size_t>(d)] = 1;
  std::vector<Eigen::Triplet<double>> entries;
  for (int d = 0; d < dofs; ++d) {
    if (!is_held[static_cast<std::size_t>(d)]) entries.emplace_back(d, static_cast<int>(entries.size()), 1.0);
  }
  Sparse spread(dofs, static_cast<int>(entries.size()));
  spread.setFromTriplets(entries.begin(), entries.end());
  return spread;
}

Dense mass_orthonormal(const Dense& V, const Sparse& M) {
  const Dense gram = V.transpose() * (M * V);
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(gram);
  return V * eigen.eigenvectors() * eigen.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal();
}

// A basis that is orthonormal over the mass. What depends on it already, or has no mass, is not taken up.
class MassBasis {
 public:
  MassBasis(const Sparse& M, int rows) : M_(M), V_(rows, 0), MV_(rows, 0) {}
  int add(const Dense& block) {
    int taken = 0;
    for (int c = 0; c < block.cols(); ++c) taken += add_one(block.col(c));
    return taken;
  }
  const Dense& vectors() const { return V_; }
  const Dense& weighted() const { return MV_; }  // M times them

 private:
  bool add_one(Column x) {
    Column Mx = M_ * x;
    const double before = std::sqrt(std::max(0.0, x.dot(Mx)));
    for (int pass = 0; pass < 2; ++pass) {
      x -= V_ * (MV_.transpose() * x);
      Mx = M_ * x;
    }
    const double left = std::sqrt(std::max(0.0, x.dot(Mx)));
    if (!(left > 1e-10 * before)) return false;
    V_.conservativeResize(Eigen::NoChange, V_.cols() + 1), MV_.conservativeResize(Eigen::NoChange, MV_.cols() + 1);
    V_.rightCols(1) = x / left, MV_.rightCols(1) = Mx / left;
    return true;
  }
  const Sparse& M_;
  Dense V_, MV_;
};

// A block Krylov space of A^-1 M, orthonormal over the mass, with the images of its vectors: all that is asked of it needs no further solution.
class Krylov {
 public:
  explicit Krylov(const Compliance& c)
      : c_(c), basis_(c.part().mass, static_cast<int>(c.part().mass.rows())), images_(c.part().mass.rows(), 0) {}

  // Takes up what the last images add to it. False: nothing, it is complete.
  bool grow(const Dense& block) {
    const int before = size(), taken = basis_.add(block);
    if (taken == 0) return false;
    const Dense next = c_.solve(c_.part().mass * basis_.vectors().middleCols(before, taken));
    images_.conservativeResize(Eigen::NoChange, size()), images_.rightCols(taken) = next;
    last_ = taken;
    return true;
  }
  Dense last() const { return images_.rightCols(last_); }
  int size() const { return static_cast<int>(basis_.vectors().cols()); }
  bool is_complete() const { return size() >= c_.freedoms(); }

  // From x = omega^2 A^-1 M x in this space: all that it has, the slowest first.
  struct Values {
    Column squares;
    Dense vectors;
  };
  Values values() const {
    const Dense inverse = basis_.weighted().transpose() * images_;
    const Eigen::SelfAdjointEigenSolver<Dense> eigen((inverse + inverse.transpose()) / 2);
    const int n = static_cast<int>(eigen.eigenvalues().size());
    const double largest = n > 0 ? eigen.eigenvalues()[n - 1] : 0;
    int count = 0;
    while (count < n && eigen.eigenvalues()[n - 1 - count] > 1e-15 * largest) ++count;
    return {eigen.eigenvalues().reverse().head(count).cwiseInverse(),
            eigen.eigenvectors().rowwise().reverse().leftCols(count)};
  }

  // `wanted` of these, and whether they are at rest: relative residual, in the norm of the mass.
  Vibrations slowest(const Values& all, int wanted, bool is_all, double tolerance) const {
    const int count = std::min(wanted, static_cast<int>(all.squares.size()));
    const Dense small = all.vectors.leftCols(count);
    Vibrations out;
    out.squares = all.squares.head(count), out.shapes = basis_.vectors() * small, out.solves = size();
    const Dense next = images_ * small * out.squares.asDiagonal(), rest = next - out.shapes,
                weighted = c_.part().mass * rest;
    double worst = 0;
    for (int i = 0; i < count; ++i) worst = std::max(worst, std::sqrt(std::max(0.0, rest.col(i).dot(weighted.col(i)))));
    out.converged = is_all || worst < tolerance;
    out.shapes = next;  // what has no mass is right in the image alone: solids of reduced integration have such motions
    return out;
  }

 private:
  const Compliance& c_;
  MassBasis basis_;
  Dense images_;
  int last_ = 0;
};

Dense random_block(int rows, int cols) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> any(-1, 1);
  return Dense::NullaryExpr(rows, cols, [&](Eigen::Index, Eigen::Index) { return any(engine); });
}

}  // namespace

std::vector<int> supports(const Dense& R) {
  Dense scaled = R;
  for (int i = 0; i < 6; ++i) scaled.col(i) /= std::max(1e-300, scaled.col(i).cwiseAbs().maxCoeff());
  const Eigen::ColPivHouseholderQR<Dense> qr(scaled.transpose());
  std::vector<int> dofs;
  for (int i = 0; i < 6; ++i) dofs.push_back(static_cast<int>(qr.colsPermutation().indices()[i]));
  return dofs;
}

Compliance::Compliance(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Compliance::Compliance(Compliance&&) noexcept = default;
Compliance::~Compliance() = default;
const FeModel& Compliance::part() const { return *data_->part; }
int Compliance::freedoms() const { return data_->count; }

Compliance Compliance::held(const FeModel& part, std::vector<int> dofs) {
  auto data = std::make_unique<Data>();
  data->part = &part;
  data->spread = spread_of(part.dofs, dofs);
  data->count = static_cast<int>(data->spread.cols());
  const Sparse K = data->spread.transpose() * part.stiffness * data->spread;
  data->factor.compute(K);
  const bool is_positive =
      data->factor.info() == Eigen::Success && (K.cols() == 0 || data->factor.vectorD().minCoeff() > 0);
  if (!is_positive)
    throw ModelError(
        part.where,
        fmt::format("the stiffness matrix of {} is not positive definite where the part is held.", part.name),
        "A part of the mesh can move without force: a hinge, a loose node, an element without stiffness, or a single "
        "row of elements of reduced integration (C3D20R, S8R).");
  return Compliance(std::move(data));
}

Compliance Compliance::free(const FeModel& part) {
  const Dense R = rigid_motions(part);
  Compliance out = held(part, supports(R));
  out.data_->is_free = true;
  out.data_->rigid = mass_orthonormal(R, part.mass);
  out.data_->rigid_mass = part.mass * out.data_->rigid;
  return out;
}

Dense Compliance::solve(const Dense& forces) const {
  const Data& d = *data_;
  const Dense balanced = d.is_free ? Dense(forces - d.rigid_mass * (d.rigid.transpose() * forces)) : forces;
  Dense q = d.spread * Dense(d.factor.solve(Dense(d.spread.transpose() * balanced)));
  if (d.is_free) q -= d.rigid * (d.rigid_mass.transpose() * q);
  return q;
}

namespace {

// `wanted` of what has been found so far: how many of the slowest are needed.
template <class Wanted>
Vibrations grow_until(const Compliance& compliance, double tolerance, Wanted&& wanted) {
  const int n = static_cast<int>(compliance.part().mass.rows()), block = std::min(n, 8);
  Krylov space(compliance);
  bool has_more = space.grow(compliance.solve(compliance.part().mass * random_block(n, block)));
  for (int next = 0;; has_more = space.grow(space.last())) {
    const bool is_all = !has_more || space.is_complete();
    if (!is_all && space.size() < next) continue;
    const Krylov::Values values = space.values();
    const int count = wanted(values.squares);
    next = std::max(2 * count, space.size() + space.size() / 4);  // looks cost the cube of the size
    if (!is_all && space.size() < 2 * count) continue;
    Vibrations out = space.slowest(values, count, is_all, tolerance);
    if (out.converged) return out;
  }
}

}  // namespace

Vibrations lowest_vibrations(const Compliance& compliance, int wanted, double tolerance) {
  return grow_until(compliance, tolerance, [wanted](const Column&) { return wanted; });
}

Vibrations vibrations_below(const Compliance& compliance, double hz, int most) {
  const double square = std::pow(2 * std::numbers::pi * hz, 2);
  return grow_until(compliance, 1e-12, [&](const Column& squares) {
    int below = 0;
    while (below < squares.size() && squares[below] <= square) ++below;
    return std::min(most, below + 1);
  });
}

}  // namespace skyhook::flexible
