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

void put_values(const LocalLoads::Known& at, std::span<const double> w, std::span<const double> s,
                std::vector<double>& out) {
  auto to = out.begin();
  for (const std::span<const double> list : {at.c, at.p, at.p_rate, at.lambda, w, s})
    to = std::ranges::copy(list, to).out;
}

// A motion that does not vary.
model::Relative<Local> standing(const model::Relative<double>& motion) {
  model::Relative<Local> still;
  still.t = Local(motion.t), still.set = motion.set;
  still.r = Vec3<Local>(motion.r), still.v = Vec3<Local>(motion.v), still.w = Vec3<Local>(motion.w);
  still.R = Mat3<Local>(motion.R);
  return still;
}

}  // namespace

void LocalLoads::reserve(const model::Declared& declared) {
  const int nc = static_cast<int>(declared.states.size()), nw = static_cast<int>(declared.algebraic.size());
  const int np = static_cast<int>(declared.coordinates.size());
  const int ns = static_cast<int>(declared.contact_variables.size());
  const int nl = declared.reads_multipliers ? static_cast<int>(declared.rows.size()) : 0, given = nc + 2 * np + nl;
  const int own = given + nw + ns, outputs = 6 + nc + np + nw, kept = local_variables + given;
  grow(rates_, nc), grow(forces_, np), grow(w_, nw), grow(b_, nw), grow(values_, own), grow(unknowns_, own);
  grow(rates_local_, nc), grow(forces_local_, np), grow(b_local_, nw);
  grow(all_, outputs * (local_variables + own)), grow(total_, (6 + nc + np) * kept);
  grow(matrix_, nw * nw), grow(right_, nw * kept);
}

void LocalLoads::take(const Known& at) {
  nc_ = static_cast<int>(at.c.size()), np_ = static_cast<int>(at.p.size()), ns_ = static_cast<int>(at.s.size());
  nl_ = static_cast<int>(at.lambda.size());
}

model::LoadOutput<double> LocalLoads::room(const Known& at) {
  return {wrench, std::span(rates_).first(at.c.size()), std::span(b_).first(static_cast<std::size_t>(nw_)),
          std::span(forces_).first(at.p.size())};
}

// False: an equation of w has no value.
bool LocalLoads::look(const model::ContributionLaw& law, const Known& at) {
  wrench = {};
  law.loads(Known{at.motion, at.c, w(), at.s, at.p, at.p_rate, at.lambda}, room(at));
  return std::ranges::all_of(b(), [](double x) { return std::isfinite(x); });
}

void LocalLoads::evaluate(const model::MeasuringLaw& law, const Known& at, std::vector<double>& measured) {
  take(at);
  nw_ = 0;
  wrench = {};
  law.measured_loads(at, room(at), measured);
}

void LocalLoads::evaluate_at(const model::ContributionLaw& law, const Known& at) {
  take(at);
  nw_ = static_cast<int>(at.w.size());
  std::ranges::copy(at.w, w_.begin());
  look(law, at);
}

bool LocalLoads::evaluate(const model::ContributionLaw& law, const Known& known) {
  const model::Declared& declared = law.declared();
  take(known);
  nw_ = static_cast<int>(declared.algebraic.size());
  for (int k = 0; k < nw_; ++k) w_[k] = known.w.empty() ? declared.algebraic[k].start : known.w[k];
  if (!look(law, known)) return false;
  if (nw_ == 0) return true;

  const model::Relative<Local> still = standing(known.motion);  // Newton's method with b_w from dual numbers
  for (int iteration = 0; iteration < 50; ++iteration) {
    put_values(known, w(), known.s, values_);
    columns(law, still, given(), nw_);
    for (int i = 0; i < nw_; ++i) {
      right_[i] = -b_[i];
      for (int k = 0; k < nw_; ++k) matrix_[i * nw_ + k] = at(of_b(i), by_unknown(k));
    }
    if (!solve_small(matrix_, right_, nw_, 1)) return false;
    double relative = 0;
    for (int k = 0; k < nw_; ++k) {
      w_[k] += right_[k];
      relative = std::max(relative, std::abs(right_[k]) / (std::abs(w_[k]) + declared.algebraic[k].nominal));
    }
    if (!std::isfinite(relative) || !look(law, known)) return false;
    if (relative < 1e-14 || (relative < 1e-11 && iteration > 5)) return true;
  }
  return false;
}

// At unknowns_.
void LocalLoads::look(const model::ContributionLaw& law, const model::Relative<Local>& motion,
                      model::Wrench<Local>& out) {
  const auto nc = static_cast<std::size_t>(nc_), np = static_cast<std::size_t>(np_), nw = static_cast<std::size_t>(nw_),
             ns = static_cast<std::size_t>(ns_), nl = static_cast<std::size_t>(nl_);
  const std::span<const Local> u = unknowns_, after = u.subspan(nc + 2 * np + nl);
  out = {};
  law.loads(
      model::LoadInput<Local>{motion, u.first(nc), after.first(nw), after.subspan(nw, ns), u.subspan(nc, np),
                              u.subspan(nc + np, np), u.subspan(nc + 2 * np, nl)},
      {out, std::span(rates_local_).first(nc), std::span(b_local_).first(nw), std::span(forces_local_).first(np)});
}

void LocalLoads::write_column(int column, const model::Wrench<Local>& from, int k) {
  for (int i = 0; i < 3; ++i) at(i, column) = from.f[i].d[k], at(3 + i, column) = from.n[i].d[k];
  for (int i = 0; i < nc_; ++i) at(of_rate(i), column) = rates_local_[i].d[k];
  for (int i = 0; i < np_; ++i) at(of_force(i), column) = forces_local_[i].d[k];
  for (int i = 0; i < nw_; ++i) at(of_b(i), column) = b_local_[i].d[k];
}

// Columns of unknowns `first` .. `first + count` among (c, p, p', lambda, w, s), twelve at a time.
void LocalLoads::columns(const model::ContributionLaw& law, const model::Relative<Local>& motion, int first,
                         int count) {
  model::Wrench<Local> out;
  for (int begin = first; begin < first + count; begin += local_variables) {
    const int end = std::min(begin + local_variables, first + count);
    for (int k = 0; k < own(); ++k)
      unknowns_[k] = k >= begin && k < end ? Local::variable(values_[k], k - begin) : Local(values_[k]);
    look(law, motion, out);
    for (int k = begin; k < end; ++k) write_column(local_variables + k, out, k - begin);
  }
}

void LocalLoads::differentiate_by_multipliers(const model::ContributionLaw& law, const Known& known) {
  put_values(known, w(), known.s, values_);
  columns(law, standing(known.motion), nc_ + 2 * np_, nl_);
}

bool LocalLoads::differentiate(const model::ContributionLaw& law, const model::Relative<Local>& seeded,
                               const Known& known, const LocalConditions& contact, bool follow) {
  put_values(known, w(), std::span(contact.s).first(static_cast<std::size_t>(ns_)), values_);
  for (int k = 0; k < own(); ++k) unknowns_[k] = Local(values_[k]);
  model::Wrench<Local> out;
  look(law, seeded, out);
  for (int k = 0; k < local_variables; ++k) write_column(k, out, k);
  model::Relative<Local> still = seeded;
  for (Vec3<Local>* x : {&still.r, &still.v, &still.w}) *x = Vec3<Local>(value_of(*x));
  for (int i = 0; i < 3; ++i) still.R[i] = Vec3<Local>(value_of(still.R[i]));
  columns(law, still, 0, own());

  // s follows x and p: every row that reads s reads these instead.
  for (int row = 0; row < outputs() && follow; ++row) {
    for (int k = 0; k < ns_; ++k) {
      const double to_s = at(row, by_unknown(nw_ + k));
      for (int j = 0; j < 6; ++j) at(row, j) += to_s * contact.s_of_x[k][j];
      for (int j = 0; j < np_; ++j) at(row, by_own(j)) += to_s * contact.s_of_x[k][6 + j];
    }
  }
  if (nw_ > 0 && follow) {  // w follows
    for (int i = 0; i < nw_; ++i) {
      for (int k = 0; k < nw_; ++k) matrix_[i * nw_ + k] = at(of_b(i), by_unknown(k));
      for (int j = 0; j < kept(); ++j) right_[i * kept() + j] = -at(of_b(i), j);
    }
    if (!solve_small(matrix_, right_, nw_, kept())) return false;
  }
  bool is_finite = true;
  for (int row = 0; row < 6 + nc_ + np_; ++row) {
    for (int j = 0; j < kept(); ++j) {
      double sum = at(row, j);
      for (int k = 0; k < nw_ && follow; ++k) sum += at(row, by_unknown(k)) * right_[k * kept() + j];
      total_[row * kept() + j] = sum;
      is_finite = is_finite && std::isfinite(sum);
    }
  }
  return is_finite;
}

bool LocalLoads::differentiate(const model::SlopedLoads& law, const model::Relative<Local>& seeded, const Known& at) {
  take(at);
  nw_ = 0;
  const std::span<double> slopes = std::span(total_).first(static_cast<std::size_t>((6 + nc_) * kept()));
  law.loads_and_slopes(seeded, at, room(at), slopes);
  double sum = 0;  // 0 x is NaN where x is no number
  for (const double x : slopes) sum += 0.0 * x;
  for (int i = 0; i < 3; ++i) sum += 0.0 * (wrench.f[i] + wrench.n[i]);
  for (const double x : rates()) sum += 0.0 * x;
  return sum == 0.0;
}

Local LocalLoads::to_motion(double value, int row) const {
  Local out(value);
  for (int k = 0; k < local_variables; ++k) out.d[k] = slope(row, k);
  return out;
}

}  // namespace skyhook::formalism::recursive
