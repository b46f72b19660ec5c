// The gap of wheel and rail about a contact, over the plane in which they touch: x along the track, t across it, up the slope to the field side, in m.
// To the fourth order of lengths over radii: across it is that of the silhouette and the rail's profile, along it the circle of the wheel.
#pragma once
#include "skyhook/element/rail/contact_geometry.h"
#include "skyhook/element/rail/half_space.h"

namespace skyhook::element::rail {

class ContactGap {
 public:
  // `contact`: one of the pair at that place.
  ContactGap(const RailPair& pair, const AxlePlace& place, const RailContact& contact);

  struct Across {
    double s, sigma;   // of the points over each other
    double gap;        // between them, along the normal of the plane
    double x;          // where the wheel is lowest there, from the contact
    double curvature;  // of the wheel along x
  };
  Across at(double t) const;

  // Over all that the approach would press together if nothing yielded; `width`: half of that of a narrow patch, m; `cells` along each side, or
  // cells of the size `cell` where that is given, m.
  GapGrid grid(double approach, double width, int cells, double cell = 0) const;

 private:
  const RailPair& pair_;
  AxleTurn turn_;
  RailContact contact_;
  double c_, s_;  // of the angle
};

}  // namespace skyhook::element::rail
