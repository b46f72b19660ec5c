// How far a run is from one at a finer tolerance (`--verify`), compared by time.
//
// An error is estimated only where both runs have seen the same events. Between the times at which an event happens in the one
// and in the other, one of them is still before it: there they are not compared, and the shift is told. From the first event
// on that only one of them has seen, or from the end of the shorter one, they are two motions, and nothing is estimated.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/memory_sink.h"

namespace skyhook::analysis {

struct Verification {
  struct Error {
    std::string channel, unit;
    double largest = 0;  // difference
    double size = 0;     // largest value of the finer run
  };
  std::vector<Error> errors;       // without those that are errors themselves; none where nothing could be compared
  long compared = 0;               // samples
  double until = 0;                // nothing later is compared
  std::vector<std::string> notes;  // where the runs differ in more than numbers
};

Verification verify(const simulation::MemorySink& run, const simulation::MemorySink& finer);

}  // namespace skyhook::analysis
