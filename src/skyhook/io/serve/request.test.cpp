// References: RFC 9112 for what a request looks like; everything else must be refused.
#include "skyhook/io/serve/request.h"

#include <doctest/doctest.h>

#include <string>

using namespace skyhook::io::serve;

namespace {

int status_of(const std::string& head) { return judge(head, 8137).status; }
std::string request(const std::string& target, const std::string& host = "127.0.0.1:8137") {
  return "GET " + target + " HTTP/1.1\r\nHost: " + host;
}

}  // namespace

TEST_CASE("There are two things to ask for") {
  CHECK(judge(request("/"), 8137).asked == Asked::page);
  CHECK(judge(request("/version"), 8137).asked == Asked::version);
  CHECK(status_of("GET / HTTP/1.0\r\nhOST:\tLocalHost:8137 \r\nAccept: */*") == 200);
}

TEST_CASE("Every other path is unknown, however it is written") {
  for (const char* target : {"/../../etc/passwd",
                             "/%2e%2e/%2e%2e/etc/passwd",
                             "/..%2f..%2fetc/passwd",
                             "//etc/passwd",
                             "/etc/passwd",
                             "/.",
                             "/./",
                             "//",
                             "/version/",
                             "/version/../",
                             "/Version",
                             "/version?x",
                             "/?file=/etc/passwd",
                             "/#",
                             "/%00",
                             "/%2F",
                             "*",
                             "version",
                             "file:///etc/passwd",
                             "http://127.0.0.1:8137/",
                             "http://127.0.0.1:8137/etc/passwd",
                             "/\\..\\..",
                             "/index.html",
                             "/favicon.ico",
                             "/\xc0\xae\xc0\xae/etc"}) {
    INFO(target);
    const Judgement judgement = judge(request(target), 8137);
    CHECK(judgement.status == 404);
    CHECK(judgement.asked == Asked::nothing);
  }
}

TEST_CASE("The server must be called by its own name and port") {
  for (const char* host : {"evil.example", "evil.example:8137", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:81370",
                           "localhost", "localhost.evil.example:8137", "127.0.0.1:8137.evil.example", "", "[::1]:8137",
                           "0.0.0.0:8137", "user@127.0.0.1:8137", "127.0.0.1:8137, evil.example"}) {
    INFO(host);
    CHECK(status_of(request("/", host)) == 403);
  }
  CHECK(status_of("GET / HTTP/1.1\r\nAccept: */*") == 400);
  CHECK(status_of(request("/") + "\r\nHost: evil.example") == 400);
  CHECK(status_of(request("/") + "\r\nHost: 127.0.0.1:8137") == 400);
}

TEST_CASE("Nothing but GET") {
  for (const char* method : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "GETX"}) {
    INFO(method);
    CHECK(status_of(std::string(method) + " / HTTP/1.1\r\nHost: localhost:8137") == 405);
  }
}

TEST_CASE("What is no request of HTTP is refused as such") {
  const std::string host = "\r\nHost: localhost:8137";
  for (const std::string& head :
       {std::string(), std::string("GET"), "GET /" + host, "GET / HTTP/2" + host, "GET / HTTP/1.1 " + host,
        "GET  / HTTP/1.1" + host, " GET / HTTP/1.1" + host, "GET / x HTTP/1.1" + host,
        "GET / HTTP/1.1" + host + "\r\nno colon", "GET / HTTP/1.1" + host + "\r\n folded: x",
        "GET / HTTP/1.1" + host + "\r\n: x", std::string("GET / HTTP/1.1\nHost: localhost:8137"),
        "GET /\x01 HTTP/1.1" + host, std::string("\x16\x03\x01\x02\x00\x01", 6),
        "GET /" + std::string(1, '\0') + " HTTP/1.1" + host}) {
    INFO(head);
    CHECK(status_of(head) == 400);
  }
}
