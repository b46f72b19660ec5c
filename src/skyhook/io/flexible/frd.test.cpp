// Results of CalculiX: what is read of a file by hand, and messages. A file that ccx writes is read in calculix.test.
#include "skyhook/io/flexible/frd.h"

#include <doctest/doctest.h>

using namespace skyhook;
using namespace skyhook::io::fe;

namespace {

const std::string two_nodes =
    "    1C\n"
    "    2C                             2                                     1\n"
    " -1         1 0.00000E+00 0.00000E+00 0.00000E+00\n"
    " -1        12 1.00000E+00-2.00000E+00 0.50000E+00\n"
    " -3\n"
    "    3C                             1                                     1\n"
    " -1         7   11    0    1\n"
    " -2         1        12\n"
    " -3\n"
    "    1PSTEP                         1           1           1\n"
    "  100CL  101 1.000000000           2                     0    1           1\n"
    " -4  DISP        4    1\n"
    " -5  D1          1    2    1    0\n"
    " -1         1 1.00000E-03 0.00000E+00 0.00000E+00\n"
    " -1        12-1.00000E-03-2.00000E-03 3.00000E-03\n"
    " -3\n"
    "  100CL  102 5.123400000           2                     2    2MODAL      1\n"
    " -4  DISP        4    1\n"
    " -1         1 0.00000E+00 0.00000E+00 0.00000E+00\n"
    " -1        12 1.00000E+00 0.00000E+00 0.00000E+00\n"
    " -3\n"
    " -4  STRESS      6    1\n"
    " -1         1-3.45451E+03-3.45451E+03-9.22721E+03 3.49998E+03-5.38632E+03-5.38632E+03\n"
    " -3\n"
    " 9999\n";

std::string frd_refusal(const std::string& text) {
  try {
    read_frd(text, "a.frd");
  } catch (const ModelError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("Results of CalculiX: nodes, elements and displacements, numbers without blanks between them") {
  const Frd frd = read_frd(two_nodes, "a.frd");
  CHECK(frd.nodes.size() == 2);
  CHECK(frd.nodes.at(12).y == -2);
  CHECK(frd.elements.at(7) == std::vector<int>{1, 12});
  REQUIRE(frd.displacements.size() == 2);
  CHECK_FALSE(frd.displacements[0].is_vibration);
  CHECK(frd.displacements[0].at.at(12).x == -1e-3);
  CHECK(frd.displacements[0].at.at(12).y == -2e-3);
  CHECK(frd.displacements[1].is_vibration);
  CHECK(frd.displacements[1].value == doctest::Approx(5.1234));
  CHECK(frd.displacements[1].step == 2);
  flexible::FeModel part;
  part.nodes = {{"12", {1, -2, 0.5}, {0, 1, 2, -1, -1, -1}, {}}, {"1", {}, {3, -1, -1, -1, -1, -1}, {}}};
  part.dofs = 4;
  const flexible::Dense shapes = shapes_of(frd, part, "a.frd");
  CHECK(shapes.col(0) == flexible::Column{{-1e-3, -2e-3, 3e-3, 1e-3}});
}

TEST_CASE("Results of CalculiX: messages name the line") {
  CHECK(frd_refusal("hello\n").find("the file has no nodes") != std::string::npos);
  std::string binary = two_nodes;
  binary.replace(binary.find("                                     1\n"), 39,
                 "                                     2\n");
  CHECK(frd_refusal(binary).find("a.frd:2:1: the file is binary") != std::string::npos);
  std::string wrong = two_nodes;
  wrong.replace(wrong.find("1.00000E-03"), 11, "1.000x0E-03");
  CHECK(frd_refusal(wrong).find("a.frd:14:1: \"1.000x0E-03\" should be a number") != std::string::npos);
  std::string unknown = two_nodes;
  unknown.replace(unknown.find(" -1        12-1"), 15, " -1        13-1");
  CHECK(frd_refusal(unknown).find("a.frd:15:1: node 13 has a displacement, but is not there") != std::string::npos);
  flexible::FeModel part;
  part.nodes = {{"3", {}, {0, 1, 2, -1, -1, -1}, {}}}, part.dofs = 3;
  CHECK_THROWS_AS(shapes_of(read_frd(two_nodes, "a.frd"), part, "a.frd"), ModelError);
}
