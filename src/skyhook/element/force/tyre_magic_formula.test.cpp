// References: the law by itself (element/tyre/magic_formula.test), mirror image.
#include "skyhook/element/force/tyre_magic_formula.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/magic_tyre.h"
#include "skyhook/model/contribution.h"

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

}  // namespace

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
