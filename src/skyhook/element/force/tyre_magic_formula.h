// Tyre of the Magic Formula from a property file.
#pragma once
#include "skyhook/element/tyre/tyre_fields.h"

namespace skyhook::element {

struct TyreMagicFormula : TyreFields {
  model::TextFile file;
  double side = 1;
  std::optional<double> pressure;
  bool relaxation = true;

  static constexpr auto fields = std::tuple_cat(
      TyreFields::fields,
      describe(field(&TyreMagicFormula::file, "file", "-", any(), "tyre property file (.tir)").required(),
               field(&TyreMagicFormula::side, "side", "-", between(-1.0, 1.0),
                     "1: it stands on the left of the vehicle, -1: on the right; the mirror image of the file's where "
                     "TYRESIDE is the other")
                   .mirrored(Mirror::y),
               field(&TyreMagicFormula::pressure, "pressure", "Pa", positive(), "inflation; default: that of the file"),
               field(&TyreMagicFormula::relaxation, "relaxation", "-", any(),
                     "slip follows over the relaxation lengths of the file; off: at once")));
  static constexpr const char* summary = "tyre on a road, Magic Formula from a .tir file";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
