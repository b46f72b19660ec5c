// How far bodies turn between the pictures of an animation. The page turns each body the short way from one picture to the
// next, so a wheel that turns by more than half a turn between them would run backwards.
#pragma once
#include "skyhook/io/report/thinning.h"
#include "skyhook/io/result/reader.h"

namespace skyhook::io::report {

constexpr double most_turn = 1.05;  // rad: about one, a third of what would be wrong

// Up to each sample, the sum of the largest turns of any body from sample to sample (rad). Its difference is a bound of
// what a body turns between two samples.
std::vector<double> turned(const ResultFile& result);

// The largest bound between neighbours of `rows`.
double largest_turn(CSpan turned, const Rows& rows);

// keep_evenly with `wanted` frames, or with so many more, up to `most`, that no body turns by more than most_turn between
// them.
Rows keep_turning(CSpan time, std::span<const int> sides, CSpan turned, std::size_t wanted, std::size_t most);

}  // namespace skyhook::io::report
