/* SPDX-License-Identifier: MIT */
/* Which objects a command means. Not here: what is done to them. Next: objects.c. */
#include "core/world/select.h"

#include "core/base/assert.h"

/* ---- results --------------------------------------------------------------------------------- */

oban_line *oban_result_warn(oban_result *result)
{
    OBAN_ASSERT(result->warning_count < OBAN_RESULT_WARNINGS_MAX);
    oban_line *line = &result->warnings[result->warning_count++];
    oban_line_clear(line);
    return line;
}

oban_status oban_result_fail(oban_result *result, oban_status status, const char *field)
{
    result->status = status;
    result->field = field;
    result->kind = OBAN_RESULT_NOTHING;
    result->items = NULL;
    result->item_count = 0;
    return status;
}

/* ---- warnings about many --------------------------------------------------------------------- */

void oban_gather_add(oban_gather *gather, int32_t number)
{
    if (gather->count > 0 && gather->last == number) {
        return;
    }
    if (gather->count < OBAN_GATHER_TOLD) {
        gather->told[gather->count] = number;
    }
    gather->last = number;
    gather->count += 1;
}

void oban_gather_line(const oban_gather *gather, oban_line *line, const char *one, const char *many)
{
    uint32_t told = gather->count < OBAN_GATHER_TOLD ? gather->count : OBAN_GATHER_TOLD;
    oban_line_add(line, gather->count == 1 ? "object " : "objects ");
    for (uint32_t i = 0; i < told; i++) {
        if (i > 0) {
            oban_line_add(line, i + 1 == gather->count ? " and " : ", ");
        }
        oban_line_add_i64(line, gather->told[i]);
    }
    if (gather->count > told) {
        oban_line_add(line, " and ");
        oban_line_add_u64(line, gather->count - told);
        oban_line_add(line, gather->count - told == 1 ? " other" : " others");
    }
    oban_line_add(line, " ");
    oban_line_add(line, gather->count == 1 ? one : many);
}

void oban_gather_warn(const oban_gather *gather, oban_result *result, const char *one,
                      const char *many)
{
    if (gather->count > 0) {
        oban_gather_line(gather, oban_result_warn(result), one, many);
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static void select_add_range(oban_line *line, const oban_range *range)
{
    oban_line_add_i64(line, range->first);
    oban_line_add(line, " to ");
    oban_line_add_i64(line, range->last);
}

oban_status oban_select_range(const oban_command *command, oban_result *result, oban_range *range)
{
    range->many = OBAN_HAS(command, to);
    range->first = command->object;
    range->last = range->many ? command->to : command->object;
    range->empty = range->last < range->first;
    if (range->empty) {
        oban_line *line = oban_result_warn(result);
        oban_line_add(line, "the range ");
        select_add_range(line, range);
        oban_line_add(line, " ends below its start: it is empty");
        return OBAN_OK;
    }
    uint32_t numbers = (uint32_t)range->last - (uint32_t)range->first + 1;
    if (numbers > OBAN_RANGE_MAX) {
        oban_line_add(&result->message, "the range ");
        select_add_range(&result->message, range);
        oban_line_add(&result->message, " spans ");
        oban_line_add_u64(&result->message, numbers);
        oban_line_add(&result->message, " numbers; a range spans at most ");
        oban_line_add_u64(&result->message, OBAN_RANGE_MAX);
        return oban_result_fail(result, OBAN_LIMIT, "to");
    }
    return OBAN_OK;
}

/* ---- the living ------------------------------------------------------------------------------ */

oban_object *oban_select_next(const oban_world *world, const oban_command *command,
                              oban_stretch stretch, uint32_t *at)
{
    while (*at < stretch.end) {
        oban_object *object = world->slots.live.items[(*at)++];
        if ((!OBAN_HAS(command, part) || command->part == object->part) &&
            (!OBAN_HAS(command, life) || command->life == object->life)) {
            return object;
        }
    }
    return NULL;
}

/* A single number of which nothing matches: is the number, the part or the life at fault? */
static oban_status select_none(const oban_world *world, const oban_command *command,
                               oban_result *result, oban_stretch stretch)
{
    oban_line *line = &result->message;
    if (stretch.first == stretch.end) {
        oban_world_object_missing(world, command->object, line);
        return oban_result_fail(result, OBAN_NO_OBJECT, "object");
    }
    const oban_object *there = world->slots.live.items[stretch.first];
    if (OBAN_HAS(command, part)) {
        there = oban_index_get(&world->slots.live, command->object, command->part);
    }
    oban_line_add(line, "object ");
    oban_line_add_i64(line, command->object);
    if (there == NULL) {
        oban_line_add(line, " has no living part ");
        oban_line_add_u64(line, command->part);
        return oban_result_fail(result, OBAN_NO_OBJECT, "part");
    }
    oban_line_add(line, " is in life ");
    oban_line_add_u64(line, there->life);
    oban_line_add(line, ", not ");
    oban_line_add_u64(line, command->life);
    return oban_result_fail(result, OBAN_NO_OBJECT, "life");
}

static void select_warn_none(const oban_command *command, oban_result *result,
                             const oban_range *range)
{
    oban_line *line = oban_result_warn(result);
    oban_line_add(line, "no object from ");
    select_add_range(line, range);
    oban_line_add(line, " is alive");
    if (OBAN_HAS(command, part) || OBAN_HAS(command, life)) {
        oban_line_add(line, " with this part and life");
    }
}

oban_status oban_select_living(oban_world *world, const oban_command *command, oban_result *result,
                               oban_stretch *stretch)
{
    oban_range range;
    *stretch = (oban_stretch){0, 0};
    if (oban_select_range(command, result, &range) != OBAN_OK) {
        return result->status;
    }
    if (range.empty) {
        return OBAN_OK;
    }
    stretch->first = oban_index_find(&world->slots.live, range.first, 0);
    stretch->end = oban_index_find(&world->slots.live, range.last, UINT32_MAX);
    uint32_t at = stretch->first;
    if (oban_select_next(world, command, *stretch, &at) != NULL) {
        return OBAN_OK;
    }
    if (!range.many) {
        return select_none(world, command, result, *stretch);
    }
    select_warn_none(command, result, &range);
    return OBAN_OK;
}
