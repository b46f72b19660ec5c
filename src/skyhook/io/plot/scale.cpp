#include "skyhook/io/plot/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::io::plot {
namespace {

constexpr int most_ticks = 100;  // a range of few representable numbers must not fill the paper

// The smallest of 1, 2, 5, 10 times a power of ten that is not below `step`.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

int floor_to_3(double x) { return 3 * static_cast<int>(std::floor(x / 3 + 1e-9)); }

// Plain numbers from a thousandth to a hundred thousand, a common power of ten beyond.
int common_exponent(double largest) {
  if (largest == 0 || (largest >= 1e-3 && largest < 1e5)) return 0;
  return floor_to_3(std::log10(largest));
}

std::string plain(double value, double step, int exponent) {
  const double unit = std::pow(10.0, exponent);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)), 0, 15);
  std::string text = fmt::format("{:.{}f}", value / unit, decimals);
  if (text[0] != '-') return text;
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return text.replace(0, 1, is_zero ? "" : "−");  // the sign that is as wide as a digit
}

Ticks linear_ticks(const Range& r, int wanted) {
  Ticks out;
  // Halves first: high - low may overflow.
  const double step = round_step((r.high / 2 - r.low / 2) / std::max(wanted, 1) * 2);
  if (!std::isfinite(step) || step <= 0) return out;
  out.exponent = common_exponent(std::max(std::abs(r.low), std::abs(r.high)));
  const double first = std::ceil(r.low / step - 1e-9);
  for (int k = 0; k < most_ticks; ++k) {
    const double value = (first + k) * step;
    if (value > r.high + 1e-9 * step) break;
    out.major.push_back({value, plain(value, step, out.exponent)});
  }
  return out;
}

std::string decade_label(double value) {
  if (value >= 1e-3 && value < 1e5) return fmt::format("{:g}", value);
  const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const double factor = value / std::pow(10.0, exponent);
  const std::string front = std::abs(factor - 1) < 1e-9 ? "" : fmt::format("{:g}·", factor);
  return front + power_of_ten(exponent);
}

Ticks logarithmic_ticks(const Range& r, int wanted) {
  Ticks out;
  const double decades = std::log10(r.high) - std::log10(r.low);
  if (decades < 0.8) {  // so short that round numbers read better
    out = linear_ticks(r, wanted);
    std::erase_if(out.major, [](const Tick& t) { return t.value <= 0; });
    return out;
  }
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted, 1))));
  const int first = static_cast<int>(std::floor(std::log10(r.low))), last = static_cast<int>(std::log10(r.high) + 1);
  const bool halves = decades < 2.5 && wanted > 3;
  for (int e = first; e <= last; ++e) {
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10.0, e);
      if (value < r.low * (1 - 1e-9) || value > r.high * (1 + 1e-9)) continue;
      const bool labelled = (factor == 1 && e % every == 0) || (halves && (factor == 2 || factor == 5));
      if (labelled)
        out.major.push_back({value, decade_label(value)});
      else if (every == 1 || factor == 1)
        out.minor.push_back(value);
    }
  }
  return out;
}

Range with_air(Range r, bool logarithmic, double share) {
  if (logarithmic) {
    const double span = std::log10(r.high) - std::log10(r.low), air = span > 1e-9 ? span * share : 0.3;
    const double smallest = std::numeric_limits<double>::min(), largest = std::numeric_limits<double>::max();
    return {std::max(r.low * std::pow(10, -air), smallest), std::min(r.high * std::pow(10, air), largest)};
  }
  const double size = std::max(std::abs(r.low), std::abs(r.high));
  const double span = r.high / 2 - r.low / 2;
  // What differs by rounding only is a constant: its noise would fill the panel.
  const double air = span > 1e-12 * size ? 2 * span * share : size > 0 ? 0.1 * size : 1.0;
  const double most = std::numeric_limits<double>::max() / 4;
  return {std::max(r.low - air, -most), std::min(r.high + air, most)};
}

}  // namespace

std::string axis_title(const Axis& axis) {
  if (axis.unit.empty() || axis.unit == "-" || axis.unit == "1") return axis.label;
  return axis.label + (axis.label.empty() ? "[" : " [") + axis.unit + "]";
}

std::string power_of_ten(int exponent) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "10⁻" : "10";
  for (char c : std::to_string(std::abs(exponent))) out += digits[c - '0'];
  return out;
}

bool drawable(double value, bool logarithmic) {
  return logarithmic ? value >= std::numeric_limits<double>::min() && std::isfinite(value) : std::isfinite(value);
}

Ticks ticks(const Range& range, bool logarithmic, int wanted) {
  return logarithmic ? logarithmic_ticks(range, wanted) : linear_ticks(range, wanted);
}

Range range_of(const std::vector<Curve>& curves, const Axis& axis, bool of_x) {
  Range r{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& c : curves) {
    const auto& values = of_x ? c.x : c.y;
    for (double v : values) {
      if (drawable(v, axis.logarithmic)) r.low = std::min(r.low, v), r.high = std::max(r.high, v);
    }
  }
  const bool nothing = r.low > r.high;
  if (nothing) r = axis.logarithmic ? Range{1, 10} : Range{0, 1};
  if ((!nothing && !axis.tight) || r.low == r.high) r = with_air(r, axis.logarithmic, of_x ? 0.03 : 0.06);
  if (axis.low && drawable(*axis.low, axis.logarithmic)) r.low = *axis.low;
  if (axis.high && drawable(*axis.high, axis.logarithmic)) r.high = *axis.high;
  return r.low < r.high ? r : with_air({r.low, r.low}, axis.logarithmic, 0.05);
}

Scale::Scale(const Range& range, bool logarithmic, double from, double to) : logarithmic_(logarithmic), from_(from) {
  low_ = logarithmic ? std::log10(range.low) : range.low;
  const double high = logarithmic ? std::log10(range.high) : range.high;
  factor_ = (to - from) / (high - low_);
}

// Far outside the paper is far enough: neither SVG readers nor cairo like coordinates of any size.
double Scale::operator()(double value) const {
  const double place = from_ + factor_ * ((logarithmic_ ? std::log10(value) : value) - low_);
  return std::clamp(place, -1e5, 1e5);
}

}  // namespace skyhook::io::plot
