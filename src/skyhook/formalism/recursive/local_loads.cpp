#include "skyhook/formalism/recursive/local_loads.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/small_solve.h"

namespace skyhook::formalism::recursive {

using model::Local;
constexpr int local_variables = 12;

namespace {

void grow(auto& list, int size) {
  if (list.size() < static_cast<std::size_t>(size)) list.resize(static_cast<std::size_t>(size));
}

Vec3d value_of(const Vec3<Local>& y) { return {y.x.v, y.y.v, y.z.v}; }

}  // namespace

void LocalLoads::reserve(const model::Declared& declared) {
  const int nc = static_cast<int>(declared.states.size()), nw = static_cast<int>(declared.algebraic.size());
  const int ns = static_cast<int>(declared.contact_variables.size());
  const int own = nc + nw + ns, outputs = 6 + nc + nw;
  grow(rates_, nc), grow(w_, nw), grow(b_, nw), grow(values_, own), grow(unknowns_, own);
  grow(rates_local_, nc), grow(b_local_, nw);
  grow(all_, outputs * (local_variables + own)), grow(total_, (6 + nc) * (local_variables + nc));
  grow(matrix_, nw * nw), grow(right_, nw * (local_variables + nc));
}

void LocalLoads::evaluate_at(const model::ContributionLaw& law, const model::Relative<double>& motion,
                             std::span<const double> c, std::span<const double> s, std::span<const double> given) {
  nc_ = static_cast<int>(c.size()), nw_ = static_cast<int>(given.size()), ns_ = static_cast<int>(s.size());
  std::ranges::copy(given, w_.begin());
  wrench = {};
  law.loads(model::LoadInput<double>{motion, c, w(), s},
            {wrench, std::span(rates_).first(c.size()), std::span(b_).first(given.size())});
}

bool LocalLoads::evaluate(const model::ContributionLaw& law, const model::Relative<double>& motion,
                          std::span<const double> c, std::span<const double> s, std::span<const double> w_begin) {
  const model::Declared& declared = law.declared();
  nc_ = static_cast<int>(c.size()), nw_ = static_cast<int>(declared.algebraic.size()), ns_ = static_cast<int>(s.size());
  for (int k = 0; k < nw_; ++k) w_[k] = w_begin.empty() ? declared.algebraic[k].start : w_begin[k];
  const std::span<double> rates = std::span(rates_).first(c.size()),
                          b = std::span(b_).first(static_cast<std::size_t>(nw_));
  const auto look = [&] {
    wrench = {};
    law.loads(model::LoadInput<double>{motion, c, w(), s}, {wrench, rates, b});
    return std::ranges::all_of(b, [](double x) { return std::isfinite(x); });
  };
  if (!look()) return false;
  if (nw_ == 0) return true;

  // Newton's method with b_w from dual numbers; the motion stands still.
  model::Relative<Local> still;
  still.t = Local(motion.t), still.set = motion.set;
  still.r = Vec3<Local>(motion.r), still.v = Vec3<Local>(motion.v), still.w = Vec3<Local>(motion.w);
  still.R = Mat3<Local>(motion.R);
  for (int iteration = 0; iteration < 50; ++iteration) {
    std::ranges::copy(c, values_.begin());
    std::ranges::copy(w(), values_.begin() + nc_);
    std::ranges::copy(s, values_.begin() + nc_ + nw_);
    columns(law, still, nc_, nw_);
    for (int i = 0; i < nw_; ++i) {
      right_[i] = -b_[i];
      for (int k = 0; k < nw_; ++k) matrix_[i * nw_ + k] = at(6 + nc_ + i, local_variables + nc_ + k);
    }
    if (!solve_small(matrix_, right_, nw_, 1)) return false;
    double relative = 0;
    for (int k = 0; k < nw_; ++k) {
      w_[k] += right_[k];
      relative = std::max(relative, std::abs(right_[k]) / (std::abs(w_[k]) + declared.algebraic[k].nominal));
    }
    if (!std::isfinite(relative) || !look()) return false;
    if (relative < 1e-14 || (relative < 1e-11 && iteration > 5)) return true;
  }
  return false;
}

// Columns of unknowns `first` .. `first + count` among (c, w, s), twelve at a time.
void LocalLoads::columns(const model::ContributionLaw& law, const model::Relative<Local>& motion, int first,
                         int count) {
  const auto nc = static_cast<std::size_t>(nc_), nw = static_cast<std::size_t>(nw_), ns = static_cast<std::size_t>(ns_);
  for (int begin = first; begin < first + count; begin += local_variables) {
    const int end = std::min(begin + local_variables, first + count);
    for (int k = 0; k < nc_ + nw_ + ns_; ++k)
      unknowns_[k] = k >= begin && k < end ? Local::variable(values_[k], k - begin) : Local(values_[k]);
    model::Wrench<Local> out{};
    const std::span<const Local> u = unknowns_;
    law.loads(model::LoadInput<Local>{motion, u.first(nc), u.subspan(nc, nw), u.subspan(nc + nw, ns)},
              {out, std::span(rates_local_).first(nc), std::span(b_local_).first(nw)});
    for (int k = begin; k < end; ++k) {
      const int column = local_variables + k;
      for (int i = 0; i < 3; ++i) at(i, column) = out.f[i].d[k - begin], at(3 + i, column) = out.n[i].d[k - begin];
      for (int i = 0; i < nc_; ++i) at(6 + i, column) = rates_local_[i].d[k - begin];
      for (int i = 0; i < nw_; ++i) at(6 + nc_ + i, column) = b_local_[i].d[k - begin];
    }
  }
}

bool LocalLoads::differentiate(const model::ContributionLaw& law, const model::Relative<Local>& seeded,
                               std::span<const double> c, const LocalConditions& contact, bool follow) {
  const auto nc = static_cast<std::size_t>(nc_), nw = static_cast<std::size_t>(nw_), ns = static_cast<std::size_t>(ns_);
  std::ranges::copy(c, values_.begin());
  std::ranges::copy(w(), values_.begin() + nc_);
  std::copy_n(contact.s.begin(), ns_, values_.begin() + nc_ + nw_);
  for (int k = 0; k < nc_ + nw_ + ns_; ++k) unknowns_[k] = Local(values_[k]);
  model::Wrench<Local> out{};
  const std::span<const Local> u = unknowns_;
  law.loads(model::LoadInput<Local>{seeded, u.first(nc), u.subspan(nc, nw), u.subspan(nc + nw, ns)},
            {out, std::span(rates_local_).first(nc), std::span(b_local_).first(nw)});
  for (int k = 0; k < local_variables; ++k) {
    for (int i = 0; i < 3; ++i) at(i, k) = out.f[i].d[k], at(3 + i, k) = out.n[i].d[k];
    for (int i = 0; i < nc_; ++i) at(6 + i, k) = rates_local_[i].d[k];
    for (int i = 0; i < nw_; ++i) at(6 + nc_ + i, k) = b_local_[i].d[k];
  }
  model::Relative<Local> still = seeded;
  for (Vec3<Local>* x : {&still.r, &still.v, &still.w}) *x = Vec3<Local>(value_of(*x));
  for (int i = 0; i < 3; ++i) still.R[i] = Vec3<Local>(value_of(still.R[i]));
  columns(law, still, 0, nc_ + nw_ + ns_);

  const int kept = local_variables + nc_;
  // s follows x: every row that reads s reads x instead.
  for (int row = 0; row < outputs() && follow; ++row) {
    for (int k = 0; k < ns_; ++k) {
      for (int j = 0; j < 6; ++j) at(row, j) += at(row, local_variables + nc_ + nw_ + k) * contact.s_of_x[k][j];
    }
  }
  if (nw_ > 0 && follow) {  // w follows
    for (int i = 0; i < nw_; ++i) {
      for (int k = 0; k < nw_; ++k) matrix_[i * nw_ + k] = at(6 + nc_ + i, kept + k);
      for (int j = 0; j < kept; ++j) right_[i * kept + j] = -at(6 + nc_ + i, j);
    }
    if (!solve_small(matrix_, right_, nw_, kept)) return false;
  }
  bool is_finite = true;
  for (int row = 0; row < 6 + nc_; ++row) {
    for (int j = 0; j < kept; ++j) {
      double sum = at(row, j);
      for (int k = 0; k < nw_ && follow; ++k) sum += at(row, kept + k) * right_[k * kept + j];
      total_[row * kept + j] = sum;
      is_finite = is_finite && std::isfinite(sum);
    }
  }
  return is_finite;
}

Local LocalLoads::to_motion(double value, int row) const {
  Local out(value);
  for (int k = 0; k < local_variables; ++k) out.d[k] = slope(row, k);
  return out;
}

}  // namespace skyhook::formalism::recursive
