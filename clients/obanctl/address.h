/* SPDX-License-Identifier: MIT */
/* Where the daemon is: ws://HOST:PORT/PATH or unix:PATH, taken apart; for the latter also what the
 * daemon announces, ws+unix://PATH:/ws.
 * Not here: names turned into IP addresses (connection.c, refusal.c).
 * Next: connection.h. */
#ifndef OBANCTL_ADDRESS_H
#define OBANCTL_ADDRESS_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_DEFAULT "ws://127.0.0.1:8765/ws"

typedef struct ctl_address {
    char url[512];       /* as it was given, for messages */
    bool is_unix;        /* host is the path of a socket */
    char host[256];      /* a name or IP literal, without brackets */
    char authority[264]; /* for the Host header: host:port, with brackets round IPv6 */
    uint16_t port;
    char path[512]; /* begins with '/'; holds the query too */
} ctl_address;

/* Takes a URL apart. Without a port it is 8765, without a path /ws. Returns false with what is
 * wrong in `message`. */
bool address_parse(const char *url, ctl_address *out, oban_line *message);
/* Adds a query such as "subscribe=none". Returns false when it does not fit. */
bool address_query(ctl_address *address, const char *query);

#endif
