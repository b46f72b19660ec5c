#include "skyhook/formalism/own_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {
namespace {

using model::InnerState;
using model::LoadInput;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

class Examination {
 public:
  Examination(const model::Contribution& what, const ContributionState& now, std::span<const double> c)
      : what_(what),
        declared_(what.law->declared()),
        now_(now),
        c_(c),
        rates_(c.size()),
        b_(declared_.algebraic.size()),
        forces_(declared_.coordinates.size()) {
    for (const InnerState& u : declared_.algebraic) w_.push_back(u.start);
    const auto* outsider = dynamic_cast<const model::Outsider*>(what.law.get());
    if (outsider) origin_ = outsider->origin();
  }

  void tell(Findings& findings) {
    if (const std::string why = no_answer(); !why.empty())
      return findings.add(
          what_.where, name() + why + " at the start.",
          origin_.empty() ? "Change its parameters." : "Write every rate and every equation, for every motion.");
    const std::string why = undetermined();
    if (!why.empty())
      findings.add(what_.where, name() + why + " at the start.",
                   "Give each algebraic unknown an equation b that depends on it, or let it start elsewhere.");
  }

 private:
  std::string name() const {
    return fmt::format("\"{}\"{}: ", what_.name, origin_.empty() ? "" : " (" + origin_ + ")");
  }

  // Its outputs are none before it is asked.
  void ask(std::span<const double> w) {
    std::ranges::fill(rates_, no_number), std::ranges::fill(b_, no_number);
    model::Wrench<double> wrench{};
    what_.law->loads(LoadInput<double>{now_.motion, c_, w, now_.s, now_.p, now_.p_rate}, {wrench, rates_, b_, forces_});
  }

  // Why the law gives no numbers.
  std::string no_answer() {
    ask(w_);
    const auto* outsider = dynamic_cast<const model::Outsider*>(what_.law.get());
    const std::string said = outsider ? outsider->complaint().text : "";
    if (!said.empty()) return "it gives no answer: " + said;
    const auto find = [](const char* noun, const std::vector<InnerState>& unknowns, const std::vector<double>& x) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i])) return fmt::format("{} \"{}\" is not a number", noun, unknowns[i].name);
      }
      return std::string();
    };
    const std::string of_states = find("the rate of its state", declared_.states, rates_);
    return of_states.empty() ? find("the equation b of its unknown", declared_.algebraic, b_) : of_states;
  }

  // db/dw by central differences, w in terms of its size. An entry is zero where b changes alike to both sides: Newton's method has no
  // direction there. Where one side gives no number the other one counts.
  DenseMatrix matrix() {
    const int n = static_cast<int>(w_.size());
    const double step = std::cbrt(std::numeric_limits<double>::epsilon());
    DenseMatrix out(n, n);
    ask(w_);
    const std::vector<double> here = b_;
    for (int k = 0; k < n; ++k) {
      std::vector<double> w = w_;
      const double h = step * std::max(std::abs(w_[k]), declared_.algebraic[k].nominal);
      const auto beside = [&](double by) {
        w[k] = w_[k] + by, ask(w);
        std::vector<double> b = b_;
        for (int i = 0; i < n; ++i) b[i] = std::isfinite(b[i]) ? b[i] - here[i] : 0.0;
        return b;
      };
      const std::vector<double> ahead = beside(h), behind = beside(-h);
      for (int i = 0; i < n; ++i) {
        const double change = ahead[i] - behind[i], size = std::abs(ahead[i]) + std::abs(behind[i]);
        out(i, k) = std::abs(change) > 1e-3 * size ? change / step : 0.0;
      }
    }
    return out;
  }

  std::string undetermined() {
    const int n = static_cast<int>(w_.size());
    if (n == 0) return {};
    DenseMatrix m = matrix();
    const auto unknown = [&](int k) { return "\"" + declared_.algebraic[k].name + "\""; };
    const auto largest = [&](auto&& entry) {
      double most = 0;
      for (int i = 0; i < n; ++i) most = std::max(most, std::abs(entry(i)));
      return most;
    };
    for (int k = 0; k < n; ++k) {
      if (!(largest([&](int i) { return m(i, k); }) > 0))
        return "no equation b contains its algebraic unknown " + unknown(k);
    }
    for (int i = 0; i < n; ++i) {
      const double most = largest([&](int k) { return m(i, k); });
      if (!(most > 0))
        return fmt::format("its equation b number {}, of {}, contains no algebraic unknown", i + 1, unknown(i));
      for (int k = 0; k < n; ++k) m(i, k) /= most;
    }
    return dependent(m);
  }

  // Elimination with the largest entry of all as pivot. Central differences are right to 1e-9 or so.
  std::string dependent(DenseMatrix& m) const {
    const int n = static_cast<int>(w_.size());
    constexpr double nothing = 1e-7;
    std::vector<int> rows(w_.size()), columns(w_.size());
    for (int k = 0; k < n; ++k) rows[k] = columns[k] = k;
    for (int k = 0; k < n; ++k) {
      int r = k, s = k;
      for (int i = k; i < n; ++i) {
        for (int j = k; j < n; ++j) {
          if (std::abs(m(rows[i], columns[j])) > std::abs(m(rows[r], columns[s]))) r = i, s = j;
        }
      }
      std::swap(rows[k], rows[r]), std::swap(columns[k], columns[s]);
      const double pivot = m(rows[k], columns[k]);
      if (!(std::abs(pivot) > nothing))
        return fmt::format(
            "its equations b do not determine its algebraic unknown \"{}\": that of \"{}\" follows from the others",
            declared_.algebraic[columns[k]].name, declared_.algebraic[rows[k]].name);
      for (int i = k + 1; i < n; ++i) {
        const double factor = m(rows[i], columns[k]) / pivot;
        for (int j = k; j < n; ++j) m(rows[i], columns[j]) -= factor * m(rows[k], columns[j]);
      }
    }
    return {};
  }

  const model::Contribution& what_;
  const model::Declared& declared_;
  const ContributionState& now_;
  std::span<const double> c_;
  std::vector<double> w_, rates_, b_, forces_;
  std::string origin_;  // "plug-in my_law.so"; empty: it is ours
};

}  // namespace

void require_own_equations(const recursive::Equations& eq, const State& state) {
  Findings findings;
  auto ws = eq.workspace();
  for (std::size_t k = 0; k < eq.contributions().size(); ++k) {
    const recursive::ContributionItem& item = eq.contributions()[k];
    if (!item.declared().has_loads || (item.states == 0 && item.declared().algebraic.empty())) continue;
    ContributionState now;
    now.motion.t = no_number;
    eq.contribution_state(k, state.t, nodes_of(eq, state), state.v, {}, now, ws);
    if (std::isnan(now.motion.t)) continue;  // where its sides touch is not defined: told where they are assembled
    Examination(*item.what, now, CSpan(state.v).subspan(item.first, item.states)).tell(findings);
  }
  findings.throw_if_any();
}

}  // namespace skyhook::formalism
