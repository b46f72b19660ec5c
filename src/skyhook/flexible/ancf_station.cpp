#include "skyhook/flexible/ancf_station.h"

#include <cmath>

namespace skyhook::flexible {

int dimension_of(AncfBeam::Kind kind) { return kind == AncfBeam::Kind::planar_beam || kind == AncfBeam::Kind::planar_cable ? 2 : 3; }
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

bool moves_frame(AncfBeam::Kind kind, AncfVector v) {
  if (v == AncfVector::r) return true;
  if (kind == AncfBeam::Kind::beam) return false;  // position alone: nine coordinates are more than a guide has
  return is_cable(kind) || v == AncfVector::ry;
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
    direction[given.kind == AncfBeam::Kind::planar_beam ? 1 : 0] = T(1.0);
    for (std::size_t k = 0; k < given.coordinates.size(); ++k) {
      const auto& at = given.coordinates[k];
      (at.vector == AncfVector::r ? r : direction)[at.component] += q[k];
    }
    const Mat3<T> axes(given.axes);
    if (given.kind == AncfBeam::Kind::beam) return {axes * r, Mat3<T>::identity()};
    return {axes * r, axes * turn(direction) * transpose(axes)};
  }
  template <class T>
  Mat3<T> turn(const Vec3<T>& direction) const {
    const Vec3<T> t = (T(1.0) / norm(direction)) * direction;
    const T zero(0.0), one(1.0);
    if (given.kind == AncfBeam::Kind::planar_beam) return {{t.y, t.x, zero}, {-t.x, t.y, zero}, {zero, zero, one}};
    if (given.kind == AncfBeam::Kind::planar_cable) return {{t.x, -t.y, zero}, {t.y, t.x, zero}, {zero, zero, one}};
    const T k = one / (one + t.x);  // from x to t about x cross t
    return {{t.x, -t.y, -t.z}, {t.y, one - k * t.y * t.y, -k * t.y * t.z}, {t.z, -k * t.y * t.z, one - k * t.z * t.z}};
  }
};

}  // namespace

model::MeshStation station_of(const AncfStation& given, const std::string& name, const Vec3d& at) {
  model::MeshStation out{name, at, given.first, static_cast<int>(given.coordinates.size()), nullptr, true};
  bool moves = false;  // a clamped cable may stretch, but neither its place nor its direction changes
  for (const auto& c : given.coordinates) moves = moves || !(c.vector == AncfVector::rx && given.coordinates.size() == 1);
  if (!moves) out.count = 0;
  out.has_axes = given.kind != AncfBeam::Kind::beam || given.is_clamped;
  if (out.count > 0) out.guide = std::make_shared<const NodeGuide>(given);
  return out;
}

}  // namespace skyhook::flexible
