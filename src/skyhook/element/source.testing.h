// For tests of elements: a source of fields that has none, a model of two bodies, and functions from texts.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/field_source.h"

namespace skyhook::element::test {

// Offers nothing, so that every field keeps its default; remembers what it was asked for.
struct TestSource : model::FieldSource {
  bool read(const FieldInfo& info, model::FieldTarget) override { return asked.push_back(info.name), false; }
  const std::string& name() const override { return name_; }
  Location where(const char* field) const override { return {std::string("test.yaml#") + field, 7, 1}; }

  std::vector<std::string> asked;
  std::string name_ = "part";
};

// Bodies 0 and 1 with reference points (1, 2, 3) and (-1, 0, 2).
model::Model two_bodies();

model::Marker marker(int body, Vec3d at, Mat3d axes = Mat3d::identity());

// A formula over the variables of a field ("t:s x:m"), dimensions checked as the reader does.
expression::Expression formula(const std::string& text, const std::string& variables);
model::Motion motion(const std::string& of_t);
model::Curve table(const std::vector<double>& x, const std::vector<double>& y);

// The place that the error names, or "" where there is none.
template <class Element>
std::string refused_field(const Element& element, model::Model model = two_bodies()) {
  TestSource source;
  try {
    element.add_to(source, model);
  } catch (const ModelError& error) {
    return error.findings().at(0).where.file.substr(std::string("test.yaml#").size());
  }
  return "";
}

// Of an element that adds a contribution.
template <class Element>
std::shared_ptr<const model::ContributionLaw> law_of(const Element& element) {
  TestSource source;
  model::Model model = two_bodies();
  element.add_to(source, model);
  return model.contributions.at(0).law;
}

}  // namespace skyhook::element::test
