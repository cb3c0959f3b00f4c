/* SPDX-License-Identifier: MIT */
/* The hub: clients and what each is sent. Frames are state (the newest wins, one shared encoding),
 * replies and events are facts (ordered, bounded, never dropped in silence). Not here: sockets
 * (transport.h), the world (sim.h). Next: hub.c, ../proto/wire/. */
#ifndef OBAN_SERVER_HUB_H
#define OBAN_SERVER_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oban_hub oban_hub;
typedef struct oban_client oban_client;

/* ---- what a transport calls
 * ----------------------------------------------------------------------- */

/* A connection has come up. Sends hello and the whole state at once. `conn` is handed back in
 * transport calls; `subscribe_none`: the client asked for /ws?subscribe=none. Returns NULL when it
 * cannot be served (too many clients or no memory): close it with 1013. */
oban_client *oban_hub_open(oban_hub *hub, void *conn, bool subscribe_none);
/* A whole text message (valid UTF-8, at most message_bytes_max) has come. Borrowed for the call. */
void oban_hub_message(oban_client *client, const char *text, size_t bytes);
/* The connection takes bytes again. */
void oban_hub_writable(oban_client *client);
/* The connection is gone. The client is freed. */
void oban_hub_closed(oban_client *client);

uint32_t oban_hub_client_count(const oban_hub *hub);
/* Shutdown: tries to send what is queued, then closes every client with the code (transport.close).
 * Calling it again is harmless. Returns how many clients still have unsent facts; the host calls
 * again until 0 or its patience ends. */
uint32_t oban_hub_flush(oban_hub *hub);
void oban_hub_close_all(oban_hub *hub, uint16_t code, const char *reason);

#endif
