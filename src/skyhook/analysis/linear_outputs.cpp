#include "skyhook/analysis/linear_outputs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/analysis/drives_as_given.h"

namespace skyhook::analysis {
namespace {

using simulation::Channel;
using simulation::Equations;

// The channels of one model.
class Probe {
 public:
  Probe(const simulation::Prepared& p, const std::vector<model::Output>& outputs)
      : prepared_(p),
        channels_(simulation::choose_channels(simulation::all_channels(*prepared_.active), outputs)),
        evaluator_(prepared_.active, prepared_.all) {
    for (const Channel& c : channels_) needs_reactions_ = needs_reactions_ || c.of_reactions;
  }
  const std::vector<Channel>& channels() const { return channels_; }
  bool measure(double t, CSpan q, CSpan v, Vector& out) {
    if (evaluator_.evaluate(t, q, v, needs_reactions_) != Eval::ok) return false;
    out.clear();
    for (const Channel& c : channels_) out.push_back(c.value(evaluator_.now(), running_));
    return true;
  }
  const std::string& blame() const { return evaluator_.blame(); }

 private:
  simulation::Prepared prepared_;
  std::vector<Channel> channels_;
  simulation::Evaluator evaluator_;
  simulation::Running running_;
  bool needs_reactions_ = false;
};

// Where a small change leads to, h being its size.
struct Direction {
  Vector dq, dv;
  double h = 1e-4;
};

constexpr std::array<int, 4> sides{1, -1, 2, -2};
double weight(int side, double h) { return (side == 1 ? 8 : side == -1 ? -8 : side == 2 ? -1 : 1) / (12 * h); }

class OutputDifferences {
 public:
  OutputDifferences(const simulation::Prepared& p, const OperatingPoint& at, const Linearisation& linear,
                    const std::vector<model::Output>& outputs, LinearOutputs& out)
      : prepared_(p), at_(at), linear_(linear), outputs_(outputs), out_(out), probe_(given(at.u), outputs) {}

  bool run() {
    if (!probe_.measure(at_.state.t, at_.state.q, at_.state.v, out_.at_point)) return fail(probe_);
    for (const Channel& c : probe_.channels()) out_.outputs.push_back({c.name, c.unit});
    out_.C = DenseMatrix(static_cast<int>(out_.outputs.size()), linear_.A.cols);
    out_.D = DenseMatrix(out_.C.rows, linear_.B.cols);
    for (int j = 0; j < out_.C.cols; ++j) {
      if (!by_state(j)) return false;
    }
    for (int j = 0; j < out_.D.cols; ++j) {
      if (!by_input(j)) return false;
    }
    return true;
  }

 private:
  simulation::Prepared given(const Vector& u) const {
    return u.empty() ? prepared_ : with_drives(prepared_, at_.state.t, u);
  }
  bool fail(const Probe& probe) {
    out_.problem = "The outputs cannot be evaluated there: " + probe.blame() + ".";
    return false;
  }
  bool add(Probe& probe, const Direction& along, int side, DenseMatrix& to, int column) {
    const Equations& eq = *prepared_.active;
    const double e = side * along.h;
    Vector q = at_.state.q, v = at_.state.v, step = along.dq, values;
    for (double& x : step) x *= e;
    eq.plus(q, step);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += e * along.dv[i];
    if (!probe.measure(at_.state.t, q, v, values)) return fail(probe);
    for (int i = 0; i < to.rows; ++i) to(i, column) += weight(side, along.h) * values[static_cast<std::size_t>(i)];
    return true;
  }
  Direction of_state(int j) const {
    const Equations& eq = *prepared_.active;
    const int n = linear_.coordinates;
    Direction d{Vector(static_cast<std::size_t>(eq.nv())), Vector(static_cast<std::size_t>(eq.nv()))};
    for (int i = 0; i < eq.nv(); ++i) {
      if (j < n) d.dq[i] = linear_.shape(i, j), d.dv[i] = linear_.drift(i, j);
      if (j >= n && j < 2 * n) d.dv[i] = linear_.shape(i, j - n);
    }
    if (j >= 2 * n) {
      const int state = eq.moving() + j - 2 * n;
      d.dv[state] = 1, d.h *= eq.nominal(state);
    } else {
      d.h /= std::max(1.0, largest(d.dq));
    }
    return d;
  }
  bool by_state(int j) {
    const Direction d = of_state(j);
    return std::ranges::all_of(sides, [&](int side) { return add(probe_, d, side, out_.C, j); });
  }
  bool by_input(int j) {
    const LinearInput& input = linear_.inputs[static_cast<std::size_t>(j)];
    Direction d{Vector(at_.state.v.size()), Vector(at_.state.v.size())};
    for (std::size_t i = 0; i < d.dq.size(); ++i)
      d.dq[i] = linear_.input_shape(static_cast<int>(i), j), d.dv[i] = linear_.input_drift(static_cast<int>(i), j);
    d.h *= usual_size(*prepared_.active, input) / std::max(1.0, largest(d.dq));
    return std::ranges::all_of(sides, [&](int side) {
      Probe probe(with(input, side * d.h), outputs_);
      return add(probe, d, side, out_.D, j);
    });
  }
  simulation::Prepared with(const LinearInput& input, double change) const {
    Vector u = at_.u;
    if (input.kind == LinearInput::Kind::motion) return u[static_cast<std::size_t>(input.slot())] += change, given(u);
    simulation::Prepared p = given(u);
    const auto active = excited(p, *p.active, input, change);
    p.all = p.all == p.active ? active : excited(p, *p.all, input, change);
    p.active = active;
    return p;
  }

  const simulation::Prepared& prepared_;
  const OperatingPoint& at_;
  const Linearisation& linear_;
  const std::vector<model::Output>& outputs_;
  LinearOutputs& out_;
  Probe probe_;
};

}  // namespace

LinearOutputs linear_outputs(const simulation::Prepared& prepared, const OperatingPoint& at,
                             const Linearisation& linear, const std::vector<model::Output>& outputs) {
  LinearOutputs out;
  OutputDifferences(prepared, at, linear, outputs, out).run();
  return out;
}

}  // namespace skyhook::analysis
