// Writes a result file while the simulation runs. docs/results.md describes the layout.
#pragma once
#include <filesystem>
#include <memory>

#include "skyhook/base/new_file.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::io {

namespace hdf5 {
struct Failure;
}

struct WriterOptions {
  std::size_t buffered_samples = 4096;  // readers see them when so many have gathered,
  double flush_seconds = 1.0;           // or when so much time has passed; at first three tenths of it
  bool share_at_once = false;           // readers see it from its beginning on, at a cost
  bool keep_interrupted = true;         // false: only what ends by itself takes the name
};

// Until its end the result is called NAME.part, and an older one of the name stays; a second writer is refused meanwhile.
// Others can read the part (HDF5's single writer, multiple readers), and it stays if the program is killed. Every failure is
// a ModelError that names the file, NoRoom where the disk is full; after one, or after end(), nothing more is written. A
// writer that is destroyed without end() keeps all samples and leaves the status "interrupted".
//
// A span of a Sample that is empty although the run has such quantities is stored as NaN.
class ResultWriter : public simulation::Sink {
 public:
  explicit ResultWriter(std::filesystem::path path, WriterOptions options = {});
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  void begin(const simulation::RunInfo&) override;
  void sample(const simulation::Sample&) override;
  void step(const simulation::StepRecord&) override;
  void event(const simulation::EventRecord&) override;
  void end(const simulation::RunSummary&) override;

  void flush();                                                           // makes everything so far visible to readers
  void abandon(simulation::RunStatus status, const std::string& reason);  // an end with what there is

 private:
  struct File;
  template <class Work>
  void writing(const Work& work);
  [[noreturn]] void give_up(const hdf5::Failure& failure);
  void leave_file();
  bool due() const;

  std::filesystem::path path_;
  WriterOptions options_;
  std::unique_ptr<NewFile> place_;
  std::unique_ptr<File> file_;
};

}  // namespace skyhook::io
