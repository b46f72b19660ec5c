#include "skyhook/flexible/lost_inertia.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>

namespace skyhook::flexible {
namespace {

using model::ModalBody;

Vec3d axial_vector(const Mat3d& m) { return {m.r1.z - m.r2.y, m.r2.x - m.r0.z, m.r0.y - m.r1.x}; }

double entry(const std::vector<double>& m, int k, int l, int n) {
  return m.empty() ? 0.0 : (m[static_cast<std::size_t>(k * n + l)] + m[static_cast<std::size_t>(l * n + k)]) / 2;
}

// Turning about `axes` and all shapes, bent by s of shape l.
Eigen::MatrixXd mass_matrix(const ModalBody& b, const Vec3d& at, const std::vector<Vec3d>& axes, int l, double s) {
  const int n = b.modes, turns = static_cast<int>(axes.size());
  const auto first = [&](int k) {  // int b_k dm and what the bend adds to it
    Vec3d c = b.first[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i)
      c[i] += k == 0 ? 0.0 : s * entry(b.geometric.acceleration[static_cast<std::size_t>(i)], k - 1, l, n);
    return c;
  };
  Vec3d c = b.first[0] + 0.5 * s * (b.first[static_cast<std::size_t>(l + 1)] + first(l + 1));
  const auto inertia = [](const Mat3d& m) { return trace(m) * Mat3d::identity() - 0.5 * (m + transpose(m)); };
  Mat3d I = inertia(b.moment(0, 0)) + 2 * s * inertia(b.moment(0, l + 1)) + s * s * inertia(b.moment(l + 1, l + 1));
  constexpr std::array<std::array<int, 2>, 6> pairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
  for (std::size_t p = 0; p < 6; ++p) {
    const auto [i, j] = pairs[p];
    const double taken = s * s * entry(b.geometric.centrifugal[p], l, l, n);
    I[i][j] -= i == j ? taken : taken / 2;
    if (i != j) I[j][i] -= taken / 2;
  }
  I = I - inertia(outer(at, c)) - inertia(outer(c, at)) + b.mass * inertia(outer(at, at));
  Eigen::MatrixXd M(turns + n, turns + n);
  for (int i = 0; i < turns; ++i) {
    for (int j = 0; j < turns; ++j)
      M(i, j) = dot(axes[static_cast<std::size_t>(i)], I * axes[static_cast<std::size_t>(j)]);
  }
  for (int k = 0; k < n; ++k) {
    Vec3d e = axial_vector(b.moment(0, k + 1)) + s * axial_vector(b.moment(l + 1, k + 1));
    for (int i = 0; i < 3; ++i)
      e[i] += s * entry(b.geometric.angular_acceleration[static_cast<std::size_t>(i)], k, l, n);
    e = e - cross(at, first(k + 1));
    for (int i = 0; i < turns; ++i) M(i, turns + k) = M(turns + k, i) = dot(axes[static_cast<std::size_t>(i)], e);
    for (int j = 0; j < n; ++j) M(turns + k, turns + j) = trace(b.moment(k + 1, j + 1)) + entry(b.rotary, k, j, n);
  }
  return M;
}

// Directions about which the joint lets its bodies turn, global; none where a drive says how.
std::vector<Vec3d> turns_of(const model::Joint& j) {
  if (std::ranges::any_of(j.drive, [](const auto& drive) { return drive.has_value(); })) return {};
  if (j.type == "revolute" || j.type == "cylindrical") return {normalized(j.axis)};
  if (j.type == "universal" || j.type == "spherical") return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return {};
}

double size_of_body(const model::ModalBody& b) {
  Vec3d low = b.points.front().at, high = low;
  for (const model::ModalPoint& p : b.points) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p.at[i]), high[i] = std::max(high[i], p.at[i]);
  }
  return norm(high - low);
}

// A place that no shape moves or turns: the frame is tangent there.
const model::ModalPoint* tangent_point(const model::ModalBody& b, const Vec3d& at, double near) {
  const auto is_still = [](const std::vector<Vec3d>& all) {
    return std::ranges::all_of(all, [](const Vec3d& x) { return norm(x) < 1e-9; });
  };
  const auto found = std::ranges::find_if(b.points, [&](const model::ModalPoint& p) {
    return norm(p.at - at) <= near && is_still(p.shift) && is_still(p.turn);
  });
  return found == b.points.end() ? nullptr : &*found;
}

}  // namespace

std::optional<double> bend_without_inertia(const ModalBody& b, const Vec3d& at, const std::vector<Vec3d>& axes,
                                           double most) {
  const auto is_given = [](const auto& all) {
    return std::ranges::any_of(all, [](const auto& m) { return !m.empty(); });
  };
  if (axes.empty() || !(is_given(b.geometric.centrifugal) || is_given(b.geometric.angular_acceleration))) return {};
  const auto is_positive = [&](int l, double s) {
    return Eigen::LLT<Eigen::MatrixXd>(mass_matrix(b, at, axes, l, s)).info() == Eigen::Success;
  };
  double least = most;
  for (int l = 0; l < b.modes; ++l) {
    for (const double sign : {1.0, -1.0}) {
      if (is_positive(l, sign * least)) continue;
      double good = 0, bad = least;
      while (bad - good > 1e-3 * bad) (is_positive(l, sign * (good + bad) / 2) ? good : bad) = (good + bad) / 2;
      least = bad;
    }
  }
  return least < most ? std::optional(least) : std::nullopt;
}

std::optional<HingedFrame> hinged_frame(const model::Model& m, int number) {
  constexpr double small = 0.05;  // of the size: what small displacements may be
  const model::Body& body = m.bodies[static_cast<std::size_t>(number)];
  if (!body.modal || body.modal->modes == 0 || body.modal->points.empty()) return {};
  const double size = size_of_body(*body.modal);
  for (const model::Joint& joint : m.joints) {
    if (joint.from != number && joint.to != number) continue;
    const Vec3d place = transpose_times(body.axes, (joint.from == number ? joint.at_from : joint.at_to) - body.at);
    const model::ModalPoint* const point = tangent_point(*body.modal, place, 1e-6 * size);
    if (!point) continue;
    std::vector<Vec3d> axes = turns_of(joint);
    for (Vec3d& axis : axes) axis = transpose_times(body.axes, axis);
    if (const auto bend = bend_without_inertia(*body.modal, place, axes, small * size))
      return HingedFrame{joint.name, point->name, *bend};
  }
  return {};
}

}  // namespace skyhook::flexible
