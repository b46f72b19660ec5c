#include "skyhook/analysis/transfer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::analysis {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

// Densities of all outputs at one frequency: sum over pairs of inputs of H_i S_ij H_j*.
Vector densities_at(const Transfer& transfer, const RandomExcitation& e, double f) {
  const double density = e.density(f);
  std::vector<ComplexVector> H;
  for (const RandomInput& in : e.inputs) {
    H.push_back(transfer.at(in.input, f));
    const Complex turn = in.factor * std::exp(Complex(0, -two_pi * f * in.delay));
    for (Complex& x : H.back()) x *= turn;
  }
  Vector out(H.empty() ? 0 : H[0].size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t i = 0; i < H.size(); ++i) {
      for (std::size_t j = 0; j < H.size(); ++j) {
        const double common = e.inputs[i].track == e.inputs[j].track ? 1.0 : e.coherence;
        out[k] += common * density * (H[i][k] * std::conj(H[j][k])).real();
      }
    }
  }
  return out;
}

struct Sample {
  double f;
  Vector s;
};

// Moments of order 0 and 2 of one panel by Simpson's rule.
void add_panel(const Sample& a, const Sample& m, const Sample& b, Vector& zero, Vector& two) {
  const double h = (b.f - a.f) / 6;
  for (std::size_t k = 0; k < zero.size(); ++k) {
    zero[k] += h * (a.s[k] + 4 * m.s[k] + b.s[k]);
    two[k] += h * (a.f * a.f * a.s[k] + 4 * m.f * m.f * m.s[k] + b.f * b.f * b.s[k]);
  }
}

}  // namespace

Transfer::Transfer(const Linearisation& linear, const LinearOutputs& outputs) : linear_(linear), outputs_(outputs) {
  for (std::size_t k = 0; k < linear.inputs.size(); ++k) {
    const LinearInput& input = linear.inputs[k];
    const int column = static_cast<int>(k);
    if (input.order == 0) inputs_.push_back(input.what), columns_.push_back({input.kind, input.number, column});
    const auto known = std::ranges::find_if(
        columns_, [&](const Columns& c) { return c.kind == input.kind && c.number == input.number; });
    if (known == columns_.end()) continue;  // its value is no input, so that its rates are none either
    if (input.order > 0) (input.order == 1 ? known->rate : known->acceleration) = column;
  }
}

ComplexVector Transfer::at(int input, double frequency) const {
  const Complex s(0, two_pi * frequency);
  const Columns& of = columns_[static_cast<std::size_t>(input)];
  const auto column = [&](const DenseMatrix& a) {
    ComplexVector out(static_cast<std::size_t>(a.rows));
    for (int i = 0; i < a.rows; ++i) {
      if (of.value >= 0) out[i] += a(i, of.value);
      if (of.rate >= 0) out[i] += s * a(i, of.rate);
      if (of.acceleration >= 0) out[i] += s * s * a(i, of.acceleration);
    }
    return out;
  };
  const ComplexVector x = solve_shifted(linear_.A, s, column(linear_.B));
  ComplexVector y = column(outputs_.D);
  for (int i = 0; i < outputs_.C.rows; ++i) {
    for (int j = 0; j < outputs_.C.cols; ++j) y[i] += outputs_.C(i, j) * x[j];
  }
  return y;
}

RandomResponse random_response(const Transfer& transfer, const RandomExcitation& e, double low, double high,
                               double tolerance) {
  constexpr int first_panels = 64, most_samples = 200000;
  const auto sample = [&](double f) { return Sample{f, densities_at(transfer, e, f)}; };
  std::vector<Sample> samples{sample(low)};
  for (int k = 1; k <= first_panels; ++k)  // narrow at low frequencies
    samples.push_back(sample(low > 0 ? low * std::pow(high / low, k / double(first_panels)) : high * k / first_panels));
  Vector zero(samples[0].s.size()), two(zero.size()), rough(zero.size());
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    for (std::size_t k = 0; k < rough.size(); ++k)
      rough[k] += 0.5 * (samples[i + 1].f - samples[i].f) * (samples[i].s[k] + samples[i + 1].s[k]);
  }
  RandomResponse out;
  out.densities.resize(zero.size());
  const auto keep = [&](const Sample& p) {
    out.frequencies.push_back(p.f);
    for (std::size_t k = 0; k < p.s.size(); ++k) out.densities[k].push_back(p.s[k]);
  };
  // A panel is halved until both halves say the same as the whole.
  const std::function<void(const Sample&, const Sample&, const Sample&, int)> refine =
      [&](const Sample& a, const Sample& m, const Sample& b, int depth) {
        const Sample left = sample(0.5 * (a.f + m.f)), right = sample(0.5 * (m.f + b.f));
        Vector whole(zero.size()), halves(zero.size()), whole2(zero.size()), halves2(zero.size());
        add_panel(a, m, b, whole, whole2);
        add_panel(a, left, m, halves, halves2), add_panel(m, right, b, halves, halves2);
        bool is_fine = true;
        for (std::size_t k = 0; k < zero.size(); ++k)
          is_fine = is_fine && std::abs(whole[k] - halves[k]) <= tolerance * (rough[k] + halves[k]) / first_panels;
        if (!is_fine && depth < 40 && out.frequencies.size() < most_samples) {
          refine(a, left, m, depth + 1), refine(m, right, b, depth + 1);
          return;
        }
        for (std::size_t k = 0; k < zero.size(); ++k) zero[k] += halves[k], two[k] += halves2[k];
        keep(left), keep(m), keep(right), keep(b);
      };
  keep(samples[0]);
  for (std::size_t i = 0; i + 1 < samples.size(); ++i)
    refine(samples[i], sample(0.5 * (samples[i].f + samples[i + 1].f)), samples[i + 1], 0);
  for (std::size_t k = 0; k < zero.size(); ++k) {
    out.rms.push_back(std::sqrt(std::max(zero[k], 0.0)));
    out.crossings.push_back(zero[k] > 0 ? std::sqrt(two[k] / zero[k]) : 0.0);
  }
  return out;
}

}  // namespace skyhook::analysis
