/* SPDX-License-Identifier: MIT */
/* Asking another daemon whether it is well, so that a container needs no other program for it.
 * Not here: answering (http.h).
 * Next: healthcheck.c. */
#ifndef OBAN_SERVER_HEALTHCHECK_H
#define OBAN_SERVER_HEALTHCHECK_H

#include "core/base/text.h"

#include <stdbool.h>

/* Gets /healthz from HOST:PORT, [V6]:PORT or unix:PATH, in 2 s at most. Returns whether the answer
 * was 200; `message` says what came. Source: ours. */
bool oban_healthcheck(const char *address, oban_line *message);

#endif
