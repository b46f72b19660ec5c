#include "skyhook/formulation/reduced_response.h"

#include <algorithm>

namespace skyhook::formulation {

using formalism::EquationsOfMotion;

ReducedResponse::ReducedResponse(const EquationsOfMotion& eq)
    : tangent_(eq.tangent_pattern()), zero_(eq.ng(), 0.0), right_(eq.nv() + eq.ng()) {
  const Pattern& rows = eq.constraint_pattern();
  const int n = eq.nv() + eq.ng();
  PatternBuilder builder(n, n);
  for (int j = 0; j < eq.nv(); ++j) {
    for (int k = tangent_.start[j]; k < tangent_.start[j + 1]; ++k) builder.add(tangent_.row[k], j);
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k)
      builder.add(eq.nv() + rows.row[k], j), builder.add(j, eq.nv() + rows.row[k]);
  }
  matrix_ = Csc(std::make_shared<const Pattern>(builder.build()));
  lu_.emplace(matrix_.pattern);
  for (int j = 0; j < eq.nv(); ++j) {
    for (int k = tangent_.start[j]; k < tangent_.start[j + 1]; ++k)
      tangent_at_.push_back(matrix_.pattern->find(tangent_.row[k], j));
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
      jacobian_at_.push_back(matrix_.pattern->find(eq.nv() + rows.row[k], j));
      transposed_at_.push_back(matrix_.pattern->find(j, eq.nv() + rows.row[k]));
    }
  }
  const auto columns = [](std::vector<double>& values, const Pattern& pattern, std::vector<double*>& at) {
    values.resize(pattern.nonzeros());
    at.resize(static_cast<std::size_t>(pattern.cols));
  };
  columns(stiffness_, tangent_, at_[0]), columns(damping_, tangent_, at_[1]), columns(mass_, tangent_, at_[2]);
  columns(loop_, eq.loop_pattern(), at_[3]), columns(jacobian_, rows, at_[4]), columns(rate_, rows, at_[5]),
      columns(friction_, rows, at_[6]);
}

Eval ReducedResponse::prepare(const EquationsOfMotion& eq, const At& at, double b, double c,
                              EquationsOfMotion::Workspace& ws) {
  const auto point = [](std::vector<double>& values, const Pattern& pattern, std::vector<double*>& columns) {
    for (int j = 0; j < pattern.cols; ++j) columns[j] = values.data() + pattern.start[j];
    return columns.data();
  };
  const Pattern& rows = eq.constraint_pattern();
  std::ranges::fill(friction_, 0.0);
  const formalism::Blocks blocks{.stiffness = point(stiffness_, tangent_, at_[0]),
                                 .damping = point(damping_, tangent_, at_[1]),
                                 .mass = point(mass_, tangent_, at_[2]),
                                 .eta_part = point(loop_, eq.loop_pattern(), at_[3]),
                                 .jacobian = point(jacobian_, rows, at_[4]),
                                 .g_rate_part = point(rate_, rows, at_[5]),
                                 .friction = eq.loads().empty() ? nullptr : point(friction_, rows, at_[6])};
  if (const Eval e = eq.derivatives({at.t, at.q, at.v, at.a, at.lambda, zero_}, blocks, ws); e != Eval::ok) return e;
  std::ranges::fill(matrix_.value, 0.0);
  for (std::size_t k = 0; k < tangent_at_.size(); ++k)
    matrix_.value[tangent_at_[k]] = mass_[k] + c * damping_[k] + b * stiffness_[k];
  for (std::size_t k = 0; k < jacobian_at_.size(); ++k) {
    matrix_.value[jacobian_at_[k]] = jacobian_[k];
    matrix_.value[transposed_at_[k]] = jacobian_[k] + friction_[k];
  }
  return lu_->factor(matrix_.value) ? Eval::ok : Eval::recoverable;
}

void ReducedResponse::solve(CSpan dq, CSpan dv, Span d) {
  std::ranges::fill(right_, 0.0);
  for (int j = 0; j < tangent_.cols; ++j) {
    for (int k = tangent_.start[j]; k < tangent_.start[j + 1]; ++k)
      right_[tangent_.row[k]] -= stiffness_[k] * dq[j] + damping_[k] * dv[j];
  }
  lu_->solve(right_);
  std::copy_n(right_.begin(), d.size(), d.begin());
}

}  // namespace skyhook::formulation
