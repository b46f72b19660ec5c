#include "skyhook/element/rail/varied_contact.h"

#include "skyhook/element/rail/standing.h"

namespace skyhook::element::rail {
namespace {

struct Law final : model::LoadsLaw<Law>, OnRail {
  WheelOnRail place;
  LinePtr along;
  std::vector<Stretch> stretches;

  Law(const WheelOnRail& of, LinePtr its_line, std::vector<Stretch> all)
      : place(of), along(std::move(its_line)), stretches(std::move(all)) {}

  const model::Declared& declared() const override { return stretches.front().law->declared(); }
  const WheelOnRail& on_rail() const override { return place; }
  const LinePtr& line() const override { return along; }
  std::vector<NextRail> next_rails() const override {
    std::vector<NextRail> out;
    for (std::size_t k = 1; k < stretches.size(); ++k) {
      const auto* law = dynamic_cast<const OnRail*>(stretches[k].law.get());
      out.push_back({stretches[k].begin, stretches[k].over, law ? law->on_rail() : place});
    }
    return out;
  }

  // The stretch that the wheel is on, and how much of it counts; the one before has the rest.
  template <class T>
  struct Where {
    std::size_t stretch = 0;
    T share{1.0};
    bool is_between = false;
  };
  template <class T>
  Where<T> where(const Vec3<T>& r, const Vec3<T>& axis, double near) const {
    const Vec3<T> centre = r + T(place.side * place.half) * axis;
    const T s = along ? along->at_foot(centre, near).s : centre.x;
    Where<T> out;
    while (out.stretch + 1 < stretches.size() && value_of(s) >= stretches[out.stretch + 1].begin) ++out.stretch;
    const Stretch& now = stretches[out.stretch];
    const T part = (s - T(now.begin)) / T(now.over);
    out.is_between = out.stretch > 0 && value_of(part) < 1.0;
    if (out.is_between) out.share = part * part * part * (T(10.0) + part * (T(-15.0) + T(6.0) * part));
    return out;
  }
  const model::ContributionLaw& before(std::size_t k) const { return *stretches[k - 1].law; }
  const model::ContributionLaw& on(std::size_t k) const { return *stretches[k].law; }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    const Where<T> at = where(in.motion.r, in.motion.R.column(1), in.motion.set.way);
    on(at.stretch).loads(in, out);
    if (!at.is_between) return;
    model::Wrench<T> wrench{};
    std::array<T, 2> forces{};  // on the bed of the track
    before(at.stretch).loads(in, {wrench, out.rates, out.b, std::span<T>(forces).first(out.forces.size())});
    const T rest = T(1.0) - at.share;
    out.wrench.f = at.share * out.wrench.f + rest * wrench.f, out.wrench.n = at.share * out.wrench.n + rest * wrench.n;
    for (std::size_t i = 0; i < out.forces.size(); ++i) out.forces[i] = at.share * out.forces[i] + rest * forces[i];
  }
  double energy(const model::LoadInput<double>& in) const override {
    return stretches.front().law->energy(in);
  }  // of the bed

  std::string refuses(const model::Pose<double>& x, std::span<const double> s) const override {
    const Where<double> at = where(x.r, x.R.column(1), x.way);
    std::string why = on(at.stretch).refuses(x, s);
    return why.empty() && at.is_between ? before(at.stretch).refuses(x, s) : why;
  }
  std::vector<model::Quantity> quantities() const override { return stretches.front().law->quantities(); }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    const Where<double> at = where(in.motion.r, in.motion.R.column(1), in.motion.set.way);
    const std::size_t first = out.size();
    on(at.stretch).measure(in, acting, out);
    if (!at.is_between) return;
    std::vector<double> other;
    before(at.stretch).measure(in, acting, other);
    for (std::size_t k = 0; k < other.size(); ++k)
      out[first + k] = at.share * out[first + k] + (1 - at.share) * other[k];
  }
  std::string signature() const override {
    std::string out;
    for (const Stretch& s : stretches) out += s.law->signature() + ";";
    return out;
  }
};

}  // namespace

std::shared_ptr<const model::ContributionLaw> varied_contact(const WheelOnRail& place, LinePtr line,
                                                             std::vector<Stretch> stretches) {
  return std::make_shared<const Law>(place, std::move(line), std::move(stretches));
}

}  // namespace skyhook::element::rail
