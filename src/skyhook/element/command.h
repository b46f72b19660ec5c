// What an actuator is told: a formula of time and stroke, or the signal that it listens to.
#pragma once
#include <array>
#include <optional>

#include "skyhook/expression/scalar_functions.h"
#include "skyhook/model/element.h"
#include "skyhook/model/function.h"

namespace skyhook::element {

struct Command {
  std::optional<model::Formula> formula;  // of t, x, v; absent: the signal
  std::optional<double> limit;

  double at(const model::Stroke<double>& s) const {
    return limited(formula ? formula->evaluate<double>(std::array{s.t, s.x, s.v}) : s.set.signal);
  }
  model::Inner at(const model::Stroke<model::Inner>& s) const {
    if (!formula) return limited(s.set.heard<model::Inner>());
    const Dual<2> x = Dual<2>::variable(s.x.v, 0), v = Dual<2>::variable(s.v.v, 1);
    const Dual<2> wanted = limited(formula->evaluate<Dual<2>>(std::array{Dual<2>(s.t), x, v}));
    model::Inner out(wanted.v);
    for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] = wanted.d[0] * s.x.d[k] + wanted.d[1] * s.v.d[k];
    return out;
  }

 private:
  template <class T>
  T limited(const T& wanted) const {
    return limit ? expression::clamp(wanted, T(-*limit), T(*limit)) : wanted;
  }
};

}  // namespace skyhook::element
