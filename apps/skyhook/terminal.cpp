#include "terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "skyhook/base/new_file.h"
#include "skyhook/base/utf8.h"

namespace skyhook::app {
namespace {

// Where a stream leads to, and bytes of a character whose end is to come.
struct Way {
  int descriptor;
  std::string rest = {};
};
Way output{STDOUT_FILENO}, messages{STDERR_FILENO};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

extern "C" ssize_t write_printable(void* to, const char* bytes, std::size_t size) {
  Way& way = *static_cast<Way*>(to);
  std::string text = way.rest + std::string(bytes, size);
  const std::size_t whole = text.size() - incomplete_tail(text);
  way.rest = text.substr(whole);
  text.resize(whole);
  return write_all(way.descriptor, printable_lines(text)) ? static_cast<ssize_t>(size) : 0;
}

std::FILE* stream_to(Way& way, bool by_lines) {
  std::FILE* stream = ::fopencookie(&way, "w", {nullptr, write_printable, nullptr, nullptr});
  if (stream) std::setvbuf(stream, nullptr, by_lines ? _IOLBF : _IOFBF, BUFSIZ);
  return stream;
}

}  // namespace

void protect_terminal() {
  if (std::FILE* stream = stream_to(output, ::isatty(STDOUT_FILENO) != 0)) stdout = stream;
  if (std::FILE* stream = stream_to(messages, true)) stderr = stream;
}

void print_control(std::FILE* stream, std::string_view bytes) {
  std::fflush(stream);
  write_all(stream == stderr ? messages.descriptor : output.descriptor, bytes);
}

void print_data(std::string_view bytes) {
  if (std::fflush(stdout) != 0 || !write_all(output.descriptor, bytes))
    refuse_to_write("standard output", "the output", errno);
}

int output_descriptor() { return output.descriptor; }
int message_descriptor() { return messages.descriptor; }

void stand_aside() {
  if (output.descriptor != STDOUT_FILENO) return;
  std::fflush(stdout);
  constexpr int far_away = 100;  // from those that careless code closes
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, far_away);
  const int err = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, far_away);
  if (out >= 0 && err >= 0 && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) output.descriptor = out;
  if (err >= 0) messages.descriptor = err;
}

}  // namespace skyhook::app
