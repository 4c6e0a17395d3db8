// Whether libwebm's parser accepts a whole file: prints "ok FRAMES", or the status it ended with.
#include <webm/callback.h>
#include <webm/file_reader.h>
#include <webm/webm_parser.h>

#include <cstdio>
#include <cstring>

class Counting : public webm::Callback {
 public:
  long frames = 0;
  webm::Status OnFrame(const webm::FrameMetadata& frame, webm::Reader* reader, std::uint64_t* bytes_remaining) override {
    ++frames;
    return Skip(reader, bytes_remaining);
  }
};

int main(int count, char** arguments) {
  FILE* file = count == 2 ? std::fopen(arguments[1], "rb") : nullptr;
  if (!file) return std::puts("not there"), 2;
  webm::FileReader reader(file);
  webm::WebmParser parser;
  Counting counting;
  const webm::Status status = parser.Feed(&counting, &reader);
  if (status.completed_ok()) return std::printf("ok %ld\n", counting.frames), 0;
  return std::printf("status %d after %ld frames\n", static_cast<int>(status.code), counting.frames), 1;
}
