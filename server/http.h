/* SPDX-License-Identifier: MIT */
/* HTTP, as decisions: whether a request may become a WebSocket, and what the others are answered.
 * Pure: no socket, no library.
 * Not here: reading and writing HTTP (wire_lws_http.c).
 * Next: http.c. */
#ifndef OBAN_SERVER_HTTP_H
#define OBAN_SERVER_HTTP_H

#include "core/base/status.h"
#include "proto/json/writer.h"
#include "server/options.h"

#include <stdbool.h>
#include <stdint.h>

#define OBAN_HTTP_SUBPROTOCOL "oban.v1"

typedef enum oban_http_method { OBAN_HTTP_GET, OBAN_HTTP_HEAD, OBAN_HTTP_OTHER } oban_http_method;

/* A request. Headers that were not sent are "". */
typedef struct oban_http_request {
    oban_http_method method;
    const char *path; /* decoded, without the query */
    const char *host;
    /* looked at only when it asks for a WebSocket */
    const char *origin;
    const char *connection;
    const char *version;
    const char *key;
    const char *subprotocols;
} oban_http_request;

/* What the answers depend on. */
typedef struct oban_http_rules {
    const oban_option_list *allow_host;
    const oban_option_list *allow_origin;
    uint64_t clients;
    uint64_t clients_max;
    bool files_short; /* the open-file limit is near */
    bool stopping;
    /* Writes the snapshot as one JSON object. */
    void (*state)(void *context, oban_writer *writer);
    void *context;
} oban_http_rules;

typedef struct oban_http_answer {
    uint32_t status;
    const char *type;   /* Content-Type */
    const char *header; /* one more header, with its colon, or NULL */
    const char *header_value;
    bool close;       /* Connection: close */
    oban_writer body; /* the caller's; when it failed, send 500 and nothing of it */
} oban_http_answer;

/* Whether a request for a WebSocket is granted. If not, the answer is filled in. Source:
 * protocol 1. */
bool oban_http_upgrade(const oban_http_rules *rules, const oban_http_request *request,
                       oban_http_answer *answer);

/* Answers any other request. */
void oban_http_serve(const oban_http_rules *rules, const oban_http_request *request,
                     oban_http_answer *answer);

/* Makes the answer an error {code, message}, in the words of core/base/status.def. */
void oban_http_refuse(oban_http_answer *answer, uint32_t status, oban_status code,
                      const char *message);

/* Whether a Host header names us: localhost, an IP literal or a name of the list, with or without a
 * port. A page on a foreign name that is made to point at us (DNS rebinding) has that name there.
 */
bool oban_http_host_allowed(const oban_option_list *allowed, const char *host);
/* Whether an Origin may connect: none, that of the same host (port included), or one of the list.
 * "null" never is. */
bool oban_http_origin_allowed(const oban_option_list *allowed, const char *origin,
                              const char *host);
/* The first subprotocol of the client's list that we know, or NULL. */
const char *oban_http_subprotocol(const char *offered);

#endif
