// References: the law by itself (element/tyre/magic_formula.test), mirror image.
#include "skyhook/element/force/tyre_magic_formula.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/magic_tyre.h"
#include "skyhook/model/sloped_loads.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

TyreMagicFormula wheel() {
  TyreMagicFormula t;
  t.from = marker(model::ground, {0, 0, 0}), t.to = marker(1, {0, 0, 0.35});
  t.file.path = std::string(SKYHOOK_SOURCE_DIR) + "/models/road/tyres/185_80R14.tir";
  t.file.text = tyre::read_tir_text(t.file.path, {});
  t.relaxation = false;
  return t;
}

Wrench<double> at(const TyreMagicFormula& t, double vy, double lean) {
  Relative<double> m{};
  m.r = {0, 0, 0.355}, m.R = exponential({lean, 0, 0}), m.v = {15, vy, 0}, m.w = {0, 15 / 0.37, 0};
  Wrench<double> w{};
  law_of(t)->loads({m, {}, {}, {}}, {w, {}, {}});
  return w;
}

// A wave with a slippery patch, at the edge of which the friction changes.
model::Model with_road() {
  model::Model model = two_bodies();
  model::Curve wave(formula("0.01[m]*sin(2*x/1[m])", "x:m"));
  model.roads.push_back({"wave",
                         "",
                         {},
                         marker(model::ground, {0, 0, 0}),
                         std::make_shared<const model::Surface>(
                             model::Surface::Parts{.profile = wave, .patches = {{.x_first = 0.01, .friction = 0.5}}})});
  return model;
}

struct Answer {
  Wrench<double> w;
  std::array<double, 2> rates{};
  std::array<double, 8> all() const { return {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z, rates[0], rates[1]}; }
};
using States = std::array<double, 2>;
Answer answer(const model::ContributionLaw& law, const Relative<double>& m, const States& c) {
  const std::size_t n = law.declared().states.size();
  Answer out{};
  law.loads({m, std::span(c).first(n), {}, {}}, {out.w, std::span(out.rates).first(n), {}});
  return out;
}

// Values to rounding, slopes against central differences.
void check_slopes(const model::ContributionLaw& law, const Relative<double>& m, const States& c) {
  const std::size_t n = law.declared().states.size(), columns = 12 + n;
  const Answer here = answer(law, m, c);
  Answer got{};
  std::vector<double> slopes((6 + n) * columns);
  dynamic_cast<const model::SlopedLoads&>(law).loads_and_slopes(seeded(m), {m, std::span(c).first(n), {}, {}},
                                                                {got.w, std::span(got.rates).first(n), {}}, slopes);
  for (std::size_t row = 0; row < 6 + n; ++row)
    CHECK(got.all()[row] == doctest::Approx(here.all()[row]).epsilon(1e-13).scale(1e-3));
  for (std::size_t j = 0; j < columns; ++j) {
    const double h = j < 6 ? 1e-6 : j < 12 ? 1e-5 : 1e-7;
    const auto moved = [&](double by) {
      Relative<double> x = m;
      States at = c;
      Vec3d e;
      e[static_cast<int>(j % 3)] = by;
      if (j < 3)
        x.r += e;
      else if (j < 6)
        x.R = exponential(e) * x.R;
      else if (j < 9)
        x.v += e;
      else if (j < 12)
        x.w += e;
      else
        at[j - 12] += by;
      return answer(law, x, at).all();
    };
    const auto ahead = moved(h), behind = moved(-h);
    const double usual = j < 6 ? 1.0 : j < 12 ? 10.0 : 0.1;  // by how much it takes 4 kN to change
    for (std::size_t row = 0; row < 6 + n; ++row) {
      CAPTURE(row);
      CAPTURE(j);
      const double size = row < 6 ? 2e5 : 1e2;  // of an entry times `usual`
      CHECK(std::abs((ahead[row] - behind[row]) / (2 * h) - slopes[row * columns + j]) * usual < 1e-6 * size);
    }
  }
}

}  // namespace

TEST_CASE(
    "A tyre tells its loads with their slopes: ahead and back, on waves, at the edge of ice, on a carrier, in the "
    "air") {
  for (const bool relaxes : {true, false}) {
    for (const bool on_waves : {false, true}) {
      for (const std::string spin : {"wheel", "carrier"}) {
        TyreMagicFormula t = wheel();
        t.relaxation = relaxes, t.spin = spin;
        if (on_waves) t.from.reset(), t.road.index = 0, t.normal = spin == "wheel" ? "road" : "vertical";
        const auto law = force_of(t, with_road()).law;
        for (const double speed : {15.0, -12.0, 0.3}) {
          for (const double height : {0.355, 0.5}) {
            Relative<double> m{};
            m.r = {0.02, 0.01, height}, m.R = exponential({0.03, 0.4, 0.02}), m.v = {speed, 0.4, 0.05},
            m.w = {0.1, speed / 0.37 * 1.02, 0.2};
            CAPTURE(relaxes);
            CAPTURE(on_waves);
            CAPTURE(spin);
            CAPTURE(speed);
            CAPTURE(height);
            check_slopes(*law, m, {0.003, -0.004});
          }
        }
      }
    }
  }
}

TEST_CASE("A tyre of the Magic Formula takes its spring, radii and forces from the file") {
  const Wrench<double> w = at(wheel(), 0.4, 0);
  const double p = 0.376 - 0.355, load = 1.75e5 * p;
  CHECK(w.f.z == doctest::Approx(load));
  const auto law = tyre::magic_tyre(tyre::parse_tir(tyre::read_tir_text(wheel().file.path, {}), "t.tir")).law;
  const double kappa = (law.rolling().at(p) * 15 / 0.37 - 15) / 15;
  const auto f = law(tyre::Slip<double>{kappa, 0.4 / 15, 0, load, 15});
  CHECK(w.f.x == doctest::Approx(f.fx));
  CHECK(w.f.y == doctest::Approx(f.fy));
  CHECK(w.n.z == doctest::Approx(f.mz));
  CHECK(w.n.y == doctest::Approx(f.my - 0.355 * f.fx));
}

TEST_CASE("On the other side it is the mirror image; two states with relaxation") {
  TyreMagicFormula right = wheel();
  right.side = -1;
  const Wrench<double> a = at(wheel(), 0.4, 0.03), b = at(right, -0.4, -0.03);
  CHECK(a.f.x == doctest::Approx(b.f.x));
  CHECK(a.f.y == doctest::Approx(-b.f.y));
  CHECK(a.n.x == doctest::Approx(-b.n.x));
  CHECK(a.n.z == doctest::Approx(-b.n.z));
  CHECK(at(right, 0, 0).f.y == doctest::Approx(-at(wheel(), 0, 0).f.y));
  right.relaxation = true;
  CHECK(law_of(right)->declared().states.size() == 2);
}

TEST_CASE("What is wrong is told at the field, or with the line of the file") {
  TyreMagicFormula t = wheel();
  t.side = 0.5;
  CHECK(refused_field(t) == "side");
  t = wheel(), t.pressure = 2e5;
  CHECK(refused_field(t) == "pressure");
  TestSource source;
  model::Model model = two_bodies();
  wheel().add_to(source, model);
  REQUIRE(model.warnings.size() == 1);  // what of the file is not used
  CHECK(model.warnings[0].name == "tyre_file");
  CHECK(model.warnings[0].what.find("QTZ1") != std::string::npos);
}
