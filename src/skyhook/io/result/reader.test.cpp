// References: the functions that the example run samples, and files broken in known ways.
#include "skyhook/io/result/reader.h"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>

#include "skyhook/base/error.h"
#include "skyhook/io/result/example_run.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using example::holds;
using example::message_of;
using example::Numbers;
using example::TemporaryFile;

namespace fs = std::filesystem;

namespace {

std::string open_message(const fs::path& path) {
  return message_of([&] { ResultFile::open(path); });
}

// A force that jumps by 100 N at t = 0.5, sampled on both sides.
void write_with_event(const fs::path& path) {
  ResultWriter writer(path);
  writer.begin(example::info());
  for (const double t : {0.0, 0.25}) writer.sample(Numbers(t).sample());
  writer.sample(Numbers(0.5, -1).sample());
  writer.event({0.5, "valve", "opens"});
  for (const double t : {0.5, 0.75, 1.0}) writer.sample(Numbers(t, t == 0.5 ? 1 : 0, 100.0).sample());
  writer.end(example::summary());
}

}  // namespace

TEST_CASE("Values between samples are exact on a cubic and near on a sine") {
  const TemporaryFile file;
  example::write(file, 11);
  const ResultFile result = ResultFile::open(file);
  for (const double t : {0.0, 0.03, 0.55, 0.999, 1.0}) {
    const Numbers exact(t);
    CHECK(result.value_at("cubic", t) == doctest::Approx(exact.channels[2]).epsilon(1e-13));
    CHECK(result.series("cubic").at(t) == doctest::Approx(exact.channels[2]).epsilon(1e-13));
    // (3 h)^4 / 384 with h = 0.1
    CHECK(std::abs(result.value_at("chassis.z", t) - exact.channels[0]) < 2.2e-5);
  }
  CHECK(result.value_at("time", 0.123) == 0.123);
}

TEST_CASE("A sample is returned as it is") {
  const TemporaryFile file;
  example::write(file, 8);  // sevenths: none is a short binary number
  const ResultFile result = ResultFile::open(file);
  for (int i = 0; i < 8; ++i) CHECK(result.value_at("chassis.z", i / 7.0) == Numbers(i / 7.0).channels[0]);
}

TEST_CASE("Both sides of an event are respected") {
  const TemporaryFile file;
  write_with_event(file);
  const ResultFile result = ResultFile::open(file);
  CHECK(result.sides() == std::vector<int>{0, 0, -1, 1, 0, 0});
  CHECK(result.value_at("strut.force", 0.5, Side::before) == 1000 * std::exp(-0.5));
  CHECK(result.value_at("strut.force", 0.5) == 1000 * std::exp(-0.5) + 100);
  // f'''' h^4 / 384 with h = 0.25: 0.01 N, and nothing of the 100 N
  CHECK(std::abs(result.value_at("strut.force", 0.499) - 1000 * std::exp(-0.499)) < 0.011);
  CHECK(std::abs(result.value_at("strut.force", 0.501) - 1000 * std::exp(-0.501) - 100) < 0.011);
}

TEST_CASE("A state to restart from is exact at samples and interpolated between them") {
  const TemporaryFile file;
  example::write(file, 101);
  const ResultFile result = ResultFile::open(file);
  const RestartState at_sample = result.state_at(0.5);
  CHECK(at_sample.y == Numbers(0.5).y);
  CHECK(at_sample.yp == Numbers(0.5).yp);
  CHECK(at_sample.names == std::vector<std::string>{"heave.z", "heave.vz"});
  const RestartState between = result.state_at(0.505);
  CHECK(between.t == 0.505);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::abs(between.y[i] - Numbers(0.505).y[i]) < 3 * 81 * 1e-8 / 384 * 1.01);  // 3 is the amplitude of vz
    CHECK(std::abs(between.yp[i] - Numbers(0.505).yp[i]) < 1e-5);
  }
}

TEST_CASE("A time outside the run is refused with the range; rounding is forgiven") {
  const TemporaryFile file;
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  CHECK(holds(message_of([&] { result.value_at("cubic", 1.5); }), "from 0 s to 1 s"));
  CHECK(holds(message_of([&] { result.value_at("cubic", std::nan("")); }), "no values"));
  CHECK(holds(message_of([&] { result.state_at(-0.1); }), "no values at t = -0.1 s"));
  CHECK(result.value_at("cubic", std::nextafter(1.0, 2.0)) == result.value_at("cubic", 1.0));
}

TEST_CASE("An unknown channel is answered with the nearest") {
  const TemporaryFile file;
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  CHECK(holds(message_of([&] { result.series("strut.farce"); }), "Did you mean \"strut.force\"?"));
  CHECK(holds(message_of([&] { result.select({"nothing.*"}); }), "Channels here: chassis.z, strut.force, cubic."));
}

TEST_CASE("Channels are selected by name and pattern, in order and once; states by name") {
  const TemporaryFile file;
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  using Names = std::vector<std::string>;
  CHECK(result.select({}) == Names{"chassis.z", "strut.force", "cubic"});
  CHECK(result.select({"cubic", "*.*"}) == Names{"cubic", "chassis.z", "strut.force"});
  CHECK(result.select({"*", "cubic"}) == Names{"chassis.z", "strut.force", "cubic"});
  CHECK(result.select({"heave.vz", "time"}) == Names{"heave.vz", "time"});
  CHECK(result.series("heave.vz").unit == "m/s");
  CHECK(result.series("heave.vz").values[10] == Numbers(1.0).y[1]);
  CHECK(result.series("time").values == result.time());
}

TEST_CASE("Patterns") {
  CHECK(matches("*", ""));
  CHECK(matches("a*c", "abbbc"));
  CHECK(matches("*.strut.*", "front.strut.force"));
  CHECK(matches("a?c", "abc"));
  CHECK(matches("*ab", "aab"));
  CHECK_FALSE(matches("a?c", "ac"));
  CHECK_FALSE(matches("a*c", "abcd"));
  CHECK_FALSE(matches("", "a"));
  CHECK_FALSE(matches(std::string(50, '*') + "b", std::string(5000, 'a')));  // does not explode
}

TEST_CASE("A file that is no result is refused with the reason") {
  const TemporaryFile none, text(".txt"), empty, other, folder("");
  std::ofstream(text.path) << "time,z\n0,1\n";
  std::ofstream(empty.path).flush();
  fs::create_directory(folder);
  H5Fclose(H5Fcreate(other.path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(holds(open_message(none), "there is no such file"));
  CHECK(holds(open_message(text), "not an HDF5 file"));
  CHECK(holds(open_message(empty), "not an HDF5 file"));
  CHECK(holds(open_message(folder), "is a folder"));
  CHECK(holds(open_message(other), "is an HDF5 file, but not a Skyhook result"));
}

TEST_CASE("A part of a run that was killed at once says so") {
  const TemporaryFile file;
  const fs::path part = file.path.string() + ".part", left = file.path.string() + ".left.h5.part";
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    writer.sample(Numbers(0).sample());
    fs::copy_file(part, left);  // as a kill leaves it
  }
  CHECK(holds(open_message(file.path.string() + ".left.h5"), "killed before its first records were written"));
  fs::remove(left);
  std::ofstream(left).flush();
  CHECK(holds(open_message(left), "killed before its first records were written"));
  fs::remove(left);
}

TEST_CASE("A newer format is refused") {
  const TemporaryFile file;
  example::write(file);
  const hid_t id = H5Fopen(file.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(id, "skyhook_format", H5P_DEFAULT);
  const long newer = 7;
  H5Awrite(attribute, H5T_NATIVE_LONG, &newer);
  H5Aclose(attribute);
  H5Fclose(id);
  CHECK(holds(open_message(file), "has format 7, and this Skyhook reads up to 1"));
}

TEST_CASE("A finished file that was cut is refused wherever it was cut") {
  const TemporaryFile file, cut;
  example::write(file, 600);
  const std::string whole = example::slurp(file);
  std::size_t refused = 0, tried = 0;
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes < 4096 ? 97 : whole.size() / 40) {
    std::ofstream(cut.path, std::ios::binary) << whole.substr(0, bytes);
    refused += open_message(cut) != "no error";
    ++tried;
  }
  CHECK(refused == tried);
  std::ofstream(cut.path, std::ios::binary) << whole.substr(0, whole.size() - 1);
  CHECK(holds(open_message(cut), "is cut off"));
}

TEST_CASE("Of an unfinished file that was cut, only samples that are there are shown") {
  const TemporaryFile file, cut;
  const pid_t child = fork();
  if (child == 0) {
    auto* writer = new ResultWriter(file, {.buffered_samples = 256});
    writer->begin(example::info());
    for (int i = 0; i < 5 * 256; ++i) writer->sample(Numbers(0.001 * i).sample());
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const std::string whole = example::slurp(file.part());
  REQUIRE(ResultFile::open(file).samples() == 5 * 256);
  std::ofstream(cut.path, std::ios::binary) << whole.substr(0, whole.size() * 3 / 4);
  const ResultFile result = ResultFile::open(cut);
  CHECK(result.samples() > 0);
  CHECK(result.samples() < 5 * 256);
  CHECK(result.samples() % 256 == 0);
  bool same = true;  // HDF5 would give zeros for what is missing
  const Block poses = result.poses();
  for (std::size_t i = 0; i < result.samples(); ++i)
    same = same && poses.row(i)[13] == Numbers(result.time()[i]).poses[13];
  CHECK(same);
}

TEST_CASE("A result without samples says so") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin(example::info());
  }
  const ResultFile result = ResultFile::open(file);
  CHECK(result.samples() == 0);
  CHECK(result.series("cubic").values.empty());
  CHECK(holds(message_of([&] { result.value_at("cubic", 0.0); }), "has no samples"));
}

TEST_CASE(
    "A file from before projections and updates were counted has none of them; another number missing is an error") {
  const TemporaryFile file;
  example::write(file);
  const auto without = [&](const char* number) {
    const hid_t id = H5Fopen(file.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    REQUIRE(H5Ldelete(id, number, H5P_DEFAULT) >= 0);
    H5Fclose(id);
  };
  without("summary/updates"), without("summary/projections");
  const simulation::RunSummary read = ResultFile::open(file).summary();
  CHECK(read.cost.updates == 0);
  CHECK(read.cost.projections == 0);
  CHECK(read.cost.jacobians == 6);
  without("events/source");  // from before events said whose they are
  REQUIRE(ResultFile::open(file).events().size() == 1);
  CHECK(ResultFile::open(file).events()[0].name == "touchdown");
  CHECK(ResultFile::open(file).events()[0].element.empty());
  without("summary/jacobians");
  CHECK(holds(message_of([&] { ResultFile::open(file).summary(); }), "jacobians"));
}
