#include "plugins.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>

#include "model_commands.h"
#include "skyhook/element/plugin_law.h"
#include "terminal.h"

namespace skyhook::app {
namespace {

using element::plugin::Name;

// Only write(2): nothing else may be called from a signal handler, least of all after memory may have been overwritten.
void say(const char* text) {
  std::size_t left = std::strlen(text);
  while (left > 0) {
    const ssize_t n = write(message_descriptor(), text, left);
    if (n <= 0) return;
    text += n, left -= static_cast<std::size_t>(n);
  }
}

void say_who(const Name& name) {
  say("the plug-in \""), say(name.library.c_str()), say("\" of the element \""), say(name.element.c_str()), say("\"");
}

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "it used memory that is not its own (SIGSEGV)";
    case SIGBUS: return "it used memory that is not there (SIGBUS)";
    case SIGFPE: return "it divided an integer by zero (SIGFPE)";
    case SIGILL: return "it ran an instruction that this processor does not have (SIGILL)";
    default: return "it gave up (SIGABRT): a failed assertion, an uncaught exception or broken memory";
  }
}

// Not _exit(), which is watched below.
[[noreturn]] void end_now(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

std::function<void()> keep_results;
const pid_t program = getpid();

// A plug-in has called exit(): our code is still in the middle of a call. Children that it has forked may exit as they like.
void tell_if_plugin_ends() {
  const Name* name = element::plugin::running_here();
  static std::atomic_flag is_told;
  if (!name || getpid() != program) return;
  while (is_told.test_and_set()) pause();
  say("\nskyhook: "), say_who(*name);
  say(" ended the program by exit().\n  A plug-in must return. Let it return SKYHOOK_FAIL and say why in its message; "
      "the "
      "run then ends in order.\n");
  try {
    if (keep_results) keep_results();
  } catch (const std::exception& error) {
    say(error.what()), say("\n");
  }
  end_now(plugin_crashed);
}

extern "C" void on_exit_call() { tell_if_plugin_ends(); }

// Nothing is tidied up: the memory may be broken, and what a result file holds was written before.
extern "C" void on_crash(int signal) {
  const Name* name = element::plugin::running_here();
  if (!name) {  // our own fault: the usual end
    std::signal(signal, SIG_DFL);
    return;
  }
  static std::atomic_flag is_told;  // several threads of a sweep may crash at once: the first one tells and ends all
  while (is_told.test_and_set()) pause();
  say("\nskyhook: "), say_who(*name), say(" crashed: "), say(name_of(signal));
  say(".\n  The error is in that library. Compile it with -g and run this command under gdb, or with\n"
      "  -fsanitize=address in a program of its own. What a run had flushed (every "
      "second or\n"
      "  256 samples) is in its result file with .part after its name; `skyhook show` reads it.\n");
  end_now(plugin_crashed);
}

extern "C" void on_interrupt_before_run(int signal) {
  name_running_plugins();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_for_crashes() {
  static char stack[1 << 16];  // of its own: recursion without end leaves none
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::atexit(on_exit_call);
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(SIGINT, on_interrupt_before_run);
}

}  // namespace

void announce_plugins(const model::Model& model) {
  const auto plugins = element::plugin::plugins_of(model);
  if (plugins.empty()) return;
  static std::mutex one_at_a_time;  // sweeps load in threads
  static std::set<std::string> told;
  const std::lock_guard lock(one_at_a_time);
  static std::once_flag watching;
  std::call_once(watching, watch_for_crashes);
  stand_aside();
  for (const element::plugin::Law* law : plugins) {
    const std::string& library = law->wish().library.path;
    std::error_code ignored;  // what is not there is told when it should be loaded
    if (!std::filesystem::is_regular_file(library, ignored) || !told.insert(library).second) continue;
    fmt::print(stderr, "loading the plug-in {} of the element \"{}\": it runs its own code\n", library,
               law->wish().name.element);
  }
}

// Exit handlers run in reverse order, and HDF5 has one that closes all files: the results must be kept before.
KeptOnExit::KeptOnExit(std::function<void()> keep) {
  keep_results = std::move(keep);
  std::atexit(on_exit_call);
}
KeptOnExit::~KeptOnExit() { keep_results = nullptr; }

void name_running_plugins() {
  for (const Name* name : element::plugin::running()) {
    if (!name) return;
    say("\nskyhook: "), say_who(*name), say(" is still running: it has not returned from its last call.\n");
  }
}

}  // namespace skyhook::app

// Takes the place of the function of the C library, for plug-ins too: it calls no exit handlers.
extern "C" void _exit(int code) {
  skyhook::app::tell_if_plugin_ends();
  skyhook::app::end_now(code);
}
