// References: small files by hand, and the two of the Manchester benchmark against the standards.
#include "skyhook/element/rail/profile_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

std::string rows(double y_sign, double z_sign, const char* between,
                 double unit = 1) {  // a wheel with a flange of 20 mm
  std::string text;
  for (int k = -50; k <= 50; ++k) {
    const double z = k < -30 ? -0.05 * (k + 30) * (k + 30) : 0.02 * k;
    text += std::to_string(unit * y_sign * k) + between + std::to_string(unit * z_sign * z) + "\n";
  }
  return text;
}
std::string complaint(const std::string& text) {
  try {
    parse_profile(text, "w.csv", {.kind = Profile::Kind::wheel});
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
ProfilePtr manchester(const char* name, Profile::Kind kind) {
  std::ifstream in(std::string(SKYHOOK_SOURCE_DIR "/models/rail/profiles/") + name);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  return fit_profile(parse_profile(text, name, {.kind = kind}).points, {.name = name, .kind = kind});
}

}  // namespace

TEST_CASE("A wheel is read from any axes, separators and units") {
  const FileAxes wheel{.kind = Profile::Kind::wheel};
  const ProfilePoints own = parse_profile("# mine\ny [mm], z [mm]\n" + rows(1, 1, ", "), "w", wheel).points;
  REQUIRE(own.y.size() == 101);
  CHECK(own.y[0] == Approx(-0.05));
  CHECK(own.z[0] == Approx(-0.02));
  CHECK(own.lines[0] == 3);
  for (const std::string& text :
       {rows(-1, 1, ";"), rows(1, -1, "\t"), rows(-1, -1, "  "), "y_m,z_m\n" + rows(-1, -1, ",", 1e-3),
        "Date=1\nColumnDef=X,Y\nXYPoints=101\n" + rows(-1, -1, " ")}) {
    const FilePoints read = parse_profile(text, "w", wheel);
    CHECK(read.points.y[0] == Approx(own.y[0]));
    CHECK(read.points.z[0] == Approx(own.z[0]));
    CHECK_FALSE(read.notes.empty());
  }
  CHECK(parse_profile(rows(1, 1, ","), "w", {.kind = Profile::Kind::wheel, .y = "gauge"}).points.y[0] == Approx(0.05));
  CHECK(parse_profile(rows(1, 1, ","), "w", {.kind = Profile::Kind::wheel, .origin = 2e-3}).points.y[0] ==
        Approx(-0.052));
}

TEST_CASE("Files that are no profiles are refused at their line") {
  CHECK(has(complaint("y,z\n" + rows(1, 1, ",") + "3,abc\n"), "w.csv:103"));
  CHECK(has(complaint("y,z\n" + rows(1, 1, ",") + "3,nan\n"), "is no number"));
  CHECK(has(complaint(rows(1, 1, ",") + "3\n"), "1 columns"));
  CHECK(has(complaint("1,2\n"), "1 points"));
  CHECK(has(complaint(""), "0 points"));
  CHECK(has(complaint("y,z\n1e400,3\n" + rows(1, 1, ",")), "w.csv:2: \"1e400\" is no number"));
  CHECK(has(complaint(std::string("y,z\n") + '\0' + "x\n" + rows(1, 1, ",")), "w.csv:2: this is no text"));
  CHECK(has(complaint("Date=1\nXYPoints=102\n" + rows(1, 1, " ")),
            "w.csv:2: XYPoints says 102 points, and the file has 101"));
  CHECK(has(complaint("XYPoints=many\n" + rows(1, 1, " ")), "w.csv:1"));
  CHECK(has(complaint("ColumnDef=A,C,N\n" + rows(1, 1, " ")), "w.csv:1: \"ColumnDef=A,C,N\" names no column X"));
}

TEST_CASE("The Manchester wheel is S1002, the rail UIC 60 leant 1:40") {
  const ProfilePtr wheel = manchester("s1002_manchester.csv", Profile::Kind::wheel), s1002 = built_in("s1002");
  for (double y = -35e-3; y < 50e-3; y += 1e-3)  // the list is rounded to 0.01 um
    CHECK(wheel->height(y) == Approx(s1002->height(y)).scale(1).epsilon(0.2e-6));
  const ProfilePtr rail = manchester("uic60_1in40_manchester.csv", Profile::Kind::rail),
                   uic60 = built_in("uic60_1in40");
  // Origin at the highest point; arcs as of EN 15302: known to 0.01 mm.
  const double shift = 0.3 * std::sin(std::atan(1.0 / 40));
  for (double y = -38e-3; y < 25e-3; y += 1e-3)
    CHECK(rail->height(y) == Approx(uic60->height(y + shift)).scale(1).epsilon(7e-6));
  // CONTACT places its origin 760.5326 mm from the middle of a track of 1435 mm (sample rows: ycp_tr - ycp_r).
  CHECK(0.7175 - rail->gauge_face(14e-3) == Approx(0.7605326).epsilon(1e-7));
}
