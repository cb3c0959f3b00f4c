/* SPDX-License-Identifier: MIT */
/* The three texts of a status, out of the one table.
 * Not here: the table (status.def).
 * Next: hash.c. */
#include "core/base/status.h"

/* Switches and no array: the numbers have gaps, and a number that is none of ours (from a
 * recording, or a bug) must give a text too. */
const char *oban_status_word(oban_status status)
{
    switch (status) {
#define OBAN_STATUS(name, word, number, meaning, advice)                                           \
    case OBAN_##name:                                                                              \
        return word;
#include "core/base/status.def"
#undef OBAN_STATUS
    default:
        return "unknown_status";
    }
}

const char *oban_status_meaning(oban_status status)
{
    switch (status) {
#define OBAN_STATUS(name, word, number, meaning, advice)                                           \
    case OBAN_##name:                                                                              \
        return meaning;
#include "core/base/status.def"
#undef OBAN_STATUS
    default:
        return "no status of this version has this number";
    }
}

const char *oban_status_advice(oban_status status)
{
    switch (status) {
#define OBAN_STATUS(name, word, number, meaning, advice)                                           \
    case OBAN_##name:                                                                              \
        return advice;
#include "core/base/status.def"
#undef OBAN_STATUS
    default:
        return "";
    }
}
