/* SPDX-License-Identifier: MIT */
/* Which objects a command means: a number or a range, guarded by part and life; and warnings about
 * many of them in one line. Next: select.c. */
#ifndef OBAN_WORLD_SELECT_H
#define OBAN_WORLD_SELECT_H

#include "core/world/state.h"

/* The numbers that a command names. */
typedef struct oban_range {
    int32_t first;
    int32_t last;
    bool many;  /* given as a range: never an error */
    bool empty; /* reversed; the warning is in the result */
} oban_range;

/* Returns OK, or LIMIT when the range spans too many numbers. */
oban_status oban_select_range(const oban_command *command, oban_result *result, oban_range *range);

/* A stretch of the index of the living; not each in it matches the guards. */
typedef struct oban_stretch {
    uint32_t first;
    uint32_t end;
} oban_stretch;

/* Returns OK (also with nobody in it, for a range), LIMIT, or NO_OBJECT for a single number. */
oban_status oban_select_living(oban_world *world, const oban_command *command, oban_result *result,
                               oban_stretch *stretch);
/* The next object of the stretch that matches the guards, or NULL; *at begins as stretch.first. */
oban_object *oban_select_next(const oban_world *world, const oban_command *command,
                              oban_stretch stretch, uint32_t *at);

#define OBAN_GATHER_TOLD 3u

/* Numbers that something is the matter with. */
typedef struct oban_gather {
    uint32_t count;
    int32_t told[OBAN_GATHER_TOLD];
    int32_t last;
} oban_gather;

/* Adds a number; they come rising, and one that comes again (another part) counts once. */
void oban_gather_add(oban_gather *gather, int32_t number);
/* Adds "object 5 <one>" or "objects 5, 6, 7 and 12 others <many>" to a line. */
void oban_gather_line(const oban_gather *gather, oban_line *line, const char *one,
                      const char *many);
/* The same as a warning, when there is anything to warn of. */
void oban_gather_warn(const oban_gather *gather, oban_result *result, const char *one,
                      const char *many);

/* A new, empty warning of the result. */
oban_line *oban_result_warn(oban_result *result);
/* Makes the result one of failure; the message is there already. Returns the status. */
oban_status oban_result_fail(oban_result *result, oban_status status, const char *field);

#endif
