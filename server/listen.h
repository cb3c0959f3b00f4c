/* SPDX-License-Identifier: MIT */
/* Where the daemon listens: an address as text, and a listening socket made of it. libwebsockets
 * could listen by itself, but it takes over the unix socket of a living daemon and tells no reason
 * when it fails, so it is handed accepted connections.
 * Not here: accepting (wire_lws.c).
 * Next: listen.c. */
#ifndef OBAN_SERVER_LISTEN_H
#define OBAN_SERVER_LISTEN_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_LISTEN_HOST_MAX 255u

typedef struct oban_address {
    bool unix_path;
    bool v6;                             /* the host was written in brackets */
    char host[OBAN_LISTEN_HOST_MAX + 1]; /* name or IP literal without brackets, or the path */
    uint16_t port;                       /* 0: any free one */
} oban_address;

/* Reads HOST:PORT, [V6]:PORT or unix:PATH. Returns false with what was expected. */
bool oban_address_parse(const char *text, oban_address *out, oban_line *message);

typedef struct oban_listener {
    int fd;
    char url[OBAN_LISTEN_HOST_MAX + 32]; /* ws://HOST:PORT/ws, ws+unix://PATH:/ws */
    char path[OBAN_LISTEN_HOST_MAX + 1]; /* of a unix socket; "" else */
    uint64_t path_device;                /* which file that was, */
    uint64_t path_inode;                 /* so that only our own is removed */
} oban_listener;

/* Binds and listens, close-on-exec and non-blocking. A unix path is first connected to, and refused
 * when somebody answers there; a socket left over is replaced. Returns false with a message that
 * names the address and the reason. Owns: end it with oban_listener_close. */
bool oban_listener_open(const oban_address *address, oban_listener *out, oban_line *message);
/* Closes the socket and removes a unix path, if it is still ours. Harmless when closed. */
void oban_listener_close(oban_listener *listener);

#endif
