// A result file that is open: found, checked, its head and times read. Private to io/result, as HDF5 is; `reader` takes series from it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "skyhook/io/refuse.h"
#include "skyhook/io/result/hdf5.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::io {

struct OpenedResult {
  std::filesystem::path asked, path;  // as asked for; what it is called until the run has ended
  hdf5::Id id;
  std::string version, created;
  simulation::RunInfo info;
  std::vector<double>
      time;  // of the samples that every series has: while the file is written some may be ahead of others

  explicit OpenedResult(const std::filesystem::path& where);
  // Datasets that the first Skyhooks did not write may be missing.
  bool has(const char* dataset) const;
  // Runs `read`; a failure inside names the file.
  template <class Read>
  auto reading(Read&& read) const {
    const hdf5::Quiet quiet;
    try {
      return read();
    } catch (const hdf5::Failure& failure) {
      refuse(path, "cannot be read (" + std::string(failure.what()) + "); the file is damaged.",
             "Copy it again or repeat the run.");
    }
  }
};

hdf5::Id open_dataset(hid_t file, const std::string& name);

// Everything of a dataset of one dimension.
template <class T>
std::vector<T> read_all(hid_t file, const std::string& name, hid_t type) {
  const hdf5::Id dataset = open_dataset(file, name);
  const std::vector<hsize_t> size = hdf5::extent(dataset);
  if (size.size() != 1) throw hdf5::Failure(name + " is not a list");
  std::vector<T> values(size[0]);
  hdf5::read_part(dataset, type, {.count = size[0]}, values.data());
  return values;
}

}  // namespace skyhook::io
