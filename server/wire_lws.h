/* SPDX-License-Identifier: MIT */
/* The wire: WebSockets and HTTP by libwebsockets, on our loop. The real transport of the hub.
 * Not here: what is sent (hub.h), what HTTP answers (http.h), addresses (listen.h).
 * Next: wire_lws.c, wire_lws_http.c. */
#ifndef OBAN_SERVER_WIRE_LWS_H
#define OBAN_SERVER_WIRE_LWS_H

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "server/listen.h"
#include "server/loop.h"
#include "server/options.h"
#include "server/sim.h"
#include "server/transport.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_wire oban_wire;

typedef struct oban_wire_def {
    oban_alloc alloc;
    oban_loop *loop;             /* must outlive the wire */
    const oban_options *options; /* must outlive the wire */
} oban_wire_def;

/* Returns NULL when it cannot be made; the reason is logged. The open-file limit must stand as it
 * will stay. */
oban_wire *oban_wire_create(const oban_wire_def *def);

/* The transport table for the hub. */
const oban_transport *oban_wire_transport(const oban_wire *wire);
/* Gives the wire the simulation that it serves, before the first oban_wire_listen. */
void oban_wire_serve(oban_wire *wire, oban_sim *sim);

/* Listens at one more address. Returns false with a message that names it. */
bool oban_wire_listen(oban_wire *wire, const oban_address *address, oban_line *message);
/* Tells on standard error where it listens, one line each. */
void oban_wire_announce(const oban_wire *wire);

/* Closes all listeners and refuses requests from now on. */
void oban_wire_stop_listening(oban_wire *wire);
/* WebSockets that are still there, those that are being closed too. */
uint32_t oban_wire_connection_count(const oban_wire *wire);

/* Ending takes two steps with turns of the loop behind each: cut ends all connections (the hub is
 * told of each), destroy gives the memory back. */
void oban_wire_cut(oban_wire *wire);
void oban_wire_destroy(oban_wire *wire);

#endif
