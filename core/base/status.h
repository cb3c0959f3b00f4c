/* SPDX-License-Identifier: MIT */
/* Statuses: one closed list for the library, the wire and the tools.
 * Not here: where and why (that stands in the message beside the status).
 * Next: status.def, the table. */
#ifndef OBAN_BASE_STATUS_H
#define OBAN_BASE_STATUS_H

typedef enum oban_status {
#define OBAN_STATUS(name, word, number, meaning, advice) OBAN_##name = (number),
#include "core/base/status.def"
#undef OBAN_STATUS
} oban_status;

/* The word of a status as it goes over the wire, such as "no_object"; never NULL. Source: ours. */
const char *oban_status_word(oban_status status);

/* The meaning of a status in one English line; never NULL. Source: ours. */
const char *oban_status_meaning(oban_status status);

/* What somebody who got the status can do; never NULL, may be empty. Source: ours. */
const char *oban_status_advice(oban_status status);

#endif
