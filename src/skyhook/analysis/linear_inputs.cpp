#include "skyhook/analysis/linear_inputs.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

using simulation::Equations;

void set_column(DenseMatrix& a, int j, const Vector& x) {
  std::copy(x.begin(), x.begin() + a.rows, a.value.begin() + static_cast<long>(j) * a.rows);
}
void add(Vector& to, const Vector& x) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += x[i];
}
Vector negative(Vector x) {
  for (double& e : x) e = -e;
  return x;
}

// tau, g and G v + gI with one input changed.
class Excited {
 public:
  Excited(const simulation::Prepared& p, const OperatingPoint& at)
      : at_(at),
        held_(std::make_shared<model::Held>(*p.active->held())),
        eq_(p.model, p.topology, p.active->active(), held_),
        ws_(eq_.workspace()) {}

  struct Rows {
    Vector tau, g, rate;
  };
  // d/du of all three.
  bool slopes(const LinearInput& input, Rows& out) {
    const bool is_value = input.slot < 0 || input.slot % 3 == 0;
    const double h = is_value ? 1e-4 * (input.signal < 0 ? 1.0 : std::max(1.0, std::abs(signal(input)))) : 1.0;
    Rows p1, m1, p2, m2;
    if (!at(input, h, p1) || !at(input, -h, m1)) return false;
    if (is_value && (!at(input, 2 * h, p2) || !at(input, -2 * h, m2))) return false;
    const auto slope = [&](Vector Rows::*which) {
      Vector d((p1.*which).size());
      for (std::size_t i = 0; i < d.size(); ++i) {
        const double near = (p1.*which)[i] - (m1.*which)[i];
        d[i] = is_value ? (8 * near - ((p2.*which)[i] - (m2.*which)[i])) / (12 * h) : near / (2 * h);
      }
      return d;
    };
    out = {slope(&Rows::tau), slope(&Rows::g), slope(&Rows::rate)};
    return true;
  }
  std::string problem() const { return "The forces cannot be evaluated there: " + ws_.blame() + "."; }

 private:
  double& signal(const LinearInput& input) { return held_->signals[static_cast<std::size_t>(input.signal)]; }
  bool at(const LinearInput& input, double change, Rows& out) {
    Vector u = at_.u, qdot(static_cast<std::size_t>(eq_.nq()));
    out = {Vector(static_cast<std::size_t>(eq_.nv())), Vector(static_cast<std::size_t>(eq_.ng())),
           Vector(static_cast<std::size_t>(eq_.ng()))};
    formalism::Input in = at_.input();
    if (input.slot >= 0) u[static_cast<std::size_t>(input.slot)] += change, in.u = u;
    const double kept = input.signal < 0 ? 0.0 : signal(input);
    if (input.signal >= 0) signal(input) += change;
    const bool ok = eq_.residual(in, {out.tau, qdot, out.g, out.rate}, ws_) == Eval::ok;
    if (input.signal >= 0) signal(input) = kept;
    return ok;
  }

  const OperatingPoint& at_;
  std::shared_ptr<model::Held> held_;
  Equations eq_;
  Equations::Workspace ws_;
};

}  // namespace

std::vector<LinearInput> inputs_of(const Equations& eq) {
  std::vector<LinearInput> out;
  int slot = 0;
  for (const auto& motion : formalism::prescribed_motions(eq)) {
    out.push_back({motion.what, slot++});
    out.push_back({{motion.what.name + "_rate", motion.what.unit + "/s"}, slot++});
    out.push_back({{motion.what.name + "_acceleration", motion.what.unit + "/s^2"}, slot++});
  }
  const auto& model = eq.model();
  for (std::size_t k = 0; k < model.signals.size(); ++k) {
    const auto listens = [&](const model::Contribution& c) { return c.signal == static_cast<int>(k); };
    if (std::ranges::any_of(model.contributions, listens))
      out.push_back({{model.signals[k].name, model.signals[k].unit}, -1, static_cast<int>(k)});
  }
  return out;
}

InputColumns input_columns(const simulation::Prepared& prepared, const OperatingPoint& at,
                           const std::vector<LinearInput>& inputs, const LinearBlocks& b, const Turns& turns,
                           const Tangent& tangent) {
  const Equations& eq = *prepared.active;
  const int count = static_cast<int>(inputs.size());
  InputColumns out;
  out.P = out.R = out.S = out.force = DenseMatrix(eq.nv(), count);
  if (count == 0) return out;
  Excited excited(prepared, at);
  std::optional<DependentPart> part;
  if (eq.ng() > 0 && !tangent.dependent.empty()) part.emplace(b.G, tangent);
  Excited::Rows rows;
  for (int j = 0; j < count; ++j) {
    const LinearInput& input = inputs[static_cast<std::size_t>(j)];
    if (!excited.slopes(input, rows)) return out.problem = excited.problem(), out;
    DenseMatrix tau(eq.nv(), 1);
    tau.value = rows.tau;
    Vector force = turns.back(tau).value;
    if (part && input.slot >= 0) {
      const Vector p = part->solve(negative(rows.g));
      Vector rate = rows.rate;
      add(rate, b.W * p);
      const Vector r = part->solve(negative(rate));
      DenseMatrix dp(eq.nv(), 1), dr(eq.nv(), 1);
      dp.value = p, dr.value = r;
      Vector du(at.u.size());
      du[static_cast<std::size_t>(input.slot)] = 1;
      const Vector s = part->solve(negative(change_of_acceleration_rows(
          eq, at, turns.T_times(dp).value, turns.T_times(dr).value, turns.rate_times(dr).value, du)));
      set_column(out.P, j, p), set_column(out.R, j, r), set_column(out.S, j, s);
      add(force, b.K * p), add(force, b.D * r), add(force, b.M * s);
    }
    set_column(out.force, j, force);
  }
  return out;
}

}  // namespace skyhook::analysis
