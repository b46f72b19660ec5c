// `skyhook watch` as a user runs it, asked by a client on the loopback interface.
#ifdef SKYHOOK_APP
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "program.testing.h"
#include "skyhook/io/report/decode.testing.h"
#include "skyhook/io/report/page.h"
#include "skyhook/io/serve/client.testing.h"

using namespace skyhook;
using io::serve::testing::body_of;
using io::serve::testing::get;
using testing::lacks, testing::text_of;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 300; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

std::string model(const std::string& length) {
  return "skyhook: 1\nname: swing\nparameters:\n  length: " + length +
         "\nbodies:\n  bob: {mass: 1, at: [=length, 0, 0], com: [=length, 0, 0]}\njoints:\n"
         "  pivot: {type: revolute, from: ground, to: bob, at: [0, 0, 0], axis: y}\noutputs: {x: bob.x}\n"
         "experiments:\n  fall: {until: 0.2 s, output_step: 0.01 s}\n";
}

// The program watching a model in a folder of its own.
struct Watched {
  fs::path folder = fs::temp_directory_path() / ("skyhook_watch_test_" + std::to_string(getpid()));
  pid_t process = -1;
  int port = 0;

  Watched() {
    fs::create_directories(folder);
    save(model("1 m"));
    std::ofstream(folder / "secret.txt") << "do not tell";
    process = fork();
    if (process == 0) {
      if (chdir(folder.c_str()) != 0) _exit(98);
      dup2(open("out", O_WRONLY | O_CREAT, 0600), 1);
      dup2(open("err", O_WRONLY | O_CREAT, 0600), 2);
      execl(SKYHOOK_APP, SKYHOOK_APP, "watch", "swing.yaml", "--port", "0", nullptr);
      _exit(99);
    }
    REQUIRE(comes_true([&] { return has(text_of(folder / "out"), "\n"); }));
    port = std::stoi(io::report::testing::between(text_of(folder / "out"), "http://127.0.0.1:", "/"));
  }
  ~Watched() {
    if (process > 0) kill(process, SIGKILL), waitpid(process, nullptr, 0);
    fs::remove_all(folder);
  }
  void save(const std::string& text) const { std::ofstream(folder / "swing.yaml") << text; }
  std::string version() const { return body_of(get(port, "/version")); }
  long number() const { return std::stol(io::report::testing::between(version(), "\"version\": ", ",")); }
  bool shows(long number) const { return becomes("\"version\": " + std::to_string(number) + ", \"state\": \"ready\""); }
  bool becomes(const std::string& part) const {
    return comes_true([&] { return has(version(), part); });
  }
  double first_x() const {
    const auto d = io::report::testing::Decoded::of_page(get(port, "/"));
    return d.array(d.root["runs"][0]["channels"][0]["values"])[0];
  }
};

}  // namespace

TEST_CASE("Watch: a saved model is run again, a broken one is told, and nothing else can be read") {
  if (io::report::viewer_page().empty()) return;  // built without node: the command says so
  Watched watched;
  REQUIRE(watched.becomes("\"state\": \"ready\""));
  const long first = watched.number();
  CHECK(std::abs(static_cast<double>(first - std::time(nullptr))) < 60);  // a watch started again counts on from later
  CHECK(has(get(watched.port, "/"), "name=\"skyhook-live\" content=\"version;" + std::to_string(first) + "\""));
  CHECK(watched.first_x() == 1);

  watched.save(model("2 m"));
  REQUIRE(watched.shows(first + 1));
  CHECK(has(get(watched.port, "/"), "content=\"version;" + std::to_string(first + 1) + "\""));
  CHECK(watched.first_x() == 2);

  watched.save(model("2 apples"));
  REQUIRE(watched.becomes("\"state\": \"error\""));
  CHECK(watched.number() == first + 1);
  CHECK(has(watched.version(), "swing.yaml:4:"));
  CHECK(watched.first_x() == 2);  // the last good page
  watched.save(model("3 m"));
  REQUIRE(watched.shows(first + 2));
  CHECK(watched.first_x() == 3);

  for (const std::string& target :
       {std::string("/secret.txt"), "/" + (watched.folder / "secret.txt").string(),
        (watched.folder / "secret.txt").string(), std::string("/../secret.txt"), std::string("/%2e%2e/secret.txt"),
        std::string("/swing.yaml"), std::string("/../../etc/passwd"), std::string("file:///etc/passwd")}) {
    const std::string answer = get(watched.port, target);
    CHECK(has(answer, "HTTP/1.1 404 "));
    CHECK(lacks(answer, "do not tell"));
    CHECK(lacks(answer, "root:"));
    CHECK(lacks(answer, "bob"));
  }
  CHECK(has(get(watched.port, "/", "evil.example"), "HTTP/1.1 403 "));

  kill(watched.process, SIGINT);
  int status = 0;
  waitpid(std::exchange(watched.process, -1), &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(!io::serve::testing::Client(watched.port).connected);
}

TEST_CASE("Watch: a file that the model names and that is created later is noticed") {
  if (io::report::viewer_page().empty()) return;
  const Watched watched;
  REQUIRE(watched.becomes("\"state\": \"ready\""));
  const long first = watched.number();
  const std::string here = model("=half*2"), include = "include: [parts/half.yaml]\n";
  watched.save("skyhook: 1\n" + include + here.substr(here.find("name:")));
  REQUIRE(watched.becomes("is not found"));
  CHECK(watched.number() == first);
  fs::create_directory(watched.folder / "parts");
  std::ofstream(watched.folder / "parts" / "half.yaml") << "skyhook: 1\nparameters: {half: 2 m}\n";
  REQUIRE(watched.shows(first + 1));
  CHECK(watched.first_x() == 4);
  std::ofstream(watched.folder / "parts" / "half.yaml") << "skyhook: 1\nparameters: {half: 20 m}\n";
  REQUIRE(watched.shows(first + 2));
  CHECK(watched.first_x() == 40);
}

TEST_CASE("Watch: the warnings of a run are told") {
  if (io::report::viewer_page().empty()) return;
  Watched watched;
  REQUIRE(watched.becomes("\"state\": \"ready\""));
  CHECK(lacks(text_of(watched.folder / "err"), "warning"));
  watched.save(model("2 m\n  idle: 3"));
  CHECK(
      comes_true([&] { return has(text_of(watched.folder / "err"), "parameter \"idle\" is used nowhere. [unused]"); }));
}
#endif
