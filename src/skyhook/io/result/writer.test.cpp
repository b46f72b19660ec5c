// References: what was handed to the writer, compared bit for bit with what the reader finds.
#include "skyhook/io/result/writer.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "skyhook/base/error.h"
#include "skyhook/io/result/example_run.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using namespace skyhook::io;
using example::holds;
using example::message_of;
using example::Numbers;
using example::TemporaryFile;

namespace fs = std::filesystem;

namespace {

bool same_bits(CSpan a, CSpan b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Runs `work` in a child process that ends without destructors, as if it were killed.
template <class Work>
int in_child(Work&& work) {
  std::cout.flush();  // or the child prints it again
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("All that is written is read back bit for bit") {
  const TemporaryFile file;
  example::write(file, 700);  // more than two buffers
  const ResultFile result = ResultFile::open(file);
  REQUIRE(result.samples() == 700);
  const Block y = result.state_values(), yp = result.state_rates(), poses = result.poses(),
              reactions = result.reactions(), forces = result.forces(), residuals = result.residuals();
  bool same = true;
  for (std::size_t i = 0; i < 700; ++i) {
    const Numbers n(static_cast<double>(i) / 699.0);
    same = same && result.time()[i] == n.t && same_bits(y.row(i), n.y) && same_bits(yp.row(i), n.yp) &&
           same_bits(poses.row(i), n.poses) && same_bits(reactions.row(i), n.reactions) &&
           same_bits(forces.row(i), n.forces) && same_bits(residuals.row(i), n.residuals);
  }
  CHECK(same);
  for (std::size_t c = 0; c < 3; ++c) {
    const Series series = result.series(result.channels()[c].name);
    CHECK(series.unit == example::info().channels[c].unit);
    for (std::size_t i = 0; i < 700; i += 50) {
      CHECK(series.values[i] == Numbers(series.time[i]).channels[c]);
      CHECK(series.rates[i] == Numbers(series.time[i]).rates[c]);
    }
  }
}

TEST_CASE("Facts, names and texts are read back") {
  const TemporaryFile file;
  example::write(file);
  const ResultFile result = ResultFile::open(file);
  const simulation::RunInfo& read = result.info();
  const simulation::RunInfo written = example::info();
  CHECK(read.model_name == written.model_name);
  CHECK(read.model_file == written.model_file);
  CHECK(read.experiment == written.experiment);
  CHECK(read.formulation == written.formulation);
  CHECK(read.solver == written.solver);
  CHECK(read.jacobian == written.jacobian);
  CHECK(read.source == written.source);
  CHECK(read.expanded == written.expanded);
  CHECK(read.parameters == written.parameters);
  CHECK(read.tolerance == written.tolerance);
  CHECK(read.t_start == written.t_start);
  CHECK(read.t_end == written.t_end);
  CHECK(read.joints == written.joints);
  CHECK(read.forces == written.forces);
  CHECK(read.scene == written.scene);
  CHECK(read.constraints == written.constraints);
  CHECK(read.report == written.report);
  REQUIRE(read.bodies.size() == 2);
  CHECK(read.bodies[1].name == "wheel");
  CHECK(read.bodies[1].mass == 40);
  REQUIRE(read.states.size() == 2);
  CHECK(read.states[1].name == "heave.vz");
  CHECK(read.states[1].unit == "m/s");
  CHECK(result.created().size() == std::string("2024-05-01T12:00:00Z").size());
  CHECK_FALSE(result.skyhook_version().empty());
}

TEST_CASE("Steps, events and the summary are read back") {
  const TemporaryFile file;
  example::write(file, 3000);  // more steps than fit one chunk
  const ResultFile result = ResultFile::open(file);
  const auto steps = result.steps();
  REQUIRE(steps.size() == 3000);
  CHECK(steps[2999].t == 1.0);
  CHECK(steps[2999].h == 0.01);
  CHECK(steps[2999].order == 1 + 2999 % 5);
  CHECK(steps[2999].dominant == 1);
  const auto events = result.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].t == 0.5);
  CHECK(events[0].name == "touchdown");
  CHECK(events[0].detail == "wheel on road");
  CHECK(events[0].element == "tyre");
  CHECK(events[0].kind == "switching");

  const simulation::RunSummary read = result.summary(), written = example::summary();
  CHECK(read.status == written.status);
  CHECK(read.reason == written.reason);
  CHECK(read.t_reached == written.t_reached);
  CHECK(read.seconds == written.seconds);
  CHECK(read.energy_closure == written.energy_closure);
  CHECK(read.position_residual == written.position_residual);
  CHECK(read.velocity_residual == written.velocity_residual);
  CHECK(read.cost.steps == 101);
  CHECK(read.cost.error_test_failures == 2);
  CHECK(read.cost.newton_failures == 3);
  CHECK(read.cost.residuals == 404);
  CHECK(read.cost.residuals_for_jacobian == 55);
  CHECK(read.cost.jacobians == 6);
  CHECK(read.cost.factorisations == 77);
  CHECK(read.cost.newton_iterations == 888);
  CHECK(read.cost.seconds == 0.125);
  CHECK(read.cost.projections == 9);
  CHECK(read.cost.updates == 33);
  CHECK(read.samples == 40);
  CHECK(read.events == 1);
  REQUIRE(read.limits.size() == 2);
  CHECK(read.limits[0].state == "heave.z");
  CHECK(read.limits[0].element == "heave");
  CHECK(read.limits[0].steps == 90);
  CHECK(read.limits[1].element.empty());
}

TEST_CASE("Hostile names survive") {
  const TemporaryFile file;
  simulation::RunInfo info = example::info();
  const std::vector<std::string> names = {"a \"b\", c", "\u4e2d\u6587 \U0001F697\n\t\x01", std::string(1000, 'x')};
  for (std::size_t i = 0; i < 3; ++i) info.channels[i] = {names[i], names[2 - i]};
  info.model_name = names[1];
  info.joints = {""};
  {
    ResultWriter writer(file);
    writer.begin(info);
    writer.sample(Numbers(0.0).sample());
    writer.event({0.0, names[0], names[1]});
    writer.event({0.0, "", names[2]});
    simulation::RunSummary summary = example::summary();
    summary.limits[0].state = names[1];
    writer.end(summary);
  }
  const ResultFile result = ResultFile::open(file);
  CHECK(result.info().model_name == names[1]);
  CHECK(result.info().joints == std::vector<std::string>{""});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result.channels()[i].name == names[i]);
    CHECK(result.channels()[i].unit == names[2 - i]);
    CHECK(result.series(names[i]).values[0] == Numbers(0.0).channels[i]);
  }
  CHECK(result.events()[0].name == names[0]);
  CHECK(result.events()[0].detail == names[1]);
  CHECK(result.events()[1].name.empty());
  CHECK(result.events()[1].detail == names[2]);
  CHECK(result.summary().limits[0].state == names[1]);
}

TEST_CASE("A run without channels, bodies, joints, constraints and texts is a file, too") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin({});
    writer.sample({.t = 2.0,
                   .y = {},
                   .yp = {},
                   .poses = {},
                   .channels = {},
                   .channel_rates = {},
                   .reactions = {},
                   .forces = {},
                   .residuals = {}});
    writer.end({});
  }
  const ResultFile result = ResultFile::open(file);
  CHECK(result.samples() == 1);
  CHECK(result.time()[0] == 2.0);
  CHECK(result.channels().empty());
  CHECK(result.poses().width == 0);
  CHECK(result.state_at(2.0).y.empty());
  CHECK(result.info().source.empty());
}

TEST_CASE("Quantities that a sample does not have are NaN") {
  const TemporaryFile file;
  const Numbers numbers(0.5);
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    simulation::Sample sample = numbers.sample();
    sample.reactions = {};
    writer.sample(sample);
  }
  const ResultFile result = ResultFile::open(file);
  REQUIRE(result.reactions().values.size() == 6);
  CHECK(std::isnan(result.reactions().values[5]));
  CHECK(result.poses().values == numbers.poses);
}

// Chunks that nobody writes read as NaN; those of a series that begins later have NaN before it.
TEST_CASE("Reactions that nobody computes take no room, and may begin at any sample") {
  const auto bytes_with = [](std::size_t first, const TemporaryFile& file) {
    {
      ResultWriter writer(file);
      writer.begin(example::info());
      for (std::size_t i = 0; i < 900; ++i) {
        const Numbers numbers(0.001 * static_cast<double>(i));
        simulation::Sample sample = numbers.sample();
        if (i < first) sample.reactions = {};
        writer.sample(sample);
      }
      writer.end(example::summary());
    }
    const ResultFile result = ResultFile::open(file);
    REQUIRE(result.samples() == 900);
    const Block reactions = result.reactions();
    bool same = true;
    for (std::size_t i = 0; i < 900; ++i) {
      const Numbers numbers(0.001 * static_cast<double>(i));
      same = same && (i < first ? std::isnan(reactions.row(i)[0]) && std::isnan(reactions.row(i)[5])
                                : same_bits(reactions.row(i), numbers.reactions));
    }
    CHECK(same);
    return fs::file_size(file.path);
  };
  const TemporaryFile all, late, none;
  const auto whole = bytes_with(0, all), some = bytes_with(300, late), least = bytes_with(900, none);
  constexpr std::size_t chunk = 256 * 6 * sizeof(double);  // of one joint: the first of four is left out, or all
  CHECK(whole - some == chunk);
  CHECK(whole - least >= 4 * chunk);
  CHECK(whole - least < 5 * chunk);
}

TEST_CASE("A reader in the same program sees the samples so far") {
  const TemporaryFile file;
  ResultWriter writer(file, {.buffered_samples = 256, .flush_seconds = 1e9});
  writer.begin(example::info());
  writer.flush();
  ResultFile result = ResultFile::open(file);
  CHECK(result.samples() == 0);
  CHECK(result.summary().status == simulation::RunStatus::running);
  for (int i = 0; i < 300; ++i) writer.sample(Numbers(0.001 * i).sample());
  result.refresh();
  CHECK(result.samples() == 256);  // a full buffer is written without being asked
  writer.flush();
  result.refresh();
  CHECK(result.samples() == 300);
  CHECK(result.summary().t_reached == 0.001 * 299);
  CHECK(result.value_at("chassis.z", 0.001 * 299) == Numbers(0.001 * 299).channels[0]);
  writer.end(example::summary());
  result.refresh();
  CHECK(result.summary().status == simulation::RunStatus::failed);
}

TEST_CASE("A reader in another program sees the samples so far, and the end") {
  const TemporaryFile file;
  int to_child[2], to_parent[2];
  REQUIRE(pipe(to_child) == 0);
  REQUIRE(pipe(to_parent) == 0);
  char token = 0;
  const pid_t child = fork();
  if (child == 0) {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (int i = 0; i < 10; ++i) {  // ten bursts, each when the parent asks
      for (int j = 0; j < 100; ++j) writer.sample(Numbers(0.001 * (100 * i + j)).sample());
      writer.event({0.1 * i, "burst", std::to_string(i)});
      writer.flush();
      if (::write(to_parent[1], "x", 1) != 1 || read(to_child[0], &token, 1) != 1) _exit(1);
    }
    writer.end(example::summary());
    _exit(0);
  }
  REQUIRE(read(to_parent[0], &token, 1) == 1);
  ResultFile result = ResultFile::open(file);
  for (std::size_t i = 0; i < 10; ++i) {
    if (i > 0) {
      REQUIRE(read(to_parent[0], &token, 1) == 1);
      result.refresh();
    }
    REQUIRE(result.samples() == 100 * (i + 1));
    CHECK(result.series("cubic").values.back() == Numbers(result.time().back()).channels[2]);
    CHECK(result.events().size() == i + 1);
    CHECK(result.summary().status == simulation::RunStatus::running);
    REQUIRE(::write(to_child[1], "x", 1) == 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  result.refresh();
  CHECK(result.summary().status == simulation::RunStatus::failed);
  for (const int end : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) close(end);
}

TEST_CASE("Time makes samples visible, too") {
  const TemporaryFile file;
  ResultWriter writer(file, {.buffered_samples = 256, .flush_seconds = 0.0});
  writer.begin(example::info());
  writer.sample(Numbers(0.0).sample());
  CHECK(ResultFile::open(file).samples() == 1);
}

TEST_CASE("A writer destroyed without an end keeps all samples") {
  const TemporaryFile file;
  {
    ResultWriter writer(file);
    writer.begin(example::info());
    for (int i = 0; i < 300; ++i) writer.sample(Numbers(0.001 * i).sample());
  }
  const ResultFile result = ResultFile::open(file);
  CHECK(result.samples() == 300);
  CHECK(result.summary().status == simulation::RunStatus::interrupted);
  CHECK(result.summary().t_reached == 0.001 * 299);
}

TEST_CASE("A program that died leaves what it had flushed") {
  const TemporaryFile file;
  CHECK(in_child([&] {
          auto* writer = new ResultWriter(file, {.buffered_samples = 256});
          writer->begin(example::info());
          for (int i = 0; i < 300; ++i) writer->sample(Numbers(0.001 * i).sample());
          raise(SIGKILL);
          return 0;
        }) == -1);
  const ResultFile result = ResultFile::open(file);
  CHECK(result.samples() == 256);
  CHECK(result.summary().status == simulation::RunStatus::running);
  CHECK(result.series("chassis.z").values[255] == Numbers(0.001 * 255).channels[0]);
  example::write(file);  // and the next run can replace it
  CHECK(ResultFile::open(file).samples() == 11);
}

TEST_CASE("A place that cannot be written is refused with advice") {
  const auto begin = [](const fs::path& path) {
    return message_of([&] { ResultWriter(path).begin(example::info()); });
  };
  const TemporaryFile folder("");
  fs::create_directory(folder);
  CHECK(holds(begin(folder), "is a folder"));
  CHECK(holds(begin(folder), "run.h5"));
  CHECK(holds(begin(folder.path / "none" / "a.h5"), "there is no folder"));
  CHECK(holds(begin("/dev/null"), "not an ordinary file"));
  CHECK(holds(begin(""), "no name"));

  const fs::path model = folder.path / "model.yaml";
  std::ofstream(model) << "skyhook: 1\n";
  CHECK(holds(begin(model), "not overwritten"));
  CHECK(example::slurp(model) == "skyhook: 1\n");

  if (geteuid() == 0) {  // root may write anywhere, so ask as nobody
    CHECK(in_child([&] {
            fs::permissions(folder.path, fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
            if (setuid(65534) != 0) return 2;
            return holds(begin(folder.path / "a.h5"), "Permission denied") ? 0 : 1;
          }) == 0);
  }
}

TEST_CASE("A full disk is an error that says so, and nothing crashes") {
  const TemporaryFile file;
  const int outcome = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{600000, 600000};  // bytes a file may have: writing beyond fails as on a full disk
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string message;
    {
      ResultWriter writer(file, {.buffered_samples = 256});
      writer.begin(example::info());
      message = message_of([&] {
        for (int i = 0; i < 100000; ++i) writer.sample(Numbers(0.001 * i).sample());
      });
      writer.sample(Numbers(1000.0).sample());  // ignored
      writer.end(example::summary());
    }
    std::exit(holds(message, "File too large") && holds(message, "ulimit -f") && holds(message, ".part") ? 0 : 1);
    return 2;
  });
  CHECK(outcome == 0);  // std::exit, since HDF5 would crash in its exit handler on a file it cannot close
  const ResultFile result = ResultFile::open(file);
  CHECK(result.samples() > 256);
  CHECK(result.series("cubic").values.back() == Numbers(result.time().back()).channels[2]);
}

TEST_CASE("A disk that is full from the start is an error, too") {
  const TemporaryFile file;
  CHECK(in_child([&] {
          signal(SIGXFSZ, SIG_IGN);
          const rlimit limit{2000, 2000};
          setrlimit(RLIMIT_FSIZE, &limit);
          const std::string message = message_of([&] { ResultWriter(file).begin(example::info()); });
          std::exit(holds(message, "File too large") ? 0 : 1);
          return 2;
        }) == 0);
}

TEST_CASE("Runs in several threads write at the same time") {
  const TemporaryFile a, b;
  std::thread one([&] { example::write(a, 2001); }), two([&] { example::write(b, 2001); });
  one.join();
  two.join();
  CHECK(ResultFile::open(a).series("cubic").values == ResultFile::open(b).series("cubic").values);
  CHECK(ResultFile::open(b).samples() == 2001);
}

TEST_CASE("A new result does not disturb who reads the old one") {
  const TemporaryFile file;
  example::write(file, 11);
  const ResultFile old = ResultFile::open(file);
  example::write(file, 21);
  CHECK(old.series("cubic").values.size() == 11);
  CHECK(old.series("cubic").values[10] == Numbers(1.0).channels[2]);
  CHECK(ResultFile::open(file).samples() == 21);
}

TEST_CASE("Many samples of many channels stream") {
  const TemporaryFile file;
  simulation::RunInfo info;
  for (int i = 0; i < 50; ++i) info.channels.push_back({"c" + std::to_string(i), "m"});
  std::vector<double> values(50), rates(50, 1.0);
  constexpr int n = 100000;
  {
    ResultWriter writer(file);
    writer.begin(info);
    for (int i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < 50; ++c) values[c] = i + 1000.0 * static_cast<double>(c);
      writer.sample({.t = 1e-3 * i,
                     .y = {},
                     .yp = {},
                     .poses = {},
                     .channels = values,
                     .channel_rates = rates,
                     .reactions = {},
                     .forces = {},
                     .residuals = {}});
    }
    writer.end({});
  }
  const Series last = ResultFile::open(file).series("c49");
  REQUIRE(last.values.size() == n);
  bool same = true;
  for (int i = 0; i < n; ++i) same = same && last.values[static_cast<std::size_t>(i)] == i + 49000.0;
  CHECK(same);
}
