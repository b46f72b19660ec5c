#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "skyhook/io/model_file/mesh_builder.h"
#include "skyhook/io/model_file/text_lines.h"

namespace skyhook::io::model_file {
namespace {

// A binary STL: 80 bytes of anything, the number of triangles, and for each of them 12 floats (normal, three corners)
// and two bytes; little endian, as we are.
constexpr std::size_t head = 84, stride = 50;

std::uint32_t count_in(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= head) std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

// Many a binary file begins with "solid" as well: only its length tells.
bool is_binary(std::string_view bytes) {
  if (bytes.size() >= head && bytes.size() == head + stride * std::size_t{count_in(bytes)}) return true;
  const std::string_view start = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const std::string_view word = start.substr(0, 5), solid = "solid";
  const bool says_solid = std::equal(word.begin(), word.end(), solid.begin(), solid.end(), same);
  return !says_solid || bytes.substr(0, 1000).find('\0') != std::string_view::npos;
}

Point point_at(std::string_view bytes, std::size_t place, const std::string& file) {
  Point p{};
  std::memcpy(p.data(), bytes.data() + place, sizeof p);
  for (const float x : p) {
    if (!std::isfinite(x))
      throw ModelError({file}, fmt::format("the vertex at byte {} is not finite.", place),
                       "Export the mesh again: it is damaged.");
  }
  return p;
}

model::Mesh read_binary(std::string_view bytes, const std::string& file) {
  if (bytes.size() < head)
    throw ModelError({file}, fmt::format("an STL file has at least {} bytes, but this one {}.", head, bytes.size()),
                     "Export the mesh again: it is cut off.");
  const std::size_t count = count_in(bytes), room = (bytes.size() - head) / stride;
  if (count > room)
    throw ModelError({file}, fmt::format("byte 80 announces {} triangles, but only {} follow.", count, room),
                     "Export the mesh again: it is cut off, or no STL file.");
  if (count > most_triangles) refuse_size(file, count);
  MeshBuilder mesh(file);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t corners = head + stride * i + 12;
    mesh.add_triangle(point_at(bytes, corners, file), point_at(bytes, corners + 12, file),
                      point_at(bytes, corners + 24, file));
  }
  return mesh.finish();
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The lines between "solid" and "endsolid"; of them only vertices and the ends of their loops matter.
class AsciiStl {
 public:
  explicit AsciiStl(const std::string& file) : file_(file), mesh_(file) {}

  void take(std::string_view line, int number) {
    const std::string word = lower(next_word(line));
    const Location where{file_, number};
    if (word == "vertex") {
      if (corners_ == 3) throw ModelError(where, "the facet has more than three vertices.", "Export triangles.");
      corner_[corners_++] = read_point(line, where);
    } else if (word == "endloop") {
      if (corners_ != 3)
        throw ModelError(where, fmt::format("the facet has {} vertices.", corners_), "Export triangles.");
      mesh_.add_triangle(corner_[0], corner_[1], corner_[2]);
      corners_ = 0;
    } else if (word == "solid" || word == "endsolid") {
      inside_ = word == "solid";
    } else if (!word.empty() && word != "facet" && word != "outer" && word != "endfacet") {
      throw ModelError(where, shown(word) + " is no word of an STL file.",
                       "Expected are facet, outer loop, vertex, endloop, endfacet and endsolid.");
    }
  }
  model::Mesh finish(int lines) {
    if (inside_ || corners_ > 0)
      throw ModelError({file_, lines}, "the file ends without \"endsolid\".", "Export the mesh again: it is cut off.");
    return mesh_.finish();
  }

 private:
  const std::string& file_;
  MeshBuilder mesh_;
  Point corner_[3] = {};
  std::size_t corners_ = 0;
  bool inside_ = false;
};

}  // namespace

model::Mesh read_stl(std::string_view bytes, const std::string& file) {
  if (is_binary(bytes)) return read_binary(bytes, file);
  AsciiStl stl(file);
  Lines lines(bytes);
  for (std::string_view line; lines.next(line);) stl.take(line, lines.number());
  return stl.finish(lines.number());
}

static std::string ending_of(const std::string& file) {
  return lower(file.substr(std::min(file.rfind('.'), file.size())));
}

bool is_mesh_file(const std::string& file) { return ending_of(file) == ".stl" || ending_of(file) == ".obj"; }

model::Mesh read_mesh(std::string_view bytes, const std::string& file) {
  if (ending_of(file) == ".stl") return read_stl(bytes, file);
  if (ending_of(file) == ".obj") return read_obj(bytes, file);
  throw ModelError({file}, "its ending is that of no known kind of mesh.", "Give a file that ends in .stl or .obj.");
}

}  // namespace skyhook::io::model_file
