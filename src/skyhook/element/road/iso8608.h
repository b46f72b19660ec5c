// A random road after ISO 8608.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Iso8608 : RoadKind {
  std::string degree = "C";
  std::optional<double> roughness;
  double waviness = 2;
  int seed = 1;
  double length = 1000;
  std::vector<double> wavelengths{0.2, 100};
  int tracks = 2;
  double track = 1.5, coherence = 1.5;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&Iso8608::degree, "class", "-", any(), "of the road, from A, very good, to H")
              .one_of("A B C D E F G H"),
          field(&Iso8608::roughness, "roughness", "m^3", positive(),
                "in place of the class: its spectral density at 0.1 waves per metre"),
          field(&Iso8608::waviness, "waviness", "-", between(1.0, 4.0), "how fast the density falls: n^-waviness"),
          field(&Iso8608::seed, "seed", "-", between(0.0, 2e9), "another number, another road"),
          field(&Iso8608::length, "length", "m", positive(), "after which the road repeats"),
          field(&Iso8608::wavelengths, "wavelengths", "m", positive(),
                "[shortest, longest] that it has; default [0.2, 100]"),
          field(&Iso8608::tracks, "tracks", "-", between(1.0, 2.0), "1: the same for all y; 2: left and right differ"),
          field(&Iso8608::track, "track", "m", positive(), "distance of the two tracks"),
          field(&Iso8608::coherence, "coherence", "m", at_least(0.0),
                "wavelength c: the cross spectrum of the tracks is exp(-c n) times that of each; 0: they are equal")),
      RoadKind::fields);
  static constexpr const char* summary = "a random road with the spectrum of ISO 8608, with one track or two";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
