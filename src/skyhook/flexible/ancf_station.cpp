#include "skyhook/flexible/ancf_station.h"

#include <cmath>

namespace skyhook::flexible {

using Kind = AncfBeam::Kind;
using Vector = AncfVector;

int dimension_of(Kind kind) { return kind == Kind::planar_beam || kind == Kind::planar_cable ? 2 : 3; }
bool is_cable(Kind kind) { return kind == Kind::planar_cable || kind == Kind::cable; }

std::vector<Vector> vectors_of(Kind kind) {
  switch (kind) {
    case Kind::planar_beam: return {Vector::r, Vector::ry, Vector::rx};
    case Kind::beam: return {Vector::r, Vector::ry, Vector::rz, Vector::rx};
    default: return {Vector::r, Vector::rx};
  }
}

bool is_held(Kind kind, AncfBeam::End end, Vector v, int c) {
  if (end == AncfBeam::End::free) return false;
  if (v == Vector::r) return true;
  if (end == AncfBeam::End::hinged) return false;
  return is_cable(kind) ? c > 0 : v != Vector::rx;
}

bool moves_frame(Kind kind, Vector v) {
  if (v == Vector::r) return true;
  if (kind == Kind::beam) return false;  // position alone: nine coordinates are more than a guide has
  return is_cable(kind) || v == Vector::ry;
}

namespace {

// The pose of a node over those of its coordinates that are free. In beam axes, its frame has x across the section of a planar beam, or along a
// cable; that of a cable in space turns by the shortest way.
struct NodeGuide final : model::GuideLaw<NodeGuide> {
  AncfStation given;
  explicit NodeGuide(AncfStation of) : given(std::move(of)) {}
  int coordinates() const override { return static_cast<int>(given.coordinates.size()); }
  std::string signature() const override { return std::to_string(static_cast<int>(given.kind)); }

  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    Vec3<T> r, direction;
    direction[given.kind == Kind::planar_beam ? 1 : 0] = T(1.0);
    for (std::size_t k = 0; k < given.coordinates.size(); ++k) {
      const auto& at = given.coordinates[k];
      (at.vector == Vector::r ? r : direction)[at.component] += q[k];
    }
    const Mat3<T> axes(given.axes);
    if (given.kind == Kind::beam) return {axes * r, Mat3<T>::identity()};
    return {axes * r, axes * turn(direction) * transpose(axes)};
  }
  template <class T>
  Mat3<T> turn(const Vec3<T>& direction) const {
    const Vec3<T> t = (T(1.0) / norm(direction)) * direction;
    const T zero(0.0), one(1.0);
    if (given.kind == Kind::planar_beam) return {{t.y, t.x, zero}, {-t.x, t.y, zero}, {zero, zero, one}};
    if (given.kind == Kind::planar_cable) return {{t.x, -t.y, zero}, {t.y, t.x, zero}, {zero, zero, one}};
    const T k = one / (one + t.x);  // from x to t about x cross t
    return {{t.x, -t.y, -t.z}, {t.y, one - k * t.y * t.y, -k * t.y * t.z}, {t.z, -k * t.y * t.z, one - k * t.z * t.z}};
  }
};

}  // namespace

model::MeshStation station_of(const AncfStation& given, const std::string& name, const Vec3d& at) {
  model::MeshStation out{name, at, given.first, static_cast<int>(given.coordinates.size()), nullptr, true};
  bool moves = false;  // a clamped cable may stretch, but neither its place nor its direction changes
  for (const auto& c : given.coordinates) moves = moves || !(c.vector == Vector::rx && given.coordinates.size() == 1);
  if (!moves) out.count = 0;
  out.has_axes = given.kind != Kind::beam || given.is_clamped;
  if (out.count > 0) out.guide = std::make_shared<const NodeGuide>(given);
  return out;
}

}  // namespace skyhook::flexible
