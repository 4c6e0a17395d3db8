#pragma once
#include <stddef.h>
#include <stdint.h>

// The inner loops of a scaler that mixes two neighbouring pixels in each direction. In C because they need byte shuffles
// of the CPU at hand, which Swift cannot name. Weights are in 64ths. Both write `count` bytes and not one more.

/// out[i] = a[i] * (64 - weight) + b[i] * weight, rounded. `weight` is 0 to 64.
void cb_mix_rows(const uint8_t *a, const uint8_t *b, int weight, uint8_t *out, size_t count);

/// Mixes pairs within a row. Outputs come in groups of eight: a group's pixels are among the 16 at `row + bases[group]`,
/// all of which must be readable. `places` and `weights` hold two entries an output: where its two pixels are among the
/// 16, and the weight of each (together 64). Both are filled up to whole groups.
void cb_mix_columns(const uint8_t *row, const int32_t *bases, const uint8_t *places, const int8_t *weights, uint8_t *out,
                    size_t count);
