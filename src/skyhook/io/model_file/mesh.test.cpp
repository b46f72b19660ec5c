// Reference: a tetrahedron, written down by hand in each format: four vertices, four triangles.
#include "skyhook/io/model_file/mesh.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "skyhook/base/error.h"
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using namespace skyhook::io::model_file;

namespace {

constexpr float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string binary(std::string head = "made by a test") {
  head.resize(80, ' ');
  put(head, std::uint32_t{4});
  for (const auto& face : faces) {
    head.append(12, '\0');
    for (const int k : face) put(head, corners[k]);
    head.append(2, '\0');
  }
  return head;
}

std::string ascii() {
  std::string text = "solid tetrahedron\n";
  for (const auto& face : faces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int k : face)
      text += "   vertex " + std::to_string(corners[k][0]) + " " + std::to_string(corners[k][1]) + "\t" +
              std::to_string(corners[k][2]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}

// Six times the volume that the triangles enclose, which sees order and orientation: 1 for the tetrahedron.
double volume(const model::Mesh& m) {
  double sum = 0;
  const auto p = [&](std::size_t i) {
    const float* v = &m.vertices[3 * std::size_t{m.corners[i]}];
    return Vec3d{v[0], v[1], v[2]};
  };
  for (std::size_t i = 0; i < m.corners.size(); i += 3) sum += dot(p(i), cross(p(i + 1), p(i + 2)));
  return sum;
}

void check_tetrahedron(const model::Mesh& m) {
  CHECK(m.vertices.size() == 12);
  CHECK(m.corners.size() == 12);
  CHECK(volume(m) == doctest::Approx(1.0));
}

std::string error_of(const std::string& bytes, const std::string& file) {
  try {
    read_mesh(bytes, file);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("STL, binary and ASCII: equal vertices become one") {
  check_tetrahedron(read_mesh(binary(), "a.stl"));
  check_tetrahedron(read_mesh(ascii(), "a.STL"));
  check_tetrahedron(read_mesh(binary("solid, and yet binary"), "a.stl"));
  std::string with_rest = binary() + "more";  // some programs add something
  check_tetrahedron(read_mesh(with_rest, "a.stl"));
  std::string windows;
  for (const char c : ascii()) windows += c == '\n' ? "\r\n" : std::string(1, c);
  check_tetrahedron(read_mesh(windows, "a.stl"));
}

TEST_CASE("OBJ: slashes, negative numbers, polygons, continued lines") {
  const std::string vertices = "# by hand\nmtllib x.mtl\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 0 0 1\nvn 0 0 1\n";
  check_tetrahedron(read_mesh(vertices + "f 1 3 2\nf 1/1 2/1 4/1\nf 2//1 3//1 4//1\nf 3/1/1 1/1/1 4/1/1\n", "a.obj"));
  check_tetrahedron(read_mesh(vertices + "f -4 -2 -3\nf -4 -3 \\\n -1\nf -3 -2 -1 # last\ng x\nf -2 -4 -1", "a.obj"));
  const model::Mesh fan = read_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nf 1 2 3 4\n", "a.obj");
  CHECK(fan.corners == std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3});
  CHECK(fan.vertices.size() == 12);  // what no face uses is left out
}

TEST_CASE("Damaged meshes are refused with their place") {
  CHECK(has(error_of(binary().substr(0, 200), "a.stl"), "a.stl: byte 80 announces 4 triangles, but only 2 follow."));
  CHECK(has(error_of("short", "a.stl"), "an STL file has at least 84 bytes, but this one 5."));
  CHECK(has(error_of("", "a.stl"), "at least 84 bytes"));
  std::string huge(84, ' ');
  const std::uint32_t count = 0xffffffffu;
  std::memcpy(huge.data() + 80, &count, 4);
  CHECK(has(error_of(huge, "a.stl"), "announces 4294967295 triangles, but only 0 follow."));
  std::string broken = binary();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(broken.data() + 84 + 50 + 12 + 12, &nan, 4);
  CHECK(has(error_of(broken, "a.stl"), "the vertex at byte 158 is not finite."));

  const std::string text = ascii();
  CHECK(has(error_of(text.substr(0, text.size() - 40), "a.stl"), "the file ends without \"endsolid\"."));
  CHECK(has(error_of("solid\nfacet\nouter loop\nvertex 0 0 inf\n", "a.stl"), "a.stl:4: a vertex has \"inf\""));
  CHECK(has(error_of("solid\nvertex 0 0\n", "a.stl"), "a.stl:2: a vertex has no coordinate."));
  CHECK(has(error_of("solid\nvertx 0 0\n", "a.stl"), "a.stl:2: \"vertx\" is no word of an STL file."));
  CHECK(has(error_of("solid\nvertex 0 0 0\nendloop\n", "a.stl"), "a.stl:3: the facet has 1 vertices."));
  CHECK(has(error_of("solid\nendsolid\n", "a.stl"), "the mesh has no triangle."));

  CHECK(has(error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a.obj"), "a.obj:4: a face has vertex 4, but 3 stand"));
  CHECK(has(error_of("v 0 0 0\nf 0 1 1\n", "a.obj"), "a.obj:2: a face has vertex 0"));
  CHECK(has(error_of("v 0 0 0\nf -2 1 1\n", "a.obj"), "a face has vertex -2"));
  CHECK(has(error_of("v 0 0 0\nf 1 1\n", "a.obj"), "a.obj:2: a face has 2 corners."));
  CHECK(has(error_of("v 0 0 0\nf a b c\n", "a.obj"), "the corner \"a\", which is no number"));
  CHECK(has(error_of("v 0 0 1e40\n", "a.obj"), "a.obj:1: a vertex has \"1e40\" for a coordinate."));
  CHECK(has(error_of("v 0 0 0\nf 1 1 1\n", "a.obj"), "the mesh has no triangle."));
  CHECK(has(error_of("", "a.step"), "its ending is that of no known kind of mesh"));
}

TEST_CASE("Meshes too fine for a picture are refused, with advice") {
  std::string many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (std::size_t i = 0; i <= most_triangles; ++i) many += "f 1 2 3\n";
  CHECK(has(error_of(many, "a.obj"), "the mesh has at least 200001 triangles"));
  CHECK(has(error_of(many, "a.obj"), "Reduce it"));
  std::string head(84, ' ');
  const std::uint32_t count = 300'000;
  std::memcpy(head.data() + 80, &count, 4);
  CHECK(has(error_of(head + std::string(50 * std::size_t{count}, '\0'), "a.stl"), "the mesh has 300000 triangles"));
}
