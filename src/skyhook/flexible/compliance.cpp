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

// Six unknowns that, held, hold the whole part, and as well as possible.
std::vector<int> supports(const Dense& R) {
  Dense scaled = R;
  for (int i = 0; i < 6; ++i) scaled.col(i) /= std::max(1e-300, scaled.col(i).cwiseAbs().maxCoeff());
  const Eigen::ColPivHouseholderQR<Dense> qr(scaled.transpose());
  std::vector<int> dofs;
  for (int i = 0; i < 6; ++i) dofs.push_back(static_cast<int>(qr.colsPermutation().indices()[i]));
  return dofs;
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

// From M x = mu A x of small dense matrices, A positive: the largest mu first.
Vibrations ritz(const Dense& V, const Dense& inverse, int wanted) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen((inverse + inverse.transpose()) / 2);
  const int n = static_cast<int>(eigen.eigenvalues().size());
  const double largest = n > 0 ? eigen.eigenvalues()[n - 1] : 0;
  Vibrations out;
  int count = 0;
  while (count < std::min(n, wanted) && eigen.eigenvalues()[n - 1 - count] > 1e-15 * largest) ++count;
  out.squares = eigen.eigenvalues().reverse().head(count).cwiseInverse();
  out.shapes = V * eigen.eigenvectors().rowwise().reverse().leftCols(count);
  return out;
}

// Relative residual of the inverse problem, |A^-1 M x - mu x| over mu, in the norm of the mass.
double residual_of(const Compliance& c, const Vibrations& v) {
  const Sparse& M = c.part().mass;
  const Dense y = c.solve(M * v.shapes) * v.squares.asDiagonal() - v.shapes;
  double worst = 0;
  for (int i = 0; i < y.cols(); ++i) worst = std::max(worst, std::sqrt(std::max(0.0, y.col(i).dot(M * y.col(i)))));
  return worst;
}

Dense random_block(int rows, int cols) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> any(-1, 1);
  return Dense::NullaryExpr(rows, cols, [&](Eigen::Index, Eigen::Index) { return any(engine); });
}

}  // namespace

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
        "A part of the mesh can move without force: a hinge, a loose node, an element without stiffness.");
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

Vibrations lowest_vibrations(const Compliance& compliance, int wanted, double tolerance) {
  const Sparse& M = compliance.part().mass;
  const int n = static_cast<int>(M.rows()), block = std::min(n, 8);
  MassBasis basis(M, n);
  Dense last = compliance.solve(M * random_block(n, block));
  Vibrations out;
  for (int solves = block;; solves += static_cast<int>(last.cols())) {
    const int before = static_cast<int>(basis.vectors().cols()), taken = basis.add(last);
    const Dense& V = basis.vectors();
    const bool is_all = taken == 0 || V.cols() >= compliance.freedoms();
    if (is_all || (V.cols() >= 2 * wanted && V.cols() % (3 * block) == 0)) {
      out = ritz(V, V.transpose() * (M * compliance.solve(M * V)), wanted);
      out.solves = solves;
      out.converged = is_all || residual_of(compliance, out) < tolerance;
      if (out.converged) return out;
    }
    last = compliance.solve(M * V.middleCols(before, taken));
  }
}

Vibrations vibrations_below(const Compliance& compliance, double hz, int most) {
  const double square = std::pow(2 * std::numbers::pi * hz, 2);
  for (int wanted = 10;; wanted *= 2) {
    Vibrations all = lowest_vibrations(compliance, std::min(wanted, most));
    const int found = static_cast<int>(all.squares.size());
    if (found > 0 && found < std::min(wanted, most)) return all;  // there are no more
    if (found == 0 || all.squares[found - 1] > square || wanted >= most) return all;
  }
}

}  // namespace skyhook::flexible
