#include "skyhook/io/result/amend.h"

#include "skyhook/io/refuse.h"
#include "skyhook/io/result/hdf5.h"

namespace skyhook::io {

void add_found(const std::filesystem::path& result, const std::string& json) {
  const hdf5::Quiet quiet;
  try {
    const hdf5::Id file(H5Fopen(result.c_str(), H5F_ACC_RDWR, hdf5::access_properties()), "opening it");
    const hdf5::Id group(H5Gopen2(file, "model", H5P_DEFAULT), "opening the group model");
    hdf5::write_text(group, "found", json);
  } catch (const hdf5::Failure& failure) {
    refuse(result, "what was evaluated cannot be added to it (" + std::string(failure.what()) + ").",
           "`skyhook evaluate` computes it again.");
  }
}

}  // namespace skyhook::io
