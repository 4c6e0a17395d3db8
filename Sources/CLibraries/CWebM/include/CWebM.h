#pragma once
// libwebm's parser (C++) behind a C face: events are pulled, one frame at a time.
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct cwebm_reader cwebm_reader;

/// Reads up to `count` bytes at `offset`. Returns how many were read, 0 at the end, -1 on failure.
typedef int64_t (*cwebm_source)(void *user, uint64_t offset, uint8_t *buffer, size_t count);

typedef enum {
    CWEBM_PAUSED,     // the header is read (cwebm_read_header), or a frame is there (cwebm_next)
    CWEBM_END,        // the Segment has ended
    CWEBM_STARVED,    // the bytes have ended and the Segment has not; may be asked again when there are more
    CWEBM_UNREADABLE, // the source failed
    CWEBM_MALFORMED,  // not WebM
} cwebm_result;

typedef struct {
    uint64_t number;
    int is_audio, is_video;
    uint64_t width, height, display_width, display_height;
    uint64_t channels;
    double sampling_frequency;
    uint64_t codec_delay, seek_pre_roll; // nanoseconds
    const char *codec_id, *name, *language;
    const uint8_t *codec_private;
    size_t codec_private_size;
} cwebm_track;

typedef struct {
    uint64_t track;
    int64_t time; // nanoseconds
    int is_keyframe;
    const uint8_t *payload; // until the next call
    size_t size;
} cwebm_frame;

typedef struct {
    uint64_t target_type_value;
    uint64_t track_uid; // 0 for the file
    const char *name, *value;
} cwebm_tag;

typedef struct {
    uint64_t start, end; // nanoseconds
    int has_end;
    const char *title;
} cwebm_chapter;

cwebm_reader *cwebm_open(cwebm_source source, void *user);
void cwebm_close(cwebm_reader *reader);
/// Reads up to the first cluster.
cwebm_result cwebm_read_header(cwebm_reader *reader);
cwebm_result cwebm_next(cwebm_reader *reader, cwebm_frame *frame);

/// Goes on at a cluster that begins at a position, after the header was read.
void cwebm_seek(cwebm_reader *reader, uint64_t position);

size_t cwebm_track_count(const cwebm_reader *reader);
cwebm_track cwebm_track_at(const cwebm_reader *reader, size_t index);
size_t cwebm_tag_count(const cwebm_reader *reader);
cwebm_tag cwebm_tag_at(const cwebm_reader *reader, size_t index);
size_t cwebm_cue_count(const cwebm_reader *reader);
size_t cwebm_chapter_count(const cwebm_reader *reader);
cwebm_chapter cwebm_chapter_at(const cwebm_reader *reader, size_t index);
size_t cwebm_cluster_count(const cwebm_reader *reader);
/// Nanoseconds; negative when there is no Duration.
double cwebm_duration(const cwebm_reader *reader);
const char *cwebm_title(const cwebm_reader *reader);
/// Nanoseconds since 2001; `*is_present` says whether there is one.
int64_t cwebm_date(const cwebm_reader *reader, int *is_present);
/// Whether parsing has stopped at the end of every element that had begun.
int cwebm_is_between_elements(const cwebm_reader *reader);

#ifdef __cplusplus
}
#endif
