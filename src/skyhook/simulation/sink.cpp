#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {
namespace {

constexpr RunStatus all[] = {RunStatus::running, RunStatus::finished, RunStatus::interrupted, RunStatus::failed};

}  // namespace

const char* to_text(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return "finished";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::failed: return "failed";
    default: return "running";
  }
}

std::optional<RunStatus> run_status(std::string_view text) {
  for (const RunStatus status : all) {
    if (text == to_text(status)) return status;
  }
  return {};
}

}  // namespace skyhook::simulation
