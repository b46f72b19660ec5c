// The same model file in the coordinates of joints and in absolute ones: all channels must be there both ways, and tell the same. Run
// by radau5 from where analysis::prepare() starts, equilibria of `from:` included.
//
// Differences are relative to 1 + the largest value of the channel. What a difference of two such runs can tell is known from a third one, in the coordinates of
// joints at ten times the tolerance: how far that is from the first is about the error which it has, and an upper bound of that of the first.
#pragma once
#include <string>

namespace skyhook::io::testing {

// The begin of one experiment of a file.
struct Piece {
  double share = 1;   // of its time,
  double most = 1e9;  // s, and no longer than this
  double tolerance = 1e-8;
  int samples = 10;
};

struct BothCoordinates {
  std::string skipped;         // why the model is no reference; empty: it is
  bool too_sensitive = false;  // that is why
  std::string problem;         // why one of the runs failed, or which channel is missing; empty: none
  double motion = 0;           // largest difference of positions, velocities and energy,
  double loads = 0;            // and of accelerations, forces and reactions
  std::string worst_motion, worst_load;
  double motion_error = 0, load_error = 0;  // the same of the third run
  double share = 1;                         // of the experiment's time, of which all this is
  std::string coordinates;                  // of the absolute run: what simulation::coordinates_of() says
  bool is_same() const { return problem.empty() && motion <= 1e-8 && loads <= 1e-6; }
  // What the errors of both runs explain, which know nothing of each other: ten times what the third run says, and no less than what rounding and a hundred errors of
  // one step come to. Loads follow from positions by stiffnesses, and lose four digits by them.
  double motion_bound(const Piece& piece) const { return 100 * piece.tolerance + 10 * motion_error; }
  double load_bound(const Piece& piece) const { return 1e4 * piece.tolerance + 10 * load_error; }
  bool is_same_within(const Piece& piece) const {
    return problem.empty() && motion <= motion_bound(piece) && loads <= load_bound(piece);
  }
};

// `text` is a model file with an experiment "run", by radau5/ggl at a tolerance of 1e-10. Where ten times the tolerance already makes a tenth of the difference that
// is_same() allows, as errors grow along a motion, the run tells nothing of the coordinates: then its first quarter is taken, a sixteenth, a 64th, or it is skipped.
BothCoordinates try_both_coordinates(const std::string& text);

// Not skipped, whatever the third run says.
BothCoordinates try_both_coordinates(const std::string& file, const std::string& experiment, const Piece& piece);

}  // namespace skyhook::io::testing
