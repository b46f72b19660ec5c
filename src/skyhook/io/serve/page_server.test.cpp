// References: what was given to the server, as a client on a plain socket receives it.
#include "skyhook/io/serve/page_server.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <vector>

#include "skyhook/io/result/example_run.testing.h"
#include "skyhook/io/serve/client.testing.h"

using namespace skyhook;
using namespace skyhook::io::serve;
using io::example::holds;
using testing::ask;
using testing::body_of;
using testing::Client;
using testing::get;

namespace {

constexpr ServerOptions any_port{.port = 0};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("The page and its version are served") {
  PageServer server("first", any_port);
  const std::string answer = get(server.port(), "/");
  CHECK(holds(answer, "HTTP/1.1 200 OK\r\n"));
  CHECK(holds(answer, "Cache-Control: no-store\r\n"));
  CHECK(holds(answer, "X-Content-Type-Options: nosniff\r\n"));
  CHECK(holds(answer, "Content-Security-Policy: default-src 'none';"));
  CHECK(!holds(answer, "Access-Control-Allow"));
  CHECK(body_of(answer) == "first");
  CHECK(body_of(get(server.port(), "/version")) == "{\"version\": 1, \"state\": \"running\", \"message\": \"\"}\n");

  const std::string large(5'000'000, 'x');
  server.show(large);
  CHECK(body_of(get(server.port(), "/")) == large);
  CHECK(body_of(get(server.port(), "/version")) == "{\"version\": 2, \"state\": \"ready\", \"message\": \"\"}\n");
  server.tell("error", "a \"b\"\n</script>");
  CHECK(
      holds(get(server.port(), "/version"), "\"version\": 2, \"state\": \"error\", \"message\": \"a \\\"b\\\"\\u000a"));
  CHECK(body_of(get(server.port(), "/")) == large);  // the last good page stays
  CHECK(server.version() == 2);
}

TEST_CASE("Versions count from the one that is given") {
  PageServer server("first", {.port = 0, .first_version = 1'800'000'000});
  CHECK(server.version() == 1'800'000'000);
  server.show("second");
  CHECK(server.version() == 1'800'000'001);
  CHECK(holds(get(server.port(), "/version"), "{\"version\": 1800000001, "));
}

TEST_CASE("Refusals tell nothing of the page") {
  PageServer server("secret", any_port);
  const std::string here = "127.0.0.1:" + std::to_string(server.port());
  for (const std::string& answer :
       {get(server.port(), "/../../etc/passwd"), get(server.port(), "/", "evil.example"),
        ask(server.port(), "POST / HTTP/1.1\r\nHost: " + here + "\r\nContent-Length: 3\r\n\r\nabc"),
        ask(server.port(), "\x16\x03\x01garbage\r\n\r\n"),
        ask(server.port(), "GET / HTTP/1.1\r\nHost: " + here + "\r\nX: " + std::string(9000, 'x') + "\r\n\r\n"),
        ask(server.port(), std::string(100'000, 'A'))}) {
    CHECK(holds(answer, "HTTP/1.1 4"));
    CHECK(!holds(answer, "secret"));
    CHECK(!holds(answer, "root:"));
    CHECK(answer.size() < 1000);
  }
  CHECK(body_of(get(server.port(), "/")) == "secret");
}

TEST_CASE("A request may come byte by byte") {
  PageServer server("page", any_port);
  const Client client(server.port());
  for (const char c : "GET / HTTP/1.1\r\nHost: localhost:" + std::to_string(server.port()) + "\r\n\r\n")
    client.send(std::string(1, c));
  CHECK(body_of(client.receive()) == "page");
}

TEST_CASE("Clients that say nothing, take nothing or are too many hold up nobody") {
  PageServer server(std::string(20'000'000, 'x'), {.port = 0, .head_seconds = 1, .most_connections = 8});
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    if (i % 3 == 1) clients.back()->send("GET / HT");
    if (i % 3 == 2)  // asks for the page, and does not take it
      clients.back()->send("GET / HTTP/1.1\r\nHost: localhost:" + std::to_string(server.port()) + "\r\n\r\n");
  }
  CHECK(holds(get(server.port(), "/version"), "running"));
  CHECK(seconds_since(begin) < 5);
  CHECK(clients[0]->receive().empty());  // closed without an answer when its time was over, or to make room
  CHECK(seconds_since(begin) < 8);
}

TEST_CASE("Only this machine can connect") {
  PageServer server("page", any_port);
  std::ifstream table("/proc/net/tcp");  // "sl local_address rem_address st ...": address in hex, state 0A listens
  char port[8];
  std::snprintf(port, sizeof port, ":%04X", server.port());
  int listening = 0;
  for (std::string line; std::getline(table, line);) {
    if (!holds(line, port) || !holds(line, " 00000000:0000 0A ")) continue;
    ++listening;
    CHECK(holds(line, std::string(" 0100007F") + port));  // 127.0.0.1 in the order of bytes of this machine
  }
  CHECK(listening == 1);
  // All of 127.0.0.0/8 is this machine, but only 127.0.0.1 was opened.
  CHECK(!Client(server.port(), "127.0.0.2").connected);
}

TEST_CASE("The next free port is taken, or none if that one was asked for") {
  PageServer first("a", any_port);
  PageServer second("b", {.port = first.port()});
  CHECK(second.port() > first.port());
  CHECK(body_of(get(second.port(), "/")) == "b");
  const std::string message =
      io::example::message_of([&] { PageServer("c", {.port = first.port(), .or_a_later = false}); });
  CHECK(holds(message, "is taken"));
}
