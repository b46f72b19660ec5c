#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "interrupt.h"
#include "model_commands.h"
#include "plugins.h"
#include "run_evaluations.h"
#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/report/report.h"
#include "skyhook/io/result/writer.h"
#include "skyhook/io/serve/file_watch.h"
#include "skyhook/io/serve/page_server.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto look_every = std::chrono::milliseconds(200);

std::atomic<bool> told_to_stop = false;
extern "C" void end_watching(int signal) {
  if (!told_to_stop.exchange(true) || signal == SIGHUP) return;
  name_running_plugins();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Pages reload when the number of the version is another than theirs, so a watch that is started again must not count
// from the number where the last one did.
long first_version() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
}

// Until there is a run to show.
std::string waiting_page(const std::string& model, long version) {
  const std::string script = fmt::format(
      "setInterval(async () => {{ try {{ const v = await (await fetch('version')).json();"
      "document.querySelector('pre').textContent = v.message; if (v.version !== {}) location.reload(); }} catch {{}} "
      "}}, "
      "500)",
      version);
  return fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Skyhook</title><body "
      "style=\"font-family: sans-serif; margin: 3em\"><p>Running {} ...</p><pre></pre><script>{}</script></html>\n",
      io::report::escape_html(model), script);
}

// Where the result of each run is written; goes away at the end.
struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "skyhook_watch_XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw ModelError({name}, "no temporary folder can be made.", "Set TMPDIR to a folder that you may write to.");
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

class Watch {
 public:
  explicit Watch(const WatchCommand& command, long version = first_version())
      : command_(command),
        result_(folder_.path / fs::path(command.model).stem().concat(".h5")),
        server_(
            waiting_page(command.model, version),
            {.port = command.port.value_or(8137), .or_a_later = !command.port.has_value(), .first_version = version}) {
    files_.add({command.model});
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  int port() const { return server_.port(); }
  void run_again();
  void wait_for_change();

 private:
  bool should_stop();  // asked at every step of a run
  std::optional<std::string> open(const std::string& path);
  void run();
  void tell_error(const std::string& message);

  WatchCommand command_;
  TemporaryFolder folder_;
  fs::path result_;
  io::serve::FileWatch files_;
  std::vector<std::string> asked_;  // for by the model that is being read
  io::serve::PageServer server_;
  Clock::time_point looked_;
};

bool Watch::should_stop() {
  if (told_to_stop) return true;
  if (Clock::now() - looked_ < look_every) return false;
  looked_ = Clock::now();
  return files_.changed();
}

// An editor may write in several pieces: only when nothing has changed for a moment the model is read.
void Watch::wait_for_change() {
  while (!told_to_stop && !files_.changed()) std::this_thread::sleep_for(look_every);
  for (bool settled = false; !told_to_stop && !settled; settled = !files_.changed()) {
    files_.settle();
    std::this_thread::sleep_for(look_every / 2);
  }
}

// Every place where the model looks for a file is watched, from before it is read: one that is not there may be created.
std::optional<std::string> Watch::open(const std::string& path) {
  asked_.push_back(path);
  files_.add({path});
  return io::model_file::bytes_on_disk(path);
}

void Watch::tell_error(const std::string& message) {
  server_.tell("error", message);
  fmt::print(stderr, "{}\n", message);
}

void Watch::run() {
  model::Experiment experiment;
  asked_.clear();
  command_.source = {};
  command_.open = files_read_once([this](const std::string& path) { return open(path); });
  const auto m = std::make_shared<model::Model>(load(command_, "simulate", experiment));
  files_.replace(asked_);
  override_experiment(command_, experiment);
  const simulation::Prepared p = analysis::prepare(m, experiment);
  if (!p.ok()) {
    print_warnings(simulation::warnings_before(p));
    return tell_error(command_.model + ": the run cannot start. " + p.problem());
  }
  record_what_is_evaluated(p, experiment);
  io::ResultWriter writer(result_);
  const simulation::RunSummary s = simulation::simulate(
      p, experiment, writer, {{}, [this] { return should_stop(); }, rereader(command_, experiment.name)});
  if (s.status == simulation::RunStatus::interrupted) return;  // there is a newer model already
  const Evaluated evaluated =
      s.status == simulation::RunStatus::finished ? evaluate_run(experiment, result_.string()) : Evaluated{};
  const io::ResultFile result = io::ResultFile::open(result_);
  io::Report report = io::make_report({&result}, {.live = fmt::format("version;{}", server_.version() + 1)});
  server_.show(std::move(report.page));
  for (const std::string& note : report.notes) fmt::print(stderr, "{}\n", note);
  print_warnings(s.warnings);
  if (s.status == simulation::RunStatus::failed) return tell_error(command_.model + ": the run failed. " + s.reason);
  fmt::print("{}: finished, {} samples in {:.2g} s\n{}", command_.model, result.samples(), s.seconds, evaluated.text);
}

void Watch::run_again() {
  server_.tell("running", "");
  try {
    run();
  } catch (const ModelError& e) {
    tell_error(e.what());
  }
  std::fflush(stdout);
}

}  // namespace

int watch(const WatchCommand& command) {
  io::require_viewer();
  if (!fs::exists(command.model))
    throw ModelError({command.model}, "there is no such file.", "Name a model file that exists.");
  if (command.port && (*command.port < 0 || *command.port > 65535))
    throw ModelError({"command line"}, fmt::format("--port {} is not a port.", *command.port), "Ports go up to 65535.");
  listen_to_signals(end_watching);
  Watch watching(command);
  fmt::print("http://127.0.0.1:{}/ shows {} and changes when it is saved; Ctrl-C ends this.\n", watching.port(),
             command.model);
  std::fflush(stdout);
  while (!told_to_stop) {
    watching.run_again();
    watching.wait_for_change();
  }
  return success;
}

}  // namespace skyhook::app
