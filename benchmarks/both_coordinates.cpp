// Every experiment of models/ that simulates, the first tenth of it but no more than 0.2 s, in the coordinates of joints and in absolute ones: how far all channels are apart, beside the errors
// that the runs have. tests/coordinates_models.test.cpp does the same with shorter pieces.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/io/random/both_coordinates.testing.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SKYHOOK_MODELS)) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

void coordinates_of_models(Report& report) {
  const io::testing::Piece piece{.share = 0.1, .most = 0.2};
  Table table;
  for (const char* column : {"model", "experiment", "coordinates"}) table.add_column(column);
  for (const char* column : {"motion", "error of motion", "loads", "error of loads", "s"})
    table.add_column(column, "", 2);
  long other = 0;
  for (const auto& file : model_files()) {
    const std::string name = std::filesystem::relative(file, SKYHOOK_MODELS).replace_extension().string();
    const model::Model m = io::read_model(file.string());
    if (m.bodies.empty()) continue;  // a part
    for (const model::Experiment& e : m.experiments) {
      if (e.analysis != "simulate") continue;
      const double begin = processor_now();
      const io::testing::BothCoordinates both = io::testing::try_both_coordinates(file.string(), e.name, piece);
      const double seconds = processor_now() - begin;
      if (!both.skipped.empty()) report.note(fmt::format("{} {}: skipped: {}", name, e.name, both.skipped));
      if (!both.skipped.empty()) continue;
      table.add_row(
          {name, e.name, both.coordinates, both.motion, both.motion_error, both.loads, both.load_error, seconds});
      if (both.is_same_within(piece)) continue;
      ++other, report.note(fmt::format("{} {}: {} differs by {:.2g}, {} by {:.2g}. {}", name, e.name, both.worst_motion,
                                       both.motion, both.worst_load, both.loads, both.problem));
    }
  }
  report.add("model_coordinates", "Experiments of models/ in the coordinates of joints and in absolute ones", table);
  report.judge("experiments that are others in absolute coordinates", static_cast<double>(other), 0);
}

}  // namespace skyhook::bench
