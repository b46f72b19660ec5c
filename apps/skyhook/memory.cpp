#include "memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace skyhook::app {

#ifdef __GLIBC__

namespace {

constexpr std::size_t large_page = 2 << 20, room = 64 << 20, more_than_is_left = 256 << 10;
constexpr int pad = 1 << 20;

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// The next 64 MB of the heap are large pages where the system has such: page by page of 4 KB a run of 50 ms waits 3 ms for them. They take no memory
// until something lies in them, and a page is not made large once something does: the heap goes on at the beginning of one. What lies before it is never
// touched. Without such pages, or where so much address space may not be had, all is as usual.
void take_large_pages() {
  static void* volatile first;  // these two stay, and leak checkers see them
  static void* volatile until_boundary;
  mallopt(M_TOP_PAD, room);
  first = std::malloc(more_than_is_left);
  constexpr std::size_t headers = 64;  // of malloc
  const std::uintptr_t after = address(first) + more_than_is_left + headers, gap = -after % large_page;
  until_boundary = std::malloc(gap);
  const std::uintptr_t begin = after + gap, end = address(sbrk(0));
  if (first && until_boundary && end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

// Memory that is given back to the system is asked for again soon.
void keep_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  take_large_pages();
  mallopt(M_TOP_PAD, pad);
}

#else

void keep_memory() {}

#endif

}  // namespace skyhook::app
