/* SPDX-License-Identifier: MIT */
/* The limits as numbers.
 * Next: limits.def. */
#ifndef OBAN_SERVER_LIMITS_H
#define OBAN_SERVER_LIMITS_H

#include <stdint.h>

typedef struct oban_limits {
#define OBAN_LIMIT(name, standard, lowest, highest, help) uint64_t name;
#include "server/limits.def"
#undef OBAN_LIMIT
} oban_limits;

static inline oban_limits oban_limits_standard(void)
{
    return (oban_limits){
#define OBAN_LIMIT(name, standard, lowest, highest, help) .name = (standard),
#include "server/limits.def"
#undef OBAN_LIMIT
    };
}

#endif
