// The entries of a pattern that have been other than zero so far.
//
// Patterns of mechanisms are made of whole blocks. In absolute coordinates two fifths of their entries are zero in space and three quarters where a
// mechanism moves in a plane; factors on what is left have 0.62 and 0.28 of the entries, and 0.38 and 0.06 of the operations (docs/theory/11).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

class LiveEntries {
 public:
  // all: zeros count as well.
  LiveEntries(std::shared_ptr<const Pattern> whole, bool all);

  // Takes up the entries where `values`, on the whole pattern, are other than zero. True: there are new ones. Where that happens too often the rest
  // is taken too.
  bool take(std::span<const double> values);
  const Pattern& pattern() const { return is_whole() ? *whole_ : live_; }
  int count() const { return pattern().nonzeros(); }
  // Where entry k of pattern() stands in the whole one.
  int in_whole(int k) const { return is_whole() ? k : from_[k]; }
  bool is_whole() const { return is_live_.empty(); }

 private:
  void rebuild();

  std::shared_ptr<const Pattern> whole_;
  std::vector<char> is_live_;  // empty: all are
  std::vector<int> from_;
  Pattern live_;
  long asked_ = 0, grown_ = 0;
};

}  // namespace skyhook
