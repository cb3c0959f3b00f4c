/* SPDX-License-Identifier: MIT */
/* What the hub needs of a wire: a table of calls. wire_lws is the real one; tests have one of their
 * own that can be choked at will. Next: hub.h. */
#ifndef OBAN_SERVER_TRANSPORT_H
#define OBAN_SERVER_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `conn` is the transport's own handle of one connection. None of these calls back into the hub
 * before it returns. */
typedef struct oban_transport {
    void *context;
    /* Sends bytes that are one or more whole WebSocket frames, framed by the hub. Takes all of
     * them: what the socket does not take now the transport keeps a copy of. Must not be called
     * while choked. Returns false when the connection is dead; the transport then reports it closed
     * later. */
    bool (*send)(void *context, void *conn, const void *bytes, size_t count);
    /* Whether something that was sent is still kept back. */
    bool (*choked)(void *context, void *conn);
    /* Asks for one oban_hub_writable when the connection takes bytes again. */
    void (*want_writable)(void *context, void *conn);
    /* Closes with a code and a short reason, behind what was sent; 5 s later the connection is
     * reset. The hub has let go of it by then: no closed report follows. */
    void (*close)(void *context, void *conn, uint16_t code, const char *reason);
    /* Stops and starts reading from the connection. */
    void (*hold_reading)(void *context, void *conn, bool hold);
} oban_transport;

#endif
