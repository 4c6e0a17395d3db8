// GLib main loop, and the one GSource that Swift cannot define by itself.
#pragma once
#include <gio/gio.h>
#include <glib.h>
#include <glib-unix.h>

/// A source that fires once its ready time is set (0: now). g_source_set_ready_time is thread-safe and wakes the poll.
typedef struct {
    GSource base;
    void (*drain)(void *user);
    void *user;
} CBJobSource;

static inline gboolean cb_job_source_dispatch(GSource *source, GSourceFunc unused, gpointer data) {
    (void)unused; (void)data;
    g_source_set_ready_time(source, -1);  // before the drain: a kick during it must not be lost
    ((CBJobSource *)source)->drain(((CBJobSource *)source)->user);
    return G_SOURCE_CONTINUE;
}

static inline GSource *_Nonnull cb_job_source_new(void (*_Nonnull drain)(void *_Nonnull user), void *_Nonnull user) {
    static GSourceFuncs funcs = {NULL, NULL, cb_job_source_dispatch, NULL, NULL, NULL};
    GSource *source = g_source_new(&funcs, sizeof(CBJobSource));
    ((CBJobSource *)source)->drain = drain;
    ((CBJobSource *)source)->user = user;
    g_source_set_ready_time(source, -1);
    return source;
}

#include <sys/prctl.h>

/// Names the calling thread as `top -H` and a debugger show it (15 bytes at most). prctl is variadic: Swift cannot call it.
static inline void cb_name_this_thread(const char *name) { prctl(PR_SET_NAME, name); }

// GLib locks itself up when two threads make their first sockets at the same moment: one registers a type while the other,
// making a class that wants it, holds the lock that registering needs. So these are to be there before there are threads.
static inline void cb_prepare_gio(void) {
    g_type_ensure(G_TYPE_INET_ADDRESS);
    g_type_ensure(G_TYPE_INET_SOCKET_ADDRESS);
    g_type_ensure(G_TYPE_SOCKET);
    g_type_ensure(G_TYPE_TASK);
    g_tls_backend_get_default();
    g_object_unref(g_resolver_get_default());
}
