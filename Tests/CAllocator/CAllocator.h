// What the allocator has given out and what it keeps free, which Glibc's module does not show.
#pragma once
#include <malloc.h>

/// Bytes that the program holds.
static inline long ca_held(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

/// Bytes that the program has freed and the allocator has not given back to the system.
static inline long ca_free(void) { return (long)mallinfo2().fordblks; }
