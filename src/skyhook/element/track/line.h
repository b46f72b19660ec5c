// A railway track: its line, and the rails beside it.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct RailLine {
  model::Marker from;
  double gauge = 1.435;
  std::optional<double> base;
  std::string rail = "uic60", inclination = "1:40";
  std::vector<std::string> rails;
  std::vector<double> rails_from;
  double rails_over = 5;
  std::vector<model::TrackSegment> layout;
  std::vector<model::GradientChange> gradients;
  std::string pivot = "inner";
  double rounding = 5;
  std::optional<model::Curve> curvature, cant, gradient;
  std::optional<model::IrregularityChoice> irregularities;
  double along = 1, across = 1;

  static constexpr auto fields = describe(
      field(&RailLine::from, "from", "-", any(),
            "marker or body that carries the track: the line begins at its origin, along its x, and z is up; default: "
            "the ground"),
      field(&RailLine::gauge, "gauge", "m", between(0.2, 3.0), "between the inner faces of the rails' heads"),
      field(&RailLine::base, "base", "m", positive(),
            "between the middles of the rails' heads, over which cant is measured; default: gauge + 65 mm"),
      field(&RailLine::rail, "rail", "-", any(), "profile of the rails, by name"),
      field(&RailLine::inclination, "inclination", "-", any(),
            "by which the rails lean inwards: \"1:40\", or a number"),
      field(&RailLine::rails, "rails", "-", any(),
            "profiles that follow along the line, by name: [worn, uic60]; of hertz and multi_hertz"),
      field(&RailLine::rails_from, "rails_from", "m", any(), "where each of them begins: [200 m, 350 m]"),
      field(&RailLine::rails_over, "rails_over", "m", positive(), "over which each comes in"),
      field(&RailLine::layout, "layout", "-", any(),
            "segments one behind the other: {type: straight, length: 50 m}, ...; default: straight without end"),
      field(&RailLine::gradients, "gradients", "-", any(),
            "where it begins to climb or to fall: {at: 200 m, gradient: 0.01, radius: 5000 m}, ..."),
      field(&RailLine::pivot, "pivot", "-", any(),
            "of cant: inner, that rail keeps its height and the middle rises by half; centre, the middle keeps its "
            "height")
          .one_of("inner centre"),
      field(&RailLine::rounding, "rounding", "m", positive(),
            "over which corners of straight ramps of cant are rounded"),
      field(&RailLine::curvature, "curvature", "1/m", any(),
            "in place of layout, as measured: a table over the way; positive to the left")
          .over("s:m"),
      field(&RailLine::cant, "cant", "m", any(), "with `curvature`: how far the right rail is higher than the left one")
          .over("s:m"),
      field(&RailLine::gradient, "gradient", "-", any(), "with `curvature`: rise over length").over("s:m"),
      field(&RailLine::irregularities, "irregularities", "-", any(),
            "how the rails deviate from that: by chance, or as measured"),
      field(&RailLine::along, "along", "-", between(-1.0, 1.0), "-1: the line begins against x of `from`")
          .mirrored(Mirror::x)
          .in_axes_of_from(),
      field(&RailLine::across, "across", "-", between(-1.0, 1.0), "-1: left and right are exchanged")
          .mirrored(Mirror::y)
          .in_axes_of_from());
  static constexpr const char* summary = "a railway track: layout, cant, gradients, rails and their irregularities";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
