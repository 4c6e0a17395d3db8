// libnice, and what of it are variadics and macros and so invisible to Swift.
#pragma once
#include <agent.h>
#include <interfaces.h>

static inline void cb_nice_set_boolean(NiceAgent *agent, const char *property, gboolean value) {
    g_object_set(G_OBJECT(agent), property, value, NULL);
}
static inline void cb_nice_set_uint(NiceAgent *agent, const char *property, guint value) {
    g_object_set(G_OBJECT(agent), property, value, NULL);
}
static inline void cb_nice_set_string(NiceAgent *agent, const char *property, const char *value) {
    g_object_set(G_OBJECT(agent), property, value, NULL);
}

// The fields of GLib's lists belong to the module that saw glib.h first, which need not be this one.
static inline GSList *cb_slist_next(GSList *node) { return node->next; }
static inline void *cb_slist_data(GSList *node) { return node->data; }
static inline GList *cb_list_next(GList *node) { return node->next; }
static inline void *cb_list_data(GList *node) { return node->data; }
static inline guint cb_array_count(GPtrArray *array) { return array->len; }
static inline void *cb_array_element(GPtrArray *array, guint index) { return g_ptr_array_index(array, index); }
