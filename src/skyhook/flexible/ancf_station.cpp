#include "skyhook/flexible/ancf_station.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/jet2.h"

namespace skyhook::flexible {

int dimension_of(AncfBeam::Kind kind) {
  return kind == AncfBeam::Kind::planar_beam || kind == AncfBeam::Kind::planar_cable ? 2 : 3;
}
bool is_cable(AncfBeam::Kind kind) { return kind == AncfBeam::Kind::planar_cable || kind == AncfBeam::Kind::cable; }

std::vector<AncfVector> vectors_of(AncfBeam::Kind kind) {
  switch (kind) {
    case AncfBeam::Kind::planar_beam: return {AncfVector::r, AncfVector::ry, AncfVector::rx};
    case AncfBeam::Kind::beam: return {AncfVector::r, AncfVector::ry, AncfVector::rz, AncfVector::rx};
    default: return {AncfVector::r, AncfVector::rx};
  }
}

bool is_held(AncfBeam::Kind kind, AncfBeam::End end, AncfVector v, int c) {
  if (end == AncfBeam::End::free) return false;
  if (v == AncfVector::r) return true;
  if (end == AncfBeam::End::hinged) return false;
  return is_cable(kind) ? c > 0 : v != AncfVector::rx;
}

namespace {

template <class T>
Mat3<T> half_turn_before(const Mat3<T>& m) {
  return {-m.r0, -m.r1, m.r2};
}

// From x to t about x cross t, t.x > -1.
template <class T>
Mat3<T> shortest_turn(const Vec3<T>& t) {
  const T one(1.0), k = one / (one + t.x);
  return {{t.x, -t.y, -t.z}, {t.y, one - k * t.y * t.y, -k * t.y * t.z}, {t.z, -k * t.y * t.z, one - k * t.z * t.z}};
}

// Six numbers: displacement, and the change of the direction that the frame follows (of a beam in space: none, the place alone).
struct AncfFrameGuide final : model::GuideLaw<AncfFrameGuide> {
  Mat3d axes;
  AncfBeam::Kind kind;
  AncfFrameGuide(const Mat3d& a, AncfBeam::Kind k) : axes(a), kind(k) {}
  int coordinates() const override { return 6; }
  std::string signature() const override { return std::to_string(static_cast<int>(kind)); }

  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    const Mat3<T> A(axes);
    const Vec3<T> r = A * Vec3<T>{q[0], q[1], q[2]};
    if (kind == AncfBeam::Kind::beam) return {r, Mat3<T>::identity()};
    Vec3<T> direction{q[3], q[4], q[5]};
    direction[kind == AncfBeam::Kind::planar_beam ? 1 : 0] += T(1.0);
    return {r, A * turn((T(1.0) / norm(direction)) * direction) * transpose(A)};
  }
  template <class T>
  Mat3<T> turn(const Vec3<T>& t) const {
    const T zero(0.0), one(1.0);
    if (kind == AncfBeam::Kind::planar_beam) return {{t.y, t.x, zero}, {-t.x, t.y, zero}, {zero, zero, one}};
    if (kind == AncfBeam::Kind::planar_cable) return {{t.x, -t.y, zero}, {t.y, t.x, zero}, {zero, zero, one}};
    // Pointing back, there is no shortest way: then by half a turn about z, to which what stays in the plane of x and y comes anyway.
    constexpr double back = 1e-8;
    if (value_of(t.x) > back - 1) return shortest_turn(t);
    return half_turn_before(shortest_turn(Vec3<T>{-t.x, -t.y, t.z}));
  }
};

// Six numbers: changes of r_y and r_z.
struct AncfSectionGuide final : model::GuideLaw<AncfSectionGuide> {
  Mat3d axes;
  explicit AncfSectionGuide(const Mat3d& a) : axes(a) {}
  int coordinates() const override { return 6; }
  std::string signature() const override { return "section"; }

  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    const Mat3<T> A(axes);
    const Vec3<T> ry{q[0], T(1.0) + q[1], q[2]}, rz{q[3], q[4], T(1.0) + q[5]};
    const Vec3<T> y = (T(1.0) / norm(ry)) * ry, across = rz - dot(rz, y) * y, z = (T(1.0) / norm(across)) * across;
    return {{T(0.0), T(0.0), T(0.0)}, A * Mat3<T>::columns(cross(y, z), y, z) * transpose(A)};
  }
};

struct AncfRows {
  int first = 0, last = -1;  // coordinates
  const AncfSum* six[6];

  AncfRows(const AncfSum (&a)[3], const AncfSum (&b)[3]) {
    for (int c = 0; c < 3; ++c) six[c] = &a[c], six[c + 3] = &b[c];
    for (const AncfSum* sum : six) {
      for (const auto& [k, factor] : *sum) first = last < 0 ? k : std::min(first, k), last = std::max(last, k);
    }
  }
  model::MeshStation::Part part(std::shared_ptr<const model::Guide> guide) const {
    model::MeshStation::Part out{std::move(guide), first, last - first + 1, {}};
    out.B.assign(static_cast<std::size_t>(6 * out.count), 0.0);
    for (int row = 0; row < 6; ++row) {
      for (const auto& [k, factor] : *six[row]) out.B[static_cast<std::size_t>(row * out.count + k - first)] += factor;
    }
    return out;
  }
};

}  // namespace

model::MeshStation station_of(const AncfFrame& frame, const std::string& name, const Vec3d& at) {
  model::MeshStation out{name, at, {}, frame.kind != AncfBeam::Kind::cable};
  const bool has_section = frame.kind == AncfBeam::Kind::beam;
  const AncfSum none[3];
  const auto is_held = [](const AncfSum& sum) { return sum.empty(); };
  // a clamped cable may stretch, but neither its place nor its direction changes
  const bool is_cable_held = is_cable(frame.kind) && frame.first[1].empty() && frame.first[2].empty();
  if (!std::ranges::all_of(frame.r, is_held) ||
      (!has_section && !is_cable_held && !std::ranges::all_of(frame.first, is_held)))
    out.parts.push_back(AncfRows(frame.r, has_section ? none : frame.first)
                            .part(std::make_shared<const AncfFrameGuide>(frame.axes, frame.kind)));
  if (has_section && !(std::ranges::all_of(frame.first, is_held) && std::ranges::all_of(frame.second, is_held)))
    out.parts.push_back(AncfRows(frame.first, frame.second).part(std::make_shared<const AncfSectionGuide>(frame.axes)));
  return out;
}

}  // namespace skyhook::flexible
