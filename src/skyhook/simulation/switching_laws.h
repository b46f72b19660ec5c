// The force laws of a model that switch, and the modes they are in. Quiet are those of which the user wants no events
// and the tolerance needs none.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/jumping_law.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class SwitchingLaws {
 public:
  // At tolerances below `least_quiet` none is quiet: their kinks would cost more than the tolerance.
  static constexpr double least_quiet = 1e-7;
  SwitchingLaws(const Equations& eq, double tolerance);

  int count() const { return static_cast<int>(laws_.size()); }
  // At the motion that the snapshot shows, of equations with the same model. Its modes are those of its settings.
  void values(const Snapshot& s, Span z) const;
  int first_mode(int law, const Snapshot& s) const;
  int next_mode(int law, const Snapshot& s) const;
  int force(int law) const { return laws_[law].force; }  // among Model::contributions
  std::string event(int law, int from, int to) const;    // "lift-off"
  std::string chattering(int law) const { return laws_[law].whole ? laws_[law].whole->chattering() : ""; }
  const std::string& name(int law) const { return laws_[law].name; }
  int item(int law) const { return laws_[law].item; }
  // Contact variables jump where its mode changes; to which: false where there are no others.
  bool jumps(int law) const { return laws_[law].jumping != nullptr; }
  bool jump(int law, const Snapshot& s, Span variables) const {
    return laws_[law].jumping->jump(input(laws_[law], s), variables);
  }

  // By contribution of the model: those of which somebody watches a law. Never empty.
  const std::vector<char>& watched() const { return watched_; }

  int quiet_count() const { return static_cast<int>(quiet_.size()); }
  // Positive while a quiet law is silent, or works no deeper than `margin`.
  void quiet_values(const Snapshot& s, double margin, Span z) const;

 private:
  struct Law {
    int force, item;
    const model::Switching* between;          // item of Parts::wrenches, or else
    const model::SwitchingCoordinate* along;  // of Parts::on_coordinates, or else
    const model::SwitchingLaw* whole;         // of Parts::laws
    std::string name;
    const model::JumpingLaw* jumping = nullptr;  // the same
  };
  static model::LoadInput<double> input(const Law& law, const Snapshot& s);
  static model::Stroke<double> stroke(const Law& law, const Snapshot& s);
  void add(bool has_events, Law law);
  std::vector<Law> laws_, quiet_;
  std::vector<char> watched_;
};

}  // namespace skyhook::simulation
