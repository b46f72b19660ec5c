#include "skyhook/base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <ostream>

namespace skyhook {
namespace {

constexpr double seconds_between_lines = 0.2;
constexpr double silent_seconds = 1.0;  // of Style::lines

}  // namespace

Progress::Progress(std::ostream& out, Style style, double t_start, double t_end, Clock clock)
    : out_(out),
      style_(style),
      t_start_(t_start),
      t_end_(t_end),
      clock_(std::move(clock)),
      begun_(clock_()),
      last_shown_(-std::numeric_limits<double>::infinity()) {}

Progress::Progress(std::ostream& out, Style style, double count, Counted counted, Clock clock)
    : Progress(out, style, 0.0, count, std::move(clock)) {
  counted_ = std::move(counted);
}

void Progress::update(double t) {
  if (style_ == Style::quiet) return;
  if (style_ == Style::lines) {
    const int tenth = static_cast<int>(std::clamp(percent(t), 0.0, 100.0) / 10.0);
    if (tenth <= last_tenth_ || tenth == 10) return;  // the last one is finish()'s
    last_tenth_ = tenth;
    add_line(t);
    return;
  }
  const double now = clock_();
  if (now - last_shown_ < seconds_between_lines) return;
  last_shown_ = now;
  const std::string text = describe(t, now - begun_);
  out_ << '\r' << text << std::string(text.size() < shown_width_ ? shown_width_ - text.size() : 0, ' ') << std::flush;
  shown_width_ = text.size();
}

void Progress::finish(double t) {
  if (style_ == Style::quiet) return;
  if (style_ == Style::line) {
    last_shown_ = -std::numeric_limits<double>::infinity();
    update(t);
    out_ << std::endl;
  } else {
    add_line(t);
  }
  style_ = Style::quiet;
}

void Progress::add_line(double t) {
  const double elapsed = clock_() - begun_;
  if (elapsed >= silent_seconds) out_ << describe(t, elapsed) << std::endl;
}

double Progress::percent(double t) const {
  return t_end_ > t_start_ ? 100.0 * (t - t_start_) / (t_end_ - t_start_) : 100.0;
}

std::string Progress::describe(double t, double elapsed) const {
  const double done = t - t_start_, left = t_end_ - t;
  if (!counted_.what.empty()) {
    std::string text =
        fmt::format("{:.0f} of {}{:.0f} {}", done, counted_.most ? "at most " : "", t_end_, counted_.what);
    if (!counted_.most) text += fmt::format(" ({:.0f} %)", std::floor(percent(t)));
    if (!counted_.most && done > 0 && left > 0) text += ", " + format_duration(elapsed * left / done) + " left";
    return text;
  }
  std::string text = fmt::format("t = {:.4g} s of {:.4g} s ({:.0f} %)", t, t_end_, std::floor(percent(t)));
  if (done > 0 && elapsed > 0) {
    text += fmt::format(", {:.3g} times real time", done / elapsed);
    if (left > 0) text += ", " + format_duration(elapsed * left / done) + " left";
  }
  return text;
}

Progress::Clock Progress::wall_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

Progress::Style Progress::style_of_stderr(bool quiet) {
  if (quiet) return Style::quiet;
  return isatty(STDERR_FILENO) ? Style::line : Style::lines;
}

std::string format_duration(double seconds) {
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e8) return "years";
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace skyhook
