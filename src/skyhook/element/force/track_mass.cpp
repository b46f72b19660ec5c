#include "skyhook/element/force/track_mass.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/one_sided.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element {
namespace {

// p: height of the mass, along z of `from`, above where it is without load.
struct MassUnderWheel final : model::ConditionsLaw<MassUnderWheel, model::LoadsLaw<MassUnderWheel>> {
  double stiffness = 0, damping = 0, radius = 0;
  std::optional<Compliance> contact;  // absent: held in touch
  model::Declared declaration;

  const model::Declared& declared() const override { return declaration; }

  template <class T>
  T compression(const model::LoadInput<T>& in) const {
    return T(radius) + in.p[0] - in.motion.r.z;
  }

  template <class T>
  void law(const model::LoadInput<T>& in, const model::LoadOutput<T>& out) const {
    out.forces[0] = T(-stiffness) * in.p[0] - T(damping) * in.p_rate[0];
    if (!contact) return;
    const T pressed = compression(in);
    if (value_of(pressed) <= 0.0) return;  // a NaN goes on and shows
    const T push = contact->push(pressed, T(in.p_rate[0] - in.motion.v.z));
    out.wrench.f.z = push;
    out.forces[0] = out.forces[0] - push;
  }

  template <class T>
  void law(const model::Pose<T>& x, std::span<const T>, std::span<T> g, std::span<T>) const {
    if (!contact) g[0] = x.r.z - T(radius) - x.p[0];
  }

  double energy(const model::LoadInput<double>& in) const override {
    return 0.5 * stiffness * in.p[0] * in.p[0] + (contact ? contact->energy(compression(in)) : 0.0);
  }

  std::vector<model::Quantity> quantities() const override {
    std::vector<model::Quantity> all{{"normal", "N", "force between wheel and mass, pressing positive"},
                                     {"bed", "N", "force of the bed on `from`, pressing positive"}};
    if (contact) all.push_back({"compression", "m", "of the contact; negative: how far wheel and mass are apart"});
    return all;
  }
  void measure(const model::LoadInput<double>& in, const model::Acting& acting,
               std::vector<double>& out) const override {
    out.push_back(contact ? acting.loads.f.z : -acting.multipliers[0]);
    out.push_back(-stiffness * in.p[0] - damping * in.p_rate[0]);
    if (contact) out.push_back(compression(in));
  }
  std::string doubts(const model::Acting& acting) const override {
    constexpr double least = 1e-6;  // N
    if (contact || !(acting.multipliers[0] > least)) return {};
    return "the track pulls at the wheel that is held on it, where a contact would open: with `contact_stiffness` it "
           "does";
  }
  std::string signature() const override { return contact ? "contact" : "held"; }
};

// Without stiffness of the contact they would mean nothing.
void require_contact(const TrackMass& of, const model::FieldSource& source) {
  if (of.contact_stiffness) return;
  for (const auto& [given, name] :
       {std::pair{of.contact_depth, "contact_depth"}, std::pair{of.contact_exponent, "contact_exponent"},
        std::pair{of.contact_damping, "contact_damping"}}) {
    if (given)
      fail(source, name, "the wheel is held on the mass, there is no contact that this could mean.",
           "Give `contact_stiffness`, or remove it.");
  }
}

}  // namespace

void TrackMass::add_to(model::FieldSource& source, model::Model& model) const {
  const Pair pair = place(source);
  require_contact(*this, source);
  auto law = std::make_shared<MassUnderWheel>();
  law->stiffness = stiffness, law->damping = damping, law->radius = radius;
  if (contact_stiffness)
    law->contact = Compliance{*contact_stiffness, contact_depth.value_or(1e-4), contact_exponent.value_or(1.0),
                              contact_damping.value_or(0.0)};
  law->declaration.has_loads = true;
  law->declaration.coordinates = {
      {.name = "deflection", .unit = "m", .mass = mass, .start = deflection, .rate = deflection_rate}};
  if (!law->contact) law->declaration.rows = {{"distance of wheel and track"}};
  if (pair.from.body != model::ground)
    model.warnings.push_back(
        {"track_on_body", source.where("from"),
         "\"" + source.name() +
             "\": the track stands on a body. Its mass feels motion relative to that body alone, and "
             "not the accelerations of the body.",
         "Let `from` be the ground, or a body that moves steadily."});
  model.contributions.push_back(contribution(pair, source, std::move(law)));
}

}  // namespace skyhook::element
