#include "skyhook/formalism/modal_bodies.testing.h"

#include <cmath>
#include <numbers>

namespace skyhook::formalism::testing {

using model::ModalBody;

Particles random_particles(Random& random, int count, int modes) {
  Particles out;
  for (int i = 0; i < count; ++i) {
    out.mass.push_back(random(0.3, 1.0));
    out.X.push_back(random.vector());
    out.shapes.emplace_back();
    for (int k = 0; k < modes; ++k) out.shapes.back().push_back(random.vector());
  }
  return out;
}

ModalBody body_of(const Particles& particles) {
  ModalBody out;
  out.modes = particles.modes();
  const auto all = static_cast<std::size_t>(out.modes) + 1;
  out.first.resize(all), out.second.resize(all * all);
  for (std::size_t i = 0; i < particles.mass.size(); ++i) {
    const double m = particles.mass[i];
    const auto b = [&](std::size_t k) { return k == 0 ? particles.X[i] : particles.shapes[i][k - 1]; };
    out.mass += m;
    for (std::size_t k = 0; k < all; ++k) {
      out.first[k] += m * b(k);
      for (std::size_t l = 0; l < all; ++l) out.second[k * all + l] += m * outer(b(k), b(l));
    }
  }
  return out;
}

namespace {

std::vector<double> symmetric(Random& random, int n, double diagonal) {
  std::vector<double> out(static_cast<std::size_t>(n * n));
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l <= k; ++l) out[k * n + l] = out[l * n + k] = random(-0.3, 0.3) + (k == l ? diagonal : 0.0);
  }
  return out;
}

}  // namespace

void add_random_matrices(Random& random, bool with_geometric, ModalBody& body) {
  body.stiffness = symmetric(random, body.modes, 3), body.damping = symmetric(random, body.modes, 1);
  if (!with_geometric) return;
  for (auto& m : body.geometric.acceleration) m = symmetric(random, body.modes, 0);
  for (auto& m : body.geometric.angular_acceleration) m = symmetric(random, body.modes, 0);
  for (auto& m : body.geometric.centrifugal) m = symmetric(random, body.modes, 0);
}

void add_point(const Vec3d& at, const std::vector<Vec3d>& shift, const std::vector<Vec3d>& turn, ModalBody& body) {
  body.points.push_back({std::to_string(body.points.size() + 1), at, shift, turn});
}

void put_modal(std::shared_ptr<const ModalBody> modal, model::Body& body) {
  const Vec3d c = (1 / modal->mass) * modal->first[0];
  const Mat3d J = modal->moment(0, 0) - modal->mass * outer(c, c);
  const double whole = trace(J);
  body.mass = modal->mass;
  body.com = body.at + body.axes * c;
  body.inertia = body.axes * (Mat3d::diagonal({whole, whole, whole}) - J) * transpose(body.axes);
  body.modal = std::move(modal);
}

std::shared_ptr<model::Model> with_modes(const model::Model& given, unsigned seed, bool with_geometric) {
  auto m = std::make_shared<model::Model>(given);
  Random random(seed + 1000);
  for (std::size_t b = seed % 2; b < m->bodies.size(); b += 2) {
    model::Body& body = m->bodies[b];
    const int modes = random.integer(1, 4), number = static_cast<int>(b);
    ModalBody modal = body_of(random_particles(random, 6, modes));
    add_random_matrices(random, with_geometric, modal);
    body.axes = cardan_rotation(random.vector());
    const auto point = [&](int on, const Vec3d& at, bool moves) {
      if (on != number) return;
      std::vector<Vec3d> shift(static_cast<std::size_t>(modes)), turn = shift;
      for (int k = 0; k < modes && moves; ++k) shift[k] = random.vector(0.5), turn[k] = random.vector(0.5);
      add_point(transpose_times(body.axes, at - body.at), shift, turn, modal);
    };
    for (const model::Joint& joint : m->joints) {
      point(joint.from, joint.at_from, !joint.shape.is_guided());
      point(joint.to, joint.at_to, joint.shape.is_guided() ? false : random() > 0.5);  // else it stays in the tree
    }
    for (const model::Contribution& what : m->contributions)
      point(what.from.body, what.from.at, true), point(what.to.body, what.to.at, true);
    put_modal(std::make_shared<const ModalBody>(std::move(modal)), body);
  }
  return m;
}

namespace {

double root_of(int n) {
  double x = n == 1 ? 1.875 : (n - 0.5) * std::numbers::pi;
  for (int i = 0; i < 50; ++i) {  // cos x + 1 / cosh x
    const double f = std::cos(x) + 1 / std::cosh(x), slope = -std::sin(x) - std::tanh(x) / std::cosh(x);
    x -= f / slope;
  }
  return x;
}

// cosh - cos - s (sinh - sin) as grow e^x + ...
struct Shape {
  double b, s, grow;
};
const Shape& shape_of(int n) {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> out;
    for (int k = 1; k <= 20; ++k) {
      const double b = root_of(k), s = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
      out.push_back({b, s, (std::sin(b) - std::cos(b) - std::exp(-b)) / (2 * (std::sinh(b) + std::sin(b)))});
    }
    return out;
  }();
  return all.at(static_cast<std::size_t>(n) - 1);
}

}  // namespace

double clamped_free(int n) { return shape_of(n).b; }

// The growing exponentials are put together: they cancel but for exp(beta (xi - 1)),
// (1 - s) / 2 e^x = e^x (sin b - cos b - e^-b) / (2 (sinh b + sin b)).
std::array<double, 3> clamped_shape(int n, double xi) {
  const auto& [b, s, grow] = shape_of(n);
  const double x = b * xi, up = grow * std::exp(x), down = 0.5 * (1 + s) * std::exp(-x);
  return {up + down - std::cos(x) + s * std::sin(x), b * (up - down + std::sin(x) + s * std::cos(x)),
          b * b * (up + down + std::cos(x) - s * std::sin(x))};
}

namespace {

// Integral over 0 .. 1 of smooth functions: Gauss's five points in forty panels.
double integral(const std::function<double(double)>& f) {
  const double x[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
  const double w[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                       0.2369268850561891};
  constexpr int panels = 40;
  double sum = 0;
  for (int p = 0; p < panels; ++p) {
    for (int i = 0; i < 5; ++i) sum += w[i] * f((p + 0.5 + 0.5 * x[i]) / panels) / (2 * panels);
  }
  return sum;
}

}  // namespace

ModalBody cantilever(const Beam& beam) {
  ModalBody out;
  const int n = 2 * beam.shapes, all = n + 1;
  const double L = beam.length, m = beam.mass_per_length;
  out.modes = n, out.mass = m * L;
  // b_k along x of the frame, y or z: direction and value at xi
  const auto direction = [](int k) { return k == 0 ? Vec3d{1, 0, 0} : k % 2 == 1 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}; };
  const auto value = [&](int k, double xi) { return k == 0 ? L * xi : clamped_shape((k + 1) / 2, xi)[0]; };
  out.stiffness.assign(static_cast<std::size_t>(n * n), 0.0), out.damping = out.stiffness;
  std::vector<double> tension = out.stiffness;
  for (int k = 0; k < all; ++k) {
    out.first.push_back(m * L * integral([&](double xi) { return value(k, xi); }) * direction(k));
    for (int l = 0; l < all; ++l) {
      const double both = m * L * integral([&](double xi) { return value(k, xi) * value(l, xi); });
      out.second.push_back(both * outer(direction(k), direction(l)));
      if (k == 0 || l == 0 || k % 2 != l % 2) continue;
      const int a = (k + 1) / 2, b = (l + 1) / 2;
      const double EI = k % 2 == 1 ? beam.EIz : beam.EIy;
      const double bend = integral([&](double xi) { return clamped_shape(a, xi)[2] * clamped_shape(b, xi)[2]; });
      out.stiffness[(k - 1) * n + l - 1] = EI / (L * L * L) * bend;
      // N(x) = m W^2 (L^2 - x^2) / 2 under rotation across the beam
      tension[(k - 1) * n + l - 1] = 0.5 * m * L * integral([&](double xi) {
                                       return (1 - xi * xi) * clamped_shape(a, xi)[1] * clamped_shape(b, xi)[1];
                                     });
    }
  }
  out.second[0] += out.mass * beam.radius * beam.radius / 4 * Mat3d::diagonal({0, 1, 1});
  for (int k = 0; k < n; ++k) {
    const double mass = trace(out.moment(k + 1, k + 1));
    out.damping[k * (n + 1)] = 2 * beam.damping * std::sqrt(out.stiffness[k * (n + 1)] * mass);
    out.frequencies_hz.push_back(std::sqrt(out.stiffness[k * (n + 1)] / mass) / (2 * std::numbers::pi));
  }
  if (beam.stiffens) out.geometric.centrifugal[1] = out.geometric.centrifugal[2] = tension;
  for (const double xi : {0.0, 0.5, 1.0}) {
    std::vector<Vec3d> shift, turn;
    for (int k = 1; k <= n; ++k) {
      const auto phi = clamped_shape((k + 1) / 2, xi);
      const bool fixed = xi == 0.0;
      shift.push_back(fixed ? Vec3d{} : phi[0] * direction(k));
      turn.push_back(fixed ? Vec3d{} : phi[1] / L * cross(Vec3d{1, 0, 0}, direction(k)));
    }
    add_point({L * xi, 0, 0}, shift, turn, out);
  }
  out.points[0].name = "root", out.points[1].name = "middle", out.points[2].name = "tip";
  return out;
}

namespace {

struct Rigid {
  Vec3d shift, turn;
};

// b_k becomes b_k - shift_k - turn_k x X: moments by moments.
ModalBody less_rigid(const ModalBody& given, const std::vector<Rigid>& motions) {
  ModalBody out = given;
  const auto all = static_cast<std::size_t>(given.modes) + 1;
  const auto motion = [&](std::size_t k) { return k == 0 ? Rigid{} : motions[k - 1]; };
  for (std::size_t k = 0; k < all; ++k) {
    const auto [a, u] = motion(k);
    const Mat3d U = skew(u);
    out.first[k] = given.first[k] - given.mass * a - U * given.first[0];
    for (std::size_t l = 0; l < all; ++l) {
      const auto [b, w] = motion(l);
      const Mat3d W = skew(w);
      const auto S = [&](std::size_t i, std::size_t j) { return given.second[i * all + j]; };
      // (b_k - a - U X) (b_l - b - W X)^T
      out.second[k * all + l] = S(k, l) - outer(given.first[k], b) - S(k, 0) * transpose(W) - outer(a, given.first[l]) +
                                given.mass * outer(a, b) + outer(a, W * given.first[0]) - U * S(0, l) +
                                outer(U * given.first[0], b) + U * S(0, 0) * transpose(W);
    }
  }
  for (model::ModalPoint& point : out.points) {
    for (std::size_t k = 0; k + 1 < all; ++k) {
      point.shift[k] -= motions[k].shift + cross(motions[k].turn, point.at);
      point.turn[k] -= motions[k].turn;
    }
  }
  return out;
}

}  // namespace

ModalBody in_chord_frame(const ModalBody& beam, double length) {
  std::vector<Rigid> motions;
  for (const Vec3d& tip : beam.points.back().shift) motions.push_back({{}, (1 / length) * cross(Vec3d{1, 0, 0}, tip)});
  return less_rigid(beam, motions);
}

ModalBody in_mean_axes(const ModalBody& beam) {
  std::vector<Rigid> motions;
  const Vec3d c = (1 / beam.mass) * beam.first[0];
  const double J = beam.moment(0, 0).r0.x - beam.mass * c.x * c.x;  // of a line
  for (int k = 1; k <= beam.modes; ++k) {
    const Mat3d& S = beam.moment(0, k);
    const Vec3d first = beam.first[static_cast<std::size_t>(k)], e{S.r1.z - S.r2.y, S.r2.x - S.r0.z, S.r0.y - S.r1.x},
                about = e - cross(c, first);
    const Vec3d turn{0, about.y / J, about.z / J};
    motions.push_back({(1 / beam.mass) * first - cross(turn, c), turn});
  }
  return less_rigid(beam, motions);
}

}  // namespace skyhook::formalism::testing
