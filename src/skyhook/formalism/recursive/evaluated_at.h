// What a residual was evaluated for. Derivatives at the same need not find out again what it has left in the workspace.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "skyhook/formalism/evaluation.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {

// All that an evaluation reads, compared by value: what stands between events too, which may change at the same motion.
class EvaluatedAt {
 public:
  void keep(const Input& in, const model::Held& held) {
    t_ = in.t, drives_ = in.drives, has_own_inputs_ = !in.u.empty(), held_ = held;
    values_.clear();
    for (const CSpan x : parts(in)) values_.insert(values_.end(), x.begin(), x.end());
  }
  bool is(const Input& in, const model::Held& held) const {
    if (has_own_inputs_ || !in.u.empty() || in.t != t_ || in.drives != drives_ || !is_same(held, held_)) return false;
    auto at = values_.begin();
    for (const CSpan x : parts(in)) {
      if (values_.end() - at < std::ssize(x) || !std::equal(x.begin(), x.end(), at)) return false;
      at += std::ssize(x);
    }
    return at == values_.end();
  }

 private:
  static bool is_same(const model::Held& a, const model::Held& b) {
    const auto& [signals, modes, offsets, branch, angles] = a;
    return signals == b.signals && modes == b.modes && offsets == b.offsets && branch == b.branch && angles == b.angles;
  }
  static std::array<CSpan, 6> parts(const Input& in) { return {in.q, in.v, in.a, in.lambda, in.eta, in.z}; }

  double t_ = 0;
  Drives drives_ = Drives::move;
  bool has_own_inputs_ = false;
  std::vector<double> values_;
  model::Held held_;
};

}  // namespace skyhook::formalism::recursive
