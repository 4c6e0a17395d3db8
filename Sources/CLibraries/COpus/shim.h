#pragma once
#include <opus.h>

// opus_encoder_ctl and opus_decoder_ctl are variadic: Swift cannot call them.
static inline int cb_opus_encoder_set(OpusEncoder *encoder, int request, int value) {
    return opus_encoder_ctl(encoder, request, (opus_int32)value);
}
static inline int cb_opus_encoder_get(OpusEncoder *encoder, int request, int *value) {
    return opus_encoder_ctl(encoder, request, (opus_int32 *)value);
}
static inline int cb_opus_decoder_reset(OpusDecoder *decoder) { return opus_decoder_ctl(decoder, OPUS_RESET_STATE); }
