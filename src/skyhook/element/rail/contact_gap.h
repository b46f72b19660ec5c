// The gap of wheel and rail about a contact, over the plane in which they touch: x along the track, t across it, up the slope to the field side, in m.
// Across it is that of the silhouette and the rail's profile, on a grid that of the wheel's surface (wheel_over_plane.h).
// The wheel goes down along z, not along the normal of the plane: by that it moves along the plane too, which counts where a place has another slope than the plane.
#pragma once
#include "skyhook/element/rail/contact_geometry.h"
#include "skyhook/element/rail/half_space.h"

namespace skyhook::element::rail {

class ContactGap {
 public:
  // `contact`: one of the pair at that place.
  ContactGap(const RailPair& pair, const AxlePlace& place, const RailContact& contact)
      : ContactGap(pair, place, contact, contact.angle, 0) {}
  // Over a plane of the slope `angle` through the contact, with the wheel `depth` lower than where it touches; the gap is what it would be if it had gone down along the normal.
  ContactGap(const RailPair& pair, const AxlePlace& place, const RailContact& contact, double angle, double depth);

  struct Across {
    double s, sigma;   // of the points over each other
    double gap;        // between them, along the normal of the plane
    double x;          // where the wheel is lowest there, from the contact
    double curvature;  // of the wheel along x
  };
  Across at(double t) const;

  // Where the bodies would overlap, `depth` below where they touch, if nothing yielded, between two t: what the mean over it, weighted with its square, has (CONTACT takes its contact point and plane there), and where pieces begin and end.
  struct Overlap {
    double x, y, angle;  // x from the contact; y of the rail's profile; slope of the rail
    double t;            // of the rail's point at that y
    struct Piece {
      double first, last;  // t
    };
    std::vector<Piece> pieces;
  };
  Overlap overlap(double low, double high) const;
  // Between two points of the rail, t.
  double rail_distance(double t1, double t2) const;

  // How much less than none the gap is at most, between two t: by so much the bodies would overlap more, along the normal, than the wheel has gone down along it.
  double deepest(double low, double high) const;
  // Where the gap is widest between the contact and t.
  double ridge(double t) const;

  struct Reach {
    double width = 0;  // m: half of that of a narrow patch
    double apart =
        0;  // m: places that would overlap are part of it if they are no further from each other; five widths at least
    double lowest = -1, highest = 1;  // m: never beyond
    double x = 0, t = 0;              // m: where a cell has its middle, if their size is given
  };
  // Over all that the approach would press together if nothing yielded; `cells` along each side, more across where the patch falls in pieces, or cells of the size `cell` where that is
  // given, m.
  GapGrid grid(double approach, const Reach& reach, int cells, double cell = 0) const;

 private:
  void add_row(double t, GapGrid& g) const;

  const RailPair& pair_;
  AxlePlace place_;
  AxleTurn turn_;
  RailContact contact_;
  double angle_, depth_;
  double c_, s_;  // of the angle
};

}  // namespace skyhook::element::rail
