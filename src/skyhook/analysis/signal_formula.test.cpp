// References: what the functions give by themselves; by hand for sums, units and rates.
#include "skyhook/analysis/signal_formula.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/spectra.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;

Signal wave(const std::string& name, const std::string& unit, double amplitude, double f) {
  Signal s;
  s.name = name, s.unit = unit;
  for (int k = 0; k <= 1000; ++k) {
    const double t = 0.01 * k, w = 2 * pi * f;
    s.x.push_back(t), s.y.push_back(amplitude * std::sin(w * t)), s.rate.push_back(amplitude * w * std::cos(w * t));
  }
  return s;
}

SignalSource source() {
  const std::map<std::string, Signal> all{
      {"car.az", wave("car.az", "m/s^2", 2, 1)},   {"car.z", wave("car.z", "m", 0.1, 1)},
      {"wheel.z", wave("wheel.z", "m", 0.3, 2)},   {"roll", wave("roll", "rad", 0.02, 1)},
      {"link[2].x", wave("link[2].x", "m", 1, 1)}, {"mass", Signal::number("mass", "kg", 3)}};
  SignalSource out;
  for (const auto& [name, s] : all) out.names.push_back(name);
  out.find = [all](const std::string& name) -> std::optional<Signal> {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return out;
}

Signal of(const std::string& text) { return evaluate_formula(text, source()); }

std::string refusal(const std::string& text) {
  try {
    of(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Sums and products of channels have units and rates") {
  const Signal d = of("wheel.z - car.z");
  CHECK(d.unit == "m");
  CHECK(d.name == "wheel.z - car.z");
  CHECK(d.at(0.35) == Approx(0.3 * std::sin(4 * pi * 0.35) - 0.1 * std::sin(2 * pi * 0.35)));
  CHECK(d.rate[0] == Approx(0.3 * 4 * pi - 0.1 * 2 * pi));
  CHECK(of("mass*car.az").unit == "N");
  CHECK(of("2*roll").unit == "rad");
  CHECK(of("link[2].x*t").at(2.25) == Approx(2.25));
  CHECK(of("=max(car.z, wheel.z)").at(0.125) == Approx(0.3));  // at each sample
}

TEST_CASE("Functions of whole signals give signals and numbers, one inside another") {
  CHECK(of("rms(car.az)").is_number());
  CHECK(of("rms(car.az)").y[0] == Approx(std::sqrt(2.0)).epsilon(1e-7));
  CHECK(of("rms(car.az)").unit == "m/s^2");
  CHECK(of("max(car.az)").y[0] == Approx(2));
  // cubics between the samples take (w h)^4/720 of the size of a sine: 3.5e-7 of the wave of 2 Hz
  CHECK(of("rms(wheel.z - car.z)").y[0] == Approx(std::sqrt(0.05)).epsilon(3.5e-7));
  CHECK(of("rms(Wk(car.az))").y[0] == rms(filtered(weighting("Wk"), wave("", "m/s^2", 2, 1))));
  CHECK(of("rms(car.z)/rms(wheel.z)").y[0] == Approx(1.0 / 3));
  CHECK(of("rms(car.z)/rms(wheel.z)").unit == "-");
  CHECK(of("car.z - mean(car.z)").y[25] == Approx(0.1));
  CHECK(of("butterworth(car.az, 2, low, 10 Hz)").y == of("butterworth(car.az, 2, low, 10[Hz])").y);
  CHECK(of("butterworth(car.az, 2, band, 0.5 Hz, 10 Hz, zero_phase)").unit == "m/s^2");
  CHECK(of("psd(car.az)").unit == "(m/s^2)^2/Hz");
  CHECK(of("psd(car.az)").y == power_density(wave("", "m/s^2", 2, 1)).y);
  CHECK(of("sqrt(psd(car.az))").abscissa.name == "frequency");
  CHECK(of("psd(car.az, 5 s)/psd(car.az, 5 s)").y[3] == Approx(1));
  CHECK(of("transfer(car.az, car.z)").unit == "m/s^2/m");
  CHECK(of("crossings(wheel.z)").y[0] == Approx(2).epsilon(0.06));
  CHECK(std::abs(of("percentile(roll, 50)").y[0]) < 1e-15);
  CHECK(of("vdv(car.az)").y[0] == Approx(2 * std::pow(10 * 3.0 / 8, 0.25)).epsilon(1e-6));  // mean of sin^4: 3/8
  CHECK(of("vdv(car.az)").unit == "m/s^1.75");
  CHECK(of("crest(car.az)").y[0] == Approx(std::sqrt(2.0)));
}

TEST_CASE("Integrals and derivatives undo each other, with units") {
  const Signal v = of("integral(car.az)");
  CHECK(v.unit == "m/s");
  CHECK(v.at(0.5) == Approx(2 / pi).epsilon(1e-7));  // integral of 2 sin(2 pi t) over half a period
  CHECK(of("derivative(integral(car.az))").y[30] == Approx(of("car.az").y[30]));
  CHECK(of("derivative(roll)").unit == "rad/s");
  CHECK(of("derivative(roll)").y[0] == Approx(0.02 * 2 * pi));
  CHECK(of("derivative(derivative(car.z))").y[25] ==
        Approx(-0.1 * 4 * pi * pi).epsilon(1e-3));  // differences of second order
  CHECK(of("integral(derivative(roll))").unit == "rad");
}

TEST_CASE("What does not go together is refused, with what there is") {
  CHECK(refusal("car.zz - wheel.z").find("there is no channel \"car.zz\".\n  ") != std::string::npos);
  CHECK(refusal("car.z + car.az").find("m/s^2") != std::string::npos);
  CHECK(refusal("psdd(car.z)").find("Did you mean \"psd\"") != std::string::npos);
  CHECK(refusal("car.z*psd(car.z)").find("over time") != std::string::npos);
  CHECK(refusal("psd(rms(car.z))").find("is a number") != std::string::npos);
  CHECK(refusal("rms(psd(car.z), 2)").find("does not take 2 arguments") != std::string::npos);
  CHECK(refusal("Wk(psd(car.z))").find("not over time") != std::string::npos);
  CHECK(refusal("butterworth(car.z, 2, low, 10 m)").find("Hz") != std::string::npos);
  CHECK(refusal("butterworth(car.z, 2, middle, 10 Hz)").find("low, high or band") != std::string::npos);
  CHECK(refusal("butterworth(car.z, 2, band, 10 Hz)").find("two frequencies") != std::string::npos);
  CHECK(refusal("rms(car.z").find("not closed") != std::string::npos);
}
