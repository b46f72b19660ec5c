// What the readers of meshes share: vertices that are welded, and points of a line.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "skyhook/base/error.h"
#include "skyhook/io/model_file/mesh.h"

namespace skyhook::io::model_file {

using Point = std::array<float, 3>;

class MeshBuilder {
 public:
  explicit MeshBuilder(std::string file) : file_(std::move(file)) {}

  // Throws ModelError beyond `most_triangles`.
  void add_triangle(const Point& a, const Point& b, const Point& c);
  model::Mesh finish();  // throws ModelError where there is no triangle

 private:
  struct Hash {
    std::size_t operator()(const Point& p) const;
  };
  std::uint32_t vertex(const Point& p);

  std::string file_;
  std::size_t triangles_ = 0;
  model::Mesh mesh_;
  std::unordered_map<Point, std::uint32_t, Hash> numbers_;
};

[[noreturn]] void refuse_size(const std::string& file, std::size_t triangles);

// x y z of a vertex. Throws ModelError where there is none that a float can hold.
Point read_point(std::string_view& line, const Location& where);

}  // namespace skyhook::io::model_file
