#include "skyhook/element/plugin_call.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace skyhook::element::plugin {
namespace {

static_assert(std::atomic<const Name*>::is_always_lock_free);  // else no signal handler could read it

struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<const Name*> name = nullptr;
};
std::array<Slot, most_threads> slots;

// A slot for as long as the thread lives; -1: all are taken, then a hanging call of this thread is not named.
struct Seat {
  int number = -1;
  Seat() {
    for (int i = 0; i < most_threads && number < 0; ++i) {
      if (!slots[static_cast<std::size_t>(i)].taken.exchange(true)) number = i;
    }
  }
  ~Seat() {
    if (number >= 0) slots[static_cast<std::size_t>(number)].taken = false;
  }
};

thread_local std::atomic<const Name*> here = nullptr;

// The program may have another stream for what it prints itself; a plug-in that prints must not get in between.
std::FILE* const for_plugins = stdout;
std::FILE* for_program() {
  static std::FILE* const first = stdout;  // asked for before the first call
  return first;
}
std::atomic<int> calls = 0;

// Several threads may do so at once; the last one to end puts things right.
void lend_stdout() {
  for_program();
  if (calls++ == 0) std::atomic_ref<std::FILE*>(stdout).store(for_plugins);
}
void take_stdout_back() {
  if (--calls == 0) std::atomic_ref<std::FILE*>(stdout).store(for_program());
}

void set(const Name* name) {
  thread_local const Seat seat;
  here.store(name, std::memory_order_relaxed);
  if (seat.number >= 0) slots[static_cast<std::size_t>(seat.number)].name.store(name, std::memory_order_relaxed);
}

}  // namespace

Call::Call(const Name& name) : before_(here.load(std::memory_order_relaxed)) {
  set(&name);
  lend_stdout();
}
Call::~Call() {
  take_stdout_back();
  set(before_);
}

const Name* running_here() { return here.load(std::memory_order_relaxed); }

std::array<const Name*, most_threads> running() {
  std::array<const Name*, most_threads> found{};
  auto end = found.begin();
  for (const Slot& slot : slots) {
    const Name* name = slot.name.load(std::memory_order_relaxed);
    if (name && std::find(found.begin(), end, name) == end) *end++ = name;
  }
  return found;
}

}  // namespace skyhook::element::plugin
