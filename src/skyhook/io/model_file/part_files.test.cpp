// Files that parts name: where they are looked for, and what the model tells of them. References: the numbers in the
// files, and the model without an include.
#include <algorithm>

#include "skyhook/io/model_file/folder.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace fs = std::filesystem;

namespace {

const std::string plate = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", big_plate = plate + "v 0 0 2\nf 1 2 4\n";
// Of 7 N at x = 1.
const std::string law = "x, force\n0, 0\n1, 7\n";
const std::string weak_law = "x, force\n0, 0\n1, 3\n";

const std::string part =
    "skyhook: 1\ntemplates:\n  t:\n"
    "    bodies: {b: {mass: 1, shape: {mesh: {file: shapes/plate.obj}}}}\n"
    "    joints: {j: {type: prismatic, from: ground, to: b}}\n"
    "    forces: {f: {type: spring_damper, joint: j, force: {file: law.csv}}}\n";
const std::string use_twice = "use: {l: {template: t}, r: {template: t, mirror: y}}\n";

double force_at_one(const model::Model& m, std::size_t i) {
  return m.contributions.at(i).coordinate->force(1.0, 0.0, 0.0);
}

long times(const model::Model& m, const fs::path& file) {
  return std::count(m.files.begin(), m.files.end(), file.lexically_normal().string());
}

// The folder the program is called from, for as long as this lives.
struct Standing {
  fs::path before = fs::current_path();
  explicit Standing(const fs::path& here) { fs::current_path(here); }
  ~Standing() { fs::current_path(before); }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;
};

}  // namespace

TEST_CASE("An included file names its files relative to itself; the expanded model needs only the mesh") {
  const Folder folder;
  folder.write("parts/t.yaml", part);
  const std::string mesh = folder.write("parts/shapes/plate.obj", plate), csv = folder.write("parts/law.csv", law);
  folder.write("shapes/plate.obj", big_plate);  // beside the model, of the same names: not meant
  folder.write("law.csv", weak_law);
  const model::Model m = folder.read("skyhook: 1\ninclude: parts/t.yaml\n" + use_twice);
  REQUIRE(m.bodies.size() == 2);
  CHECK(m.bodies[0].shapes.at(0).mesh->corners.size() == 3);
  CHECK(m.bodies[0].shapes[0].mesh == m.bodies[1].shapes.at(0).mesh);
  CHECK(force_at_one(m, 0) == force_at_one(m, 1));
  CHECK(std::abs(force_at_one(m, 0)) == doctest::Approx(7.0));
  CHECK(has(m.expanded, "file: parts/shapes/plate.obj"));

  fs::remove(csv);
  fs::remove(folder.path / "parts/t.yaml");
  const model::Model again = folder.read(m.expanded);
  CHECK(again.expanded == m.expanded);
  CHECK(again.bodies[0].shapes.at(0).mesh->corners.size() == 3);
  CHECK(times(again, mesh) == 1);
  CHECK(again.files.size() == 2);
}

TEST_CASE("Model::files: the model, its includes, tables and meshes, once each") {
  const Folder folder;
  folder.write("parts/t.yaml", part + "include: more.yaml\n");
  folder.write("parts/more.yaml", "skyhook: 1\n");
  folder.write("parts/shapes/plate.obj", plate);
  folder.write("parts/law.csv", law);
  const model::Model m =
      folder.read("skyhook: 1\ninclude: [parts/t.yaml, parts/../parts/more.yaml]\n" + use_twice +
                  "bodies: {c: {mass: 1, shape: {mesh: {file: parts/../parts/shapes/plate.obj}}}}\n"
                  "joints: {k: {type: prismatic, from: ground, to: c, drive: {file: parts/law.csv, units: [s, m]}}}\n");
  for (const char* file : {"m.yaml", "parts/t.yaml", "parts/more.yaml", "parts/law.csv", "parts/shapes/plate.obj"})
    CHECK_MESSAGE(times(m, folder.path / file) == 1, file);
  CHECK(m.files.size() == 5);
  CHECK(m.files.front() == (folder.path / "m.yaml").string());
}

TEST_CASE("Files of parts are found along the search path, and the expanded model leads to the mesh") {
  const Folder folder;
  const std::string model = folder.write("cars/m.yaml", "skyhook: 1\ninclude: t.yaml\n" + use_twice);
  folder.write("lib/t.yaml", part);
  folder.write("stock/shapes/plate.obj", plate);
  folder.write("stock/law.csv", law);
  const auto check = [](const std::string& file, const std::vector<std::string>& search_path) {
    CAPTURE(file);
    CAPTURE(search_path[0]);
    const model::Model m = read_model(file, {}, "", {search_path, {}});
    CHECK(m.files.size() == 4);
    CHECK(std::abs(force_at_one(m, 0)) == doctest::Approx(7.0));
    const std::string expanded = (fs::path(file).parent_path() / "expanded.yaml").string();
    std::ofstream(expanded) << m.expanded;
    CHECK(read_model(expanded).bodies[1].shapes.at(0).mesh->corners.size() == 3);  // without the search path
    CHECK(read_model(expanded).expanded == m.expanded);
  };
  const std::string lib = (folder.path / "lib").string(), stock = (folder.path / "stock").string();
  check(model, {lib, stock});
  const Standing in_folder(folder.path);
  check("cars/m.yaml", {"lib", "stock"});
  check("./cars/m.yaml", {"./lib", "./stock"});
  check("cars/m.yaml", {lib, stock});
  check(model, {"lib", "stock"});
  const Standing in_lib(folder.path / "lib");
  check("../cars/m.yaml", {".", "../stock"});
  const Standing in_stock(folder.path / "stock");
  check("../cars/m.yaml", {"../lib", "."});  // from the names alone nobody knows how this folder is called
}

TEST_CASE("A file that is not there is reported in the file that names it") {
  const Folder folder;
  folder.write("parts/t.yaml", part);
  folder.write("parts/shapes/plate.obj", plate);
  const std::string errors = folder.errors("skyhook: 1\ninclude: parts/t.yaml\n" + use_twice);
  CHECK(has(errors, (folder.path / "parts/t.yaml").string() + ":6:"));
  CHECK(has(errors, "force \"l.f\": force: file: the file \"law.csv\" is not found."));
  CHECK(has(errors, (folder.path / "parts/law.csv").string()));
}
