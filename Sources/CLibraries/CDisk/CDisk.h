// What Linux knows of files and glibc declares only with its extensions, which Swift does not switch on.
#pragma once

extern int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);

/// Begins to write what is written to a file but not on the disk yet, and does not wait for it.
static inline int cb_begin_writing(int descriptor) { return sync_file_range(descriptor, 0, 0, 2 /* SYNC_FILE_RANGE_WRITE */); }

extern int renameat2(int from, const char *path, int to, const char *destination, unsigned int flags);

/// Renames, and fails with EEXIST where there is something under the new name.
static inline int cb_rename_to_new(const char *path, const char *destination) {
    return renameat2(-100 /* AT_FDCWD */, path, -100, destination, 1 /* RENAME_NOREPLACE */);
}
