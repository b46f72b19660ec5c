#include "skyhook/simulation/beam_scene.h"

#include <fmt/format.h>

#include "skyhook/base/table.h"
#include "skyhook/formalism/mesh_coordinates.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::simulation {
namespace {

using model::MeshPicture;

template <class List, class Write>
std::string beam_joined(const List& list, Write&& write) {
  std::string out = "[";
  for (const auto& item : list) out += (out.size() > 1 ? "," : "") + write(item);
  return out + "]";
}

std::string beam_numbers_of(const Vec3d& v) {
  return json_number(v.x) + "," + json_number(v.y) + "," + json_number(v.z);
}

std::string beam_terms(const std::vector<MeshPicture::Term>& list) {
  return beam_joined(list,
                     [](const MeshPicture::Term& t) { return std::to_string(t.vector) + "," + json_number(t.weight); });
}

std::string beam_station(const MeshPicture::Station& s) {
  std::string out = fmt::format(R"({{"s":{},"position":{},"slope":{})", json_number(s.s), beam_terms(s.position),
                                beam_terms(s.slope));
  if (!s.y.empty()) out += ",\"y\":" + beam_terms(s.y);
  if (!s.z.empty()) out += ",\"z\":" + beam_terms(s.z);
  return out + "}";
}

std::string beam_line(const Prepared& p, const formalism::MeshCoordinates& mesh, const MeshPicture& picture) {
  const model::Body& body = p.model->bodies[static_cast<std::size_t>(mesh.body)];
  std::vector<int> coordinates;
  for (int k = 0; k < mesh.count; ++k) coordinates.push_back(mesh.iq + k);
  const auto state = [&](int iq) { return json_string(p.active->position_names()[static_cast<std::size_t>(iq)]); };
  const auto vector = [](const MeshPicture::Vector& v) {
    return fmt::format("[{},{},{},{}]", v.coordinate[0], v.coordinate[1], v.coordinate[2], beam_numbers_of(v.design));
  };
  const Mat3d& A = picture.axes;
  return fmt::format(
      R"({{"name":{},"body":{},"states":{},"vectors":{},"section":[{},{},0],"up":[0,0,1],"axes":[{},{},{}],"origin":[{}],"stations":{}}})",
      json_string(picture.name.empty() ? body.name : body.name + "." + picture.name), mesh.body,
      beam_joined(coordinates, state), beam_joined(picture.vectors, vector), json_number(picture.width),
      json_number(picture.height), beam_numbers_of(A.r0), beam_numbers_of(A.r1), beam_numbers_of(A.r2),
      beam_numbers_of(picture.origin), beam_joined(picture.stations, beam_station));
}

}  // namespace

std::string bent_lines(const Prepared& p) {
  const std::vector<formalism::MeshCoordinates> meshes = formalism::mesh_coordinates(*p.active);
  if (meshes.empty()) return {};
  struct Line {
    const formalism::MeshCoordinates* mesh;
    const MeshPicture* picture;
  };
  std::vector<Line> lines;
  for (const formalism::MeshCoordinates& mesh : meshes) {
    for (const MeshPicture& picture : model::mesh_of(p.model->bodies[static_cast<std::size_t>(mesh.body)])->pictures)
      lines.push_back({&mesh, &picture});
  }
  return ",\"bent_lines\":" +
         beam_joined(lines, [&](const Line& line) { return beam_line(p, *line.mesh, *line.picture); });
}

}  // namespace skyhook::simulation
