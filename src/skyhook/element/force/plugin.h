// A force law of the user's in a shared library, between two frames.
#pragma once
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

struct Plugin : PairFields {
  model::FileRef library;
  model::OpenValues parameters;
  Vec3d signs{1, 1, 1};

  static constexpr auto fields = std::tuple_cat(
      PairFields::fields,
      describe(field(&Plugin::library, "library", "-", any(), "shared library with the law, beside the model file")
                   .required()
                   .in_axes_of_from(),
               field(&Plugin::parameters, "parameters", "-", any(), "map of numbers that the library asks for"),
               field(&Plugin::signs, "signs", "1", between(-1, 1),
                     "of the axes of `from`, each 1 or -1: the law acts as its mirror image; set by `mirror` of a part")
                   .mirrored(Mirror::polar)));
  static constexpr const char* summary = "force law of your own, from a shared library with a C interface";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
