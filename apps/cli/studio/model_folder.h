// The model files below one folder: listed, read, written. Nothing above it or through symbolic
// links is reached, whatever path is asked for. Knows no network.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

class ModelFolder {
public:
    explicit ModelFolder(std::filesystem::path folder);

    enum class Outcome { done, forbidden, missing, changed, refused };
    struct Answer {
        Outcome outcome = Outcome::done;
        std::string text;     // of the file, or what was wrong
        std::string version;  // a fingerprint of the file as it is now
    };

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    // Paths of the .toml files, sorted; hidden files and folders are left out.
    [[nodiscard]] std::vector<std::string> list() const;
    [[nodiscard]] Answer read(std::string_view path) const;
    // `version` is the one that the writer has read, or empty for a file that must be new. Where
    // the file is another one by now nothing is written.
    Answer write(std::string_view path, const std::string& text, std::string_view version);

private:
    std::filesystem::path folder_;
    std::mutex writing_;
};

}  // namespace pawl::cli
