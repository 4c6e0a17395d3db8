#pragma once
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

// The init functions are macros and vpx_codec_control_ is variadic: Swift cannot call them.
static inline vpx_codec_err_t cb_vpx_enc_init(vpx_codec_ctx_t *ctx, vpx_codec_iface_t *iface, const vpx_codec_enc_cfg_t *cfg) {
    return vpx_codec_enc_init(ctx, iface, cfg, 0);
}
static inline vpx_codec_err_t cb_vpx_dec_init(vpx_codec_ctx_t *ctx, vpx_codec_iface_t *iface, const vpx_codec_dec_cfg_t *cfg) {
    return vpx_codec_dec_init(ctx, iface, cfg, 0);
}
static inline vpx_codec_err_t cb_vpx_control_int(vpx_codec_ctx_t *ctx, int id, int value) {
    return vpx_codec_control_(ctx, id, value);
}
static inline vpx_codec_err_t cb_vpx_control_pointer(vpx_codec_ctx_t *ctx, int id, void *value) {
    return vpx_codec_control_(ctx, id, value);
}
