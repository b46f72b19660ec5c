// skyhook flex FILE: flexible bodies from finite elements, their reduction and its quality.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model_commands.h"
#include "skyhook/io/flexible/fe_import.h"

namespace skyhook::app {

struct FlexCommand : ModelOptions {  // `model` is the file, of whatever kind
  std::string body;                  // of a model; empty: all
  io::fe::FeFiles files;
  std::vector<std::string> channels, thermal, static_at;
  double contribution = 0.01;
  std::vector<std::string> places;  // NAME=NODE,NODE..., NAME=SET or NAME=x,y,z,radius
  std::string tangent, chord, boundary = "free";
  int modes = 10;
  std::optional<double> from, up_to, drop_above;
  bool no_static = false;
  std::vector<double> response_at;
  double participation = 0, damping = 0, mass_damping = 0, stiffness_damping = 0;
  std::string held;                  // a,b: for stress that stiffens
  std::vector<std::string> preload;  // PLACE=FX,FY,FZ in N
  bool no_stiffening = false;
  std::string out, sid;  // .flex.h5; standard input data, .SID_FEM
  std::string result, loads, stresses,
      beams;  // a run (.h5), what to write of it (.csv, .inp; .csv), of which beams (a,b; empty: all)
  std::vector<std::string> heat;  // NAME=STRAIN of that run: taken off its stresses and section forces
};
int flex(const FlexCommand& options);

}  // namespace skyhook::app
