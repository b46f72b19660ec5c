// References: the functions that the example run samples, read back from the page by decode.testing.h and by Python.
#include "skyhook/io/report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "skyhook/io/report/decode.testing.h"
#include "skyhook/io/report/run_data.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::holds;
using example::message_of;
using example::Numbers;
using example::TemporaryFile;
using report::testing::Decoded;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string page_of(const ResultFile& result, std::size_t max_bytes = 3'000'000) {
  return make_report({&result}, {.max_bytes = max_bytes, .page = report::testing::plain_page}).page;
}
std::string page_of(const std::filesystem::path& path, std::size_t max_bytes = 3'000'000) {
  return page_of(ResultFile::open(path), max_bytes);
}

// A wheel that turns about z at `rate` rad/s for 100 s, sampled each `step`.
void write_wheel(const std::filesystem::path& path, double rate, double step) {
  simulation::RunInfo info;
  info.model_name = "spinning";
  info.bodies = {{"wheel", 1}};
  ResultWriter writer(path);
  writer.begin(info);
  for (int i = 0; i * step <= 100 + 1e-9; ++i) {
    const double half = rate * i * step / 2;
    const double pose[] = {0, 0, 0, std::cos(half), 0, 0, std::sin(half)};
    writer.sample({.t = i * step, .poses = pose});
  }
  writer.end({.status = simulation::RunStatus::finished});
}

// The rates that the page would show, turning the short way from frame to frame: smallest and largest.
std::pair<double, double> shown_rates(const Decoded& d) {
  const YAML::Node frames = d.root["runs"][0]["frames"];
  const std::vector<double> time = d.array(frames["time"]), q = d.array(frames["quaternions"]);
  const std::size_t n = time.size();
  std::pair<double, double> range{1e9, -1e9};
  for (std::size_t f = 1; f < n; ++f) {
    const double turn = 2 * (std::atan2(q[3 * n + f], q[f]) - std::atan2(q[3 * n + f - 1], q[f - 1]));
    const double rate = std::remainder(turn, 2 * 3.14159265358979) / (time[f] - time[f - 1]);
    range = {std::min(range.first, rate), std::max(range.second, rate)};
  }
  return range;
}

// A run of one body whose channel is sin(3 t), with a peak of 5 at one sample.
struct Long {
  simulation::RunInfo info;
  std::size_t samples, peak;
  Long(std::size_t n, std::size_t channels) : samples(n), peak(n / 3) {
    for (std::size_t c = 0; c < channels; ++c) info.channels.push_back({"c" + std::to_string(c), "m"});
    info.model_name = "long";
    info.bodies = {{"body", 1}};
    info.constraints = {"loop"};
  }
  double time(std::size_t i) const { return 10.0 * static_cast<double>(i) / static_cast<double>(samples - 1); }
  double value(std::size_t i, std::size_t c) const {
    return i == peak ? 5 : std::sin(3 * time(i) + static_cast<double>(c));
  }
  void write(const std::filesystem::path& path) const {
    ResultWriter writer(path);
    writer.begin(info);
    std::vector<double> values(info.channels.size()), pose{0, 0, 0, 1, 0, 0, 0};
    for (std::size_t i = 0; i < samples; ++i) {
      for (std::size_t c = 0; c < values.size(); ++c) values[c] = value(i, c);
      pose[0] = time(i);
      const double residuals[] = {i == peak ? 1e-3 : 1e-9, 0};
      writer.sample({.t = time(i), .poses = pose, .channels = values, .channel_rates = values, .residuals = residuals});
    }
    writer.end({.status = simulation::RunStatus::finished});
  }
};

}  // namespace

TEST_CASE("A report says what was run and holds every sample of a short run") {
  const TemporaryFile file;
  example::write(file);
  const Decoded d = Decoded::of_page(page_of(file));
  CHECK(d.root["version"].as<int>() == 1);
  REQUIRE(d.root["runs"].size() == 1);
  const YAML::Node run = d.root["runs"][0];
  CHECK(run["label"].as<std::string>() == "half_car, bump");
  CHECK(run["file"].as<std::string>() == file.path.filename());
  CHECK(run["info"]["status"].as<std::string>() == "failed");
  CHECK(run["info"]["reason"].as<std::string>() == example::summary().reason);
  CHECK(run["info"]["samples"].as<int>() == 11);
  CHECK(run["info"]["integrator_seconds"].as<double>() == 0.125);
  CHECK(run["cost"][0][0].as<std::string>() == "steps");
  CHECK(run["cost"][0][1].as<int>() == 101);
  CHECK(run["limits"][0]["element"].as<std::string>() == "heave");
  CHECK(run["parameters"][0]["value"].as<std::string>() == "730 kg");
  CHECK(run["report"].size() == 3);
  CHECK(run["source"].as<std::string>() == example::info().source);
  CHECK(run["scene"]["bodies"][0]["name"].as<std::string>() == "chassis é");
  CHECK(run["states"][1].as<std::string>() == "heave.vz");
  CHECK(run["events"][0]["detail"].as<std::string>() == "wheel on road");
  CHECK(run["events"][0]["element"].as<std::string>() == "tyre");
  CHECK(run["events"][0]["kind"].as<std::string>() == "switching");
  CHECK(run["thinned"].as<double>() == 1);
  REQUIRE(run["times"].size() == 1);  // the channels share it
  const std::vector<double> time = d.array(run["times"][0]), force = d.array(run["channels"][1]["values"]);
  REQUIRE(time.size() == 11);
  REQUIRE(force.size() == 11);
  for (std::size_t i = 0; i < 11; ++i) {
    CHECK(time[i] == static_cast<double>(i) / 10);
    CHECK(force[i] == doctest::Approx(1000 * std::exp(-time[i])).epsilon(1e-7));  // 32 bits
  }
  CHECK(run["channels"][1]["name"].as<std::string>() == "strut.force");
  CHECK(run["channels"][1]["unit"].as<std::string>() == "N");
  CHECK(run["channels"][1]["stats"]["t_max"].as<double>() == 0);
}

TEST_CASE("Frames stand series by series; reactions within their 16 bits") {
  const TemporaryFile file;
  example::write(file);
  const Decoded d = Decoded::of_page(page_of(file));
  const YAML::Node frames = d.root["runs"][0]["frames"];
  const std::vector<double> time = d.array(frames["time"]), positions = d.array(frames["positions"]);
  const std::vector<double> reactions = d.array(frames["reactions"]);
  REQUIRE(time.size() == 11);
  REQUIRE(positions.size() == 2 * 3 * 11);
  REQUIRE(d.array(frames["quaternions"]).size() == 2 * 4 * 11);
  REQUIRE(reactions.size() == 3 * 11);
  REQUIRE(d.array(frames["forces"]).size() == 2 * 3 * 11);
  for (std::size_t f = 0; f < 11; ++f) {
    // Pose number i of a sample is t + i/3: body 1, y is number 8. Reaction number i is 100 t - i/7.
    CHECK(positions[(1 * 3 + 1) * 11 + f] == doctest::Approx(time[f] + 8 / 3.0).epsilon(1e-7));
    // Force number i is 20 t + i/9, six an element: the second element's z is number 8. Sixteen bits of at most 21.
    CHECK(std::abs(d.array(frames["forces"])[(1 * 3 + 2) * 11 + f] - (20 * time[f] + 8 / 9.0)) <= 1.01 * 22 / 65534);
    CHECK(std::abs(reactions[2 * 11 + f] - (100 * time[f] - 2 / 7.0)) <= 1.01 * 100 / 65534);
  }
}

TEST_CASE("States that the scene draws by are in the page, at every frame") {
  CHECK(
      report::states_of_scene(
          R"({"name":"\"states\":[\"no\"]","a":{"states":["b","a.\"x\""]},"c":[{"states":["b","d"]},{"states":[]}]})") ==
      std::vector<std::string>{"b", "a.\"x\"", "d"});
  TemporaryFile file;
  {
    simulation::RunInfo info;
    info.states = {{"free", "m"}, {"rod.mode_2", "m"}, {"rod.mode_1", "m"}};
    info.scene = R"({"bodies":[{"modes":{"states":["rod.mode_1","rod.mode_2","gone"]}}]})";
    ResultWriter writer(file);
    writer.begin(info);
    for (int i = 0; i < 5; ++i) {
      const double y[] = {7, 0.5 * i, -0.25 * i}, rates[] = {0, 0, 0};
      writer.sample({.t = 0.1 * i, .y = y, .yp = rates});
    }
    writer.end({.status = simulation::RunStatus::finished});
  }
  const Decoded d = Decoded::of_page(page_of(file));
  const YAML::Node frames = d.root["runs"][0]["frames"];
  CHECK(frames["state_names"].as<std::vector<std::string>>() == std::vector<std::string>{"rod.mode_1", "rod.mode_2"});
  CHECK(d.array(frames["states"]) ==
        std::vector<double>{0, -0.25, -0.5, -0.75, -1, 0, 0.5, 1, 1.5, 2});  // exact in floats
}

TEST_CASE("Drift and step history") {
  const TemporaryFile file;
  example::write(file);
  const Decoded d = Decoded::of_page(page_of(file));
  const YAML::Node run = d.root["runs"][0];
  CHECK(d.array(run["drift"]["position"])[10] == doctest::Approx(1e-9));  // at t = 1
  CHECK(d.array(run["drift"]["velocity"])[5] == doctest::Approx(0.5e-8));
  CHECK(d.array(run["steps"]["t"])[3] == 0.3);
  CHECK(d.array(run["steps"]["order"])[3] == 4);
  CHECK(d.array(run["steps"]["dominant"])[3] == 1);
}

TEST_CASE("Rotations do not jump to the other quaternion of the same turn") {
  const TemporaryFile file;
  simulation::RunInfo info = example::info();
  info.bodies = {{"spinner", 1}};
  ResultWriter writer(file);
  writer.begin(info);
  for (int i = 0; i <= 40; ++i) {  // the recorded sign changes every third sample
    const double angle = 0.2 * i, sign = i % 3 == 0 ? -1 : 1;
    const std::vector<double> pose{0, 0, 0, sign * std::cos(angle / 2), 0, 0, sign * std::sin(angle / 2)};
    writer.sample({.t = 0.1 * i, .poses = pose});
  }
  writer.end({.status = simulation::RunStatus::finished});
  const Decoded d = Decoded::of_page(page_of(file));
  const std::vector<double> q = d.array(d.root["runs"][0]["frames"]["quaternions"]);
  REQUIRE(q.size() == 4 * 41);
  for (std::size_t f = 1; f < 41; ++f) {
    const double dot = q[f] * q[f - 1] + q[3 * 41 + f] * q[3 * 41 + f - 1];
    CHECK(dot == doctest::Approx(std::cos(0.1)).epsilon(1e-4));
  }
}

TEST_CASE("A long run is thinned to the size that is asked for; peaks and statistics stay") {
  const TemporaryFile file;
  const Long run(20'000, 8);
  run.write(file);
  for (const std::size_t most : {300'000, 60'000}) {
    const std::string page = page_of(file, most);
    CHECK(page.size() <= most);
    const Decoded d = Decoded::of_page(page);
    const YAML::Node r = d.root["runs"][0];
    CHECK(r["thinned"].as<double>() >= 20'000.0 / (most / 150.0));
    CHECK(r["info"]["samples"].as<int>() == 20'000);
    for (std::size_t c = 0; c < 8; ++c) {
      const YAML::Node channel = r["channels"][c];
      const std::vector<double> time = d.array(r["times"][channel["time"].as<std::size_t>()]);
      const std::vector<double> values = d.array(channel["values"]);
      REQUIRE(time.size() == values.size());
      CHECK(values.size() >= 100);
      const auto peak = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
      CHECK(values[peak] == 5);
      CHECK(std::abs(time[peak] - run.time(run.peak)) <= 10.0 / (1 << 26));  // see shorten() in run_json.cpp
      CHECK(time.front() == 0);
      CHECK(time.back() == 10);
      CHECK(channel["stats"]["max"].as<double>() == 5);
      // Integral of the sine over [0, 10]; the peak adds (5 - sin) * the step to it.
      const double phase = static_cast<double>(c), step = run.time(1);
      const double sine = (std::cos(phase) - std::cos(30 + phase)) / 3;
      const double bump = (5 - std::sin(3 * run.time(run.peak) + phase)) * step;
      CHECK(channel["stats"]["mean"].as<double>() == doctest::Approx((sine + bump) / 10).epsilon(1e-5));
    }
    const std::vector<double> drift = d.array(r["drift"]["position"]);
    CHECK(*std::max_element(drift.begin(), drift.end()) == doctest::Approx(1e-3));
    CHECK(d.array(r["frames"]["time"]).size() >= 50);
  }
}

TEST_CASE("A larger page holds more samples, and all of them if it can") {
  const TemporaryFile file;
  Long(20'000, 8).write(file);
  const auto thinned = [&](std::size_t most) {
    return Decoded::of_page(page_of(file, most)).root["runs"][0]["thinned"].as<double>();
  };
  CHECK(thinned(300'000) > 5);
  CHECK(thinned(1'000'000) < 5);
  CHECK(thinned(3'000'000) == 1);
}

TEST_CASE("A fast wheel has so many frames that it turns the right way") {
  const TemporaryFile file;
  write_wheel(file, 50, 0.01);  // with 1200 frames, 0.08 s apart, it would seem to turn at 4 - 2 pi/0.08 = -28 rad/s
  const ResultFile result = ResultFile::open(file);
  const Report made = make_report({&result}, {.page = report::testing::plain_page});
  const Decoded d = Decoded::of_page(made.page);
  const auto [low, high] = shown_rates(d);
  CHECK(low == doctest::Approx(50).epsilon(1e-3));  // sixteen bits of the quaternions over a rad: 1e-4
  CHECK(high == doctest::Approx(50).epsilon(1e-3));
  CHECK(d.root["runs"][0]["frames"]["time"]["n"].as<int>() == 5001);  // each second sample: 1 rad
  CHECK(made.notes.empty());
  CHECK(!d.root["runs"][0]["note"]);
}

TEST_CASE("Rotations that are too fast for the page or for the samples are told") {
  const TemporaryFile file;
  const auto note_in = [&](std::size_t most) {
    const ResultFile result = ResultFile::open(file);
    const Report made = make_report({&result}, {.max_bytes = most, .page = report::testing::plain_page});
    REQUIRE(made.notes.size() == 1);
    const auto note = Decoded::of_page(made.page).root["runs"][0]["note"].as<std::string>();
    CHECK(made.notes[0] == "spinning: " + note);
    return note;
  };
  write_wheel(file, 50, 0.01);
  CHECK(holds(note_in(10'000), "A larger --max-size holds more frames."));
  write_wheel(file, 25, 0.1);
  CHECK(holds(note_in(3'000'000), "by up to 2.5 rad"));
  CHECK(holds(note_in(3'000'000), "smaller output_step"));
}

TEST_CASE("Times of a thinned run are exact at its ends and at events, and do not decrease") {
  const TemporaryFile file;
  simulation::RunInfo info;
  info.channels = {{"a", ""}};
  ResultWriter writer(file);
  writer.begin(info);
  const double end = 20.3, event = 7.0000000123;
  for (int i = 0; i <= 50'000; ++i) {
    const double t = i == 50'000 ? end : i * end / 50'000, value = std::sin(i * 0.7);
    const auto sample = [&](double at, int side) {
      writer.sample({.t = at, .channels = {&value, 1}, .channel_rates = {&value, 1}, .side = side});
    };
    if (t > event && t - event <= end / 50'000) {
      sample(event - 1e-9, 0), sample(event, -1), sample(event, 1), sample(event + 1e-9, 0);
    }
    sample(t, 0);
  }
  writer.end({.status = simulation::RunStatus::finished});
  const Decoded d = Decoded::of_page(page_of(file, 100'000));
  const std::vector<double> time = d.array(d.root["runs"][0]["times"][0]);
  CHECK(time.size() < 5000);
  CHECK(time.front() == 0);
  CHECK(time.back() == end);
  CHECK(std::count(time.begin(), time.end(), event) >= 2);
  CHECK(std::is_sorted(time.begin(), time.end()));
}

TEST_CASE("A damaged scene is left out, and told") {
  for (const char* scene : {R"({"bodies": [oops)", "[]", R"(null,"label":"injected")"}) {
    const TemporaryFile file;
    simulation::RunInfo info = example::info();
    info.scene = scene;
    ResultWriter(file).begin(info);
    const ResultFile result = ResultFile::open(file);
    const Report made = make_report({&result}, {.page = report::testing::plain_page});
    const YAML::Node run = Decoded::of_page(made.page).root["runs"][0];
    CHECK(run["scene"].IsNull());
    CHECK(run["label"].as<std::string>() == "half_car, bump");
    CHECK(holds(run["note"].as<std::string>(), "model/scene"));
    REQUIRE(made.notes.size() == 1);
    CHECK(holds(made.notes[0], "model/scene"));
  }
}

TEST_CASE("Times that decrease or are no numbers are refused") {
  for (const double wrong : {0.05, missing, std::numeric_limits<double>::infinity()}) {
    const TemporaryFile file;
    example::write(file, 11, [&](Numbers& n) { n.t = n.t > 0.45 && n.t < 0.55 ? wrong : n.t; });
    const std::string message = message_of([&] { page_of(file); });
    CHECK(holds(message, file.path.string()));
    CHECK(holds(message, "the time of sample 5 is"));
    CHECK(holds(message, "not decrease"));
  }
}

TEST_CASE("Two runs of the same model are told apart by the names of their results") {
  const TemporaryFile a, b, folder("_folder");
  example::write(a), example::write(b);
  std::filesystem::create_directory(folder.path);
  const std::filesystem::path c = folder.path / a.path.filename();
  example::write(c);
  const auto labels = [](const std::filesystem::path& x, const std::filesystem::path& y) {
    const ResultFile first = ResultFile::open(x), second = ResultFile::open(y);
    const Decoded d = Decoded::of_page(make_report({&first, &second}, {.page = report::testing::plain_page}).page);
    return std::pair(d.root["runs"][0]["label"].as<std::string>(), d.root["runs"][1]["label"].as<std::string>());
  };
  const auto label = [](const std::filesystem::path& name) { return "half_car, bump (" + name.string() + ")"; };
  CHECK(labels(a, b) == std::pair(label(a.path.filename()), label(b.path.filename())));
  CHECK(labels(a, c) == std::pair(label(a.path), label(c)));
}

TEST_CASE("A run without samples, one that is being written, and gaps") {
  const TemporaryFile file;
  ResultWriter writer(file);
  writer.begin(example::info());
  writer.flush();
  const YAML::Node empty = Decoded::of_page(page_of(file)).root["runs"][0];
  CHECK(empty["info"]["status"].as<std::string>() == "running");
  CHECK(empty["channels"].size() == 3);
  CHECK(empty["channels"][0]["stats"]["mean"].IsNull());
  CHECK(empty["frames"]["time"]["n"].as<int>() == 0);
  CHECK(empty["thinned"].as<double>() == 1);

  Numbers gap(0.5);
  gap.channels[1] = missing;
  gap.channels[2] = std::numeric_limits<double>::infinity();
  gap.poses[0] = missing;
  writer.sample(Numbers(0.25).sample());
  writer.sample(gap.sample());
  writer.flush();
  const Decoded d = Decoded::of_page(page_of(file));
  const YAML::Node run = d.root["runs"][0];
  CHECK(std::isnan(d.array(run["channels"][1]["values"])[1]));
  CHECK(std::isnan(d.array(run["channels"][2]["values"])[1]));  // infinity has no place in a plot
  CHECK(std::isnan(d.array(run["frames"]["positions"])[1]));
  CHECK(run["channels"][1]["stats"]["last"].IsNull());
}

TEST_CASE("Hostile names neither leave their place nor get lost") {
  const std::string script = "</title></script><script>alert(1)</script>";
  const TemporaryFile file;
  simulation::RunInfo info = example::info();
  info.model_name = script;
  info.experiment = "%SKYHOOK_DATA%\"'";
  info.source = "\xff\xfe" + script;
  info.channels[0] = {script + "\"\\\n\u2028\u8eca", "\"><b>"};
  ResultWriter writer(file);
  writer.begin(info);
  writer.sample(Numbers(0).sample());
  writer.event({0, script, std::string("\x1b[31m")});
  writer.end({.status = simulation::RunStatus::finished});
  const std::string page = page_of(file);
  CHECK(!holds(page, "alert(1)</script>"));
  CHECK(!holds(page, "</title></script>"));
  CHECK(holds(page, "&lt;script&gt;alert(1)"));
  const YAML::Node run = Decoded::of_page(page).root["runs"][0];
  CHECK(run["channels"][0]["name"].as<std::string>() == info.channels[0].name);
  CHECK(run["channels"][0]["unit"].as<std::string>() == info.channels[0].unit);
  CHECK(run["source"].as<std::string>() == "\uFFFD\uFFFD" + script);
}

TEST_CASE("A thousand bodies fit") {
  const TemporaryFile file;
  simulation::RunInfo info;
  for (int b = 0; b < 1000; ++b) info.bodies.push_back({"body" + std::to_string(b), 1});
  ResultWriter writer(file);
  writer.begin(info);
  std::vector<double> poses(7000);
  for (int i = 0; i < 600; ++i) {
    for (std::size_t k = 0; k < poses.size(); ++k) poses[k] = std::sin(0.01 * i * static_cast<double>(k % 101)) / 2;
    writer.sample({.t = 0.01 * i, .poses = poses});
  }
  writer.end({.status = simulation::RunStatus::finished});
  const std::string page = page_of(file);
  CHECK(page.size() <= 3'000'000);
  const Decoded d = Decoded::of_page(page);
  const YAML::Node frames = d.root["runs"][0]["frames"];
  const auto count = frames["time"]["n"].as<std::size_t>();
  CHECK(count >= 50);
  CHECK(frames["positions"]["n"].as<std::size_t>() == 3000 * count);
}

TEST_CASE("Two runs stand in one report") {
  const TemporaryFile a, b;
  example::write(a);
  Long(100, 2).write(b);
  const ResultFile first = ResultFile::open(a), second = ResultFile::open(b);
  const std::string page =
      make_report({&first, &second}, {.live = "version;7", .page = report::testing::plain_page}).page;
  const Decoded d = Decoded::of_page(page);
  REQUIRE(d.root["runs"].size() == 2);
  CHECK(d.root["runs"][1]["label"].as<std::string>() == "long");
  CHECK(d.array(d.root["runs"][1]["frames"]["positions"])[99] == 10);
  CHECK(holds(page, "content=\"version;7\""));
  CHECK(holds(page, "<title>half_car, bump and long - Skyhook</title>"));
}

TEST_CASE("Python reads a report") {
  const TemporaryFile file, html(".html"), program(".py");
  example::write(file);
  write_report(html, page_of(file));
  std::ofstream(program.path) << R"(
import base64, gzip, json, re, struct, sys, math
data = re.search(r'id="skyhook-data">([^<]*)<', open(sys.argv[1], encoding="utf-8").read()).group(1)
raw = gzip.decompress(base64.b64decode(data, validate=True))
assert raw[:8] == b"SKYHOOK1"
length, zero = struct.unpack_from("<II", raw, 8)
assert zero == 0
head = json.loads(raw[16:16 + length], parse_constant=lambda x: 1 / 0)  # no NaN in JSON
arrays = raw[-(-(16 + length) // 8) * 8:]
def array(ref):
    size, code = {"f8": (8, "d"), "f4": (4, "f"), "i4": (4, "i"), "i2": (2, "h")}[ref["type"]]
    n, at = ref["n"], ref["at"]
    planes = [arrays[at + k * n:at + (k + 1) * n] for k in range(size)]
    return struct.unpack("<%d%s" % (n, code), bytes(b for element in zip(*planes) for b in element))
run = head["runs"][0]
time = array(run["times"][0])
z = array(run["channels"][0]["values"])
assert len(time) == 11 and all(abs(v - math.sin(3 * t)) < 1e-7 for t, v in zip(time, z))
scale = run["frames"]["reactions"]["scales"][0]
first = array(run["frames"]["reactions"])[:11]
assert all(abs(v * scale - 100 * t) < 0.01 for t, v in zip(time, first))
)";
  CHECK(std::system(fmt::format("/usr/bin/python3 {} {}", program.path.string(), html.path.string()).c_str()) == 0);
}

TEST_CASE("A report replaces a report or an empty file, nothing else") {
  const TemporaryFile file, html(".html"), folder("_folder");
  example::write(file);
  const std::string page = page_of(file);
  write_report(html, page);
  write_report(html, page + "<!-- newer -->");
  CHECK(example::slurp(html) == page + "<!-- newer -->");
  std::ofstream(html.path) << "";
  CHECK_NOTHROW(write_report(html, page));
  std::ofstream(html.path) << "<html>my homepage</html>";
  CHECK(holds(message_of([&] { write_report(html, page); }), "is not a report, so it is not overwritten"));
  CHECK(example::slurp(html) == "<html>my homepage</html>");
  CHECK(holds(message_of([&] { write_report(file, page); }), "is not a report"));
  CHECK(holds(message_of([&] { write_report(folder.path / "a" / "r.html", page); }), "there is no folder"));
  std::filesystem::create_directory(folder.path);
  CHECK(holds(message_of([&] { write_report(folder, page); }), "is a folder"));
  write_report(folder.path / "r.html", page);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);  // nothing temporary is left
  CHECK(holds(message_of([&] { write_report("/dev/null", page); }), "not an ordinary file"));
}
