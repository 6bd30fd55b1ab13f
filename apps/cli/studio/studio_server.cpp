#include "studio/studio_server.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "model_file/text/document.h"
#include "model_file/text/write_file.h"

namespace pawl::cli {

namespace fs = std::filesystem;
using httplib::Request;
using httplib::Response;

namespace {

constexpr auto loopback = "127.0.0.1";

// What the page may do: its own scripts, its own worker, nothing from elsewhere.
constexpr auto policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// The files of the page. No other name is looked for in its folder.
struct PageFile {
    std::string_view name;
    const char* type;
};
constexpr PageFile page_files[] = {{"index.html", "text/html; charset=utf-8"},
                                   {"main.js", "text/javascript; charset=utf-8"},
                                   {"worker.js", "text/javascript; charset=utf-8"},
                                   {"style.css", "text/css; charset=utf-8"},
                                   {"engine.wasm", "application/wasm"},
                                   {"examples.json", "application/json"},
                                   {"licences.txt", "text/plain; charset=utf-8"},
                                   {"pawl_studio.html", "text/html; charset=utf-8"}};

// Takes as long whatever the difference is.
bool same(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

void refuse(Response& response, int status, const std::string& reason) {
    response.status = status;
    response.set_content(nlohmann::json{{"error", reason}}.dump(
                             -1, ' ', false, nlohmann::json::error_handler_t::replace),
                         "application/json");
}

int status_of(ModelFolder::Outcome outcome) {
    switch (outcome) {
        case ModelFolder::Outcome::done:
            return 200;
        case ModelFolder::Outcome::forbidden:
            return 403;
        case ModelFolder::Outcome::missing:
            return 404;
        case ModelFolder::Outcome::changed:
            return 412;
        case ModelFolder::Outcome::refused:
            return 500;
    }
    return 500;
}

// The path below the folder of "/files/...".
std::string path_of(const Request& request) {
    return request.path.substr(std::string_view("/files/").size());
}

// "abc" of the header "\"abc\"".
std::string unquoted(const std::string& tag) {
    return tag.size() >= 2 && tag.front() == '"' && tag.back() == '"'
               ? tag.substr(1, tag.size() - 2)
               : tag;
}

}  // namespace

struct StudioServer::Inside {
    fs::path page;
    ModelFolder& folder;
    httplib::Server server;
    std::string token = unguessable_name() + unguessable_name();
    int port = 0;

    Inside(fs::path page_, ModelFolder& folder_) : page(std::move(page_)), folder(folder_) {}

    // Why a request is not answered; empty: it is.
    [[nodiscard]] std::string problem(const Request& request) const {
        const std::string host = fmt::format("{}:{}", loopback, port),
                          name = fmt::format("localhost:{}", port);
        const std::string asked = request.get_header_value("Host");
        if (request.get_header_value_count("Host") != 1 || (asked != host && asked != name))
            return "the Host header does not name this server";
        const std::string origin = request.get_header_value("Origin");
        if (request.has_header("Origin") && origin != "http://" + asked)
            return "requests from other pages are not answered";
        // A link on another page, as that of a report, may lead to this one; it carries no token.
        const std::string site = request.get_header_value("Sec-Fetch-Site");
        const bool is_link = request.get_header_value("Sec-Fetch-Mode") == "navigate" &&
                             request.get_header_value("Sec-Fetch-Dest") == "document" &&
                             request.path == "/" && request.method == "GET";
        if (!site.empty() && site != "same-origin" && site != "none" && !is_link)
            return "requests from other pages are not answered";
        if (request.has_header("Service-Worker")) return "this page has no service worker";
        if (request.path.starts_with("/files") &&
            !same(request.get_header_value("X-Pawl-Token"), token))
            return "the token is missing or wrong; open the address that `pawl studio` has printed";
        return "";
    }

    void answer_page(const Request& request, Response& response) const {
        const std::string_view name =
            request.path == "/" ? "index.html" : std::string_view(request.path).substr(1);
        for (const PageFile& file : page_files) {
            if (file.name != name) continue;
            std::ifstream stream(page / file.name, std::ios::binary);
            if (!stream) break;
            response.set_content(std::string(std::istreambuf_iterator<char>(stream), {}),
                                 file.type);
            response.set_header("Cache-Control", "no-cache");
            return;
        }
        refuse(response, 404, "there is no such file");
    }
    void answer_list(Response& response) const {
        const nlohmann::json list{{"folder", folder.path().filename().string()},
                                  {"files", folder.list()}};
        response.set_content(list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                             "application/json");
    }
    void answer_file(const Request& request, Response& response) const {
        const auto answer = folder.read(path_of(request));
        if (answer.outcome != ModelFolder::Outcome::done)
            return refuse(response, status_of(answer.outcome), answer.text);
        response.set_header("ETag", "\"" + answer.version + "\"");
        response.set_content(answer.text, "text/plain; charset=utf-8");
    }
    void take_file(const Request& request, Response& response) {
        if (!request.has_header("If-Match") && request.get_header_value("If-None-Match") != "*")
            return refuse(response, 428, "the request must name the version that it replaces");
        const auto answer = folder.write(path_of(request), request.body,
                                         unquoted(request.get_header_value("If-Match")));
        if (!answer.version.empty()) response.set_header("ETag", "\"" + answer.version + "\"");
        if (answer.outcome != ModelFolder::Outcome::done)
            return refuse(response, status_of(answer.outcome), answer.text);
        response.status = 204;
    }

    void prepare() {
        server.set_default_headers({{"Content-Security-Policy", policy},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"Cross-Origin-Opener-Policy", "same-origin"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"}});
        // Without the option to share a port, which is usual in this library.
        server.set_socket_options([](socket_t socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        server.set_payload_max_length(largest_document);
        server.set_pre_routing_handler([this](const Request& request, Response& response) {
            const std::string reason = problem(request);
            if (reason.empty()) return httplib::Server::HandlerResponse::Unhandled;
            refuse(response, 403, reason);
            return httplib::Server::HandlerResponse::Handled;
        });
        server.Get("/files", [this](const Request&, Response& r) { answer_list(r); });
        // A path may hold any character, also one that ends a line.
        constexpr auto any_file = R"(/files/[\s\S]*)";
        server.Get(any_file, [this](const Request& q, Response& r) { answer_file(q, r); });
        server.Put(any_file, [this](const Request& q, Response& r) { take_file(q, r); });
        server.Get("/.*", [this](const Request& q, Response& r) { answer_page(q, r); });
    }
};

StudioServer::StudioServer(const fs::path& page, ModelFolder& folder)
    : inside_(std::make_unique<Inside>(page, folder)) {
    inside_->prepare();
}

StudioServer::~StudioServer() = default;

bool StudioServer::bind(int port) {
    inside_->port = port;
    if (port != 0) return inside_->server.bind_to_port(loopback, port);
    inside_->port = inside_->server.bind_to_any_port(loopback);
    return inside_->port > 0;
}

std::string StudioServer::address() const {
    return fmt::format("http://{}:{}/#token={}", loopback, inside_->port, inside_->token);
}

void StudioServer::listen() { inside_->server.listen_after_bind(); }

}  // namespace pawl::cli
