#include "skyhook/analysis/linear_inputs.h"

#include <algorithm>
#include <cmath>

#include "skyhook/model/on_road.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;
using Kind = LinearInput::Kind;

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
  Excited(const simulation::Prepared& p, const OperatingPoint& at) : prepared_(p), at_(at) {}

  struct Rows {
    Vector tau, g, rate;
  };
  // d/du of all three.
  bool slopes(const LinearInput& input, Rows& out) {
    const bool bends = input.order < 2;  // accelerations enter linearly
    const double h = input.order == 0 ? 1e-4 * usual_size(*prepared_.active, input) : bends ? 1e-3 : 1.0;
    Rows p1, m1, p2, m2;
    if (!at(input, h, p1) || !at(input, -h, m1)) return false;
    if (bends && (!at(input, 2 * h, p2) || !at(input, -2 * h, m2))) return false;
    const auto slope = [&](Vector Rows::*which) {
      Vector d((p1.*which).size());
      for (std::size_t i = 0; i < d.size(); ++i) {
        const double near = (p1.*which)[i] - (m1.*which)[i];
        d[i] = bends ? (8 * near - ((p2.*which)[i] - (m2.*which)[i])) / (12 * h) : near / (2 * h);
      }
      return d;
    };
    out = {slope(&Rows::tau), slope(&Rows::g), slope(&Rows::rate)};
    return true;
  }
  std::string problem() const { return "The forces cannot be evaluated there: " + blame_ + "."; }

 private:
  bool at(const LinearInput& input, double change, Rows& out) {
    const bool is_motion = input.kind == Kind::motion;
    const auto eq = is_motion ? prepared_.active : excited(prepared_, *prepared_.active, input, change);
    auto ws = eq->workspace();
    Vector u = at_.u, qdot(static_cast<std::size_t>(eq->nq()));
    out = {Vector(static_cast<std::size_t>(eq->nv())), Vector(static_cast<std::size_t>(eq->ng())),
           Vector(static_cast<std::size_t>(eq->ng()))};
    if (is_motion) u[static_cast<std::size_t>(input.slot())] += change;
    formalism::Input in = at_.input();
    in.u = u;
    const bool ok = eq->residual(in, {out.tau, qdot, out.g, out.rate}, ws) == Eval::ok;
    blame_ = ws.blame();
    return ok;
  }

  const simulation::Prepared& prepared_;
  const OperatingPoint& at_;
  std::string blame_;
};

void add_with_rates(std::vector<LinearInput>& to, LinearInput input, int orders) {
  static constexpr const char* names[] = {"", "_rate", "_acceleration"};
  static constexpr const char* units[] = {"", "/s", "/s^2"};
  const formalism::NamedQuantity value = input.what;
  for (input.order = 0; input.order < orders; ++input.order) {
    input.what = {value.name + names[input.order], value.unit + units[input.order]};
    to.push_back(input);
  }
}

}  // namespace

std::vector<LinearInput> inputs_of(const Equations& eq) {
  std::vector<LinearInput> out;
  int number = 0;
  for (const auto& motion : formalism::prescribed_motions(eq))
    add_with_rates(out, {motion.what, Kind::motion, number++}, 3);
  const auto& model = eq.model();
  for (std::size_t k = 0; k < model.signals.size(); ++k) {
    const model::SignalRef held{static_cast<int>(k)};
    const auto listens = [&](const model::Contribution& c) { return c.signal == held; };
    const auto reads = [&](const model::ContinuousSignal& s) {
      return std::ranges::any_of(s.inputs, [&](const model::SignalInput& input) {
        return input.of == model::SignalInput::Of::controller && input.thing == held.index;
      });
    };
    if (std::ranges::any_of(model.contributions, listens) || std::ranges::any_of(model.continuous, reads))
      out.push_back({{model.signals[k].name, model.signals[k].unit}, Kind::signal, static_cast<int>(k)});
  }
  for (std::size_t k = 0; k < model.contributions.size(); ++k) {
    const model::Contribution& c = model.contributions[k];
    if (model::on_road(c)) add_with_rates(out, {{c.name + ".road", "m"}, Kind::road, static_cast<int>(k)}, 2);
  }
  return out;
}

double usual_size(const Equations& eq, const LinearInput& input) {
  if (input.kind != Kind::signal) return 1.0;
  const model::SignalRef held{input.number};
  const auto is_applied = [&](const model::Contribution& c) { return c.signal == held && c.type == "input"; };
  if (std::ranges::any_of(eq.model().contributions, is_applied)) return 10 * std::max(eq.heaviest(), 1e-3);
  return std::max(1.0, std::abs(eq.held()->signals[static_cast<std::size_t>(input.number)]));
}

std::shared_ptr<const Equations> excited(const simulation::Prepared& p, const Equations& eq, const LinearInput& input,
                                         double change) {
  const auto number = static_cast<std::size_t>(input.number);
  if (input.kind == Kind::signal) {
    auto held = std::make_shared<model::Held>(*eq.held());
    held->signals[number] += change;
    return std::make_shared<const Equations>(p.model, p.topology, eq.active(), held);
  }
  auto m = std::make_shared<model::Model>(*p.model);
  const model::Raise by = input.order == 0 ? model::Raise{change, 0} : model::Raise{0, change};
  model::on_road(p.model->contributions[number])->raise_road(by, m->contributions[number]);
  return std::make_shared<const Equations>(m, p.topology, eq.active(), eq.held());
}

InputColumns input_columns(const simulation::Prepared& prepared, const OperatingPoint& at,
                           const std::vector<LinearInput>& inputs, const LinearBlocks& b, const MovingAxes& axes,
                           const Tangent& tangent) {
  using Block = MovingAxes::Block;
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
    Vector force = axes.back(tau).value;
    if (part && input.kind == LinearInput::Kind::motion) {
      const Vector p = part->solve(negative(rows.g));
      Vector rate = rows.rate;
      add(rate, b.W * p);
      const Vector r = part->solve(negative(rate));
      DenseMatrix dp(eq.nv(), 1), dr(eq.nv(), 1);
      dp.value = p, dr.value = r;
      Vector du(at.u.size());
      du[static_cast<std::size_t>(input.slot())] = 1;
      const DenseMatrix dv = sum(axes.T_times(dr), axes.times(&Block::U, dp)),
                        da = sum(axes.times(&Block::V, dr), axes.times(&Block::C, dp));
      const Vector s =
          part->solve(negative(change_of_acceleration_rows(eq, at, axes.T_times(dp).value, dv.value, da.value, du)));
      set_column(out.P, j, p), set_column(out.R, j, r), set_column(out.S, j, s);
      add(force, b.K * p), add(force, b.D * r), add(force, b.M * s);
    }
    set_column(out.force, j, force);
  }
  return out;
}

}  // namespace skyhook::analysis
