#include "skyhook/simulation/contribution_channels.h"

#include <algorithm>

#include "skyhook/element/rail/standing.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/model/on_line.h"

namespace skyhook::simulation {
namespace {

using Law = formalism::Parts::Law;
using model::Quantity;

class ContributionBuilder {
 public:
  ContributionBuilder(ChannelList& list, const Equations& eq) : list_(list), eq_(eq), laws_(eq.parts().laws) {}

  void build() {
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      const Law& part = laws_[k];
      const std::string& name = part.what->name;
      list_.read_forces_of(std::vector<std::size_t>{model::number_of(eq_.model(), *part.what)});
      const model::Declared& declared = part.what->law->declared();
      for (std::size_t i = 0; i < declared.coordinates.size(); ++i)
        add_own(name, declared.coordinates[i], part.first_own + static_cast<int>(i));
      for (std::size_t i = 0; i < declared.contact_variables.size(); ++i)
        list_
            .add(name, {declared.contact_variables[i].name, declared.contact_variables[i].unit, "contact variable"},
                 [=](const Snapshot& s, const Running&) { return s.contributions[k].s[i]; })
            .of_inner_state = true;
      for (std::size_t i = 0; i < declared.algebraic.size(); ++i)
        list_
            .add(name, {declared.algebraic[i].name, declared.algebraic[i].unit, "algebraic unknown"},
                 [=](const Snapshot& s, const Running&) { return s.contributions[k].w[i]; })
            .of_inner_state = true;
      for (std::size_t i = 0; i < declared.states.size(); ++i) {
        const auto at = static_cast<std::size_t>(part.first_state) + i;
        Channel& c = list_.add(name, {declared.states[i].name, declared.states[i].unit, "inner state"},
                               [=](const Snapshot& s, const Running&) { return s.v[at]; });
        c.of_inner_state = true;
        c.rate = [=](const Snapshot& s, const Running&) { return s.a[at]; };
      }
      add_wrench(k);
      if (model::on_line(part.what->law.get())) add_sliding(k);
      const auto quantities = part.what->law->quantities();
      for (std::size_t i = 0; i < quantities.size(); ++i) add_measured(k, i, quantities[i]);
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      for (std::size_t other = 0; other < laws_.size(); ++other) add_axle(k, other);
    }
  }

 private:
  // The side of a wheel on a rail: 1 left, -1 right; else 0.
  static int side_of(const Law& part) {
    const auto* wheel = element::rail::on_rail_of(*part.what);
    return !wheel ? 0 : wheel->on_rail().side > 0 ? 1 : -1;
  }

  // The two wheels of an axle push the track aside together.
  void add_axle(std::size_t left, std::size_t right) {
    const Law &a = laws_[left], &b = laws_[right];
    if (side_of(a) != 1 || side_of(b) != -1 || a.what->to.body != b.what->to.body || a.what->to.body == model::ground)
      return;
    const auto place = [](const Law& of) {
      const auto all = of.what->law->quantities();
      return static_cast<std::size_t>(std::ranges::find(all, "Y", &Quantity::name) - all.begin());
    };
    list_.read_forces_of(
        std::vector<std::size_t>{model::number_of(eq_.model(), *a.what), model::number_of(eq_.model(), *b.what)});
    const Quantity sum{"sum_Y", "N", "of both wheels on their rails, to the left"};
    const ChannelValue value = [=, i = place(a), j = place(b)](const Snapshot& s, const Running&) {
      return s.measured_of(left)[i] - s.measured_of(right)[j];
    };
    const std::string& owner = eq_.model().bodies[static_cast<std::size_t>(a.what->to.body)].name;
    if (a.rows.empty() && b.rows.empty())
      list_.add(owner, sum, value);
    else
      list_.add_reaction(owner, sum, value);
  }

  // A coordinate of its own with rate and acceleration.
  void add_own(const std::string& name, const model::OwnCoordinate& own, int velocity) {
    const auto iq = static_cast<std::size_t>(eq_.position_of(velocity)), iv = static_cast<std::size_t>(velocity);
    const auto rate = [=](const Snapshot& s, const Running&) { return s.v[iv]; };
    const auto acceleration = [=](const Snapshot& s, const Running&) { return s.a[iv]; };
    Channel& c = list_.add(name, {own.name, own.unit, "coordinate of its own mass"},
                           [=](const Snapshot& s, const Running&) { return s.q[iq]; });
    c.rate = rate, c.curvature = acceleration;
    list_.add(name, {own.name + "_rate", own.unit + "/s", "rate of the coordinate"}, rate).rate = acceleration;
    list_.add_acceleration(name, {own.name + "_acceleration", own.unit + "/s^2", "second derivative of the coordinate"},
                           acceleration);
  }

  void add_measured(std::size_t k, std::size_t i, const Quantity& quantity) {
    Channel& c = add_of(laws_[k], quantity, [=](const Snapshot& s, const Running&) { return s.measured_of(k)[i]; });
    c.is_way = element::rail::on_rail_of(*laws_[k].what) && quantity.name == element::rail::way_of_wheel;
  }

  // With rows it needs their multipliers.
  Channel& add_of(const Law& part, const Quantity& quantity, const ChannelValue& value) {
    return part.rows.empty() ? list_.add(part.what->name, quantity, value)
                             : list_.add_reaction(part.what->name, quantity, value);
  }

  // Its rows are two forces across the line, of one size but for rounding, that make a right-handed frame with it.
  void add_sliding(std::size_t k) {
    list_.add(laws_[k].what->name, {"speed", "m/s", "of the point along the line, against the line where it is"},
              [k](const Snapshot& s, const Running&) {
                const auto& now = s.contributions[k];
                return now.rows.size() < 2 ? 0.0 : dot(normalized(cross(now.rows[0].f, now.rows[1].f)), now.motion.v);
              });
    list_.add_reaction(laws_[k].what->name, {"normal_force", "N", "size of the force across the line"},
                       [k](const Snapshot& s, const Running&) {
                         return norm(s.wrench_of(k).f - s.contributions[k].to_global * s.contributions[k].loads.f);
                       });
  }

  // What acts on `to`: the loads of its law and the forces of its rows.
  void add_wrench(std::size_t k) {
    const Law& part = laws_[k];
    add_of(part, {"force", "N", "size of the force"},
           [k](const Snapshot& s, const Running&) { return norm(s.wrench_of(k).f); });
    for (int i = 0; i < 3; ++i) {
      add_of(part, {std::string("force_") + "xyz"[i], "N", "force on `to`, global axes"},
             [=](const Snapshot& s, const Running&) { return s.wrench_of(k).f[i]; });
      add_of(part, {std::string("moment_") + "xyz"[i], "N.m", "moment on `to` at its point, global axes"},
             [=](const Snapshot& s, const Running&) { return s.wrench_of(k).n[i]; });
    }
  }

  ChannelList& list_;
  const Equations& eq_;
  const std::vector<Law>& laws_;
};

}  // namespace

void add_contributions(ChannelList& list, const Equations& eq) { ContributionBuilder(list, eq).build(); }

}  // namespace skyhook::simulation
