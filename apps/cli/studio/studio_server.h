// The studio on the loopback interface: its page, and the model files of one folder behind a token.
// Answers nobody else: requests with another Host (a name that was bent to this address), from
// another origin, or for files without the token are refused.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "studio/model_folder.h"

namespace pawl::cli {

class StudioServer {
public:
    // `page` holds the files of the studio as web/studio builds them.
    StudioServer(const std::filesystem::path& page, ModelFolder& folder);
    ~StudioServer();
    StudioServer(const StudioServer&) = delete;
    StudioServer& operator=(const StudioServer&) = delete;

    // Takes the port, 0: any free one. False when it is in use.
    bool bind(int port);
    // The address to open. The token stands in its fragment, which browsers do not send.
    [[nodiscard]] std::string address() const;
    // Answers until the process ends.
    void listen();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace pawl::cli
