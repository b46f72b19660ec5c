#include "skyhook/element/joint/point_on_line.h"

#include <fmt/format.h>

#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"
#include "skyhook/model/nodal_mesh.h"
#include "skyhook/model/on_line.h"

namespace skyhook::element {
namespace {

// Their names, for messages.
std::string lines_of(const model::NodalMesh& mesh) {
  std::string out;
  for (const model::MeshCurve& curve : mesh.curves) out += (out.empty() ? "" : ", ") + curve.name;
  return out;
}

int curve_named(const std::string& name, const std::string& body, const model::NodalMesh& mesh,
                const model::FieldSource& source) {
  const auto count = static_cast<int>(mesh.curves.size());
  if (name.empty() && count == 1) return 0;
  if (name.empty())
    fail(source, "from",
         fmt::format("\"{}\" has {} lines, and it is not said on which of them it slides.", body, count),
         fmt::format("Name one: line: {}. Lines here: {}.", mesh.curves[0].name, lines_of(mesh)));
  for (int k = 0; k < count; ++k) {
    if (mesh.curves[static_cast<std::size_t>(k)].name == name) return k;
  }
  if (count == 1) fail(source, "line", fmt::format("\"{}\" is one line without a name.", body), "Leave `line` out.");
  fail(source, "line", fmt::format("\"{}\" has no line \"{}\".", body, name),
       fmt::format("Lines here: {}.", lines_of(mesh)));
}

}  // namespace

void PointOnLine::add_to(model::FieldSource& source, model::Model& model) const {
  Pair pair{from, to};
  if (to_at) pair.to.at = *to_at;
  if (pair.from.body == pair.to.body)
    fail(source, "to", "`from` and `to` are the same body, so that nothing can slide.",
         "Let `to` be another body, or the ground.");
  const bool is_ground = pair.from.body == model::ground;
  const std::string name = is_ground ? "ground" : model.bodies[static_cast<std::size_t>(pair.from.body)].name;
  const model::NodalMesh* mesh =
      is_ground ? nullptr : model::mesh_of(model.bodies[static_cast<std::size_t>(pair.from.body)]);
  if (!mesh)
    fail(source, "from", fmt::format("\"{}\" is no beam or cable of nodal coordinates.", name),
         "Give its body `beam: {...}`; on a curve that stands still in a body slides a point_on_curve.");
  const int curve = curve_named(line, name, *mesh, source);
  model.contributions.push_back(contribution(
      pair, source,
      std::make_shared<const model::OnLine>(curve, mesh->curves[static_cast<std::size_t>(curve)].length(), damping)));
}

}  // namespace skyhook::element
