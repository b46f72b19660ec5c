// Parts from CalculiX: meshes of bricks, shells and beams, solved by ccx itself where it is there, and messages.
#include "skyhook/io/flexible/calculix.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "skyhook/flexible/part_options.h"
#include "skyhook/io/flexible/fe_files.testing.h"
#include "skyhook/io/flexible/fe_import.h"

using namespace skyhook;
using namespace skyhook::flexible;
using io::fe::bytes;
using io::fe::Folder;
using io::fe::message;

namespace {

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
