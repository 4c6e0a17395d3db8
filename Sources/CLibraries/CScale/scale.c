#include "CScale.h"
#include <string.h>

static void rows_portable(const uint8_t *a, const uint8_t *b, int weight, uint8_t *out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((a[i] * (64 - weight) + b[i] * weight + 32) >> 6);
}

// The outputs from `first` on; `first` is the start of a group.
static void columns_portable(const uint8_t *row, const int32_t *bases, const uint8_t *places, const int8_t *weights,
                             uint8_t *out, size_t first, size_t count) {
    for (size_t i = first; i < count; i++) {
        const uint8_t *pixels = row + bases[i / 8];
        int sum = pixels[places[2 * i]] * weights[2 * i] + pixels[places[2 * i + 1]] * weights[2 * i + 1];
        out[i] = (uint8_t)((sum + 32) >> 6);
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static void rows_avx2(const uint8_t *a, const uint8_t *b, int weight, uint8_t *out,
                                                      size_t count) {
    const __m256i half = _mm256_set1_epi16(32);
    const __m256i pair = _mm256_set1_epi16((short)((64 - weight) | weight << 8));
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i upper = _mm256_loadu_si256((const __m256i *)(a + i));
        __m256i lower = _mm256_loadu_si256((const __m256i *)(b + i));
        __m256i even = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(upper, lower), pair);
        __m256i odd = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(upper, lower), pair);
        even = _mm256_srli_epi16(_mm256_add_epi16(even, half), 6);
        odd = _mm256_srli_epi16(_mm256_add_epi16(odd, half), 6);
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_packus_epi16(even, odd));
    }
    rows_portable(a + i, b + i, weight, out + i, count - i);
}

// Sixteen outputs (two groups), as 16-bit numbers.
__attribute__((target("avx2"), always_inline)) static inline __m256i two_groups(
    const uint8_t *row, const int32_t *bases, const uint8_t *places, const int8_t *weights) {
    __m128i first = _mm_loadu_si128((const __m128i *)(row + bases[0]));
    __m128i second = _mm_loadu_si128((const __m128i *)(row + bases[1]));
    __m256i pairs = _mm256_shuffle_epi8(_mm256_set_m128i(second, first), _mm256_loadu_si256((const __m256i *)places));
    __m256i sums = _mm256_maddubs_epi16(pairs, _mm256_loadu_si256((const __m256i *)weights));
    return _mm256_srli_epi16(_mm256_add_epi16(sums, _mm256_set1_epi16(32)), 6);
}

__attribute__((target("avx2"))) static void columns_avx2(const uint8_t *row, const int32_t *bases, const uint8_t *places,
                                                         const int8_t *weights, uint8_t *out, size_t count) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i a = two_groups(row, bases + i / 8, places + 2 * i, weights + 2 * i);
        __m256i b = two_groups(row, bases + i / 8 + 2, places + 2 * i + 32, weights + 2 * i + 32);
        // Packing works within halves of the register: put the quarters back into order.
        __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(out + i), packed);
    }
    columns_portable(row, bases, places, weights, out, i, count);
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
static int has_avx2(void) { return 0; }
#define rows_avx2(a, b, weight, out, count) ((void)0)
#define columns_avx2(row, bases, places, weights, out, count) ((void)0)
#endif

void cb_mix_rows(const uint8_t *a, const uint8_t *b, int weight, uint8_t *out, size_t count) {
    if (weight == 0) {
        memcpy(out, a, count);
    } else if (has_avx2()) {
        rows_avx2(a, b, weight, out, count);
    } else {
        rows_portable(a, b, weight, out, count);
    }
}

void cb_mix_columns(const uint8_t *row, const int32_t *bases, const uint8_t *places, const int8_t *weights, uint8_t *out,
                    size_t count) {
    if (has_avx2()) {
        columns_avx2(row, bases, places, weights, out, count);
    } else {
        columns_portable(row, bases, places, weights, out, 0, count);
    }
}
