// A quantity over time or frequency, recorded or computed from others, and plain questions to it.
//
// Between samples a signal is the cubic through values and rates, where these are known, and a line elsewhere. Samples at the same time are
// the two sides of a jump. Whatever is integrated here is the integral of that curve, so that uneven samples need no resampling.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/math/dense.h"
#include "skyhook/math/hermite.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::analysis {

using skyhook::largest;  // of a vector: that of a signal, below, does not hide it

struct Signal {
  std::string name, unit;
  simulation::ChannelInfo abscissa{"time", "s"};
  std::vector<double> x, y;    // a number: no x, one y
  std::vector<double> rate;    // dy/dx; NaN, or none at all, where it is not known
  std::size_t unresolved = 0;  // samples whose recorded rate is left out (math/unresolved_rates.h)

  static Signal number(std::string name, std::string unit, double value);
  bool is_number() const { return x.empty() && y.size() == 1; }
  std::size_t size() const { return y.size(); }
  double span() const { return x.empty() ? 0.0 : x.back() - x.front(); }
  HermiteNode node(std::size_t k) const;
  double at(double t) const;                                      // within the record; at a jump the side behind it
  Signal like(std::string its_name, std::string its_unit) const;  // over the same abscissa, without values
};

// Integral of f(y) over the record: by four points of Gauss in each interval, exact for y^2 of the cubic.
double integral_of(const Signal& s, const std::function<double(double)>& f);

double mean(const Signal& s);       // over time
double rms(const Signal& s);        // over time
double deviation(const Signal& s);  // standard deviation: rms about the mean
double smallest(const Signal& s);   // of the samples
double largest(const Signal& s);    // of the samples
double percentile(const Signal& s,
                  double percent);  // below which it is for so much of the time, of the line through the samples
double crossings(const Signal& s, double level = 0);  // upwards, a second
double vibration_dose(const Signal& s);               // (integral of y^4 dt)^(1/4)

// What it does over time.
Signal integral(const Signal& s);                    // from the first sample on
Signal derivative(const Signal& s);                  // the recorded rates; differences where there are none
Signal running_rms(const Signal& s, double window);  // of the last `window` s; from the start where less has passed
std::vector<double> evenly(const Signal& s, std::size_t n);  // y at x.front() + k span/n, k = 0 ... n - 1
Signal part(const Signal& s, double from, double to);        // with values at both ends

// Where it first passes the level at or after `from`, between samples too.
std::optional<double> first_at(const Signal& s, double level, double from);
struct Peak {
  double t = 0, value = 0;
};
// The largest value of sign*y in from..to, between samples too.
Peak peak(const Signal& s, double sign, double from, double to);

// "m^2" of m, "(m/s^2)^2" of m/s^2, "-" of plain numbers.
std::string power_unit(const std::string& unit, const std::string& power);
std::string quotient_unit(const std::string& a, const std::string& b);  // "m/(N.m)"; "-" of equal ones
// Of a product or quotient in SI, simplified: m/s^2 times s is m/s. Angles keep their rad.
std::string times_unit(const std::string& a, const std::string& b);
std::string over_unit(const std::string& a, const std::string& b);

}  // namespace skyhook::analysis
