// Reference: rows of the Manchester contact benchmark, case, as CONTACT (rev 2707, half-space, cells of 0.2 mm) gives them; facts under Apache-2.0, see
// models/rail/benchmarks/manchester_a22_sample.csv.
#include "skyhook/analysis/contact_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
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
  return fit_profile(parse_profile(text_of(name), name, {.kind = kind}).points,
                     {.name = name, .kind = kind, .smoothing = 0.5e-3});
}
const WheelsetOnTrack& manchester() {
  static const WheelsetOnTrack w(profile("profiles/s1002_manchester.csv", Profile::Kind::wheel),
                                 profile("profiles/uic60_1in40_manchester.csv", Profile::Kind::rail), {});
  return w;
}
CaseResult result_of(const ContactCase& c, LoadedOptions options) {
  return compute(c, manchester(), 2, options, *make_creep_law(options.creep));
}
std::vector<CaseResult> results(const LoadedOptions& options,
                                const char* file = "benchmarks/manchester_a22_sample.csv") {
  std::vector<CaseResult> out;
  for (const ContactCase& c : parse_cases(text_of(file), "a22")) out.push_back(result_of(c, options));
  return out;
}
// What `skyhook wheelrail --cases` has unless one asks for something else: pressures and tractions on the grid of CONTACT.
LoadedOptions exact() { return {.patch = "half_space", .cell = 0.2e-3, .weaken = 4e-3, .is_exact = true}; }
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

// What is left, and by what: docs/validation.md and contact_cells.test.cpp.
TEST_CASE("Manchester A-2.2: height, contact point, angle, patch and forces of the half-space") {
  std::vector<ContactCase> cases = parse_cases(text_of("benchmarks/manchester_a22_all.csv"), "a22");
  REQUIRE(cases.size() == 42);
  std::erase_if(cases, [](const ContactCase& c) {
    return c.side == "left" && c.name != "1" && c.name != "2" && c.name != "11" && c.name != "14" && c.name != "21";
  });
  for (const ContactCase& c : cases) {
    const CaseResult r = result_of(c, exact());
    CAPTURE(r.of.side);
    CAPTURE(r.of.name);
    const auto ref = [&](const char* name) { return *r.of.reference(name); };
    const auto off = [&](const char* name) { return std::abs(of(r, name) - ref(name)); };
    // Row 1 has next to no creepage: its force, 254 N of 3 kN that friction could carry, is what cells leave of large parts of one patch. Row 11 has two places: CONTACT's own centre of pressures is 0.86 mm from its contact point.
    const bool is_idle = r.of.name == "1", has_two = r.of.side == "right" && r.of.name == "11";
    CHECK(r.patches.size() == 1);
    CHECK(r.contact.doubt.empty());
    CHECK(off("z_ws") < 0.5e-3);  // mm
    CHECK(std::abs(of(r, "z_ws_rigid") + of(r, "approach") / std::cos(of(r, "delta_cp")) - ref("z_ws")) < 1e-3);
    CHECK(off("ycp_r") < (has_two ? 0.02 : 5e-4));  // mm; the centre of the overlap, as CONTACT has it
    CHECK(std::abs(of(r, "ycp_r_pressure") - ref("ycp_r")) < (has_two ? 0.9 : 0.5));
    CHECK(off("xcp_tr") < 2e-3);
    CHECK(off("xcp_w") < 2e-3);
    CHECK(off("ycp_w") < (has_two ? 0.02 : 5e-4));
    CHECK(off("zcp_w") < (has_two ? 5e-3 : 1e-3));
    CHECK(off("delta_cp") < (has_two ? 2e-4 : 6e-5));  // rad; it has four decimals
    CHECK(of(r, "approach") == Approx(ref("approach")).epsilon(0.008));
    CHECK(of(r, "pmax") == Approx(ref("pmax")).epsilon(0.004));
    CHECK(of(r, "Fn") == Approx(ref("Fn")).epsilon(6e-4));
    CHECK(of(r, "Fz_tr") == Approx(1e4).epsilon(1e-5));
    const double force = std::hypot(ref("Fx"), ref("Fs"));
    const double share = is_idle ? 0.015 : ref("nadh") > 0 ? 0.005 : 0.0015;
    CHECK(off("Fx") < share * force);
    CHECK(off("Fs") < share * force);
    CHECK(off("Fy_tr") < 1.5e-3 * ref("Fn"));
    CHECK(off("Mn") < 0.03 * std::abs(ref("Mn")) + 8);  // N.mm
    CHECK(off("cksi") < 6e-6);                          // four digits, of 2e-2 on the flange
    CHECK(off("ceta") < 6e-6);
    CHECK(of(r, "cphi") == Approx(ref("cphi")).epsilon(1e-3));
  }
}

// CONTACT finds no force along the track there (0.3 N). On one and the same pressures and slip FASTSIM, whose bristles do not know of each other, has 145 N, and the half-space next to nothing: that is the whole difference.
TEST_CASE("Manchester A-2.2, row 1: what FASTSIM's simplification makes of a patch that conforms") {
  const ContactCase row = parse_cases(text_of("benchmarks/manchester_a22_sample.csv"), "a22").front();
  REQUIRE(row.name == "1");
  const CaseResult whole = result_of(row, exact()),
                   simplified = result_of(row, {.patch = "half_space", .cell = 0.2e-3});
  CHECK(of(simplified, "approach") == Approx(of(whole, "approach")).epsilon(1e-4));
  CHECK(of(simplified, "cksi") == Approx(of(whole, "cksi")).epsilon(1e-3));
  CHECK(of(simplified, "cphi") == Approx(of(whole, "cphi")).epsilon(1e-3));
  MESSAGE("along the track: FASTSIM ", of(simplified, "Fx"), " N, half-space ", of(whole, "Fx"), " N, CONTACT ",
          *row.reference("Fx"), " N");
  CHECK(std::abs(of(simplified, "Fx")) == Approx(145).epsilon(0.05));
  CHECK(std::abs(of(whole, "Fx") - *row.reference("Fx")) < 8);
}

// Reference for the rest of row 1: the tractions are of first order in the cells, so that two sizes tell the limit.
TEST_CASE("Manchester A-2.2, row 1: the force across is what cells leave of it") {
  const ContactCase row = parse_cases(text_of("benchmarks/manchester_a22_sample.csv"), "a22").front();
  const auto across = [&](double cell) {
    LoadedOptions options = exact();
    options.cell = cell;
    return of(result_of(row, options), "Fs");
  };
  const double coarse = across(0.4e-3), fine = across(0.2e-3), limit = 2 * fine - coarse, theirs = *row.reference("Fs");
  MESSAGE("cells of 0.4, 0.2 mm: ", coarse, ", ", fine, " N; limit ", limit, " N; CONTACT with 0.2 mm ", theirs, " N");
  CHECK(limit == Approx(243).epsilon(0.015));
  CHECK(std::abs(theirs - limit) < 1.5 * std::abs(fine - limit));  // as far from it as ours are
}

// Row 11: the wheel touches at its flange root and on its tread, 10 mm apart. CONTACT has both on one plane, of the mean slope, and, since they are more than D_COMB, 4 mm, and less than D_SEP, 8 mm, from
// each other, weakens what pressures of one do to the other (its user guide; `weaken`). The half-space itself, without it, is 0.7 um lower and 0.9 % of the force off. With planes of their own they are two
// patches, as high within 1 um.
TEST_CASE("Manchester A-2.2, row 11: two places, on one plane or as two patches") {
  std::vector<ContactCase> rows = parse_cases(text_of("benchmarks/manchester_a22_all.csv"), "a22");
  const ContactCase row =
      *std::ranges::find_if(rows, [](const ContactCase& c) { return c.side == "right" && c.name == "11"; });
  const auto ref = [&](const char* name) { return *row.reference(name); };
  const double force = std::hypot(ref("Fx"), ref("Fs"));
  LoadedOptions half = exact();
  half.weaken = 0;
  const CaseResult one = result_of(row, half);
  MESSAGE("half-space: ", 1e3 * (of(one, "z_ws") - ref("z_ws")), " um, y ", of(one, "ycp_r") - ref("ycp_r"),
          " mm, angle ", 1e3 * (of(one, "delta_cp") - ref("delta_cp")), " mrad, approach ",
          100 * (of(one, "approach") / ref("approach") - 1), " %, pressure ", 100 * (of(one, "pmax") / ref("pmax") - 1),
          " %, forces ", 100 * (of(one, "Fx") - ref("Fx")) / force, ", ", 100 * (of(one, "Fs") - ref("Fs")) / force,
          " %");
  CHECK(one.patches.size() == 1);
  CHECK(std::abs(of(one, "z_ws") - ref("z_ws")) < 1e-3);
  CHECK(std::abs(of(one, "ycp_r") - ref("ycp_r")) < 0.2);
  CHECK(std::abs(of(one, "delta_cp") - ref("delta_cp")) < 3e-3);
  CHECK(of(one, "approach") == Approx(ref("approach")).epsilon(0.04));
  CHECK(of(one, "pmax") == Approx(ref("pmax")).epsilon(0.03));
  CHECK(of(one, "Fn") == Approx(ref("Fn")).epsilon(1e-3));
  CHECK(std::abs(of(one, "Fx") - ref("Fx")) < 0.015 * force);
  CHECK(std::abs(of(one, "Fs") - ref("Fs")) < 0.005 * force);
  LoadedOptions coarse{.patch = "half_space", .cells = 31, .is_exact = true};
  for (const char* patch : {"half_space", "hertz"}) {
    CAPTURE(patch);
    LoadedOptions apart = coarse;
    apart.separate = 0, apart.patch = patch;
    const CaseResult two = result_of(row, apart);
    REQUIRE(two.patches.size() == 2);
    CHECK(of(two, "n_patch") == 2);
    CHECK(of(two, "Fz_tr") == Approx(1e4).epsilon(1e-4));
    CHECK(std::abs(of(two, "z_ws") - ref("z_ws")) < 1e-3);
    // the flange root at 0.30 rad carries more than the tread at 0.13 rad
    const auto in = [&](std::size_t k, const char* name) {
      return std::ranges::find(two.patches[k], name, &std::pair<std::string, double>::first)->second;
    };
    CHECK(in(0, "delta_cp") == Approx(-0.30).epsilon(0.1));
    CHECK(in(1, "delta_cp") == Approx(-0.13).epsilon(0.1));
    CHECK(in(0, "Fn") > in(1, "Fn"));
    CHECK(in(1, "Fn") > 1e3);
    // Both reach down from one height: the rigid one, the approach over the cosine, and what the load of the other adds, 10.5 mm away.
    const auto height = [&](std::size_t k) {
      const double far = 1e3 * in(1 - k, "Fn") * std::cos(0.167) / (3.14159 * Elastic{}.effective() * 10.48e-3);
      return in(k, "z_ws_rigid") + (in(k, "approach") + far) / std::cos(in(k, "delta_cp"));
    };
    CHECK(std::abs(height(0) - of(two, "z_ws")) < 2e-5);  // mm
    CHECK(std::abs(height(1) - of(two, "z_ws")) < 2e-5);
    CHECK(of(two, "Fx_tr") == Approx(in(0, "Fx") + in(1, "Fx")));
    const Table t = table_of({two});
    CHECK(t.to_csv().find("Fn_2") != std::string::npos);
  }
}

TEST_CASE("Manchester A-2.2: Hertz's ellipse is as good where profiles do not conform") {
  for (const CaseResult& r : results({})) {
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
  const std::vector<CaseResult> all = results({});
  CHECK(table_of(all).rows() == 14);
  CHECK(differences_of(all).rows() == 14);
  CHECK(differences_of(
            {CaseResult{.of = {.side = "left"}, .contact = {}, .columns = all[0].columns, .patches = all[0].patches}})
            .rows() == 0);
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
