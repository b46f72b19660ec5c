// Rates of channels from the samples themselves: the derivative of the polynomial through the last seven, where these lie at even steps
// and resolve the channel well. Elsewhere somebody must look beside the sample.
//
// With backward differences D^k of a channel, h rate = D + D^2/2 + ... + D^6/6, and what is left is about D^7/7. An error e of a rate moves the
// cubic between two samples by at most 4/27 h e; that cubic itself errs by h^4 f''''/384, D^4/384. So the differences will do where 4/27
// |D^6|/7, which is more than their error, is below that, or below 1e-5 of the range of the channel; here and at the sample before, so
// that no zero of D^6 is taken for smoothness.
//
// Samples at multiples of a period look smooth and are not: now and then rates are found exactly, and where the two disagree differences are
// not used until they have agreed some times.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace skyhook::simulation {

class SampledRates {
 public:
  // By the units of all channels; `which` of them are asked for.
  void begin(const std::vector<std::string>& units, const std::vector<std::size_t>& which);
  // What comes next does not go on smoothly from what was.
  void restart() { known_ = 0; }

  // The next sample. False: rates stay as they were, look beside. `energy` that was exchanged: what balances of it miss is nothing beside.
  bool find(double t, const std::vector<double>& values, double energy, std::vector<double>& rates);
  // After find() has found some: those there should be found exactly too. Of the first ones all, later one in 32.
  bool wants_check() const { return found_ < 8 || found_ % 32 == 0; }
  // After find(), whatever it said: the exact rates there.
  void compare(const std::vector<double>& rates);

 private:
  static constexpr std::size_t order = 6;
  struct Followed {
    std::size_t channel, unit;
    std::array<double, order + 2> differences{};  // of order 0, 1, ..
    double low = 0, high = 0;
    bool is_new = true, is_energy = false;
  };
  bool is_full() const { return known_ == order + 2; }
  void take(double value, Followed& c) const;
  double allowed(const Followed& c) const;  // by how much the cubic between samples may err
  bool is_good(const Followed& c) const;
  double rate(const Followed& c) const;

  std::vector<Followed> followed_;
  struct Largest {
    double range = 0, value = 0;
  };
  std::vector<Largest> largest_;  // by unit
  double energy_ = 0;
  std::size_t known_ = 0;  // samples at even steps, up to order + 2
  double t_ = 0, h_ = 0;
  int doubts_ = 0;  // how many times they must agree
  long found_ = 0;
};

}  // namespace skyhook::simulation
