// References: Fiala's formulas of pure slip as they are usually written (with H = 1 - C |tan alpha| / (3 mu Fz)), the brush summed up bristle by
// bristle for combined slip and its moment.
#include "skyhook/element/force/tyre_fiala.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/fiala.h"
#include "skyhook/element/tyre/slip_check.testing.h"
#include "skyhook/model/contribution.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

const tyre::Fiala law{.slip_stiffness = 8e4,
                      .cornering_stiffness = 6e4,
                      .camber_stiffness = 2e3,
                      .friction = 0.9,
                      .friction_far = 0.7,
                      .trail = 0.04,
                      .rolling_resistance = 0.005};

double friction_of(const Slip<double>& s) {
  return s.friction * (0.9 - 0.2 * std::min(1.0, std::hypot(s.kappa, s.tan_alpha)));
}

}  // namespace

TEST_CASE("Fiala's tyre: 500 random slips against another arrangement, derivatives") {
  check_against(law, [](const Slip<double>& s) -> std::array<double, 5> {
    const double mu = friction_of(s), most = mu * s.load;
    const double x = 8e4 * s.kappa, y = 6e4 * s.tan_alpha + 2e3 * s.camber, size = std::hypot(x, y);
    const double H = 1 - size / (3 * most);
    const double force = H > 0 ? most * (1 - H * H * H) : most;
    return {force * x / size, -force * y / size, 0, -0.005 * s.load, H > 0 ? 0.04 * H * H * H * y : 0};
  });
  check_slopes(law, [](const Slip<double>& s) {
    const double size = std::hypot(8e4 * s.kappa, 6e4 * s.tan_alpha + 2e3 * s.camber);
    return std::abs(std::hypot(s.kappa, s.tan_alpha) - 1) > 1e-3 &&
           std::abs(size / (3 * friction_of(s) * s.load) - 1) > 1e-3;
  });
}

TEST_CASE("Fiala's tyre is a brush: forces and moment from its bristles") {
  // Pressure 3 Fz / (4 a) (1 - (x/a)^2); a bristle that entered at +a is displaced by slip times its way, stiffness c = C / (2 a^2); the arm of
  // all is trail = a / 3. Isotropic: both stiffnesses alike.
  const double C = 7e4, mu = 0.8, load = 4000, a = 0.12;
  const tyre::Fiala brush{
      .slip_stiffness = C, .cornering_stiffness = C, .friction = mu, .friction_far = mu, .trail = a / 3};
  for (const auto& [kappa, tan_alpha] :
       {std::pair{0.02, 0.01}, std::pair{-0.03, 0.04}, std::pair{0.0, 0.05}, std::pair{0.1, 0.2}}) {
    double fx = 0, fy = 0, mz = 0;
    constexpr int n = 20000;
    const double c = C / (2 * a * a), slip = std::hypot(kappa, tan_alpha);
    for (int i = 0; i < n; ++i) {
      const double x = a * (1 - (2 * i + 1.0) / n), dx = 2 * a / n;
      const double limit = mu * 3 * load / (4 * a) * (1 - x * x / a / a), pull = std::min(c * slip * (a - x), limit);
      fx += pull * kappa / slip * dx, fy -= pull * tan_alpha / slip * dx, mz -= x * pull * tan_alpha / slip * dx;
    }
    const auto f = brush(Slip<double>{kappa, tan_alpha, 0, load});
    CHECK(f.fx == doctest::Approx(fx).epsilon(1e-6));
    CHECK(f.fy == doctest::Approx(fy).epsilon(1e-6));
    CHECK(f.mz == doctest::Approx(mz).epsilon(1e-5).scale(1));
  }
}

TEST_CASE("Fiala's tyre as an element; friction that grows is refused") {
  TyreFiala t;
  t.from = marker(model::ground, {0, 0, 0}), t.to = marker(1, {0, 0, 0.28});
  t.radius = 0.3, t.stiffness = 2e5, t.slip_stiffness = 8e4, t.cornering_stiffness = 6e4;
  t.relaxation_x = 0.2, t.relaxation_y = 0.3;
  CHECK(law_of(t)->declared().states.size() == 2);
  t.friction_far = 1.1;
  CHECK(refused_field(t) == "friction_far");
}
