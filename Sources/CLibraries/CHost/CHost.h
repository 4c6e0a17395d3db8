// What Linux tells of the machine by calls that Swift's Glibc does not have, or has as macros.
#pragma once

#include <sys/timex.h>
#include <sys/vfs.h>

extern int sched_getaffinity(int process, unsigned long size, void *mask);

/// How many processors this process may run on; 0 where it cannot be told.
static inline int cb_allowed_processors(void) {
    unsigned long long mask[128] = {0};
    if (sched_getaffinity(0, sizeof mask, mask) != 0) return 0;
    int count = 0;
    for (int i = 0; i < 128; i++) count += __builtin_popcountll(mask[i]);
    return count;
}

/// Whether the kernel holds that its clock is kept right (NTP, PTP): 1, or 0; -1 where it does not tell.
static inline int cb_clock_is_synchronized(void) {
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

/// The magic number of the file system of a path (statfs(2)); -1 where it cannot be told.
static inline long cb_file_system_magic(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)(unsigned int)status.f_type : -1;
}
