#include "skyhook/formalism/recursive/load_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skyhook::formalism::recursive {

LoadFeedback::LoadFeedback(const Equations& eq)
    : factor(eq.frictions().size()),
      force(eq.frictions().size()),
      eq_(eq),
      n_(static_cast<std::size_t>(eq.nv() + eq.ng())),
      lambda_(static_cast<std::size_t>(eq.ng())),
      diagonal_(factor.size(), 1.0) {
  std::size_t slopes = 0, entries = 0;
  for (const int k : eq.readers()) {
    const ContributionItem& item = eq.contributions()[k];
    if (!item.acts()) continue;
    const int parts = Equations::load_parts(item), rows = item.row_count();
    readers_.push_back({&item, parts_, static_cast<int>(row_of_mu_.size()), static_cast<int>(slopes), entries});
    row_of_mu_.insert(row_of_mu_.end(), item.rows.begin(), item.rows.end());
    parts_ += parts, slopes += static_cast<std::size_t>(parts) * static_cast<std::size_t>(rows);
    entries += Equations::frame_parts * item.pair.dofs.size();
  }
  rows_.resize(entries), last_loads_.resize(static_cast<std::size_t>(parts_)), change_.resize(n_);
  mu_.resize(row_of_mu_.size()), loads_.resize(static_cast<std::size_t>(parts_)), slopes_.resize(slopes);
  by_mu_.resize(mu_.size() * lambda_.size());
  responses_.resize(static_cast<std::size_t>(responses()) * n_);
  matrix_.resize(unknowns() * unknowns()), right_.resize(unknowns());
}

// Loads of the contributions at mu.
Eval LoadFeedback::look(double t, CSpan v, Equations::Workspace& ws, Slopes slopes) {
  for (std::size_t k = 0; k < mu_.size(); ++k) {
    if (row_of_mu_[k] >= 0) lambda_[static_cast<std::size_t>(row_of_mu_[k])] = mu_[k];
  }
  for (const Reader& reader : readers_) {
    const Span to = slopes == Slopes::found ? Span(slopes_).subspan(static_cast<std::size_t>(reader.slope)) : Span();
    const Eval e =
        eq_.loads_at(*reader.item, t, v, lambda_, Span(loads_).subspan(static_cast<std::size_t>(reader.part)), to, ws);
    if (e != Eval::ok) return e;
  }
  return Eval::ok;
}

// lambda at F and the loads, from that of x0.
void LoadFeedback::multipliers(CSpan x) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  std::copy(x.begin() + static_cast<long>(nv), x.end(), lambda_.begin());
  const auto add = [&](int k, double size) {
    const CSpan zeta = std::as_const(*this).response(k).subspan(nv);
    for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += size * zeta[i];
  };
  for (int k = 0; k < size(); ++k) add(k, -force[k]);
  for (int i = 0; i < parts_; ++i) add(size() + i, loads_[i]);
}

// How lambda follows each mu: its loads times their responses.
void LoadFeedback::sensitivities() {
  const auto nv = static_cast<std::size_t>(eq_.nv()), ng = lambda_.size();
  std::ranges::fill(by_mu_, 0.0);
  for (const Reader& reader : readers_) {
    const int rows = reader.item->row_count();
    for (int r = 0; r < rows; ++r) {
      double* const column = by_mu_.data() + static_cast<std::size_t>(reader.row + r) * ng;
      for (int i = 0; i < Equations::load_parts(*reader.item); ++i) {
        const double slope = slopes_[static_cast<std::size_t>(reader.slope + i * rows + r)];
        if (slope == 0) continue;
        const CSpan zeta = std::as_const(*this).response(size() + reader.part + i).subspan(nv);
        for (std::size_t j = 0; j < ng; ++j) column[j] += slope * zeta[j];
      }
    }
  }
}

// right = s N - F and its matrix, rows one after another.
void LoadFeedback::linearise_friction() {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  for (int k = 0; k < size(); ++k) {
    const LoadFriction& friction = eq_.frictions()[k];
    const auto& rows = eq_.pair_constraints()[friction.constraint].rows;
    const LoadFriction::Load load = friction.load(rows, lambda_);
    right_[k] = factor[k] * load.size - force[k];
    double* const row = &matrix_[static_cast<std::size_t>(k) * unknowns()];
    for (std::size_t l = 0; l < unknowns(); ++l) row[l] = static_cast<std::size_t>(k) == l ? 1.0 : 0.0;
    for (const PairRow& r : rows) {
      const double slope = factor[k] * LoadFriction::load_slope(r, lambda_, load);
      if (slope == 0) continue;
      for (int l = 0; l < size(); ++l) row[l] += slope * response(l)[nv + static_cast<std::size_t>(r.row)];
      for (std::size_t m = 0; m < mu_.size(); ++m)
        row[factor.size() + m] -= slope * by_mu_[m * lambda_.size() + static_cast<std::size_t>(r.row)];
    }
    diagonal_[k] = row[k];
  }
}

// Of mu: right = lambda - mu. A row that does not hold has none.
void LoadFeedback::linearise() {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  linearise_friction();
  for (std::size_t m = 0; m < mu_.size(); ++m) {
    double* const row = &matrix_[(factor.size() + m) * unknowns()];
    std::fill_n(row, unknowns(), 0.0);
    row[factor.size() + m] = 1;
    right_[factor.size() + m] = 0;
    if (row_of_mu_[m] < 0) continue;
    const auto at = static_cast<std::size_t>(row_of_mu_[m]);
    right_[factor.size() + m] = lambda_[at] - mu_[m];
    for (int l = 0; l < size(); ++l) row[l] += response(l)[nv + at];
    for (std::size_t other = 0; other < mu_.size(); ++other)
      row[factor.size() + other] -= by_mu_[other * lambda_.size() + at];
  }
}

// Gauss with row pivots: there are a handful of such unknowns.
bool LoadFeedback::eliminate() {
  const std::size_t n = unknowns();
  determinant_ = 1;
  auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix_[i * n + j]; };
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i) {
      if (std::abs(at(i, j)) > std::abs(at(pivot, j))) pivot = i;
    }
    if (pivot != j) {
      for (std::size_t c = 0; c < n; ++c) std::swap(at(pivot, c), at(j, c));
      std::swap(right_[pivot], right_[j]);
      determinant_ = -determinant_;
    }
    determinant_ *= at(j, j);
    if (!(std::abs(at(j, j)) > 1e-14)) return false;
    for (std::size_t i = j + 1; i < n; ++i) {
      const double part = at(i, j) / at(j, j);
      for (std::size_t c = j + 1; c < n; ++c) at(i, c) -= part * at(j, c);
      right_[i] -= part * right_[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t c = j + 1; c < n; ++c) right_[j] -= at(j, c) * right_[c];
    right_[j] /= at(j, j);
  }
  return true;
}

bool LoadFeedback::iterate(CSpan x, double t, CSpan v, Equations::Workspace* ws) {
  constexpr int most = 60;
  double last = 1;
  std::ranges::fill(force, 0.0);
  std::ranges::fill(loads_, 0.0);
  for (std::size_t m = 0; m < mu_.size(); ++m)
    mu_[m] = row_of_mu_[m] < 0 ? 0.0 : x[static_cast<std::size_t>(eq_.nv() + row_of_mu_[m])];
  for (int iteration = 0;; ++iteration) {
    looked_ = ws ? look(t, v, *ws) : Eval::ok;
    if (looked_ != Eval::ok) return false;
    multipliers(x);
    if (ws) sensitivities();
    linearise();
    if (iteration == most || !eliminate()) return false;
    double step = 0, size_of_forces = 1e-12;
    const auto move = [&](double& unknown, double by) {
      unknown += by;
      step = std::max(step, std::abs(by));
      size_of_forces = std::max(size_of_forces, std::abs(unknown));
    };
    for (int k = 0; k < size(); ++k) move(force[k], right_[k]);
    for (std::size_t m = 0; m < mu_.size(); ++m) move(mu_[m], right_[factor.size() + m]);
    if (!std::isfinite(step)) return false;
    if (last < 1e-8) break;  // Newton: the step before has left its square
    last = step / size_of_forces;
  }
  looked_ = ws ? look(t, v, *ws) : Eval::ok;
  return looked_ == Eval::ok;
}

void LoadFeedback::add_responses(Span x) const {
  const auto add = [&](int k, double size) {
    const CSpan z = response(k);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += size * z[i];
  };
  for (int k = 0; k < size(); ++k) add(k, -force[k]);
  for (int i = 0; i < parts_; ++i) add(size() + i, loads_[i]);
}

bool LoadFeedback::solve(Span x) {
  if (!iterate(x, 0, {}, nullptr)) return false;
  add_responses(x);
  return determinant_ > 0;
}

Eval LoadFeedback::solve(Span x, double t, CSpan v, Equations::Workspace& ws) {
  const bool found = iterate(x, t, v, &ws);
  if (looked_ != Eval::ok) return looked_;  // who is the cause stands in ws
  if (found) add_responses(x);
  if (found && determinant_ > 0) return Eval::ok;
  ws.blame = blame();
  return Eval::recoverable;
}

// W of all readers.
void LoadFeedback::find_rows(double t, Equations::Workspace& ws) {
  for (const Reader& reader : readers_)
    eq_.load_rows(*reader.item, t,
                  Span(rows_).subspan(reader.entry, Equations::frame_parts * reader.item->pair.dofs.size()), ws);
}

void LoadFeedback::add_parts(CSpan loads, double sign, Span right) const {
  for (const Reader& reader : readers_)
    add_parts(reader, loads.subspan(static_cast<std::size_t>(reader.part)), sign, right);
}

void LoadFeedback::add_parts(const Reader& reader, CSpan parts, double sign, Span right) const {
  const auto& dofs = reader.item->pair.dofs;
  const double* const rows = rows_.data() + reader.entry;
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < Equations::frame_parts; ++i) sum += parts[i] * rows[i * dofs.size() + k];
    eq_.add_column(right, dofs[k], sign * sum);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(reader.item->owns); ++k)
    right[static_cast<std::size_t>(reader.item->first_own) + k] += sign * parts[Equations::frame_parts + k];
}

// To what the loads change with each mu, in the place of responses to their parts; and how lambda follows.
bool LoadFeedback::respond(const Solver& roughly) {
  const auto nv = static_cast<std::size_t>(eq_.nv()), ng = lambda_.size();
  for (const Reader& reader : readers_) {
    const int rows = reader.item->row_count(), parts = Equations::load_parts(*reader.item);
    for (int r = 0; r < rows; ++r) {
      const Span z = response(reader.row + r);
      std::ranges::fill(z, 0.0);
      for (int i = 0; i < parts; ++i)
        last_loads_[static_cast<std::size_t>(i)] = slopes_[static_cast<std::size_t>(reader.slope + i * rows + r)];
      add_parts(reader, last_loads_, 1.0, z);
      if (!roughly(z)) return false;
      std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(nv), ng,
                  by_mu_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(reader.row + r) * ng));
    }
  }
  return true;
}

// x is the solution with the loads at mu, all but the last change of which is exact; that of the slopes, which stay what they were at the first mu.
bool LoadFeedback::iterate_next(Span x, double t, CSpan v, const Solver& exactly, Equations::Workspace& ws) {
  constexpr int most = 12;
  constexpr double enough = 1e-11;
  std::ranges::fill(last_loads_, 0.0);
  for (int iteration = 0; iteration < most; ++iteration) {
    for (std::size_t i = 0; i < loads_.size(); ++i) last_loads_[i] = loads_[i] - last_loads_[i];
    std::ranges::fill(change_, 0.0);
    add_parts(last_loads_, 1.0, change_);
    if (!exactly(change_)) return false;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += change_[i];
    std::copy(x.begin() + eq_.nv(), x.end(), lambda_.begin());
    linearise();
    if (!eliminate()) return false;
    double step = 0, size = 1e-12;
    for (std::size_t m = 0; m < mu_.size(); ++m)
      mu_[m] += right_[m], step = std::max(step, std::abs(right_[m])), size = std::max(size, std::abs(mu_[m]));
    if (!std::isfinite(step)) return false;
    if (step < enough * size) {
      for (std::size_t m = 0; m < mu_.size(); ++m) {
        const CSpan z = std::as_const(*this).response(static_cast<int>(m));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += right_[m] * z[i];
      }
      return true;
    }
    last_loads_ = loads_;
    if (looked_ = look(t, v, ws, Slopes::left_out); looked_ != Eval::ok) return false;
  }
  return false;
}

Eval LoadFeedback::solve_next(Span x, double t, CSpan v, const Solver& exactly, const Solver& roughly,
                              Equations::Workspace& ws) {
  find_rows(t, ws);
  for (std::size_t m = 0; m < mu_.size() && !knows_mu_; ++m)
    mu_[m] = row_of_mu_[m] < 0 ? 0.0 : x[static_cast<std::size_t>(eq_.nv() + row_of_mu_[m])];
  looked_ = look(t, v, ws);
  knows_responses_ = looked_ == Eval::ok && respond(roughly);
  knows_mu_ = knows_responses_ && iterate_next(x, t, v, exactly, ws) && determinant_ > 0;
  return knows_mu_ ? Eval::ok : Eval::recoverable;
}

void LoadFeedback::take_multipliers(CSpan lambda) {
  for (std::size_t m = 0; m < mu_.size(); ++m)
    mu_[m] = row_of_mu_[m] < 0 ? 0.0 : lambda[static_cast<std::size_t>(row_of_mu_[m])];
}

Eval LoadFeedback::take_loads(double t, CSpan v, CSpan lambda, Span forces, Equations::Workspace& ws) {
  find_rows(t, ws);
  std::ranges::fill(loads_, 0.0);
  return take_changes(t, v, lambda, forces, ws);
}

Eval LoadFeedback::take_changes(double t, CSpan v, CSpan lambda, Span forces, Equations::Workspace& ws) {
  last_loads_ = loads_;
  take_multipliers(lambda);
  if (looked_ = look(t, v, ws, Slopes::left_out); looked_ != Eval::ok) return looked_;
  for (std::size_t i = 0; i < loads_.size(); ++i) last_loads_[i] = loads_[i] - last_loads_[i];
  add_parts(last_loads_, -1.0, forces);
  return Eval::ok;
}

bool LoadFeedback::find_responses(double t, CSpan v, CSpan lambda, const Solver& roughly, Equations::Workspace& ws) {
  take_multipliers(lambda);
  looked_ = look(t, v, ws);
  return knows_responses_ = looked_ == Eval::ok && respond(roughly);
}

bool LoadFeedback::complete(Span x) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  linearise();
  for (std::size_t m = 0; m < mu_.size(); ++m)
    right_[m] = row_of_mu_[m] < 0 ? 0.0 : x[nv + static_cast<std::size_t>(row_of_mu_[m])];
  if (!eliminate() || !(determinant_ > 0)) return false;
  for (std::size_t m = 0; m < mu_.size(); ++m) {
    const CSpan z = std::as_const(*this).response(static_cast<int>(m));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += right_[m] * z[i];
  }
  return true;
}

int LoadFeedback::culprit() const { return static_cast<int>(std::ranges::min_element(diagonal_) - diagonal_.begin()); }

std::string LoadFeedback::blame() const {
  if (size() == 0)
    return fmt::format(
        "forces of {} \"{}\" depend on its normal force, and change it by so much that no accelerations follow",
        readers_.front().item->what->type, readers_.front().item->what->name);
  const model::Contribution& what = *eq_.frictions()[culprit()].what;
  return fmt::format(
      "friction \"{}\" jams joint \"{}\": the more it holds the more it is loaded, so that no accelerations follow "
      "(coefficient {:.4g})",
      what.name, eq_.model().joints[what.joint].name, what.friction->coefficient());
}

}  // namespace skyhook::formalism::recursive
