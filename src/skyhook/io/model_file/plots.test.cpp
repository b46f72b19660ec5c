// References: what stands in the file.
#include "skyhook/io/model_file/plots.h"

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

const std::string pages =
    "plots:\n"
    "  motion:\n"
    "    - {title: Angle, curves: [hinge.angle, \"=2*hinge.angle\"], units: [deg, g], x: hinge.rate}\n"
    "    - {curves: hinge.rate, view: wk}\n"
    "  tyres:\n"
    "    - view: ellipse\n";

std::string with(const std::string& panel) { return pendulum("mass: 2 kg", "plots:\n  page:\n    - " + panel + "\n"); }

}  // namespace

TEST_CASE("Pages of plots are read, and stand in the expanded model as they were") {
  const model::Model m = read_model_text(pendulum("mass: 2 kg", pages), "m.yaml");
  for (const std::string& text : {m.source, m.expanded, read_model_text(m.expanded, "m.yaml").expanded}) {
    const std::vector<PlotPage> found = plot_pages(text);
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "motion");
    REQUIRE(found[0].panels.size() == 2);
    const PlotPanel& first = found[0].panels[0];
    CHECK(first.title == "Angle");
    CHECK(first.curves == std::vector<std::string>{"hinge.angle", "=2*hinge.angle"});
    CHECK(first.units == std::vector<std::string>{"deg", "g"});
    CHECK(first.x == "hinge.rate");
    CHECK(first.view == "");
    CHECK(found[0].panels[1].curves == std::vector<std::string>{"hinge.rate"});
    CHECK(found[0].panels[1].view == "wk");
    CHECK(found[1].panels[0].view == "ellipse");
  }
  CHECK(plot_pages(pendulum()).empty());
}

TEST_CASE("What is wrong with a page is told with its line") {
  CHECK(has(errors_of(with("{curves: [a], view: psdd}")), "m.yaml:8:"));
  CHECK(has(errors_of(with("{curves: [a], view: psdd}")),
            "page \"page\" of plots, panel 1: view is \"psdd\", which is not known"));
  CHECK(has(errors_of(with("{curve: [a]}")), "has the field \"curve\", which is not known"));
  CHECK(has(errors_of(with("{title: nothing}")), "panel 1 has no curves"));
  CHECK(has(errors_of(with("{curves: [[a]]}")), "curves should hold texts, but holds a list"));
  CHECK(has(errors_of(with("{curves: a, units: [furlong]}")), "furlong"));
  CHECK(has(errors_of(pendulum("mass: 2 kg", "plots: {page: {curves: a}}\n")),
            "should be a list of panels, but is a map"));
  CHECK(has(errors_of(pendulum("mass: 2 kg", "plots: [a]\n")), "plots should be a map, but are a list"));
}
