#include <fmt/format.h>

#include <charconv>

#include "skyhook/io/model_file/mesh_builder.h"
#include "skyhook/io/model_file/text_lines.h"

namespace skyhook::io::model_file {
namespace {

// Vertices count from 1, or backwards from the last one with -1. Behind a slash are texture and normal.
std::size_t vertex_of(std::string_view word, std::size_t vertices, const Location& where) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
    throw ModelError(where, "a face has the corner " + shown(word) + ", which is no number of a vertex.",
                     "Corners are written 3, 3/1, 3//2 or 3/1/2.");
  const long count = static_cast<long>(vertices), index = number < 0 ? count + number : number - 1;
  if (number == 0 || index < 0 || index >= count)
    throw ModelError(where, fmt::format("a face has vertex {}, but {} stand above it.", number, count),
                     "Vertices count from 1, or from -1 backwards.");
  return static_cast<std::size_t>(index);
}

void add_face(std::string_view corners, const std::vector<Point>& vertices, const Location& where, MeshBuilder& mesh) {
  std::size_t count = 0, first = 0, last = 0;
  for (std::string_view word = next_word(corners); !word.empty(); word = next_word(corners), ++count) {
    const std::size_t vertex = vertex_of(word, vertices.size(), where);
    if (count == 0) first = vertex;
    if (count >= 2) mesh.add_triangle(vertices[first], vertices[last], vertices[vertex]);
    last = vertex;
  }
  if (count < 3) throw ModelError(where, fmt::format("a face has {} corners.", count), "It needs three at least.");
}

// A backslash joins the next line.
std::string_view joined(std::string_view line, Lines& lines, std::string& room) {
  if (!line.ends_with('\\')) return line;
  room = line;
  while (room.ends_with('\\') && lines.next(line)) {
    room.back() = ' ';
    room += line;
  }
  return room;
}

}  // namespace

model::Mesh read_obj(std::string_view text, const std::string& file) {
  MeshBuilder mesh(file);
  std::vector<Point> vertices;
  Lines lines(text);
  std::string room;
  for (std::string_view line; lines.next(line);) {
    const Location where{file, lines.number()};
    line = joined(line, lines, room);
    line = line.substr(0, line.find('#'));
    const std::string_view word = next_word(line);
    if (word == "v") vertices.push_back(read_point(line, where));
    if (word == "f") add_face(line, vertices, where, mesh);
  }
  return mesh.finish();
}

}  // namespace skyhook::io::model_file
