// `skyhook report` and `skyhook run --report` as a user runs them.
#ifdef SKYHOOK_APP
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program.testing.h"
#include "skyhook/io/report/decode.testing.h"
#include "skyhook/io/report/page.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using io::example::holds;
using io::example::slurp;
using io::report::testing::Decoded;
using testing::Place;
namespace fs = std::filesystem;

namespace {

const std::string pendulum = "run " SKYHOOK_SOURCE_DIR "/models/mechanisms/pendulum.yaml --until 0.1 ";

}  // namespace

TEST_CASE("Command line: a run leaves a report beside its result") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) {  // built without node
    CHECK(folder.run(pendulum + "-o a.h5 --report").code == 2);
    CHECK(holds(folder.text("err"), "apt-get install nodejs npm"));
    CHECK(!fs::exists(folder.path / "a.h5"));
    return;
  }
  CHECK(folder.run(pendulum + "-o a.h5 --report").code == 0);
  CHECK(holds(folder.text("out"), "finished: result in a.h5\nreport in a.html ("));
  const Decoded d = Decoded::of_page(folder.text("a.html"));
  CHECK(d.root["runs"][0]["file"].as<std::string>() == "a.h5");
  CHECK(d.root["runs"][0]["scene"]["bodies"][0]["name"].as<std::string>() == "bob");
  CHECK(d.array(d.root["runs"][0]["channels"][0]["values"]).size() == 11);

  CHECK(folder.run(pendulum + "-o b.h5 --json --report elsewhere.html").code == 0);
  CHECK(holds(folder.text("out"), "\"report\": \"elsewhere.html\""));
  CHECK(folder.run("report a.h5 --out two.html --compare b.h5 --max-size '2 MB'").code == 0);
  CHECK(Decoded::of_page(folder.text("two.html")).root["runs"].size() == 2);
  CHECK(folder.run("report a.h5 b.h5 a.h5 b.h5 a.h5 --out five.html").code == 0);
  CHECK(Decoded::of_page(folder.text("five.html")).root["runs"].size() == 5);
}

TEST_CASE("Command line: pages of plots in the model come to the report, also from an included file") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) return;
  std::ofstream(folder.path / "pages.yaml")
      << "skyhook: 1\nplots:\n  swing:\n    - {title: Angle, curves: [hub.angle, \"=2*hub.angle\"], units: [deg]}\n";
  std::ofstream(folder.path / "wheel.yaml")
      << "skyhook: 1\ninclude: pages.yaml\nbodies:\n  rim: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
         "  hub: {type: revolute, from: ground, to: rim, at: [0, 0, 0], axis: y}\noutputs: [hub.angle]\n"
         "plots:\n  spectrum:\n    - {curves: hub.angle, view: psd}\nexperiments:\n  spin: {until: 1 s}\n";
  REQUIRE(folder.run("run wheel.yaml -o a.h5 --quiet --report").code == 0);
  const Decoded d = Decoded::of_page(folder.text("a.html"));
  const auto pages = d.root["runs"][0]["plots"];
  REQUIRE(pages.size() == 2);
  CHECK(pages[0]["name"].as<std::string>() == "spectrum");
  CHECK(pages[0]["panels"][0]["view"].as<std::string>() == "psd");
  CHECK(pages[1]["panels"][0]["title"].as<std::string>() == "Angle");
  CHECK(pages[1]["panels"][0]["curves"][1].as<std::string>() == "=2*hub.angle");
  CHECK(pages[1]["panels"][0]["units"][0].as<std::string>() == "deg");
}

TEST_CASE("Command line: a sweep has a report of its measures over the parameters") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) return;
  std::ofstream(folder.path / "m.yaml")
      << "skyhook: 1\nparameters: {m: 2 kg, k: 200 N/m}\nbodies: {b: {mass: =m, at: [0, 0, 1]}}\n"
         "joints: {slide: {type: prismatic, from: ground, to: b, axis: z}}\n"
         "forces: {spring: {type: spring_damper, joint: slide, stiffness: =k}}\noutputs: {x: slide.displacement}\n"
         "experiments: {swing: {until: 1 s, output_step: 10 ms}}\n";
  const std::string sweep = "run m.yaml --sweep k=100,200,300 --sweep m=1,2 --measure 'min(x)' ";
  REQUIRE(folder.run(sweep + "--report").code == 0);
  CHECK(holds(folder.text("out"), "sweep in m_sweep.h5, report in m_sweep.html ("));
  const Decoded d = Decoded::of_page(folder.text("m_sweep.html"));
  const auto run = d.root["runs"][0];
  CHECK(run["info"]["analysis"].as<std::string>() == "sweep");
  REQUIRE(run["found"]["points"].size() == 6);
  CHECK(run["found"]["units"]["k"].as<std::string>() == "N/m");
  const auto lowest = d.array(run["channels"][0]["values"]);
  REQUIRE(lowest.size() == 6);
  CHECK(lowest[1] ==
        doctest::Approx(2 * lowest[0]).epsilon(1e-3));  // -2 m g/k, both within half a sample of their lowest points
  CHECK(folder.run(sweep + "-o points --report page.html").code == 0);
  CHECK(fs::exists(folder.path / "points" / "m_sweep.h5"));
  CHECK(fs::exists(folder.path / "points" / "run_0001.h5"));
  CHECK(folder.run("report m_sweep.h5 -o again.html").code == 0);
}

TEST_CASE("Command line: a report says that rotations are too fast for its frames") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) return;
  std::ofstream(folder.path / "wheel.yaml")
      << "skyhook: 1\nname: wheel\nbodies:\n  rim: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
         "  hub: {type: revolute, from: ground, to: rim, at: [0, 0, 0], axis: y}\noutputs: [hub.angle]\n"
         "experiments:\n  spin: {until: 10 s, output_step: 10 ms, initial: {hub.rate: 50 rad/s}}\n";
  CHECK(folder.run("run wheel.yaml -o a.h5 --quiet --report").code == 0);  // 0.5 rad a sample
  CHECK(folder.text("err") == "");
  CHECK(folder.run("run wheel.yaml -o b.h5 --output-step 0.05 --quiet --report").code == 0);
  CHECK(holds(folder.text("err"), "wheel, spin: Bodies turn by up to 2.5 rad between two frames"));
}

TEST_CASE("Command line: a report that cannot be written is refused, before the run") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) return;
  std::ofstream(folder.path / "notes.html") << "<html>mine</html>";
  CHECK(folder.run(pendulum + "-o a.h5 --report notes.html").code == 2);
  CHECK(holds(folder.text("err"), "notes.html: exists and is not a report, so it is not overwritten."));
  CHECK(folder.text("notes.html") == "<html>mine</html>");
  CHECK(!fs::exists(folder.path / "a.h5"));
  CHECK(folder.run("report missing.h5").code == 2);
  CHECK(folder.run(pendulum + "-o a.h5").code == 0);
  CHECK(folder.run("report a.h5 --max-size lots").code == 2);
  CHECK(holds(folder.text("err"), "--max-size lots is not a size"));
  CHECK(folder.run("report a.h5 --max-size 10kB").code == 0);  // the viewer alone is larger
  CHECK(holds(folder.text("out"), "larger than --max-size"));
}

// The size that was asked for. The tolerance is larger than that of the experiment: the same page in half the time.
TEST_CASE("Command line: the report of 20 s of a car of 26 bodies is below 3 MB") {
  const Place folder("reports");
  if (io::report::viewer_page().empty()) return;
  CHECK(folder.run("run " SKYHOOK_SOURCE_DIR "/models/car/four_post.yaml bump --tolerance 1e-5 -q -o a.h5 --report")
            .code == 0);
  const std::string page = folder.text("a.html");
  CHECK(page.size() < 3'000'000);
  const Decoded d = Decoded::of_page(page);
  CHECK(d.root["runs"][0]["scene"]["bodies"].size() == 26);
  CHECK(d.array(d.root["runs"][0]["channels"][0]["values"]).size() > 1900);  // of 2001: not thinned to fit
}
#endif
