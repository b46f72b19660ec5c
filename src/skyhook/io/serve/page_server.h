// Serves one page to browsers on this machine, and tells them when there is a newer one.
//   GET /         the page
//   GET /version  {"version": n, "state": "running"|"ready"|"error", "message": "..."}; n rises by one with each page
#pragma once
#include <memory>
#include <string>

namespace skyhook::io::serve {

struct ServerOptions {
  int port = 8137;            // 0: any that is free
  bool or_a_later = true;     // if it is taken, one of the hundred after it
  double head_seconds = 5;    // a request must be complete within this, an answer taken within twelve times this
  int most_connections = 64;  // then the one that has least time left is closed
  long first_version = 1;
};

// Listens on 127.0.0.1 only, in a thread of its own; no client can hold up another or the caller.
class PageServer {
 public:
  // ModelError if there is no free port.
  explicit PageServer(std::string first_page, const ServerOptions& options = {});
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const;
  long version() const;         // of the page that is shown; the next one has one more
  void show(std::string page);  // a newer one: the version rises, the state is "ready"
  void tell(const std::string& state, const std::string& message);

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace skyhook::io::serve
