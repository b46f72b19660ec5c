#include "skyhook/analysis/compare_input.h"

#include <doctest/doctest.h>

#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

std::string resolve(const std::string& written) {
  for (const char* name : {"ida/ggl", "radau5/ggl", "radau5/index2", "ida/index3", "ida/index1"}) {
    if (written == name || written + "/ggl" == name) return name;
  }
  throw ModelError({"command line"}, "there is no solver \"" + written + "\".");
}

const SolverNames names{
    {"ida/ggl", "radau5/ggl"}, {"ida/ggl", "radau5/ggl", "radau5/index2"}, {"ida/index3", "ida/index1"}, resolve};

template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

}  // namespace

TEST_CASE("Tolerances: ranges by decades, parts of a decade, lists, all mixed") {
  CHECK(parse_tolerances("1e-3..1e-9") == Numbers{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9});
  CHECK(parse_tolerances("1e-3..1e-4:2") == Numbers{1e-3, 3.16228e-4, 1e-4});
  CHECK(parse_tolerances("5e-3..1e-5") == Numbers{5e-3, 5e-4, 5e-5});  // no value hits the end
  CHECK(parse_tolerances("1e-6, 1e-4") == Numbers{1e-4, 1e-6});
  CHECK(parse_tolerances("1e-8,1e-3..1e-5,1e-4") == Numbers{1e-3, 1e-4, 1e-5, 1e-8});
  CHECK(parse_tolerances("1e-5") == Numbers{1e-5});
  CHECK(parse_tolerances("0.1..0.1") == Numbers{0.1});
}

TEST_CASE("Tolerances: what makes no sense is refused with advice") {
  const auto said = [](const std::string& text) { return complaint([&] { parse_tolerances(text); }); };
  for (const char* text : {"0", "-1e-3", "nan", "0.2", "inf", "1e-3..0", "1..1e-3", "1e-4,-1"}) {
    CAPTURE(text);
    CHECK(says(said(text), "must be above 0 and at most 0.1"));
    CHECK(says(said(text), "For example --tolerances 1e-3..1e-9"));
  }
  CHECK(says(said("1e-9..1e-3"), "the loosest comes first: write 1e-3..1e-9"));
  CHECK(says(said("1e-3...1e-5"), "ambiguous"));
  CHECK(says(said("1e-20"), "finer than double precision"));
  for (const char* text : {"", "fine", "1e-3,", "1e-3..", "..1e-3", "1e-3 1e-4"}) {
    CAPTURE(text);
    CHECK(says(said(text), "is no number"));
  }
  for (const char* text : {"1e-3..1e-5:0", "1e-3..1e-5:1.5", "1e-3..1e-5:nan", "1e-3..1e-5:1000"}) {
    CAPTURE(text);
    CHECK(says(said(text), "values a decade, 1 to 10"));
  }
}

TEST_CASE("Solvers: the recommended, lists, patterns, none twice") {
  CHECK(expand_solvers("", names) == names.recommended);
  CHECK(expand_solvers("all", names) == names.working);
  CHECK(expand_solvers("*", names) == names.working);
  CHECK(expand_solvers("radau5/*, ida/ggl,radau5/ggl", names) == Names{"radau5/ggl", "radau5/index2", "ida/ggl"});
  CHECK(expand_solvers("ida/index3", names) == Names{"ida/index3"});
  CHECK(expand_solvers("ida*", names) == Names{"ida/ggl"});                         // not those for study,
  CHECK(expand_solvers("ida/index*", names) == Names{"ida/index3", "ida/index1"});  // unless only they match
  CHECK(expand_solvers("ida,ida/ggl,ida*", names) == Names{"ida/ggl"});             // three names of one pair
}

TEST_CASE("Solvers: an unknown one is named, a pattern that matches none gets the list") {
  const auto said = [](const std::string& text) { return complaint([&] { expand_solvers(text, names); }); };
  CHECK(says(said("ida/ggl,radau5/gll"), "there is no solver \"radau5/gll\""));
  CHECK(says(said("euler/*"), "there is no solver \"euler/*\""));
  CHECK(says(said("euler/*"), "Solvers here: ida/ggl, radau5/ggl, radau5/index2, ida/index3, ida/index1."));
  CHECK(says(said("ida/ggl,"), "there is no solver \"\""));
}

TEST_CASE("Jacobians: all with dense first, lists, an unknown one is named") {
  const Names all = parse_jacobians("");
  CHECK(all == parse_jacobians("all"));
  CHECK(all[0] == "dense");  // the others are told in percent of it
  CHECK(Names(all.begin() + 3, all.begin() + 5) == Names{"auto", "exact"});
  CHECK(parse_jacobians("exact, dense+extended,exact") == Names{"exact", "dense+extended"});
  const auto said = complaint([] { parse_jacobians("dense,exakt"); });
  CHECK(says(said, "there is no Jacobian strategy \"exakt\""));
  CHECK(says(said, "Did you mean \"exact\"?"));
  CHECK(says(complaint([] { parse_jacobians("exact+extended"); }), "no Jacobian strategy \"exact+extended\""));
}

TEST_CASE("Reference: a solver and its tolerance") {
  const SolverAtTolerance r = parse_reference("radau5/index2@1e-11", names);
  CHECK(r.solver == "radau5/index2");
  CHECK(r.tolerance == 1e-11);
  CHECK(parse_reference("ida@1e-11", names).solver == "ida/ggl");
  const auto said = [](const std::string& text) { return complaint([&] { parse_reference(text, names); }); };
  CHECK(says(said("ida/ggl"), "it has no tolerance"));
  CHECK(says(said("euler@1e-9"), "there is no solver \"euler\""));
  CHECK(says(said("ida/ggl@0"), "must be above 0"));
  CHECK(says(said("ida/ggl@"), "is no number"));
}
