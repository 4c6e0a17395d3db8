// floor: what libvpx and libopus alone take for the job of rendering a call. No scaling, no container, no queue, one thread.
//
//   floor decode FILE.ivf ...                 decodes every VP8 stream, one after the other, and drops the pictures
//   floor compose OUT.yuv FILE.ivf ...        decodes and scales into a grid of 1280x720: the raw clip to encode (not timed)
//   floor encode IN.yuv KBPS                  encodes the raw clip with callbot's settings and drops the frames
//   floor opus KBPS FILE.ogg ...              decodes every Opus stream, sums, encodes stereo
//
// Prints the CPU seconds (user and system).
#include <fcntl.h>
#include <libyuv.h>
#include <math.h>
#include <opus/opus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

enum { WIDTH = 1280, HEIGHT = 720, FRAME = WIDTH * HEIGHT * 3 / 2, FPS = 25 };

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

static uint8_t *map(const char *path, size_t *size) {
  struct stat facts;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &facts)) fail(path);
  *size = facts.st_size;
  uint8_t *bytes = mmap(0, *size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) fail(path);
  return bytes;
}

static uint32_t le32(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

// --- pictures in IVF

typedef struct {
  uint8_t *bytes;
  size_t size, at;
  vpx_codec_ctx_t decoder;
  const vpx_image_t *picture;
} Stream;

static void open_stream(Stream *s, const char *path) {
  memset(s, 0, sizeof *s);
  s->bytes = map(path, &s->size);
  if (s->size < 32 || memcmp(s->bytes, "DKIF", 4)) fail("not an IVF file");
  s->at = 32;
  vpx_codec_dec_cfg_t settings = {.threads = 1};
  if (vpx_codec_dec_init(&s->decoder, vpx_codec_vp8_dx(), &settings, 0)) fail("the decoder does not start");
}

static int decode_next(Stream *s) {
  if (s->at + 12 > s->size) return 0;
  uint32_t length = le32(s->bytes + s->at);
  if (vpx_codec_decode(&s->decoder, s->bytes + s->at + 12, length, 0, 0)) fail("decoding");
  s->at += 12 + length;
  vpx_codec_iter_t next = 0;
  vpx_image_t *picture = vpx_codec_get_frame(&s->decoder, &next);
  if (picture) s->picture = picture;
  return 1;
}

static void decode(int count, char **paths) {
  for (int i = 0; i < count; i++) {
    Stream s;
    open_stream(&s, paths[i]);
    while (decode_next(&s)) {}
    vpx_codec_destroy(&s.decoder);
  }
}

static void compose(const char *out, int count, char **paths) {
  Stream *streams = calloc(count, sizeof *streams);
  uint8_t *canvas = malloc(FRAME);
  FILE *file = fopen(out, "wb");
  if (!file) fail(out);
  for (int i = 0; i < count; i++) open_stream(streams + i, paths[i]);
  int columns = (int)ceil(sqrt(count)), width = WIDTH / columns & ~1, height = HEIGHT / columns & ~1;
  memset(canvas, 16, WIDTH * HEIGHT);
  memset(canvas + WIDTH * HEIGHT, 128, WIDTH * HEIGHT / 2);
  for (int live = 1; live;) {
    live = 0;
    for (int i = 0; i < count; i++) {
      live |= decode_next(streams + i);
      const vpx_image_t *p = streams[i].picture;
      if (!p) continue;
      int x = i % columns * width, y = i / columns * height;
      uint8_t *luma = canvas + y * WIDTH + x, *blue = canvas + WIDTH * HEIGHT + y / 2 * (WIDTH / 2) + x / 2;
      I420Scale(p->planes[0], p->stride[0], p->planes[1], p->stride[1], p->planes[2], p->stride[2], p->d_w, p->d_h, luma, WIDTH,
                blue, WIDTH / 2, blue + WIDTH * HEIGHT / 4, WIDTH / 2, width, height, kFilterBox);
    }
    if (live && fwrite(canvas, 1, FRAME, file) != FRAME) fail(out);
  }
  fclose(file);
}

static void encode(const char *in, int kbps) {
  size_t size;
  uint8_t *raw = map(in, &size);
  vpx_codec_ctx_t encoder;
  vpx_codec_enc_cfg_t settings;
  vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &settings, 0);
  settings.g_w = WIDTH;
  settings.g_h = HEIGHT;
  settings.g_timebase.num = 1;
  settings.g_timebase.den = FPS;
  settings.g_threads = 1;
  settings.g_lag_in_frames = 0;
  settings.rc_target_bitrate = kbps;
  settings.rc_end_usage = VPX_CBR;
  settings.rc_min_quantizer = 2;
  settings.rc_max_quantizer = 56;
  settings.rc_undershoot_pct = 100;
  settings.rc_overshoot_pct = 15;
  settings.rc_buf_sz = 1000;
  settings.rc_buf_initial_sz = 500;
  settings.rc_buf_optimal_sz = 600;
  settings.kf_max_dist = 5 * FPS;
  if (vpx_codec_enc_init(&encoder, vpx_codec_vp8_cx(), &settings, 0)) fail("the encoder does not start");
  vpx_codec_control(&encoder, VP8E_SET_CPUUSED, -8);
  vpx_codec_control(&encoder, VP8E_SET_STATIC_THRESHOLD, 0);
  vpx_codec_control(&encoder, VP8E_SET_MAX_INTRA_BITRATE_PCT, 450);
  long frame = 0;
  for (size_t at = 0; at + FRAME <= size; at += FRAME, frame++) {
    vpx_image_t picture;
    vpx_img_wrap(&picture, VPX_IMG_FMT_I420, WIDTH, HEIGHT, 1, raw + at);
    if (vpx_codec_encode(&encoder, &picture, frame, 1, 0, VPX_DL_REALTIME)) fail("encoding");
    vpx_codec_iter_t next = 0;
    while (vpx_codec_get_cx_data(&encoder, &next)) {}
    // A live encoder gets its picture in memory; what was read from the file is not needed again.
    madvise(raw + (at & ~4095ul), FRAME, MADV_DONTNEED);
  }
  vpx_codec_destroy(&encoder);
}

// --- sound in Ogg, just enough of it

typedef struct {
  uint8_t *bytes, *lacing, *body, packet[8192];
  size_t size, at;
  int segment, segments, channels;
  OpusDecoder *decoder;
} Voice;

static int next_packet(Voice *v) {
  int length = 0;
  for (;;) {
    if (v->segment == v->segments) {
      if (v->at + 27 > v->size) return -1;
      uint8_t *page = v->bytes + v->at;
      if (memcmp(page, "OggS", 4)) fail("not an Ogg file");
      v->segments = page[26];
      v->lacing = page + 27;
      v->body = v->lacing + v->segments;
      v->segment = 0;
      size_t total = 0;
      for (int i = 0; i < v->segments; i++) total += v->lacing[i];
      v->at += 27 + v->segments + total;
      if (!v->segments) continue;
    }
    int part = v->lacing[v->segment++];
    if (length + part <= (int)sizeof v->packet) memcpy(v->packet + length, v->body, part);
    length += part;
    v->body += part;
    if (part < 255) return length;
  }
}

static void opus(int kbps, int count, char **paths) {
  Voice *voices = calloc(count, sizeof *voices);
  int code;
  for (int i = 0; i < count; i++) {
    Voice *v = voices + i;
    v->bytes = map(paths[i], &v->size);
    next_packet(v);
    v->channels = v->packet[9];
    next_packet(v);
    v->decoder = opus_decoder_create(48000, v->channels, &code);
  }
  OpusEncoder *encoder = opus_encoder_create(48000, 2, OPUS_APPLICATION_AUDIO, &code);
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(kbps * 1000));
  float sound[5760 * 2], mix[960 * 2];
  uint8_t packet[4000];
  for (int live = 1; live;) {
    memset(mix, 0, sizeof mix);
    live = 0;
    for (int i = 0; i < count; i++) {
      Voice *v = voices + i;
      int length = next_packet(v);
      if (length < 0) continue;
      live = 1;
      int frames = opus_decode_float(v->decoder, v->packet, length, sound, 5760, 0);
      for (int k = 0; k < 960 && k < frames; k++) {
        mix[2 * k] += sound[k * v->channels];
        mix[2 * k + 1] += sound[k * v->channels + v->channels - 1];
      }
    }
    if (live && opus_encode_float(encoder, mix, 960, packet, sizeof packet) < 0) fail("encoding");
  }
}

int main(int count, char **words) {
  if (count >= 3 && !strcmp(words[1], "decode")) decode(count - 2, words + 2);
  else if (count >= 4 && !strcmp(words[1], "compose")) compose(words[2], count - 3, words + 3);
  else if (count == 4 && !strcmp(words[1], "encode")) encode(words[2], atoi(words[3]));
  else if (count >= 4 && !strcmp(words[1], "opus")) opus(atoi(words[2]), count - 3, words + 3);
  else fail("see the head of floor.c");
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%.3f\n", used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
  return 0;
}
