// What Linux knows of processes and Swift cannot see: variadic system calls, and glibc's own extensions.
#pragma once

#include <spawn.h>
#include <sys/types.h>

extern long syscall(long number, ...);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/// A descriptor that can be read from once the process has ended (pidfd_open); not passed on to programs.
static inline int cb_process_descriptor(pid_t process) { return (int)syscall(434, (long)process, 0L); }

/// A signal to the process that the descriptor is of, and to no other that has its number since (pidfd_send_signal).
static inline int cb_signal_process(int descriptor, int signal) { return (int)syscall(424, (long)descriptor, (long)signal, 0L, 0L); }

/// In a session of its own, so that no terminal's end ends it.
static inline short cb_spawn_in_new_session(void) { return 0x80; /* POSIX_SPAWN_SETSID */ }

/// The disk when nobody else wants it, for a thread; 0 is the caller (ioprio_set: IOPRIO_WHO_PROCESS, IOPRIO_CLASS_IDLE). What
/// fails is left.
static inline void cb_make_idle_on_disk(pid_t thread) {
#if defined(__x86_64__)
    (void)syscall(251, 1L, (long)thread, 3L << 13);
#elif defined(__aarch64__)
    (void)syscall(30, 1L, (long)thread, 3L << 13);
#endif
}
