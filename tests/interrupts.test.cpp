// Signals end analyses as they end runs: exit code 130, and what there is by then is printed.
#ifdef SKYHOOK_APP
#include <signal.h>

#include <chrono>
#include <thread>

#include "program.testing.h"
#include "skyhook/io/result/reader.h"

using namespace skyhook;
using testing::lacks, testing::Place;
namespace fs = std::filesystem;

namespace {

// The program, which stands in the folder `at` and writes into out and err.
class Program {
 public:
  Program(const Place& at, const std::string& arguments, const std::string& before = "") {
    const std::string command = "cd " + at.path.string() +
                                " && ln -sfn " SKYHOOK_SOURCE_DIR "/models/mechanisms mechanisms && " + before +
                                " exec " SKYHOOK_APP " " + arguments + " >out 2>err";
    child_ = fork();
    if (child_ > 0) return;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (child_ > 0) kill(child_, SIGKILL), waitpid(child_, nullptr, 0);
  }
  void send(int signal) const { REQUIRE(kill(child_, signal) == 0); }
  int exit_code() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = 0;
};

void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

// A run that goes on for hours has begun to listen when its file is there.
void await_file(const fs::path& file) {
  for (int i = 0; i < 400 && !fs::exists(file); ++i) wait(50);
  wait(300);
}

constexpr const char* long_run = "run mechanisms/four_bar.yaml --until 1e6 --output-step 0.1 -o long.h5";

}  // namespace

// The branch is followed within a second, and the ramp takes hours: signals come where nothing is found yet, on the branch and in the ramp.
TEST_CASE("critical-speed that is interrupted says so, with what it has found") {
  for (const int milliseconds : {250, 600, 3000}) {
    CAPTURE(milliseconds);
    const Place at;
    Program program(
        at, "critical-speed mechanisms/self_excited.yaml --sweep 'v=30..45/40 m/s' --output x --ramp 100000 --json");
    wait(milliseconds);
    program.send(milliseconds == 600 ? SIGTERM : SIGINT);
    const int code = program.exit_code();
    if (code == -1) continue;  // on a busy machine the program has not begun to listen yet, and the signal has ended it
    CHECK(code == 130);
    CHECK(
        at.json("d['interrupted'] and d['verdicts'][-1].startswith('interrupted') and not any('fails' in v for v in "
                "d['verdicts'])"));
    CHECK(lacks(at.text("err"), "fail"));
  }
}

TEST_CASE("critical-speed that is not interrupted says that too") {
  const Place at;
  CHECK(
      at.run("critical-speed mechanisms/self_excited.yaml --sweep 'v=30..45/4 m/s' --output x --linear --json").code ==
      0);
  CHECK(at.json("d['interrupted'] is False"));
}

TEST_CASE("A root locus that is interrupted keeps its points") {
  const Place at;
  Program program(at, "modes mechanisms/self_excited.yaml --sweep 'v=30..45/100000 m/s' --json");
  wait(3000);
  program.send(SIGINT);
  const int code = program.exit_code();
  if (code == -1) return;
  CHECK(code == 130);
  CHECK(at.json(
      "d['interrupted'] and 0 < len(d['values']) < 100000 and len(d['branches'][0]['points']) == len(d['values'])"));
}

// A closed terminal sends it twice: from the system and from the shell.
TEST_CASE("SIGHUP ends a run as SIGTERM does") {
  const Place at;
  Program program(at, long_run);
  await_file(at.path / "long.h5.part");
  program.send(SIGHUP), program.send(SIGHUP);
  CHECK(program.exit_code() == 130);
  const auto result = io::ResultFile::open(at.path / "long.h5");
  CHECK(result.samples() > 1);
  CHECK(result.summary().status == simulation::RunStatus::interrupted);
}

// The stored instants are 2000 s apart, at the loosest tolerance; between them the run goes on at a tight one, which takes many seconds.
TEST_CASE("A run that starts --from between two instants listens to signals on its way there") {
  const Place at;
  Program first(at, "run mechanisms/four_bar.yaml --until 4000 --output-step 2000 --tolerance 1e-2 --quiet -o old.h5");
  REQUIRE(first.exit_code() == 0);
  for (const std::string command : {"run", "modes"}) {
    Program program(at, command + " mechanisms/four_bar.yaml --from old.h5@3999 --tolerance 1e-12 --solver radau5" +
                            (command == "run" ? " --until 5000 -o new.h5" : ""));
    wait(2500);
    program.send(SIGINT);
    CHECK(program.exit_code() == 130);
    const std::string said = at.text("out") + at.text("err");
    CHECK_MESSAGE(
        said.find("The run from the stored instant at 2000 s to 3999 s was interrupted at ") != std::string::npos,
        said);
  }
  CHECK_FALSE(fs::exists(at.path / "new.h5"));
}

TEST_CASE("SIGHUP that is ignored (nohup) stays ignored") {
  const Place at;
  Program program(at, long_run, "trap '' HUP;");
  await_file(at.path / "long.h5.part");
  program.send(SIGHUP);
  wait(500);
  CHECK(fs::exists(at.path / "long.h5.part"));
  program.send(SIGTERM);
  CHECK(program.exit_code() == 130);
}
#endif

TEST_CASE("critical-speed refuses an output that is not there, where none is needed too") {
  const Place at;
  for (const std::string linear : {"", " --linear"}) {
    const auto done =
        at.run("critical-speed mechanisms/self_excited.yaml --sweep 'v=30..45/4 m/s' --output nosuch" + linear);
    CHECK(done.code == 2);
    CHECK_MESSAGE(done.err.find("output \"nosuch\" matches no channel") != std::string::npos, done.err);
  }
}
