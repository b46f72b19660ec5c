// Power over a short time, as the polynomial through a few of its values (Newton's form).
#pragma once
#include <array>
#include <cstddef>
#include <span>

namespace skyhook::simulation {

class PowerCurve {
 public:
  static constexpr std::size_t most = 6;  // work() is exact for these
  struct Value {
    double t = 0, power = 0;
  };

  PowerCurve() = default;
  explicit PowerCurve(std::span<const Value> values);  // at most `most`, at different times

  double at(double t) const;
  double work(double from, double to) const;  // the integral, exact

 private:
  std::size_t count_ = 0;
  std::array<double, most> t_{}, c_{};
};

}  // namespace skyhook::simulation
