// What commands do to files: nothing is lost before the new one is complete. References: the bytes of the older file, the exit
// code and the words of the message.
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "program.testing.h"

namespace fs = std::filesystem;
using skyhook::testing::Done;
using skyhook::testing::has;
using skyhook::testing::lacks;
using skyhook::testing::Place;
using skyhook::testing::text_of;

namespace {

const std::string pendulum =
    "skyhook: 1\n"
    "parameters: {k: 2}\n"
    "bodies: {arm: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0.2, 0, 0]}}\n"
    "joints: {hinge: {type: revolute, from: ground, to: arm, axis: y}}\n"
    "forces: {s: {type: spring_damper, joint: hinge, angular_stiffness: =k, angular_damping: 0.02}}\n"
    "outputs: [hinge.angle, hinge.angle_rate]\n"
    "experiments: {e: {until: 1 s, output_step: 10 ms}}\n";

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

// A shell in a folder "disk" of so many kilobytes, of its own mount namespace: it is gone with the shell.
int on_small_disk(const Place& at, int kilobytes, const std::string& script) {
  fs::create_directories(at.path / "disk");
  at.write("script", "mount -t tmpfs -o size=" + std::to_string(kilobytes) + "k tmpfs disk && cd disk && " + script);
  const int status = std::system(("cd " + at.path.string() + " && unshare -rm sh script >mount 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool can_mount(const Place& at) {
  const bool can = on_small_disk(at, 64, "true") == 0;
  if (!can) MESSAGE("SKIPPED: no small disk can be mounted here, so a full one is not tried: " << at.text("mount"));
  return can;
}

// A program in the background.
struct Background {
  pid_t child;
  Background(const Place& at, const std::string& arguments) : child(fork()) {
    if (child != 0) return;
    const std::string in = "cd " + at.path.string() + " && exec " SKYHOOK_APP " " + arguments + " >bg_out 2>bg_err";
    execl("/bin/sh", "sh", "-c", in.c_str(), nullptr);
    _exit(127);
  }
  ~Background() {
    if (child > 0) end(SIGKILL);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  int end(int signal) {
    int status = 0;
    kill(child, signal);
    waitpid(child, &status, 0);
    child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

void wait_for(const fs::path& file) {
  for (int k = 0; k < 200 && !fs::exists(file); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE(fs::exists(file));
}

struct Writing {
  std::string command, output;
};

// Every command that writes a file, with the file.
const Writing writers[] = {
    {"export ../r.h5 --csv t.csv", "t.csv"},
    {"export ../r.h5 --mat t.mat", "t.mat"},
    {"export ../r.h5 --events e.csv", "e.csv"},
    {"plot ../r.h5 hinge.angle --out p.svg", "p.svg"},
    {"plot ../r.h5 hinge.angle --out p.png", "p.png"},
    {"run ../m.yaml --sweep k=1,2 --csv s.csv", "s.csv"},
    {"compare ../m.yaml --solvers bdf --tolerances 1e-4 --csv c.csv", "c.csv"},
    {"compare ../m.yaml --solvers bdf --tolerances 1e-4 --out c.svg", "c.svg"},
    {"response ../m.yaml --input hinge.angle --output hinge.angle_rate --csv f.csv", "f.csv"},
    {"schema --out s.json", "s.json"},
    {"expand ../m.yaml --out x.yaml", "x.yaml"},
    {"new pendulum --force --out n.yaml", "n.yaml"},
};

}  // namespace

TEST_CASE("Files: on a full disk every older file stays, the disk is named, and the exit code is 3") {
  const Place at("full_disk");
  if (!can_mount(at)) return;
  at.write("m.yaml", pendulum);
  REQUIRE(at.run("run m.yaml -o r.h5 --quiet").code == 0);
  std::string script = "cp ../r.h5 r.h5; mkdir runs; cp ../r.h5 runs/run_0001.h5\n";
  for (const Writing& w : writers) script += "echo older >" + w.output + "\n";
  script += "dd if=/dev/zero of=fill bs=1k 2>/dev/null; ls -A >../before\n";
  int count = 0;
  for (const Writing& w : writers) {
    const std::string to = "../said_" + std::to_string(count++);
    script += SKYHOOK_APP " " + w.command + " >/dev/null 2>" + to + "; echo code $? >>" + to + "; cat " + w.output +
              " >>" + to + "\n";
  }
  script += SKYHOOK_APP
      " run ../m.yaml -o r.h5 >../run 2>&1; echo code $? >>../run; cmp r.h5 ../r.h5 && echo same >>../run\n";
  script += SKYHOOK_APP
      " run ../m.yaml --sweep k=1,2 --out runs >../sweep 2>&1; echo code $? >>../sweep\n"
      "cmp runs/run_0001.h5 ../r.h5 && echo same >>../sweep\n";
  script += "ls -A >../after\n";
  REQUIRE(on_small_disk(at, 2000, script) == 0);
  for (int k = 0; k < count; ++k) {
    CAPTURE(writers[k].command);
    const std::string said = at.text("said_" + std::to_string(k));
    CHECK(has(said, writers[k].output + ": the "));
    CHECK(has(said, "cannot be written: the disk is full"));
    CHECK(has(said, "code 3"));
    CHECK(has(said, "\nolder\n"));
  }
  for (const char* name : {"run", "sweep"}) {
    CAPTURE(name);
    CHECK(has(at.text(name), "the disk is full"));
    CHECK(has(at.text(name), "code 3"));
    CHECK(has(at.text(name), "same"));
    CHECK(lacks(at.text(name), "HDF5-DIAG"));
  }
  CHECK(at.text("before") == at.text("after"));  // nothing temporary is left
}

// 12 s at 1 ms: 1.9 MB and more.
TEST_CASE("Files: a disk that fills up in mid-run leaves the older result and what was recorded") {
  const Place at("filling_disk");
  if (!can_mount(at)) return;
  at.write("m.yaml", pendulum);
  REQUIRE(at.run("run m.yaml -o r.h5 --quiet").code == 0);
  const std::string script = "cp ../r.h5 r.h5; " SKYHOOK_APP
                             " run ../m.yaml --until 12 --output-step 1e-3 -o r.h5 >../run 2>&1\n"
                             "echo code $? >>../run; cmp r.h5 ../r.h5 && echo same >>../run; rm r.h5\n" SKYHOOK_APP
                             " show r.h5 hinge.angle --at 0.25 >>../run; echo shown $? >>../run";
  REQUIRE(on_small_disk(at, 1200, script) == 0);
  const std::string run = at.text("run");
  CHECK(has(run, "the disk is full"));
  CHECK(has(run, "What was written before is in r.h5.part."));
  CHECK(has(run, "code 3"));
  CHECK(has(run, "same"));
  CHECK(has(run, "shown 0"));
  CHECK(lacks(run, "HDF5-DIAG"));
}

TEST_CASE("Files: the limits of the shell are named, and the exit code is 3") {
  const Place at("limits");
  at.write("m.yaml", pendulum);
  REQUIRE(at.run("run m.yaml -o r.h5 --quiet").code == 0);
  const std::string before = at.text("r.h5");
  const auto limited = [&](const std::string& limit, const std::string& arguments) {
    const int status = std::system(
        ("cd " + at.path.string() + " && (ulimit " + limit + "; " SKYHOOK_APP " " + arguments + " >out 2>err)")
            .c_str());
    return Done{WIFEXITED(status) ? WEXITSTATUS(status) : -1, at.text("out"), at.text("err")};
  };
  const Done run = limited("-f 2000", "run m.yaml --until 60 --output-step 1e-3 -o r.h5");  // 1 MB
  CHECK(run.code == 3);
  CHECK(has(run.err, "r.h5: the result cannot be written: it would be larger than a file may be here"));
  CHECK(at.text("r.h5") == before);
  CHECK(lacks(run.err, "HDF5-DIAG"));
  at.write("t.csv", "older");
  const Done table = limited("-f 1", "export r.h5 --csv t.csv");
  CHECK(table.code == 3);
  CHECK(has(table.err, "t.csv: the table cannot be written: it would be larger than a file may be here"));
  CHECK(at.text("t.csv") == "older");
#if !defined(__SANITIZE_ADDRESS__)  // which itself takes terabytes of addresses
  // 1e7 samples of two channels do not fit into 300 MB.
  const Done memory = limited(
      "-v 300000", "response m.yaml --until 1e4 --output-step 1e-3 --input hinge.angle --output hinge.angle_rate");
  CHECK(memory.code == 3);
  CHECK(has(memory.err, "there is not enough memory"));
#endif
}

TEST_CASE("Files: a run that is killed leaves its part and the older result; the next one puts both away") {
  const Place at("killed");
  at.write("m.yaml", pendulum);
  REQUIRE(at.run("run m.yaml -o r.h5 --quiet").code == 0);
  const std::string before = at.text("r.h5");
  Background run(at, "run m.yaml --until 1e6 --output-step 0.01 -o r.h5");
  wait_for(at.path / "r.h5.part");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(at.run("show r.h5.part hinge.angle --at 1").code == 0);  // while it goes on
  CHECK(run.end(SIGKILL) == 128 + SIGKILL);
  CHECK(at.text("r.h5") == before);
  CHECK(at.run("show r.h5.part hinge.angle --at 1").code == 0);
  const Done older = at.run("show r.h5");
  CHECK(has(older.out, "finished"));
  CHECK(has(older.err, "r.h5 is an older result"));
  CHECK(at.run("run m.yaml --from r.h5.part@1 --until 2 -o r.h5").code == 2);  // would replace what it reads
  REQUIRE(at.run("run m.yaml --until 0.5 -o r.h5 --quiet").code == 0);
  CHECK(at.text("r.h5") != before);
  CHECK(files_in(at.path) == 7);  // m.yaml, r.h5, mechanisms, out, err, bg_out, bg_err
}

TEST_CASE("Files: a second run to a result that is being written is refused, and the first one ends in order") {
  const Place at("two_runs");
  at.write("m.yaml", pendulum);
  Background first(at, "run m.yaml --until 1e6 --output-step 0.01 -o r.h5");
  wait_for(at.path / "r.h5.part");
  const Done second = at.run("run m.yaml -o r.h5");
  CHECK(second.code == 2);
  CHECK(has(second.err, "r.h5: the result is being written by another run just now."));
  CHECK(first.end(SIGINT) == 130);
  CHECK(has(at.run("show r.h5").out, "interrupted"));
  CHECK(!fs::exists(at.path / "r.h5.part"));
  CHECK(at.run("run m.yaml -o r.h5").code == 0);
}

TEST_CASE("Files: a file that a command reads is not its output, by whatever name") {
  const Place at("own_input");
  at.write("table.csv", "t [s],x [m]\n0,0\n1,0.1\n2,0.1\n");
  at.write("part.yaml", "skyhook: 1\nparameters: {k: 2}\n");
  at.write("m.yaml", "skyhook: 1\ninclude: [part.yaml]\n" + pendulum.substr(pendulum.find("bodies")));
  REQUIRE(at.run("run m.yaml -o r.h5 --quiet").code == 0);
  fs::create_hard_link(at.path / "r.h5", at.path / "hard.csv");
  fs::create_symlink("r.h5", at.path / "soft.svg");
  fs::create_hard_link(at.path / "part.yaml", at.path / "part.csv");
  fs::create_symlink("m.yaml", at.path / "m.html");
  fs::create_hard_link(at.path / "m.yaml", at.path / "m.svg");
  const std::string model = at.text("m.yaml"), part = at.text("part.yaml"), result = at.text("r.h5");
  for (const std::string arguments : {"export r.h5 --csv r.h5",
                                      "export r.h5 --mat ./r.h5",
                                      "export r.h5 --csv hard.csv",
                                      "export r.h5 --events hard.csv",
                                      "plot r.h5 hinge.angle --out soft.svg",
                                      "run m.yaml -o m.yaml",
                                      "run m.yaml -o part.yaml",
                                      "run m.yaml --report m.html",
                                      "report r.h5 -o m.html",
                                      "report r.h5 -o r.h5",
                                      "run m.yaml --sweep k=1,2 --csv part.csv",
                                      "run m.yaml --sweep k=1,2 --csv m.yaml",
                                      "compare m.yaml --solvers bdf --tolerances 1e-3 --csv m.yaml",
                                      "compare m.yaml --solvers bdf --tolerances 1e-3 --out m.svg",
                                      "compare m.yaml --solvers bdf --csv part.csv",
                                      "response m.yaml --input hinge.angle --csv part.csv",
                                      "response r.h5 --input hinge.angle --csv hard.csv",
                                      "expand m.yaml --out part.csv",
                                      "export r.h5 --csv a.csv --mat ./a.csv",
                                      "schema -o m.yaml",
                                      "export r.h5 --csv m.yaml",
                                      "new pendulum -o skyhook.schema.json"}) {
    CAPTURE(arguments);
    CHECK(at.run(arguments).code == 2);
    CHECK(at.text("m.yaml") == model);
    CHECK(at.text("part.yaml") == part);
    CHECK(at.text("r.h5") == result);
  }
  CHECK(at.run("export r.h5 --csv /dev/null --events /dev/null").code == 0);
}

// Bytes that a terminal would obey: ESC, the C1 control sequence introducer, carriage return, delete.
TEST_CASE("Files: names cannot move the cursor, and JSON stays JSON") {
  const Place at("escapes");
  const std::string evil = "\x1b[31m\xc2\x9b[2J\r\x7f\x07", wrong = "\xff\xfe";
  at.write("m" + evil + ".yaml", pendulum);
  at.write("m" + wrong + ".yaml", pendulum);
  at.write("named.yaml", "skyhook: 1\nname: \"a\\e[31mb\\r\"\n" + pendulum.substr(pendulum.find("parameters")));
  at.write("bad.yaml",
           "skyhook: 1\nbodies: {\"b\\e[31m\\u009b2J\\nwarning: all is well\": {mass: 1}}\nexperiments: {\"e\\e[1m\": "
           "{until: 1}}\n");
  const auto is_clean = [](const std::string& text) {
    for (const char* part : {"\x1b", "\xc2\x9b", "\r", "\x7f", "\x07"}) {
      if (text.find(part) != std::string::npos) return false;
    }
    return true;
  };
  const std::string quoted = "'m" + evil + ".yaml'";
  for (const std::string& arguments : std::vector<std::string>{
           "run " + quoted, "run " + quoted + " nothing", "check named.yaml", "run named.yaml",
           "equilibrium named.yaml", "show named.h5", "run bad.yaml", "check bad.yaml", "run bad.yaml nothing",
           "show 'no" + evil + ".h5'", "'" + evil + "'", "run '--" + evil + "'", "new 'x" + evil + "'",
           "solvers named.yaml", "expand named.yaml"}) {
    const Done done = at.run(arguments);
    CAPTURE(done.out);
    CAPTURE(done.err);
    CHECK(is_clean(done.out));
    CHECK(is_clean(done.err));
  }
  CHECK(has(at.run("run " + quoted).out, "result in m\\x1b[31m\\x9b[2J\\x0d\\x7f\\x07.h5"));
  CHECK(lacks(at.run("check bad.yaml").err, "\nwarning: all is well"));
  for (const std::string& model : {quoted, "'m" + wrong + ".yaml'", std::string("named.yaml")}) {
    CHECK(at.run("run " + model + " --json").code == 0);
    CHECK(at.json("d['status'] == 'finished'"));
    CHECK(at.run("check " + model + " --json").code == 0);
    CHECK(at.json("True"));
  }
  CHECK(at.run("expand named.yaml --out again.yaml").code == 0);
  CHECK(at.run("check again.yaml").code == 0);
  CHECK(at.run("run named.yaml").code == 0);
  CHECK(at.run("show named.h5 --json").code == 0);
  CHECK(at.json("d['run']['model'] == 'a\\x1b[31mb\\r'"));
}

TEST_CASE("Files: no command writes over a model, or over a file of others, that it does not know") {
  const Place at;
  at.write("m.yaml", pendulum);
  at.write("other.yaml", pendulum + "# by hand\n");
  const Done refused = at.run("expand m.yaml --out other.yaml");
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "other.yaml: exists and is a model, so it is not overwritten."));
  CHECK(has(at.text("other.yaml"), "# by hand"));
  CHECK(at.run("expand m.yaml --out other.yaml --force").code == 0);
  CHECK(lacks(at.text("other.yaml"), "# by hand"));
  CHECK(at.run("expand m.yaml --out m.yaml --force").code == 2);
  at.write("skyhook.schema.json", "{\"mine\": 1}");
  const Done fresh = at.run("new pendulum");
  CHECK(fresh.code == 0);
  CHECK(at.text("skyhook.schema.json") == "{\"mine\": 1}");
  CHECK(has(fresh.err, "skyhook.schema.json is there and is no schema of Skyhook, so it stays"));
}

TEST_CASE("Files: a result, a page or a MAT file does not go to standard output") {
  const Place at;
  at.write("m.yaml", pendulum);
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  for (const char* command : {"run m.yaml -q --out -", "run m.yaml -q --report -", "run m.yaml --sweep k=1,2 --out -",
                              "report r.h5 --out -", "export r.h5 --mat -"}) {
    CAPTURE(command);
    const Done done = at.run(command);
    CHECK(done.code == 2);
    CHECK(has(done.err, " - would be standard output, to which this cannot be written."));
    CHECK(!fs::exists(at.path / "-"));
  }
}

// What such a file leaves open HDF5 complained of when the program ended.
TEST_CASE("Files: a damaged result is told in one message, without complaints of a library") {
  const Place at;
  REQUIRE(at.run("run mechanisms/pendulum.yaml --until 1 -q -o whole.h5").code == 0);
  const std::string whole = at.text("whole.h5");
  for (const std::size_t stride : {1009, 4001, 9001, 13007, 20011}) {
    CAPTURE(stride);
    std::string damaged = whole;
    for (std::size_t k = stride; k < damaged.size(); k += stride) damaged[k] = static_cast<char>(~damaged[k]);
    at.write("damaged.h5", damaged);
    const Done done = at.run("show damaged.h5");
    CHECK(done.code == 2);
    CHECK(has(done.err, "damaged.h5: "));
    CHECK(lacks(done.err, "HDF5: "));
  }
}

TEST_CASE("Files: a link that leads to nothing yet stays a link") {
  const Place at;
  at.write("m.yaml", pendulum);
  fs::create_symlink("there.h5", at.path / "link.h5");
  CHECK(at.run("run m.yaml -q -o link.h5").code == 0);
  CHECK(fs::is_symlink(at.path / "link.h5"));
  CHECK(at.run("show there.h5").code == 0);
}

TEST_CASE("Files: help that cannot be written is an error, as all output is") {
  const Place at;
  for (const char* command : {"--help", "run --help", "--version", "warnings", "elements"}) {
    CAPTURE(command);
    const int status =
        std::system((std::string(SKYHOOK_APP " ") + command + " >/dev/full 2>" + (at.path / "err").string()).c_str());
    CHECK(WEXITSTATUS(status) == 3);
    CHECK(has(at.text("err"), "could not be written completely (No space left on device)"));
  }
}

TEST_CASE("Files: names of models and experiments keep to their line and their direction") {
  const Place at;
  std::string model = pendulum;
  model.replace(model.find("{e:"), 3, "{\"e\\u202ex\\ny\":");
  at.write("m.yaml", "name: \"a\\u202eb\\nc\"\n" + model);
  const std::string name = "a\\u202eb\\nc", experiment = "e\\u202ex\\ny";
  CHECK(has(at.run("check m.yaml").out, "model " + name + ", experiment " + experiment + "\n"));
  CHECK(has(at.run("equilibrium m.yaml").out, "equilibrium of " + name + " found"));
  CHECK(
      has(at.run("compare m.yaml --solvers bdf --tolerances 1e-3,1e-4 -q").out, name + ", " + experiment + ", until"));
  CHECK(has(at.run("response m.yaml --input hinge.angle").out, name + ", " + experiment + ": response"));
  REQUIRE(at.run("run m.yaml -q -o r.h5").code == 0);
  CHECK(has(at.run("show r.h5").out, name + ", experiment " + experiment));
  CHECK(at.run("check m.yaml --json").code == 0);
  CHECK(at.json("d['model'] == 'a' + chr(0x202e) + 'b' + chr(10) + 'c'"));
}
