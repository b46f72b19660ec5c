#include "stages.h"

#include <fmt/format.h>

#include <cstdio>

#include "terminal.h"

namespace skyhook::app {

Stages::Stages(bool quiet) : style_(Progress::style_of_stderr(quiet)), clock_(Progress::wall_clock()) {}

void Stages::say(const std::string& text) {
  done();
  now_ = text, begun_ = clock_();
  if (style_ == Progress::Style::line) fmt::print(stderr, "{}", text), std::fflush(stderr);
}

void Stages::done() {
  const double seconds = clock_() - begun_;
  if (now_.empty()) return;
  if (style_ == Progress::Style::line) print_control(stderr, fmt::format("\r{:{}}\r", "", now_.size()));
  if (style_ == Progress::Style::lines && seconds > 1) fmt::print(stderr, "{}: {}\n", now_, format_duration(seconds));
  now_.clear();
}

}  // namespace skyhook::app
