// Which plug-in is being called just now, in which thread: so that a crash or a call that never returns can be named.
//
// The code of a plug-in is not ours: it may fault, abort or hang. While a call runs, a Call object stands for it. What the
// functions below answer may be asked from a signal handler: they only read atomics.
#pragma once
#include <array>
#include <string>

namespace skyhook::element::plugin {

// For messages, also of signal handlers: without control characters. Outlives its calls.
struct Name {
  std::string library;  // its file
  std::string element;  // of the model
};

class Call {
 public:
  explicit Call(const Name& name);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  const Name* before_;
};

// Of the calling thread; nullptr: it runs our own code.
const Name* running_here();

// Of all threads (the first 64 that ever called one at the same time), without doubles; the rest is nullptr.
constexpr int most_threads = 64;
std::array<const Name*, most_threads> running();

}  // namespace skyhook::element::plugin
