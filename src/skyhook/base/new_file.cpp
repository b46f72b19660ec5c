#include "skyhook/base/new_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace skyhook {

namespace fs = std::filesystem;

namespace {

constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;

fs::path beside(const fs::path& target, const std::string& name) { return target.parent_path() / name; }

bool is_same(int file, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// Some network disks know no locks; there two runs to one file are not told apart.
// Not flock(): readers in other languages use that themselves (h5py) and would be kept out.
bool lock(int file) {
  struct flock whole {};
  whole.l_type = F_WRLCK, whole.l_whence = SEEK_SET;
  return ::fcntl(file, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

// The part that a killed run has left. A run that still writes it holds a lock.
bool is_being_written(const fs::path& part) {
  const int file = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct flock other {};
  other.l_type = F_WRLCK, other.l_whence = SEEK_SET;
  const bool busy = ::fcntl(file, F_OFD_GETLK, &other) == 0 && other.l_type != F_UNLCK;
  ::close(file);
  return busy;
}

// Where a name is only given to bytes that are on the disk, or where nothing outlives the machine anyway: ext4 (its documentation: auto_da_alloc,
// "replace via rename"), btrfs (flush on rename), tmpfs. Waiting for the disk takes longer than many a run.
bool is_safe_to_rename(int file) {
  struct statfs disk {};
  if (::fstatfs(file, &disk) != 0) return false;
  return disk.f_type == EXT4_SUPER_MAGIC || disk.f_type == BTRFS_SUPER_MAGIC || disk.f_type == TMPFS_MAGIC;
}

}  // namespace

void refuse_to_write(const fs::path& path, const std::string& what, int error, const std::string& kept) {
  const std::string cannot = what + " cannot be written: ", reason = std::generic_category().message(error);
  const std::string rest = kept.empty() ? "" : " " + kept;
  if (error == ENOSPC || error == EDQUOT)
    throw NoRoom({path.string()}, cannot + "the disk is full (" + reason + ").",
                 "Make room there, or choose another place." + rest);
  if (error == EFBIG)
    throw NoRoom({path.string()}, cannot + "it would be larger than a file may be here (" + reason + ").",
                 "Raise the limit (`ulimit -f`), or choose a disk for larger files." + rest);
  if (error == EBADF)
    throw ModelError({path.string()}, cannot + "it is closed already (" + reason + ").",
                     "A plug-in may have closed files that are not its own." + rest);
  throw ModelError({path.string()}, cannot + reason + ".",
                   "Check that the folder exists and that you may write there, or choose another place." + rest);
}

// rename() would replace a link instead of what it leads to.
fs::path NewFile::behind_links(const fs::path& path) {
  constexpr int most = 40;  // as Linux has it
  fs::path target = path;
  std::error_code error;
  for (int k = 0; fs::is_symlink(target, error); ++k) {
    if (k == most) refuse_to_write(path, "the file", ELOOP);
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target;
}

fs::path NewFile::readable_part(const fs::path& path) {
  const fs::path target = behind_links(path);
  return beside(target, target.filename().string() + ".part");
}

fs::path NewFile::readable(const fs::path& path) {
  std::error_code error;
  if (path.empty() || fs::exists(path, error)) return path;
  const fs::path part = readable_part(path);
  return fs::exists(part, error) ? part : path;
}

NewFile::NewFile(fs::path path, std::string what, Part kind)
    : path_(std::move(path)), target_(behind_links(path_)), what_(std::move(what)) {
  std::error_code ignored;  // what is not there is to be made
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) refuse(EISDIR);
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) refuse(errno);
  is_special_ = fs::exists(status) && !fs::is_regular_file(status);
  if (is_special_) {
    part_ = target_;
    file_ = ::open(part_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) refuse(errno);
    return;
  }
  kind == Part::hidden ? make_hidden() : make_readable();
  if (struct stat older{}; fs::exists(status) && ::stat(target_.c_str(), &older) == 0)
    (void)(::fchmod(file_, older.st_mode & 07777) == 0);  // who may read it stays as it was, where that can be
}

NewFile::~NewFile() {
  if (file_ >= 0) ::close(file_);
  if (is_special_ || keep_ || part_.empty()) return;
  ::unlink(part_.c_str());
  if (!left_behind_.empty()) ::rename(left_behind_.c_str(), part_.c_str());
}

void NewFile::refuse(int error) const {
  refuse_to_write(path_, path_ == target_ ? what_ : what_ + " (a link to " + target_.string() + ")", error);
}

void NewFile::make_hidden() {
  for (int number = 0; file_ < 0; ++number) {  // several threads may write to one name
    const std::string mark = std::to_string(::getpid()) + (number > 0 ? "-" + std::to_string(number) : "");
    const fs::path part = beside(target_, "." + target_.filename().string() + "." + mark + ".part");
    file_ = ::open(part.c_str(), flags, 0666);
    if (file_ < 0 && (errno != EEXIST || number == 1000)) refuse(errno);
    if (file_ >= 0) part_ = part;
  }
}

// Between two steps another program may do the same: who holds the lock on what has the name has won.
void NewFile::make_readable() {
  const fs::path part = readable_part(target_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int file = ::open(part.c_str(), flags, 0666);
    if (file < 0 && errno != EEXIST) refuse(errno);
    if (file >= 0) {
      if (lock(file) && is_same(file, part)) return void(file_ = file), void(part_ = part);
      ::close(file);
    } else if (is_being_written(part)) {
      break;
    } else {
      set_aside();
    }
  }
  throw ModelError({path_.string()}, what_ + " is being written by another run just now.",
                   "Wait until that ends, or choose another name. It writes to " + part.string() + ".");
}

// Given up together with the older file, when the new one is complete.
void NewFile::set_aside() {
  const fs::path part = readable_part(target_), old = part.string() + ".old";
  std::error_code error;
  fs::rename(part, old, error);
  if (error && error != std::errc::no_such_file_or_directory) refuse(error.value());
  left_behind_ = old;
}

void NewFile::reserve(std::size_t bytes) {
  if (is_special_) return;
  const int error = ::posix_fallocate(file_, 0, static_cast<off_t>(bytes));
  if (error != 0) refuse(error);
  if (::ftruncate(file_, 0) != 0) refuse(errno);
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void NewFile::finish() {
  std::error_code error;
  if (!is_special_ && fs::exists(target_, error) && !is_safe_to_rename(file_) && ::fsync(file_) != 0) refuse(errno);
  if (!is_special_) fs::rename(part_, target_, error);
  if (!is_special_ && error) refuse(error.value());
  keep_ = true;
  if (::close(std::exchange(file_, -1)) != 0) refuse(errno);
  if (!left_behind_.empty()) fs::remove(left_behind_, error);
}

void write_file(const fs::path& path, std::string_view bytes, const std::string& what) {
  NewFile file(path, what);
  file.write(bytes);
  file.finish();
}

}  // namespace skyhook
