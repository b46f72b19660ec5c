// The state of a signal that is given by its rate: no force, and c' is the formula that it listens to.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skyhook/model/element.h"

namespace skyhook::model {

class SignalIntegral final : public StateLaw<SignalIntegral> {
 public:
  static constexpr const char* state_name = "value";
  SignalIntegral(std::string unit, double nominal, double start)
      : state_{state_name, std::move(unit), nominal, start} {}
  std::vector<InnerState> states() const override { return {state_}; }
  Force acts() const override { return Force::none; }

  template <class T>
  T law(const Stroke<T>& s, std::span<const T>, std::span<T> rates) const {
    rates[0] = s.set.template heard<T>();
    return T(0.0);
  }

 private:
  InnerState state_;
};

}  // namespace skyhook::model
