#include "skyhook/io/model_file/mesh_builder.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "skyhook/io/model_file/text_lines.h"

namespace skyhook::io::model_file {

std::size_t MeshBuilder::Hash::operator()(const Point& p) const {
  std::uint64_t h = 0;
  for (const float x : p) h = (h ^ std::bit_cast<std::uint32_t>(x)) * 0x9e3779b97f4a7c15u, h ^= h >> 29u;
  return h;
}

std::uint32_t MeshBuilder::vertex(const Point& p) {
  const Point key{p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f};  // -0 becomes 0
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size()));
  if (is_new) mesh_.vertices.insert(mesh_.vertices.end(), key.begin(), key.end());
  return found->second;
}

void MeshBuilder::add_triangle(const Point& a, const Point& b, const Point& c) {
  if (++triangles_ > most_triangles) refuse_size(file_, triangles_);
  if (a == b || b == c || c == a) return;
  for (const Point* p : {&a, &b, &c}) mesh_.corners.push_back(vertex(*p));
}

model::Mesh MeshBuilder::finish() {
  if (mesh_.corners.empty())
    throw ModelError({file_}, "the mesh has no triangle.", "Export it again, as triangles (STL) or faces (OBJ).");
  return std::move(mesh_);
}

void refuse_size(const std::string& file, std::size_t triangles) {
  throw ModelError({file},
                   fmt::format("the mesh has {}{} triangles, more than the {} that a picture needs.",
                               triangles == most_triangles + 1 ? "at least " : "", triangles, most_triangles),
                   "Reduce it in a CAD or mesh program (\"decimate\").");
}

Point read_point(std::string_view& line, const Location& where) {
  Point p{};
  for (float& x : p) {
    const std::string_view word = next_word(line);
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    x = static_cast<float>(value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(x))
      throw ModelError(where, "a vertex has " + (word.empty() ? "no" : shown(word) + " for a") + " coordinate.",
                       "A vertex needs three finite numbers.");
  }
  return p;
}

}  // namespace skyhook::io::model_file
