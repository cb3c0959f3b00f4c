/* SPDX-License-Identifier: MIT */
/* The event message (protocol 6).
 * Not here: seq's counting and who gets it (server/publish.c).
 * Next: event.c, reply.h. */
#ifndef OBAN_PROTO_WIRE_EVENT_H
#define OBAN_PROTO_WIRE_EVENT_H

#include "core/world/event.h"
#include "proto/json/writer.h"

#include <stdint.h>

void oban_wire_event(oban_writer *writer, const oban_event *event, uint64_t seq);

#endif
