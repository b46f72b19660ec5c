// Flexible bodies from model files and from finite elements: what is read, reduced, written and read back.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "skyhook/flexible/part_options.h"
#include "skyhook/io/flexible/fe_files.testing.h"
#include "skyhook/io/flexible/fe_import.h"
#include "skyhook/io/flexible/flex_file.h"
#include "skyhook/io/flexible/matrix_market.h"
#include "skyhook/io/flexible/nastran.h"
#include "skyhook/io/model_file/flexible_parts.h"

using namespace skyhook;
using namespace skyhook::flexible;
using io::fe::bytes;
using io::fe::Folder;
using io::fe::message;

namespace {

// A rod along x of one steel beam, with what else its `flexible` says.
std::string rod(const std::string& more) {
  return "skyhook: 1\nbodies:\n  rod:\n    at: [0.1, 0, 0]\n    flexible:\n      nodes: {a: [0.1, 0, 0], b: [1.1, 0, "
         "0]}\n"
         "      beams: {bar: {from: a, to: b, elements: 4, material: steel, round: 20 mm}}\n" +
         more + "joints: {j: {type: free, from: ground, to: rod}}\n";
}

model::Model read(const std::string& text) { return io::read_model_text(text, "rod.yaml"); }

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
