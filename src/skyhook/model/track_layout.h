// How a track is laid, as a model file writes it: segments one behind the other, changes of its gradient, and what it deviates by.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/base/field.h"
#include "skyhook/model/function.h"

namespace skyhook::model {

struct TrackSegment {
  Location where;
  std::string type;
  std::optional<double> length, radius, cant, distance, widening;
  std::string turn, shape, angle;

  static constexpr auto fields =
      describe(field(&TrackSegment::type, "type", "-", any(),
                     "straight; curve: an arc; transition: from the curvature and cant before to those behind; "
                     "turnout: an arc as far as "
                     "its angle; line_change: two turnouts to the track beside")
                   .one_of("straight curve transition turnout line_change")
                   .required(),
               field(&TrackSegment::length, "length", "m", positive(),
                     "along the line; those of turnouts follow from their angle"),
               field(&TrackSegment::radius, "radius", "m", positive(), "of an arc, of the middle between the rails"),
               field(&TrackSegment::turn, "turn", "-", any(), "where an arc goes").one_of("left right"),
               field(&TrackSegment::cant, "cant", "m", any(),
                     "of a curve: how far its outer rail is higher than the inner one, over the base of the track"),
               field(&TrackSegment::shape, "shape", "-", any(),
                     "of a transition, how its curvature goes over the way: clothoid, straight; bloss, 3 u^2 - 2 u^3; "
                     "sine, u - sin(2 pi "
                     "u)/(2 pi); default clothoid. The cant goes along")
                   .one_of("clothoid bloss sine"),
               field(&TrackSegment::angle, "angle", "-", any(), "of a turnout: \"1:12\", or its tangent"),
               field(&TrackSegment::distance, "distance", "m", positive(), "of a line_change: from track to track"),
               field(&TrackSegment::widening, "widening", "m", any(),
                     "of a curve: the gauge is wider by this; it comes with the transition"));
};

struct GradientChange {
  Location where;
  double at = 0, gradient = 0;
  double radius = 0;

  static constexpr auto fields =
      describe(field(&GradientChange::at, "at", "m", any(), "where the two gradients meet").required(),
               field(&GradientChange::gradient, "gradient", "-", between(-0.5, 0.5),
                     "from there on: 0.01 goes up by 1 m on 100 m")
                   .required(),
               field(&GradientChange::radius, "radius", "m", at_least(0.0),
                     "least one of the bend that joins them, half of it on either side"));
};

struct IrregularityChoice {
  Location where;
  std::string spectrum;
  int seed = 1;
  double length = 5000;
  std::vector<double> wavelengths{3, 100};
  double scale = 1;
  double begin = 0, fade = 20;
  std::optional<Curve> gauge, alignment, level, cross_level;

  static constexpr auto fields = describe(
      field(&IrregularityChoice::spectrum, "spectrum", "-", any(),
            "random after ERRI B176 (good and bad track) or the FRA's classes")
          .one_of("erri_low erri_high fra_1 fra_2 fra_3 fra_4 fra_5 fra_6"),
      field(&IrregularityChoice::seed, "seed", "-", between(0.0, 2e9), "another number, another track"),
      field(&IrregularityChoice::length, "length", "m", positive(), "after which it repeats"),
      field(&IrregularityChoice::wavelengths, "wavelengths", "m", positive(),
            "[shortest, longest] that it has; default [3, 100]"),
      field(&IrregularityChoice::scale, "scale", "-", any(), "factor on all four"),
      field(&IrregularityChoice::begin, "begin", "m", any(), "the track is as laid up to there"),
      field(&IrregularityChoice::fade, "fade", "m", positive(), "over which they come in behind `begin`, smoothly"),
      field(&IrregularityChoice::gauge, "gauge", "m", any(), "measured: the gauge is wider, over the way").over("s:m"),
      field(&IrregularityChoice::alignment, "alignment", "m", any(), "measured: the middle lies to the left")
          .over("s:m"),
      field(&IrregularityChoice::level, "level", "m", any(), "measured: mean height of the rails").over("s:m"),
      field(&IrregularityChoice::cross_level, "cross_level", "m", any(),
            "measured: the left rail is higher than the right")
          .over("s:m"));
};

}  // namespace skyhook::model
