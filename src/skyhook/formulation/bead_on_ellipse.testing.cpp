#include "skyhook/formulation/bead_on_ellipse.testing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "skyhook/element/joint/free.h"
#include "skyhook/element/joint/point_on_curve.h"
#include "skyhook/element/source.testing.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/consistency.h"

namespace skyhook::formulation::testing {
namespace {

Vec3d point(double s) { return {Bead::a * std::cos(s), 0, Bead::b * std::sin(s)}; }
Vec3d slope(double s) { return {-Bead::a * std::sin(s), 0, Bead::b * std::cos(s)}; }

// Length of the ellipse from s = 0 on.
double arc(double s) {
  const double k = std::sqrt(1 - Bead::b * Bead::b / (Bead::a * Bead::a)), right = std::numbers::pi / 2;
  return Bead::a * (std::ellint_2(k, right) - std::ellint_2(k, right - s));
}

std::shared_ptr<const model::Model> model_of(double from) {
  using element::test::formula;
  auto model = std::make_shared<model::Model>();
  model->gravity = {0, 0, 0};
  model::Body bead;
  bead.name = "bead", bead.at = bead.com = point(from), bead.mass = Bead::mass;
  bead.inertia = 0.1 * Mat3d::identity();
  model->bodies.push_back(bead);
  element::test::TestSource source;
  element::Free floats;
  floats.to.index = 0;
  floats.add_to(source, *model);
  element::PointOnCurve wire;
  wire.from = element::test::marker(model::ground, {0, 0, 0});
  wire.to = element::test::marker(0, bead.at);
  wire.x = formula("0.3*cos(s)", "s:-"), wire.z = formula("0.2*sin(s)", "s:-");
  wire.range = {0, 2 * std::numbers::pi}, wire.closed = true;
  wire.add_to(source, *model);
  return model;
}

}  // namespace

Bead::Bead(double from, double speed) : from_(from), speed_(speed) {
  const auto model = model_of(from);
  equations = std::make_shared<formalism::recursive::Equations>(model, formalism::choose_tree(*model));
  const formalism::State state = formalism::initial_guess(*equations, 0);
  y = state.q;
  y.resize(nq() + nv());
  const Vec3d velocity = exact(0).velocity;
  for (int k = 0; k < 3; ++k) y[nq() + static_cast<std::size_t>(k)] = velocity[k];
}

Bead::Exact Bead::exact(double t) const {
  const double length = arc(from_) + speed_ * t;
  double s = from_ + speed_ * t / std::sqrt(a * b);
  for (int iteration = 0; iteration < 50; ++iteration) s -= (arc(s) - length) / norm(slope(s));
  const Vec3d c = slope(s);
  const double curvature = a * b / std::pow(norm(c), 3);
  return {s, point(s) - point(from_), (speed_ / norm(c)) * c, mass * speed_ * speed_ * curvature};
}

double Bead::beside_foot(CSpan q, double s) const {
  const Vec3d away = point(from_) + Vec3d{q[0], q[1], q[2]} - point(s), c = slope(s);
  return std::abs(dot(c, away)) / dot(c, c);
}

Bead::Start Bead::start(int size, bool has_s) const {
  Start s{std::vector<double>(static_cast<std::size_t>(size)), std::vector<double>(static_cast<std::size_t>(size))};
  std::copy(y.begin(), y.end(), s.y.begin());
  if (has_s) s.y.back() = from_;
  const CSpan q = CSpan(y).first(nq()), v = CSpan(y).subspan(nq());
  formalism::AccelerationSolver solver(*equations);
  auto work = equations->workspace();
  const Eval e = solver.solve(0, q, v, Span(s.yp).subspan(nq(), nv()), Span(s.y).subspan(nq() + nv(), ng()), work);
  if (e != Eval::ok) throw std::runtime_error("the bead has no accelerations: " + work.blame);
  equations->kinematics(q, v, Span(s.yp).first(nq()));
  return s;
}

}  // namespace skyhook::formulation::testing
