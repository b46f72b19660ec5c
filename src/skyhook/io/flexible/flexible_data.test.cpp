// Flexible bodies from model files and from finite elements: what is read, reduced, written and read back.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <hdf5.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "skyhook/flexible/part_options.h"
#include "skyhook/io/flexible/calculix.h"
#include "skyhook/io/flexible/fe_import.h"
#include "skyhook/io/flexible/flex_file.h"
#include "skyhook/io/flexible/matrix_market.h"
#include "skyhook/io/flexible/nastran.h"
#include "skyhook/io/model_file/flexible_parts.h"

using namespace skyhook;
using namespace skyhook::flexible;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / "skyhook_flexible_data";
  Folder() { fs::remove_all(path), fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, const std::string& text = "") const {
    if (!text.empty()) std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

std::string bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream all;
  all << stream.rdbuf();
  return all.str();
}

template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "none";
}

// A rod along x of one steel beam, with what else its `flexible` says.
std::string rod(const std::string& more) {
  return "skyhook: 1\nbodies:\n  rod:\n    at: [0.1, 0, 0]\n    flexible:\n      nodes: {a: [0.1, 0, 0], b: [1.1, 0, "
         "0]}\n"
         "      beams: {bar: {from: a, to: b, elements: 4, material: steel, round: 20 mm}}\n" +
         more + "joints: {j: {type: free, from: ground, to: rod}}\n";
}

model::Model read(const std::string& text) { return io::read_model_text(text, "rod.yaml"); }

// 20-node bricks along x, in m and kg.
std::string brick_mesh(int n, double length, double width, double height) {
  std::ostringstream out;
  std::map<std::array<int, 3>, int> ids;
  std::ostringstream nodes, elements;
  std::string left, right;
  const auto id = [&](int i, int j, int k) {
    auto [at, is_new] = ids.try_emplace({i, j, k}, static_cast<int>(ids.size()) + 1);
    if (is_new) {
      nodes << at->second << ", " << length * i / (2 * n) << ", " << width * j / 2 << ", " << height * k / 2 << "\n";
      if (i == 0) left += (left.empty() ? "" : ",") + std::to_string(at->second);
      if (i == 2 * n) right += (right.empty() ? "" : ",") + std::to_string(at->second);
    }
    return at->second;
  };
  const int places[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                             {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                             {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  for (int e = 0; e < n; ++e) {
    elements << e + 1;
    for (int c = 0; c < 20; ++c)
      elements << (c == 10 ? ",\n" : ", ") << id(2 * e + places[c][0], places[c][1], places[c][2]);
    elements << "\n";
  }
  out.precision(12);
  out << "*NODE\n"
      << nodes.str() << "*ELEMENT, TYPE=C3D20, ELSET=BAR\n"
      << elements.str() << "*NSET, NSET=LEFT\n"
      << left << "\n*NSET, NSET=RIGHT\n"
      << right
      << "\n*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, ELSET=BAR, MATERIAL=STEEL\n";
  return out.str();
}

// Shells of 8 nodes in the plane z = 0.2 m, each 0.5 m square.
std::string shell_mesh(int nx, int ny) {
  std::ostringstream nodes, elements;
  std::map<std::array<int, 2>, int> ids;
  const auto id = [&](int i, int j) {
    const auto [at, is_new] = ids.try_emplace({i, j}, static_cast<int>(ids.size()) + 1);
    if (is_new) nodes << at->second << ", " << 0.25 * i << ", " << 0.25 * j << ", 0.2\n";
    return at->second;
  };
  int number = 0;
  for (int a = 0; a < nx; ++a) {
    for (int b = 0; b < ny; ++b) {
      elements << ++number;
      for (const auto& [i, j] : {std::array{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}})
        elements << ", " << id(2 * a + i, 2 * b + j);
      elements << "\n";
    }
  }
  return "*NODE\n" + nodes.str() + "*ELEMENT, TYPE=S8R, ELSET=E\n" + elements.str();
}

std::vector<double> ccx_frequencies(const std::string& dat) {
  std::vector<double> hz;
  std::istringstream lines(dat);
  for (std::string line; std::getline(lines, line) && line.find("P A R T I C") == std::string::npos;) {
    std::istringstream words(line);
    int mode = 0;
    double eigenvalue = 0, rad = 0, cycles = 0;
    if (words >> mode >> eigenvalue >> rad >> cycles && cycles > 1) hz.push_back(cycles);
  }
  return hz;
}

}  // namespace

TEST_CASE("Flexible body in a model file: mass, centre and inertia follow, points stand in the body's frame") {
  const model::Model m = read(rod("      modes: 3\n      damping: 0.02\n"));
  const model::Body& body = m.bodies.at(0);
  REQUIRE(body.modal);
  const double mass = 7850 * std::numbers::pi * 1e-4;
  CHECK(body.mass == doctest::Approx(mass).epsilon(1e-12));
  CHECK(body.com.x == doctest::Approx(0.6));
  CHECK(body.inertia[1][1] == doctest::Approx(mass * (1.0 / 12 + 1e-4 / 4)).epsilon(1e-9));
  CHECK(body.modal->modes ==
        9);  // three vibrations held at both ends, twelve displacements of these less six of the whole
  CHECK(body.modal->points[0].name == "a");
  CHECK(norm(body.modal->points[0].at) < 1e-15);
  CHECK(body.modal->points.size() == 5);
  CHECK(body.modal->lines.size() == 4);
}

TEST_CASE("Flexible body in a model file: what is wrong is said with its line") {
  CHECK(message([] { read(rod("      places: [a, tip]\n")); }).find("rod.yaml:8") != std::string::npos);
  CHECK(message([] { read(rod("      places: [a, tip]\n")); }).find("the mesh has no node \"tip\"") !=
        std::string::npos);
  CHECK(message([] { read(rod("      up_to: 1 Hz\n")); }).find("no vibration lies between 0 and 1 Hz") !=
        std::string::npos);
  CHECK(message([] { read(rod("    mass: 3\n")); }).find("its mass follows from what it is made of") !=
        std::string::npos);
  CHECK(message([] {
          read(rod("    markers: {tip: {node: c}}\n"));
        }).find("rod.yaml:8:27: marker \"rod.tip\": body \"rod\" has no node \"c\"") != std::string::npos);
  CHECK(message([] {
          read("skyhook: 1\nbodies: {a: {inertia: [1, 1, 1]}}\njoints: {j: {type: free, from: ground, to: a}}\n");
        }).find("needs \"mass\"") != std::string::npos);
  CHECK(message([] { read(rod("      nodez: {}\n")); }).find("nodez") != std::string::npos);
}

TEST_CASE("Flexible: a body of beams looks like its beams") {
  const model::Model m = read(
      "skyhook: 1\nbodies:\n  frame:\n    at: [0, 0, 1]\n    orientation: {x: [0, 1, 0], y: [-1, 0, 0]}\n    "
      "flexible:\n"
      "      nodes: {a: [0, 0, 1], b: [0, 2, 1], c: [0, 2, 2]}\n      beams:\n"
      "        side: {from: a, to: b, material: steel, rectangle: [40 mm, 60 mm], wall: 2 mm}\n"
      "        post: {from: b, to: c, material: steel, round: 30 mm}\n"
      "        odd: {from: a, to: c, material: steel, area: 6e-4, iy: 8e-8, iz: 2e-8, it: 1e-8}\n"
      "joints: {j: {type: free, from: ground, to: frame}}\n");
  const auto& shapes = m.bodies[0].shapes;
  REQUIRE(shapes.size() == 3);
  CHECK(shapes[0].kind == model::Shape::Kind::box);
  CHECK(norm(shapes[0].at - Vec3d{0, 1, 1}) < 1e-12);
  CHECK(norm(shapes[0].size - Vec3d{2, 0.04, 0.06}) < 1e-12);
  CHECK(norm(shapes[0].axes * Vec3d{1, 0, 0} - Vec3d{0, 1, 0}) < 1e-12);  // along the beam
  CHECK(norm(shapes[0].axes * Vec3d{0, 0, 1} - Vec3d{0, 0, 1}) < 1e-12);  // its height
  CHECK(shapes[1].kind == model::Shape::Kind::rod);
  CHECK(shapes[1].radius == 0.015);
  CHECK(norm(shapes[1].axes * Vec3d{0, 0, 1} - Vec3d{0, 0, 1}) < 1e-12);
  CHECK(norm(cross(shapes[1].axes * Vec3d{1, 0, 0}, shapes[1].axes * Vec3d{0, 1, 0}) - Vec3d{0, 0, 1}) < 1e-12);
  CHECK(shapes[2].size.y == doctest::Approx(0.02));  // sqrt(12 I / A)
  CHECK(shapes[2].size.z == doctest::Approx(0.04));
}

TEST_CASE("Flexible body in a model file: plates, a condition, initial values") {
  const auto sheet = [](const std::string& head, const std::string& plate, const std::string& tail = "") {
    return "skyhook: 1\nbodies:\n  s:\n" + head +
           "    flexible:\n      nodes: {a: [0, 0, 0], b: [1, 0, 0], c: [1, 0.5, 0], d: [0, 0.5, 0]}\n" + plate +
           "      boundary: free\n      static: false\n      modes: 3\njoints: {j: {type: free, from: ground, to: "
           "s}}\n" +
           tail;
  };
  const std::string good =
      "      plates: {p: {corners: [a, b, c, d], elements: [4, 2], thickness: 2 mm, material: steel}}\n";
  const model::Model m = read(sheet("", good, "initial: {s.mode_2: 3 mm, s.mode_1_rate: 0.1 m/s}\n"));
  REQUIRE(m.bodies[0].modal);
  CHECK(m.bodies[0].mass == doctest::Approx(7850 * 0.5 * 0.002).epsilon(1e-12));
  CHECK(m.bodies[0].modal->triangles.size() == 16);
  CHECK(m.bodies[0].modal_position == std::vector<double>{0, 0.003, 0});
  CHECK(m.bodies[0].modal_velocity == std::vector<double>{0.1, 0, 0});
  CHECK(read(m.expanded).bodies[0].modal_position == m.bodies[0].modal_position);
  const auto said = [&](const std::string& text) { return message([&] { read(text); }); };
  CHECK(said(sheet("", good, "initial: {s.mode_4: 1 mm}\n")).find("body \"s\" has no shape \"mode_4\"") !=
        std::string::npos);
  CHECK(said(sheet("", "      plates: {p: {corners: [a, b, c], thickness: 2 mm, material: steel}}\n"))
            .find("rod.yaml:6") != std::string::npos);
  CHECK(said(sheet("", "      plates: {p: {corners: [a, b, c], thickness: 2 mm, material: steel}}\n"))
            .find("has 3 corners, but needs four") != std::string::npos);
  CHECK(said(sheet("",
                   "      plates: {p: {corners: [a, b, c, d], elements: [0, 2], thickness: 2 mm, material: steel}}\n"))
            .find("two whole numbers from 1 to 200") != std::string::npos);
  CHECK(said(sheet("", "")).find("no beams and no plates") != std::string::npos);
  // Rigid where the condition is false; and no mass of its own where it is true.
  for (const bool is_on : {false, true}) {
    const model::Model either =
        read(sheet("    mass: 3 kg\n", (is_on ? "      if: =1 < 2\n" : "      if: =1 > 2\n") + good));
    CHECK((either.bodies[0].modal != nullptr) == is_on);
    CHECK(either.bodies[0].mass == doctest::Approx(is_on ? 7.85 : 3.0));
    CHECK(read(either.expanded).bodies[0].mass == either.bodies[0].mass);
  }
  CHECK(said(sheet("", "      if: =1 > 2\n" + good)).find("needs \"mass\"") != std::string::npos);
}

TEST_CASE("Flexible file: written and read back bit by bit, and refused where it is none") {
  const Folder folder;
  const model::ModalBody body = *read(rod("      tangent: a\n")).bodies[0].modal;
  const std::string path = folder.file("rod.flex.h5");
  io::fe::write_flex(body, path, "a test");
  const model::ModalBody back = io::fe::read_flex(bytes(path), path);
  CHECK(back.mass == body.mass);
  CHECK(back.first == body.first);
  CHECK(back.second == body.second);
  CHECK(back.stiffness == body.stiffness);
  CHECK(back.damping == body.damping);
  CHECK(back.geometric.centrifugal == body.geometric.centrifugal);
  CHECK_FALSE(back.geometric.centrifugal[2].empty());
  CHECK(back.points.size() == body.points.size());
  CHECK(back.points[1].turn == body.points[1].turn);
  CHECK(back.lines == body.lines);
  const std::string text =
      "skyhook: 1\nbodies: {rod: {at: [0.1, 0, 0], flexible: rod.flex.h5, markers: {tip: {node: b}}}}\njoints: {j: "
      "{type: free, from: ground, to: rod}}\n";
  const model::Model m = io::read_model(folder.file("m.yaml", text));
  CHECK(m.bodies[0].mass == body.mass);
  CHECK(m.markers.at(0).at.x == doctest::Approx(1.1));
  CHECK(message([&] {
          io::fe::read_flex("no file at all", "x.flex.h5");
        }).find("x.flex.h5: this is no flexible body") != std::string::npos);
}

TEST_CASE("Flexible file: modes without units are refused") {
  const Folder folder;
  const std::string path = folder.file("rod.flex.h5");
  io::fe::write_flex(*read(rod("")).bodies[0].modal, path, "a test");
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  REQUIRE(H5Adelete(file, "units") >= 0);
  H5Fclose(file);
  CHECK(message([&] {
          io::fe::read_flex(bytes(path), path);
        }).find("rod.flex.h5: this is no flexible body that can be used: its modes have no units") !=
        std::string::npos);
}

TEST_CASE("Matrices of Matrix Market with a table of nodes: the same part as the beams they come from") {
  const Folder folder;
  FeModel fe;
  io::read_flexible_parts(folder.file("m.yaml", rod("")), {}, "", {},
                          [&](const std::string&, const FeModel& mesh, const ReducedPart&) { fe = mesh; });
  const auto market = [](const Sparse& a) {
    std::ostringstream out;
    out.precision(17);
    out << "%%MatrixMarket matrix coordinate real symmetric\n" << a.rows() << " " << a.cols() << " ";
    int count = 0;
    std::ostringstream entries;
    entries.precision(17);
    for (int j = 0; j < a.outerSize(); ++j) {
      for (Sparse::InnerIterator it(a, j); it; ++it) {
        if (it.row() >= j) entries << it.row() + 1 << " " << j + 1 << " " << it.value() << "\n", ++count;
      }
    }
    out << count << "\n" << entries.str();
    return out.str();
  };
  std::string table = "node,x,y,z,dofs\n";
  for (const FeNode& n : fe.nodes) table += n.name + "," + std::to_string(n.at.x) + ",0,0,6\n";
  io::fe::FeFiles files{.file = folder.file("K.mtx", market(fe.stiffness)),
                        .mass = folder.file("M.mtx", market(fe.mass)),
                        .node_table = folder.file("n.csv", table)};
  CHECK(message([&] { io::fe::import_fe(files); }).find("nobody knows the units") != std::string::npos);
  files.units = "m-kg-s";
  const io::fe::FePart part = io::fe::import_fe(files);
  CHECK_FALSE(part.part.field.is_exact);
  CHECK(part.notes.size() == 1);
  const Vibrations a = lowest_vibrations(Compliance::free(fe), 5),
                   b = lowest_vibrations(Compliance::free(part.part), 5);
  for (int i = 0; i < 5; ++i) CHECK(b.squares[i] == doctest::Approx(a.squares[i]).epsilon(1e-8));

  std::string skew = market(fe.stiffness);
  skew.replace(skew.find("symmetric"), 9, "general");
  files.file = folder.file("K.mtx", skew);
  CHECK(message([&] { io::fe::import_fe(files); }).find("the stiffness matrix is not symmetric: between") !=
        std::string::npos);
  // Not positive: an entry of the diagonal; and as a whole, which no such entry shows.
  const auto with_entry = [&](FeModel changed, int row, double stiffness, double mass) {
    Sparse k(fe.dofs, fe.dofs), m(fe.dofs, fe.dofs);
    k.insert(row, row) = stiffness, m.insert(row, row) = mass;
    changed.stiffness += k, changed.mass += m;
    files.file = folder.file("K.mtx", market(changed.stiffness)),
    files.mass = folder.file("M.mtx", market(changed.mass));
    return message([&] { io::fe::import_fe(files); });
  };
  CHECK(with_entry(fe, fe.nodes[2].dof[1], -1e12, 0)
            .find("the stiffness matrix is not positive: y of node \"" + fe.nodes[2].name + "\" has -") !=
        std::string::npos);
  CHECK(with_entry(fe, fe.nodes[2].dof[2], 0, -1e3)
            .find("the mass matrix is not positive: z of node \"" + fe.nodes[2].name + "\" has -") !=
        std::string::npos);
  const Column x = a.shapes.col(0), Kx = fe.stiffness * x;
  FeModel buckled = fe;  // it costs energy of the other sign to bend it in its first shape
  buckled.stiffness = Dense(Dense(fe.stiffness) - 2 * Kx * Kx.transpose() / x.dot(Kx)).sparseView();
  files.file = folder.file("K.mtx", market(buckled.stiffness)), files.mass = folder.file("M.mtx", market(fe.mass));
  CHECK(message([&] {
          reduce_part(io::fe::import_fe(files).part, {});
        }).find("K.mtx: the stiffness matrix of K is not positive definite where the part is held") !=
        std::string::npos);
  CHECK(message([&] {
          io::fe::read_matrix_market("%%MatrixMarket matrix coordinate real general\n2 2 2\n3 1 5\n1 1 2\n", "a.mtx");
        }).find("a.mtx:3:1: entry (3, 1) is outside") != std::string::npos);
}

TEST_CASE("Nastran's bulk data: bars, their sections and masses, in both widths of fields") {
  const std::string deck =
      "SOL 103\nCEND\nBEGIN BULK\n"
      "GRID,1,,0.,0.,0.\nGRID,2,,500.,0.,0.\n"
      "GRID*                  3                          1000.0             0.0\n*                    0.0\n"
      "CBAR,1,10,1,2,0.,0.,1.\nCBEAM,2,11,2,3,0.,0.,1.\n"
      "PBARL,10,5,,ROD\n,10.\nPBAR,11,5,314.159265,7853.98163,7853.98163,15707.9633\n"
      "MAT1,5,2.1+5,,.3,7.85-9\nCONM2,7,3,,1.0-3\nCQUAD4,9,1,1,2,3,3\nENDDATA\n";
  const Folder folder;
  const io::fe::FePart part = io::fe::import_fe({.file = folder.file("d.bdf", deck), .units = "mm-t-s"});
  CHECK(part.part.nodes.size() == 3);
  CHECK(part.notes.size() == 1);
  CHECK(part.notes[0].find("CQUAD4 (1)") != std::string::npos);
  const Dense R = rigid_motions(part.part);
  CHECK(R.col(0).dot(part.part.mass * R.col(0)) == doctest::Approx(1 + 7850 * std::numbers::pi * 1e-4).epsilon(1e-8));
  CHECK(part.part.nodes[2].at.x == doctest::Approx(1));
  CHECK(part.part.beams[0].bending_z == doctest::Approx(2.1e11 * std::numbers::pi / 4 * 1e-8).epsilon(1e-8));
  CHECK(part.part.beams[1].bending_z == doctest::Approx(part.part.beams[0].bending_z).epsilon(1e-8));
  CHECK(message([&] {
          io::fe::import_fe(
              {.file = folder.file("e.bdf", "GRID,1,,0.,0.,0.\nCBAR,1,10,1,2,0.,0.,1.\n"), .units = "m-kg-s"});
        }).find("e.bdf:2:1: CBAR 1 names property 10, which is not there") != std::string::npos);
}

TEST_CASE("DMIG: a chain of two masses by its matrices") {
  const std::string deck =
      "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\n"
      "DMIG    KAAX           0       6       2       0                       2\n"
      "DMIG*   KAAX                           1               1\n"
      "*                      1               1 1.000000000D+03\n"
      "*                      2               1-1.000000000D+03\n"
      "DMIG*   KAAX                           2               1\n"
      "*                      2               1 1.000000000D+03\n"
      "DMIG    MAAX           0       6       2       0                       2\n"
      "DMIG*   MAAX                           1               1\n"
      "*                      1               1 2.000000000D+00\n"
      "DMIG*   MAAX                           2               1\n"
      "*                      2               1 2.000000000D+00\n";
  FeModel part;
  for (const char* name : {"1", "2"})
    part.nodes.push_back({name, {name[0] - '1' + 0.0, 0, 0}, {-1, -1, -1, -1, -1, -1}, {}});
  io::fe::read_dmig(deck, "p.pch", "KAAX", "MAAX", part);
  CHECK(part.dofs == 2);
  CHECK(part.stiffness.coeff(0, 1) == -1000);
  CHECK(part.stiffness.coeff(1, 0) == -1000);
  CHECK(part.mass.coeff(1, 1) == 2);
}

TEST_CASE("CalculiX: a bar of bricks, solved by ccx, reduced, has its own frequencies") {
  if (io::fe::find_ccx().empty()) {
    MESSAGE("skipped: ccx is not there; tools/setup installs calculix-ccx");
    return;
  }
  const Folder folder;
  const std::string mesh = brick_mesh(8, 0.2, 0.02, 0.01), file = folder.file("bar.inp", mesh);
  const io::fe::FePart given = io::fe::import_fe({.file = file, .units = "m-kg-s"});
  CHECK(given.part.field.is_exact);
  PartOptions o;
  o.reduction.boundary = ReductionOptions::Boundary::free;
  o.reduction.modes = 8;
  for (const char* set : {"LEFT", "RIGHT"}) o.places.push_back({set, {}, given.sets.at(set), {}, 0});
  const ReducedPart part = reduce_part(given.part, o);
  CHECK(moment_error(given.part, part.reduced, part.body) < 1e-9);
  CHECK(part.body.mass == doctest::Approx(7850 * 0.2 * 0.02 * 0.01).epsilon(1e-9));
  const Quality q = quality_of(given.part, part.places, part.reduced, 6);

  folder.file("own.inp", mesh + "*STEP\n*FREQUENCY\n12\n*NODE FILE\nU\n*END STEP\n");
  const std::string command = "cd " + folder.path.string() + " && ccx own > own.log 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
  const auto own = ccx_frequencies(bytes(folder.file("own.dat")));
  REQUIRE(own.size() >= 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(q.vibrations[i].hz == doctest::Approx(own[i]).epsilon(1e-5));
    CHECK(q.vibrations[i].mac > 0.999999);
  }
  for (const StaticError& s : q.statics) CHECK(std::abs(s.error()) < 1e-6);
  // Its vibrations as given shapes, six of them motions of the whole: the same frequencies without any of our own vibrations. Seven digits are written.
  const io::fe::FePart with_result =
      io::fe::import_fe({.file = file, .frd = folder.file("own.frd"), .units = "m-kg-s"});
  PartOptions by_result = o;
  by_result.reduction.given = with_result.given, by_result.reduction.modes = 0, by_result.reduction.with_static = false;
  const ReducedPart read_part = reduce_part(with_result.part, by_result);
  CHECK(with_result.given.cols() == 12);
  const Quality of_read = quality_of(with_result.part, read_part.places, read_part.reduced, 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(of_read.vibrations[i].hz == doctest::Approx(own[i]).epsilon(1e-5));
  // The first bending against Timoshenko's beam of the same size: bricks of this mesh are within 1 %.
  CHECK(own[0] == doctest::Approx(1322).epsilon(0.01));
}

// mu = omega L^2 sqrt(rho A / E I) over gamma = Omega L^2 sqrt(rho A / E I): Wright, Smith, Thresher, Wang, J. Appl. Mech. 49 (1982) 197-202, as for beams
// (modal_moments.test). The bar is 1 m long and 8 mm high: rotary inertia and shear take 3e-4 of the second frequency (pi^2 / 2 (n h / L)^2 ...), and the clamped end, which holds the
// section from contracting, stiffens by about h / 10 of the length: 4 h / (10 L) = 3e-3 of a frequency at most. What stress adds is tested by the difference of squares, where both drop out.
TEST_CASE("CalculiX: a cantilever of bricks that turns has the frequencies of beam theory") {
  if (io::fe::find_ccx().empty()) return;
  const Folder folder;
  const double width = 0.02, height = 0.008;
  const io::fe::FePart given =
      io::fe::import_fe({.file = folder.file("blade.inp", brick_mesh(24, 1, width, height)), .units = "m-kg-s"});
  REQUIRE(given.part.solids.size() == 24);
  CHECK(given.part.solids[0].material.shear == doctest::Approx(2.1e11 / 2.6));
  PartOptions o;
  o.places.push_back({"root", {}, given.sets.at("LEFT"), {}, 0});
  o.frame = PartOptions::Frame::tangent, o.frame_places = {"root"};
  o.reduction.boundary = ReductionOptions::Boundary::free, o.reduction.modes = 16;
  const model::ModalBody body = reduce_part(given.part, o).body;
  const int n = body.modes;
  const double unit = std::sqrt(2.1e11 * height * height / 12 / 7850);  // sqrt(E I / rho A) / L^2
  const auto at = [&](const std::vector<double>& m, int k, int l) { return m[static_cast<std::size_t>(k * n + l)]; };
  const auto frequencies = [&](double gamma) {
    const double square = gamma * gamma * unit * unit;
    Dense K(n, n), M(n, n);
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) {
        const Mat3d& m = body.moment(k + 1, l + 1);
        M(k, l) = trace(m);
        K(k, l) = at(body.stiffness, k, l) +
                  square * (at(body.geometric.centrifugal[2], k, l) - m.r0.x - m.r1.y);  // turns about z
      }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen(K, M);
    // Those that move along z: the section is wider along y, so the others are apart.
    std::vector<double> mu;
    for (int k = 0; k < n && mu.size() < 2; ++k) {
      double across = 0;
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b)
          across += eigen.eigenvectors()(a, k) * eigen.eigenvectors()(b, k) * body.moment(a + 1, b + 1).r2.z;
      }
      if (across > 0.9) mu.push_back(std::sqrt(eigen.eigenvalues()[k]) / unit);
    }
    return mu;
  };
  const auto still = frequencies(0);
  CHECK(still[0] == doctest::Approx(3.5160).epsilon(3e-3));
  CHECK(still[1] == doctest::Approx(22.0345).epsilon(3e-3));
  for (const auto& [gamma, first, second] :
       {std::array{2.0, 4.1373, 22.6149}, {6.0, 7.3604, 26.8091}, {12.0, 13.1702, 37.6031}}) {
    const auto mu = frequencies(gamma);
    const double raised_1 = first * first - 3.5160 * 3.5160, raised_2 = second * second - 22.0345 * 22.0345;
    CHECK(mu[0] * mu[0] - still[0] * still[0] == doctest::Approx(raised_1).epsilon(2e-3));
    CHECK(mu[1] * mu[1] - still[1] * still[1] == doctest::Approx(raised_2).epsilon(5e-3));
  }
}

// Euler's load of a column that is clamped at one end, pi^2 E I / (4 L^2). Shear makes it smaller by 0.6 (h/L)^2, the end that is held stiffer by some h / L / 10.
TEST_CASE("CalculiX: a column of bricks buckles at Euler's load") {
  if (io::fe::find_ccx().empty()) return;
  const Folder folder;
  const io::fe::FePart given =
      io::fe::import_fe({.file = folder.file("column.inp", brick_mesh(12, 1, 0.02, 0.01)), .units = "m-kg-s"});
  const double load = std::pow(std::numbers::pi / 2, 2) * 2.1e11 * 0.02 * 1e-6 / 12;
  const auto column = [&](double share) {
    PartOptions o;
    for (const char* set : {"LEFT", "RIGHT"}) o.places.push_back({set, {}, given.sets.at(set), {}, 0});
    o.frame = PartOptions::Frame::tangent, o.frame_places = {"LEFT"};
    o.reduction.boundary = ReductionOptions::Boundary::free, o.reduction.modes = 8;
    o.preload = {{"RIGHT", {"command line"}, {-share * load, 0, 0}}};
    return reduce_part(given.part, o);
  };
  const ReducedPart half = column(0.5);
  CHECK(half.reduced.buckling_factor == doctest::Approx(2).epsilon(3e-3));
  CHECK(message([&] { column(1.01); }).find("column buckles under its preload, at 0.9") != std::string::npos);
  CHECK(column(-1).reduced.buckling_factor > 100);  // a pull
  CHECK(column(-1).body.frequencies_hz[0] > half.body.frequencies_hz[0]);
}

// ccx makes solids of them, and of C3D8I it has unknowns without a place. Reference: its own frequencies, its mass, and what motions of the whole cost (fe_check).
TEST_CASE("CalculiX: shells, beams and bricks with inner modes have its own frequencies") {
  if (io::fe::find_ccx().empty()) return;
  const Folder folder;
  const std::string steel = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n";
  const std::string shell = steel + "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n0.01\n";
  const std::string rectangle = steel + "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT\n0.02, 0.01\n0, 0, 1\n";
  const std::string corners =
      "*NODE\n1, 0, 0, 0.2\n2, 1, 0, 0.2\n3, 1, 0.5, 0.2\n4, 0, 0.5, 0.2\n9, 2, 0, 0.2\n10, 2, 0.5, 0.2\n";
  const std::string middles =
      "5, 0.5, 0, 0.2\n6, 1, 0.25, 0.2\n7, 0.5, 0.5, 0.2\n8, 0, 0.25, 0.2\n11, 1.5, 0, 0.2\n12, 2, 0.25, 0.2\n13, 1.5, "
      "0.5, 0.2\n";
  struct Case {
    std::string name, mesh;
    double mass;
    std::size_t solids;
  };
  const Case cases[] = {
      {"S8R in two rows: in one it has motions without strain", shell_mesh(2, 2) + shell, 78.5, 4},
      {"S8",
       corners + middles + "*ELEMENT, TYPE=S8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 2, 9, 10, 3, 11, 12, 13, 6\n" +
           shell,
       78.5, 2},
      {"S4", corners + "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n2, 2, 9, 10, 3\n" + shell, 78.5, 2},
      {"B32R",
       "*NODE\n1, 0, 0, 0\n2, 0.5, 0, 0\n3, 1, 0, 0\n4, 1.5, 0, 0\n5, 2, 0, 0\n*ELEMENT, TYPE=B32R, ELSET=E\n1, 1, 2, "
       "3\n2, 3, 4, 5\n" +
           rectangle,
       3.14, 2},
      {"an angle of B31, which meet in a knot",
       "*NODE\n1, 0, 0, 0\n2, 0.5, 0, 0\n3, 1, 0, 0\n4, 1, 0.5, 0\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n2, 2, 3\n3, "
       "3, 4\n" +
           rectangle,
       0.02 * 0.01 * 1.5 * 7850, 0},
      {"C3D8I",
       "*NODE\n1, 0, 0, 0\n2, 0.5, 0, 0\n3, 0.5, 0.1, 0\n4, 0, 0.1, 0\n5, 0, 0, 0.05\n6, 0.5, 0, 0.05\n7, 0.5, 0.1, "
       "0.05\n8, 0, 0.1, 0.05\n9, 1, 0, 0\n"
       "10, 1, 0.1, 0\n11, 1, 0, 0.05\n12, 1, 0.1, 0.05\n*ELEMENT, TYPE=C3D8I, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, "
       "2, 9, 10, 3, 6, 11, 12, 7\n" +
           steel + "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n",
       39.25, 2}};
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const io::fe::FePart given = io::fe::import_fe(
        {.file = folder.file("own.inp", c.mesh + "*STEP\n*FREQUENCY\n10\n*END STEP\n"), .units = "m-kg-s"});
    REQUIRE(std::system(("cd " + folder.path.string() + " && ccx own > own.log 2>&1").c_str()) == 0);
    const auto own = ccx_frequencies(bytes(folder.file("own.dat")));
    REQUIRE(own.size() >= 3);
    const Vibrations v = lowest_vibrations(Compliance::free(given.part), 4);
    for (int i = 0; i < 3; ++i) {
      const Column x = v.shapes.col(i);
      CHECK(x.dot(given.part.stiffness * x) ==
            doctest::Approx(v.squares[i])
                .epsilon(1e-4));  // ccx writes 14 digits of stiffness, of which thin shells leave few
    }
    for (int i = 0; i < 3; ++i)
      CHECK(std::sqrt(v.squares[i]) / two_pi == doctest::Approx(own[static_cast<std::size_t>(i)]).epsilon(1e-5));
    PartOptions o;
    o.reduction.boundary = ReductionOptions::Boundary::free, o.reduction.modes = 4;
    const ReducedPart part = reduce_part(given.part, o);
    CHECK(part.body.mass == doctest::Approx(c.mass).epsilon(1e-3));  // a knot has a corner twice
    CHECK(moment_error(given.part, part.reduced, part.body) < 1e-6);
    CHECK(given.part.solids.size() == c.solids);
    CHECK(given.notes.empty() == (c.solids > 0));
  }
}

// Euler's load of a rod of 1 m and 20 mm that is clamped at one end; shear and the elements take 1e-4 of it. A string that is pulled by N has, with the stiffness of bending small, about
// sqrt(1 + N / N_E) times the frequency.
TEST_CASE("Flexible body in a model file: a preload stiffens or softens, and what buckles is refused") {
  const Folder folder;
  const double load = std::pow(std::numbers::pi / 2, 2) * 2.1e11 * std::numbers::pi / 64 * 16e-8;
  const auto reduced = [&](double share) {
    ReducedPart out;
    io::read_flexible_parts(
        folder.file("m.yaml",
                    rod("      tangent: a\n      preload: {b: [" + std::to_string(-share * load) + " N, 0, 0]}\n")),
        {}, "", {}, [&](const std::string&, const FeModel&, const ReducedPart& part) { out = part; });
    return out;
  };
  const ReducedPart half = reduced(0.5);
  CHECK(half.reduced.buckling_factor == doctest::Approx(2).epsilon(1e-3));
  const double still = reduced(1e-9).body.frequencies_hz[0];
  CHECK(half.body.frequencies_hz[0] ==
        doctest::Approx(still * std::sqrt(0.5)).epsilon(0.02));  // by the shape of the unloaded rod, to 2 %
  CHECK(reduced(-3).body.frequencies_hz[0] > 1.8 * still);
  const std::string said = message(
      [&] { read(rod("      tangent: a\n      preload: {b: [" + std::to_string(-1.1 * load) + " N, 0, 0]}\n")); });
  CHECK(said.find("buckles under its preload, at 0.90") != std::string::npos);
  CHECK(said.find("rod.yaml:") != std::string::npos);
  CHECK(message([&] {
          read(rod("      preload: {b: [1 kN, 0, 0]}\n"));
        }).find("a preload needs places that hold the part against it") != std::string::npos);
  CHECK(message([&] {
          read(rod("      tangent: a\n      preload: {nobody: [1 kN, 0, 0]}\n"));
        }).find("preload: the mesh has no node \"nobody\"") != std::string::npos);
}

TEST_CASE("CalculiX: material that is not isotropic leaves stress out, and says so") {
  std::string mesh = brick_mesh(2, 0.2, 0.02, 0.01);
  mesh.replace(mesh.find("*ELASTIC"), 8, "*ELASTIC, TYPE=ENGINEERING CONSTANTS");
  const io::fe::CalculixMesh other = io::fe::read_calculix_mesh(mesh, "bar.inp");
  CHECK(other.note == "stress that stiffens is left out: the file has no isotropic *ELASTIC for element 1.");
  // Sets of sets, and ranges.
  std::string sets = brick_mesh(2, 0.2, 0.02, 0.01);
  sets.replace(sets.find(", ELSET=BAR\n"), 12, "\n"),
      sets.replace(sets.find("*MATERIAL"), 9, "*ELSET, ELSET=A, GENERATE\n1, 2, 1\n*ELSET, ELSET=BAR\nA\n*MATERIAL");
  CHECK(io::fe::read_calculix_mesh(sets, "bar.inp").part.solids.size() == 2);
  // Of sections that overlap the last one counts, whatever the names of their sets are.
  for (const char* name : {"A", "Z"}) {
    const std::string twice =
        brick_mesh(2, 0.2, 0.02, 0.01) + fmt::format(
                                             "*ELSET, ELSET={0}\n2\n*MATERIAL, NAME=SOFT\n*ELASTIC\n7e10, 0.3\n*SOLID "
                                             "SECTION, ELSET={0}, MATERIAL=SOFT\n",
                                             name);
    const auto solids = io::fe::read_calculix_mesh(twice, "bar.inp").part.solids;
    REQUIRE(solids.size() == 2);
    CHECK(solids[0].material.young == 2.1e11);
    CHECK(solids[1].material.young == 7e10);
  }
}

TEST_CASE("CalculiX: an included file is read as if its lines stood there") {
  const Folder folder;
  const std::string mesh = brick_mesh(2, 0.2, 0.02, 0.01);
  const std::size_t inside = mesh.find('\n', mesh.find("*NODE") + 6) + 1,
                    end = mesh.find("*ELEMENT");  // all nodes but the first
  folder.file("nodes.inc", mesh.substr(inside, end - inside));
  const std::string main =
      folder.file("main.inp", mesh.substr(0, inside) + "*INCLUDE, INPUT=nodes.inc\n" + mesh.substr(end));
  const io::fe::CalculixMesh whole = io::fe::read_calculix_mesh(mesh, "bar.inp"),
                             parts = io::fe::read_calculix_mesh(
                                 mesh.substr(0, inside) + "*INCLUDE, INPUT=nodes.inc\n" + mesh.substr(end), main);
  CHECK(parts.before_steps == whole.before_steps);
  REQUIRE(parts.part.nodes.size() == whole.part.nodes.size());
  CHECK(parts.part.nodes.back().at.x == whole.part.nodes.back().at.x);
  CHECK(parts.part.nodes[1].where.file.ends_with("nodes.inc"));
  CHECK(parts.part.nodes[1].where.line == 1);
  CHECK(parts.part.solids.size() == 2);
  const std::string itself = folder.file("itself.inp", "*INCLUDE, INPUT=itself.inp\n"),
                    lost = folder.file("lost.inp", "*NODE\n*INCLUDE, INPUT=nowhere.inp\n");
  CHECK(message([&] { io::fe::import_fe({.file = itself, .units = "m-kg-s"}); }).find("a file includes itself") !=
        std::string::npos);
  CHECK(message([&] { io::fe::import_fe({.file = lost, .units = "m-kg-s"}); }).find("lost.inp:2:1: \"") !=
        std::string::npos);
  CHECK(message([&] {
          io::fe::import_fe({.file = folder.file("folder.inp", "*INCLUDE, INPUT=.\n"), .units = "m-kg-s"});
        }).find("cannot be opened") != std::string::npos);
}

TEST_CASE("CalculiX: messages name the line of what is wrong") {
  const Folder folder;
  std::string mesh = brick_mesh(2, 0.2, 0.02, 0.01);
  const auto import = [&](const std::string& text) {
    return message([&] { io::fe::import_fe({.file = folder.file("bad.inp", text), .units = "m-kg-s"}); });
  };
  CHECK(import("*ELEMENT, TYPE=CAX8\n1, 1\n").find("bad.inp:1:1: elements of type CAX8 are not known") !=
        std::string::npos);
  CHECK(import("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n*ELEMENT, TYPE=B31\n1, 1, 3\n")
            .find("bad.inp:5:1: element 1 names node 3, which is not there") != std::string::npos);
  CHECK(import("*NODE\n1, 0, 0, 0\n*NSET, NSET=A, GENERATE\n1\n")
            .find("bad.inp:4:1: GENERATE needs a first and a last number") != std::string::npos);
  CHECK(import("*NODE\n1, 0, 0, 0\n*SHELL SECTION, ELSET=A, MATERIAL=B\nnan\n")
            .find("bad.inp:4:1: a section has no size of nan") != std::string::npos);
  CHECK(import("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=T3D2\n").find("elements of type T3D2 are not known") !=
        std::string::npos);
  CHECK(import("*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=\n").find("bad.inp:3:1: *INCLUDE names no file") !=
        std::string::npos);
  std::string inside_out = mesh;  // the first two corners change places
  const std::size_t first = inside_out.find("\n1, 1, 2,");
  REQUIRE(first != std::string::npos);
  inside_out.replace(first, 9, "\n1, 2, 1,");
  const std::string line =
      "bad.inp:" +
      std::to_string(std::count(inside_out.begin(), inside_out.begin() + static_cast<long>(first) + 1, '\n') + 1);
  CHECK(import(inside_out).find(line + ":1: element 1 has a negative Jacobian at its node") != std::string::npos);
  if (io::fe::find_ccx().empty()) {
    CHECK(import(mesh).find("apt-get install calculix-ccx") != std::string::npos);
    return;
  }
  std::string loose = mesh;
  loose.insert(loose.find("*ELEMENT"), "999, 5, 5, 5\n");
  CHECK(import(loose).find("node \"999\" is loose") != std::string::npos);
  CHECK(import(mesh + "*BOUNDARY\n1, 1, 3\n").find("node \"1\" is loose") != std::string::npos);
}
