/* SPDX-License-Identifier: MIT */
/* Why there is no WebSocket: lws tells neither errno nor the body of a refusal, so the same request
 * is made once more by hand, with plain sockets, and its answer read.
 * Next: session.h. */
#ifndef OBANCTL_REFUSAL_H
#define OBANCTL_REFUSAL_H

#include "clients/obanctl/address.h"

#include <stdbool.h>

/* `why` gets one line for people, such as "Connection refused" or "HTTP 503: too many clients".
 * Takes a few seconds at most. What it holds from outside is not escaped. Returns whether that is
 * the reason: false when this time nothing useful was answered. */
bool refusal_explain(const ctl_address *address, oban_line *why);

#endif
