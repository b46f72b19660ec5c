// The law of a plug-in as an element: loaded from its library, called, and differenced.
//
// A library knows only numbers, so that there are no exact derivatives. The element differences its own twelve local variables
// (13 calls) and its unknowns, which is all that the rest of the program sees of it: every other entry of the Jacobian stays exact.
// Without unknowns of its own it is a force of the model, with them a contribution.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/element/plugin_call.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/field_source.h"

namespace skyhook::element::plugin {

class Library;
class Instance;

// What the model file says.
struct Wish {
  model::FileRef library;
  model::OpenValues parameters;
  Vec3d signs{1, 1, 1};
  Name name;
  Location library_where, parameters_where;
};

struct Place;
struct Answer;
struct Direction;

class Law final : public model::WrenchElement, public model::ContributionLaw, public model::Outsider {
 public:
  // Without its library: a law that gives no numbers.
  explicit Law(Wish wish) : wish_(std::move(wish)) { declared_.has_loads = true; }

  // With it. Runs code of the library; throws ModelError with all that is wrong.
  std::shared_ptr<const Law> loaded() const;
  bool is_loaded() const { return instance_ != nullptr; }
  bool has_unknowns() const { return !declared_.states.empty() || !declared_.algebraic.empty(); }
  const Wish& wish() const { return wish_; }
  // Each parameter with the value that counts, and the unknowns, for people. Empty: there are none, or it is not loaded.
  std::vector<std::string> describe() const;

  void wrench(const model::Relative<double>&, model::Wrench<double>&) const override;
  // By differences. The variables must be seeded as model::Local says: r, rotation in axes of A, v, w.
  void wrench(const model::Relative<model::Local>&, model::Wrench<model::Local>&) const override;
  double energy(const model::Relative<double>&) const override;
  std::vector<model::Quantity> quantities() const override;
  void measure(const model::Relative<double>&, const model::Wrench<double>&, std::vector<double>&) const override;

  // Of a law with unknowns.
  const model::Declared& declared() const override { return declared_; }
  void loads(const model::LoadInput<double>&, const model::LoadOutput<double>&) const override;
  // By differences. Either the motion is seeded, as above, or some of the unknowns are, each alone in its direction.
  void loads(const model::LoadInput<model::Local>&, const model::LoadOutput<model::Local>&) const override;
  double energy(const model::LoadInput<double>&) const override;
  void measure(const model::LoadInput<double>&, const model::Acting&, std::vector<double>&) const override;
  std::string signature() const override;

  std::string origin() const override { return "plug-in " + wish_.name.library; }
  Complaint complaint() const override;

 private:
  bool evaluate(const Place& place, Answer& answer) const;
  double look_beside(Place& here, const Direction& along, Answer& there) const;
  std::vector<double> values_for(const Library& library) const;

  Wish wish_;
  model::Declared declared_;
  std::shared_ptr<const Instance> instance_;
};

// The model with the libraries of its plug-ins loaded; the same one where there is nothing to load. Throws ModelError.
std::shared_ptr<const model::Model> load_plugins(std::shared_ptr<const model::Model> model);

// The plug-ins that a model names, loaded or not.
std::vector<const Law*> plugins_of(const model::Model& model);

}  // namespace skyhook::element::plugin
