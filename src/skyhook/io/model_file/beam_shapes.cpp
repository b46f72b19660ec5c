#include "skyhook/io/model_file/beam_shapes.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/rotation.h"

namespace skyhook::io::model_file {
namespace {

// Nodes are in the axes of the body, shapes stand globally at design.
model::Shape beam_shape(const flexible::Beam& beam, const Vec3d& from, const Vec3d& to, const model::Body& body) {
  const flexible::Section& s = beam.section;
  const Vec3d x = normalized(to - from), across = beam.up - dot(beam.up, x) * x;
  const Vec3d z = norm(across) > 1e-6 * norm(beam.up) ? normalized(across) : perpendicular(x);
  model::Shape shape;
  shape.at = body.at + body.axes * (0.5 * (from + to));
  shape.length = norm(to - from);
  if (s.is_round) {
    shape.kind = model::Shape::Kind::rod, shape.radius = s.width / 2;
    shape.axes = body.axes * Mat3d::columns(z, cross(x, z), x);
    return shape;
  }
  shape.axes = body.axes * Mat3d::columns(x, cross(z, x), z);
  shape.size = {shape.length, s.width > 0 ? s.width : std::sqrt(12 * s.iz / s.area),
                s.height > 0 ? s.height : std::sqrt(12 * s.iy / s.area)};
  return shape;
}

}  // namespace

void add_beam_shapes(const flexible::BeamModel& beams, model::Body& body) {
  const auto place = [&](const std::string& name) {
    return std::ranges::find(beams.nodes, name, &flexible::NamedPoint::name);
  };
  for (const flexible::Beam& beam : beams.beams) {
    const auto from = place(beam.from), to = place(beam.to);
    if (from != beams.nodes.end() && to != beams.nodes.end())
      body.shapes.push_back(beam_shape(beam, from->at, to->at, body));
  }
}

}  // namespace skyhook::io::model_file
