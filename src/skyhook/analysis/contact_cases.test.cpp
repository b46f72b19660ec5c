// Reference: rows of the Manchester contact benchmark, case, as CONTACT (rev 2707, half-space, cells of 0.2 mm) gives them; facts under Apache-2.0, see
// models/rail/benchmarks/manchester_a22_sample.csv.
#include "skyhook/analysis/contact_cases.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "skyhook/base/error.h"
#include "skyhook/element/rail/profile_file.h"

using namespace skyhook;
using namespace skyhook::analysis;
using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

std::string text_of(const char* name) {
  std::ifstream in(std::string(SKYHOOK_SOURCE_DIR "/models/rail/") + name);
  return {std::istreambuf_iterator<char>(in), {}};
}
ProfilePtr profile(const char* name, Profile::Kind kind) {
  return fit_profile(parse_profile(text_of(name), name, {.kind = kind}).points, {.name = name, .kind = kind});
}
const WheelsetOnTrack& manchester() {
  static const WheelsetOnTrack w(profile("profiles/s1002_manchester.csv", Profile::Kind::wheel),
                                 profile("profiles/uic60_1in40_manchester.csv", Profile::Kind::rail), {});
  return w;
}
std::vector<CaseResult> results(const char* patch) {
  LoadedOptions options;
  options.patch = patch;
  const auto law = make_creep_law(options.creep);
  std::vector<CaseResult> out;
  for (const ContactCase& c : parse_cases(text_of("benchmarks/manchester_a22_sample.csv"), "a22"))
    out.push_back(compute(c, manchester(), 2, options, *law));
  return out;
}
double of(const CaseResult& r, const std::string& name) {
  for (const auto& [column, value] : r.columns)
    if (column == name) return value;
  FAIL(name);
  return 0;
}
std::string complaint(const std::string& text) {
  try {
    parse_cases(text, "c.csv");
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Manchester A-2.2: height, contact point, angle, patch and forces of the half-space") {
  for (const CaseResult& r : results("half_space")) {
    CAPTURE(r.of.side);
    CAPTURE(r.of.name);
    const auto ref = [&](const char* name) { return *r.of.reference(name); };
    CHECK(std::abs(of(r, "z_ws") - ref("z_ws")) < 1e-3);  // 1 um
    CHECK(std::abs(of(r, "z_ws_rigid") + ref("approach") / std::cos(ref("delta_cp")) - ref("z_ws")) < 1e-3);
    CHECK(std::abs(of(r, "ycp_r") - ref("ycp_r")) < 0.5);  // mm
    CHECK(std::abs(of(r, "ycp_w") - ref("ycp_w")) < 0.5);
    CHECK(std::abs(of(r, "xcp_tr") - ref("xcp_tr")) < 0.1);
    CHECK(std::abs(of(r, "delta_cp") - ref("delta_cp")) < 2e-3);  // rad
    CHECK(of(r, "approach") == Approx(ref("approach")).epsilon(0.01));
    CHECK(of(r, "pmax") == Approx(ref("pmax")).epsilon(0.02));
    CHECK(of(r, "Fn") == Approx(ref("Fn")).epsilon(2e-3));
    CHECK(of(r, "cphi") == Approx(ref("cphi")).epsilon(0.03));
    // Row 1 conforms over 20 mm and has next to no creepage: its small force along the track is the difference of two large parts of one patch.
    const bool conforms = r.of.name == "1";
    const double force = std::hypot(ref("Fx"), ref("Fs"));
    if (!conforms) CHECK(std::abs(of(r, "Fx") - ref("Fx")) < 0.02 * force);
    CHECK(std::abs(of(r, "Fs") - ref("Fs")) < (conforms ? 0.1 : 0.02) * force);
    CHECK(std::abs(of(r, "Fy_tr") - ref("Fy_tr")) < 0.02 * ref("Fn"));
    CHECK(of(r, "Fz_tr") == Approx(1e4).epsilon(1e-5));
    CHECK(std::abs(of(r, "cksi") - ref("cksi")) < 1e-4);
    CHECK(std::abs(of(r, "ceta") - ref("ceta")) < 1e-4);
  }
}

TEST_CASE("Manchester A-2.2: Hertz's ellipse is as good where profiles do not conform") {
  for (const CaseResult& r : results("hertz")) {
    CAPTURE(r.of.side);
    CAPTURE(r.of.name);
    const auto ref = [&](const char* name) { return *r.of.reference(name); };
    const bool conforms = r.of.name == "1";
    CHECK(std::abs(of(r, "z_ws") - ref("z_ws")) < (conforms ? 2e-3 : 1e-3));
    CHECK(std::abs(of(r, "ycp_r") - ref("ycp_r")) < (conforms ? 1.5 : 0.5));
    if (!conforms) CHECK(of(r, "approach") == Approx(ref("approach")).epsilon(0.02));
  }
}

TEST_CASE("Differences stand beside the references, and a file without them has none") {
  const std::vector<CaseResult> all = results("hertz");
  CHECK(table_of(all).rows() == 14);
  CHECK(differences_of(all).rows() == 14);
  CHECK(differences_of({CaseResult{.of = {.side = "left"}, .contact = {}, .columns = all[0].columns}}).rows() == 0);
}

TEST_CASE("What is wrong with a file of cases is told with its line") {
  const std::string head = "side,case,y_ws,roll_ws,yaw_ws\n";
  CHECK(complaint("# c\n" + head + "left,1,0,0,0\n").empty());
  CHECK(complaint("side,y_ws\n").find("no column \"roll_ws\"") != std::string::npos);
  CHECK(complaint(head + "left,1,x,0,0\n").find("c.csv:2") != std::string::npos);
  CHECK(complaint(head + "up,1,0,0,0\n").find("Write left or right") != std::string::npos);
  CHECK(complaint(head + "left,1,0\n").find("3 columns, the head 5") != std::string::npos);
  CHECK(complaint(head).find("no cases") != std::string::npos);
}
