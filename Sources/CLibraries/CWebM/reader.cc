#include "CWebM.h"

#include <webm/callback.h>
#include <webm/reader.h>
#include <webm/webm_parser.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace {

constexpr std::int32_t kPaused = 1;      // a status of ours: stop parsing, go on later
constexpr std::int32_t kUnreadable = 2;  // the source failed
constexpr std::int32_t kEnded = 3;       // the Segment's size was read to its end; what follows is not asked for

// Reads the source through a buffer, so that memory does not grow with the file.
class SourceReader final : public webm::Reader {
 public:
  SourceReader(cwebm_source source, void *user) : source_(source), user_(user), buffer_(64 * 1024) {}

  webm::Status Read(std::size_t count, std::uint8_t *into, std::uint64_t *done) override {
    return Take(count, into, done);
  }
  webm::Status Skip(std::uint64_t count, std::uint64_t *done) override { return Take(count, nullptr, done); }
  std::uint64_t Position() const override { return position_; }

  void Seek(std::uint64_t position) { position_ = buffer_start_ = buffer_end_ = position; }

  // Whether the source has grown beyond what was read.
  bool HasMore() {
    std::uint8_t byte;
    return position_ < buffer_end_ || source_(user_, position_, &byte, 1) > 0;
  }

 private:
  webm::Status Take(std::uint64_t count, std::uint8_t *into, std::uint64_t *done) {
    *done = 0;
    while (*done < count) {
      if (position_ == buffer_end_) {
        const std::int64_t filled = source_(user_, position_, buffer_.data(), buffer_.size());
        if (filled < 0) return webm::Status(kUnreadable);
        if (filled == 0) break;
        buffer_start_ = position_;
        buffer_end_ = position_ + static_cast<std::uint64_t>(filled);
      }
      const std::uint64_t part = std::min(count - *done, buffer_end_ - position_);
      if (into) std::memcpy(into + *done, buffer_.data() + (position_ - buffer_start_), part);
      position_ += part;
      *done += part;
    }
    if (*done == count) return webm::Status(webm::Status::kOkCompleted);
    // "Would block" and not "end of file": the file may be growing, and may be asked again.
    return webm::Status(*done ? webm::Status::kOkPartial : webm::Status::kWouldBlock);
  }

  cwebm_source source_;
  void *user_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t position_ = 0, buffer_start_ = 0, buffer_end_ = 0;
};

struct Frame {
  std::uint64_t track;
  std::int64_t time;
  bool is_keyframe;
  std::uint64_t position;
  std::vector<std::uint8_t> payload;
};

// Elements that the parser keeps in memory whole; one with a size beyond reason is not allocated.
bool IsKeptWhole(webm::Id id) {
  switch (id) {
    case webm::Id::kDocType: case webm::Id::kTitle: case webm::Id::kMuxingApp: case webm::Id::kWritingApp:
    case webm::Id::kName: case webm::Id::kLanguage: case webm::Id::kCodecId: case webm::Id::kCodecName:
    case webm::Id::kCodecPrivate: case webm::Id::kBlockAdditional: case webm::Id::kContentEncKeyId:
    case webm::Id::kProjectionPrivate: case webm::Id::kChapterStringUid: case webm::Id::kChapString:
    case webm::Id::kChapLanguage: case webm::Id::kChapCountry: case webm::Id::kTargetType: case webm::Id::kTagName:
    case webm::Id::kTagLanguage: case webm::Id::kTagString: case webm::Id::kTagBinary:
      return true;
    default:
      return false;
  }
}

}  // namespace

struct cwebm_reader final : webm::Callback {
  cwebm_reader(cwebm_source source, void *user) : reader(source, user) {}

  SourceReader reader;
  webm::WebmParser parser;
  webm::Info info;
  std::vector<webm::TrackEntry> tracks;
  struct Tag {
    std::uint64_t type_value, track_uid;
    std::string name, value;
  };
  std::vector<Tag> tags;
  std::vector<webm::ChapterAtom> chapters;
  std::size_t cues = 0, clusters = 0;
  std::uint64_t elements_end = 0;  // where the furthest element that has begun ends
  std::deque<Frame> frames;        // of the block that is being read
  std::deque<Frame> ready;         // of the block that was read last, not handed out yet
  Frame current{};                 // handed out last
  bool pause_at_cluster = true;

  cwebm_result last = CWEBM_PAUSED;

  cwebm_result Feed() {
    switch (last) {
      case CWEBM_PAUSED:
        break;
      case CWEBM_STARVED:
        // Fed again without more bytes, the parser would trip over an element that ends inside its child's ID.
        if (!reader.HasMore()) return last;
        break;
      default:
        return last;
    }
    last = FeedOnce();
    return last;
  }

  cwebm_result FeedOnce() {
    try {
      const webm::Status status = parser.Feed(this, &reader);
      if (status.code == kPaused) return CWEBM_PAUSED;
      if (status.code == kUnreadable) return CWEBM_UNREADABLE;
      if (status.code == kEnded || status.completed_ok()) return CWEBM_END;
      if (status.is_parsing_error()) return CWEBM_MALFORMED;
      return CWEBM_STARVED;
    } catch (...) {
      return CWEBM_MALFORMED;
    }
  }

  webm::Status OnElementBegin(const webm::ElementMetadata &metadata, webm::Action *action) override {
    *action = webm::Action::kRead;
    // The parser would look for an EBML header further on.
    if (elements_end == 0 && metadata.id != webm::Id::kEbml) return webm::Status(webm::Status::kInvalidElementId);
    if (metadata.size != webm::kUnknownElementSize) {
      if (IsKeptWhole(metadata.id) && metadata.size > (1 << 20)) return webm::Status(webm::Status::kNotEnoughMemory);
      const std::uint64_t body = metadata.position + metadata.header_size;
      elements_end = std::max(elements_end, metadata.size > UINT64_MAX - body ? UINT64_MAX : body + metadata.size);
    }
    // The same call comes again when parsing goes on.
    if (metadata.id == webm::Id::kCluster && pause_at_cluster) {
      pause_at_cluster = false;
      return webm::Status(kPaused);
    }
    return Ok();
  }
  webm::Status OnInfo(const webm::ElementMetadata &, const webm::Info &value) override {
    info = value;
    return Ok();
  }
  webm::Status OnTrackEntry(const webm::ElementMetadata &, const webm::TrackEntry &value) override {
    tracks.push_back(value);
    return Ok();
  }
  webm::Status OnCuePoint(const webm::ElementMetadata &, const webm::CuePoint &) override {
    cues += 1;
    return Ok();
  }
  webm::Status OnEditionEntry(const webm::ElementMetadata &, const webm::EditionEntry &value) override {
    for (const auto &atom : value.atoms) chapters.push_back(atom.value());
    return Ok();
  }
  webm::Status OnTag(const webm::ElementMetadata &, const webm::Tag &value) override {
    const webm::Targets &targets = value.targets.value();
    const std::uint64_t uid = targets.track_uids.empty() ? 0 : targets.track_uids.front().value();
    for (const auto &simple : value.tags) {
      const webm::SimpleTag &tag = simple.value();
      tags.push_back({targets.type_value.value(), uid, tag.name.value(), tag.string.value()});
    }
    return Ok();
  }

  webm::Status OnClusterBegin(const webm::ElementMetadata &, const webm::Cluster &value, webm::Action *action) override {
    *action = webm::Action::kRead;
    cluster_ticks_ = value.timecode.value();
    clusters += 1;
    return Ok();
  }
  webm::Status OnSimpleBlockBegin(const webm::ElementMetadata &, const webm::SimpleBlock &block,
                                  webm::Action *action) override {
    *action = webm::Action::kRead;
    Begin(block, block.is_key_frame);
    return Ok();
  }
  webm::Status OnBlockBegin(const webm::ElementMetadata &, const webm::Block &block, webm::Action *action) override {
    *action = webm::Action::kRead;
    Begin(block, false);
    return Ok();
  }
  webm::Status OnFrame(const webm::FrameMetadata &metadata, webm::Reader *source, std::uint64_t *remaining) override {
    if (frames.empty() || frames.back().position != metadata.position) {
      frames.push_back({block_.track_number, block_time_, block_is_keyframe_, metadata.position, {}});
    }
    std::vector<std::uint8_t> &payload = frames.back().payload;
    // In steps, so that what is allocated is bounded by what is there and not by what is claimed.
    while (*remaining > 0) {
      const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(*remaining, 256 * 1024));
      const std::size_t have = payload.size();
      payload.resize(have + step);
      std::uint64_t done = 0;
      const webm::Status status = source->Read(step, payload.data() + have, &done);
      payload.resize(have + done);
      *remaining -= done;
      if (!status.ok()) return status;
    }
    return Ok();
  }
  webm::Status OnSimpleBlockEnd(const webm::ElementMetadata &, const webm::SimpleBlock &) override {
    return PauseIfFrames();
  }
  webm::Status OnBlockGroupEnd(const webm::ElementMetadata &, const webm::BlockGroup &group) override {
    for (Frame &frame : frames) frame.is_keyframe = group.references.empty();
    return PauseIfFrames();
  }
  webm::Status OnSegmentEnd(const webm::ElementMetadata &) override { return webm::Status(kEnded); }

 private:
  static webm::Status Ok() { return webm::Status(webm::Status::kOkCompleted); }

  // Pauses once: the same call comes again when parsing goes on, and then there are none.
  webm::Status PauseIfFrames() {
    if (frames.empty()) return Ok();
    ready.swap(frames);
    return webm::Status(kPaused);
  }

  void Begin(const webm::Block &block, bool is_keyframe) {
    block_ = block;
    block_is_keyframe_ = is_keyframe;
    // In floating point first: a hostile scale or timestamp must not overflow.
    const double scale = static_cast<double>(info.timecode_scale.value());
    const double time = (static_cast<double>(cluster_ticks_) + block.timecode) * scale;
    block_time_ = std::abs(time) < 9e18 ? static_cast<std::int64_t>(time) : 0;
  }

  std::uint64_t cluster_ticks_ = 0;
  webm::Block block_{};
  std::int64_t block_time_ = 0;
  bool block_is_keyframe_ = false;
};

cwebm_reader *cwebm_open(cwebm_source source, void *user) { return new cwebm_reader(source, user); }
void cwebm_close(cwebm_reader *reader) { delete reader; }

cwebm_result cwebm_read_header(cwebm_reader *reader) {
  return reader->pause_at_cluster ? reader->Feed() : CWEBM_PAUSED;
}

cwebm_result cwebm_next(cwebm_reader *reader, cwebm_frame *frame) {
  reader->pause_at_cluster = false;
  if (reader->ready.empty()) {
    const cwebm_result result = reader->Feed();
    if (result != CWEBM_PAUSED) return result;
  }
  reader->current = std::move(reader->ready.front());
  reader->ready.pop_front();
  const Frame &current = reader->current;
  *frame = {current.track, current.time, current.is_keyframe, current.payload.data(), current.payload.size()};
  return CWEBM_PAUSED;
}

void cwebm_seek(cwebm_reader *reader, uint64_t position) {
  reader->reader.Seek(position);
  reader->parser.DidSeek();
  reader->frames.clear();
  reader->ready.clear();
  reader->last = CWEBM_PAUSED;
}

size_t cwebm_track_count(const cwebm_reader *reader) { return reader->tracks.size(); }
cwebm_track cwebm_track_at(const cwebm_reader *reader, size_t index) {
  const webm::TrackEntry &entry = reader->tracks[index];
  const webm::Video &video = entry.video.value();
  const webm::Audio &audio = entry.audio.value();
  cwebm_track track{};
  track.number = entry.track_number.value();
  track.is_audio = entry.track_type.value() == webm::TrackType::kAudio;
  track.is_video = entry.track_type.value() == webm::TrackType::kVideo;
  track.width = video.pixel_width.value();
  track.height = video.pixel_height.value();
  track.display_width = video.display_width.is_present() ? video.display_width.value() : track.width;
  track.display_height = video.display_height.is_present() ? video.display_height.value() : track.height;
  track.channels = audio.channels.value();
  track.sampling_frequency = audio.sampling_frequency.value();
  track.codec_delay = entry.codec_delay.value();
  track.seek_pre_roll = entry.seek_pre_roll.value();
  track.codec_id = entry.codec_id.value().c_str();
  track.name = entry.name.value().c_str();
  track.language = entry.language.value().c_str();
  track.codec_private = entry.codec_private.value().data();
  track.codec_private_size = entry.codec_private.value().size();
  return track;
}
size_t cwebm_tag_count(const cwebm_reader *reader) { return reader->tags.size(); }
cwebm_tag cwebm_tag_at(const cwebm_reader *reader, size_t index) {
  const cwebm_reader::Tag &tag = reader->tags[index];
  return {tag.type_value, tag.track_uid, tag.name.c_str(), tag.value.c_str()};
}
size_t cwebm_cue_count(const cwebm_reader *reader) { return reader->cues; }
size_t cwebm_chapter_count(const cwebm_reader *reader) { return reader->chapters.size(); }
cwebm_chapter cwebm_chapter_at(const cwebm_reader *reader, size_t index) {
  const webm::ChapterAtom &atom = reader->chapters[index];
  const char *title = atom.displays.empty() ? "" : atom.displays.front().value().string.value().c_str();
  return {atom.time_start.value(), atom.time_end.value(), atom.time_end.is_present(), title};
}
size_t cwebm_cluster_count(const cwebm_reader *reader) { return reader->clusters; }
double cwebm_duration(const cwebm_reader *reader) {
  const webm::Info &info = reader->info;
  return info.duration.is_present() ? info.duration.value() * static_cast<double>(info.timecode_scale.value()) : -1;
}
const char *cwebm_title(const cwebm_reader *reader) { return reader->info.title.value().c_str(); }
int64_t cwebm_date(const cwebm_reader *reader, int *is_present) {
  *is_present = reader->info.date_utc.is_present();
  return reader->info.date_utc.value();
}
int cwebm_is_between_elements(const cwebm_reader *reader) {
  return reader->reader.Position() == reader->elements_end;
}
