// Reference: the linear tyre, whose numbers are its fields.
#include "skyhook/io/plot/from_tyre.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/tyre/linear.h"

using namespace skyhook;
using namespace skyhook::io::plot;

namespace {

struct Tyre : element::tyre::Characteristic {
  element::tyre::Linear law{6e4, 5e4, 3e3, 0.03, 0.9};
  element::tyre::ContactForce<double> force(const element::tyre::Slip<double>& s) const override { return law(s); }
  double usual_load() const override { return 4000; }
};

}  // namespace

TEST_CASE("Curves of a tyre: stiffnesses, largest forces and trail are those of its law") {
  const Tyre tyre;
  const TyreRange range{.loads = {2000, 4000}, .cambers = {0, 0.05}};
  const TyreNumbers n = tyre_numbers(tyre, 4000, range);
  CHECK(n.slip_stiffness == doctest::Approx(6e4));
  CHECK(n.cornering_stiffness == doctest::Approx(5e4));
  CHECK(n.camber_stiffness == doctest::Approx(3e3));
  CHECK(n.trail == doctest::Approx(0.03));
  CHECK(n.peak_x == doctest::Approx(0.9 * 4000).epsilon(0.01));
  CHECK(n.peak_kappa == doctest::Approx(0.3));
  const auto curves = tyre_curves(tyre, range);
  CHECK(curves.size() == 2 * 2 * 3 + 8);
  for (const TyreCurve& c : curves) {
    REQUIRE(c.x.size() == c.y.size());
    if (c.kind == "ellipse")
      for (std::size_t i = 0; i < c.x.size(); ++i) CHECK(std::hypot(c.x[i], c.y[i]) <= 0.9 * 4000 * (1 + 1e-12));
  }
  const Figure figure = figure_of(curves, "tyre");
  REQUIRE(figure.panels.size() == 4);
  CHECK(figure.panels[0].curves.size() == 4);
  CHECK(figure.panels[3].curves.size() == 8);
}
