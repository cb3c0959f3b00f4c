/* SPDX-License-Identifier: MIT */
/* World and machine joined. What the world has to tell is given to the sink before whatever the
 * machine tells next, so that the order is that in which things came about.
 * Next: stage.h. */
#include "core/bsl/stage.h"

#include <string.h>

struct oban_stage {
    oban_alloc alloc;
    oban_world *world;
    oban_machine *machine;
    oban_stage_sink sink;
    uint32_t told;   /* events of the world that were news already */
    uint32_t looked; /* at what, for tasks that wait: of this pass */
};

/* What tasks that wait may let the stage look at in one pass. Beyond it all counts as busy: they
 * are asked again in the next, the oldest first. Ours: nobody can hold a tick up by asking. */
#define STAGE_LOOKED_MAX 1048576u
#define STAGE_NAME_WEIGHT 1024u /* names are looked through one by one */

static bool stage_may_look(oban_stage *stage, uint32_t weight)
{
    stage->looked += stage->looked < STAGE_LOOKED_MAX ? weight : 0;
    return stage->looked < STAGE_LOOKED_MAX;
}

/* ---- news ---------------------------------------------------------------------------------------
 */

static void stage_tell_events(oban_stage *stage)
{
    uint32_t count;
    const oban_event *events = oban_world_events(stage->world, &count);
    for (; stage->told < count; stage->told++) {
        const oban_stage_news news = {.event = &events[stage->told]};
        stage->sink.news(stage->sink.context, &news);
    }
}

static void stage_tell(void *context, const oban_tell *tell)
{
    oban_stage *stage = context;
    const oban_stage_news news = {.tell = tell};
    stage_tell_events(stage);
    stage->sink.news(stage->sink.context, &news);
}

/* ---- the machine's host
 * -------------------------------------------------------------------------- */

static oban_status stage_do(void *context, const oban_at *at, const oban_command *command,
                            oban_result *result)
{
    oban_stage *stage = context;
    oban_status status = oban_world_apply(stage->world, command, result);
    stage_tell_events(stage);
    if (stage->sink.done != NULL) {
        stage->sink.done(stage->sink.context, at, command, result);
    }
    return status;
}

static bool stage_camera_busy(void *context)
{
    const oban_stage *stage = context;
    return oban_world_camera_busy(stage->world);
}

/* A word that names nobody is nobody whom an animation carries. */
static bool stage_character_busy(void *context, oban_text who)
{
    oban_stage *stage = context;
    oban_who somebody;
    if (!oban_who_of(who, &somebody)) {
        return false;
    }
    return !stage_may_look(stage, somebody.number < 0 ? STAGE_NAME_WEIGHT : 1) ||
           oban_world_carried(stage->world, &somebody);
}

/* The place of the first living object whose number is not below, by halves. */
static uint32_t stage_find(const oban_world *world, int32_t number)
{
    uint32_t low = 0;
    uint32_t high = oban_world_live_count(world);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (oban_world_live_at(world, middle)->number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool stage_objects_busy(void *context, int32_t first, int32_t last)
{
    oban_stage *stage = context;
    const oban_world *world = stage->world;
    uint32_t count = oban_world_live_count(world);
    for (uint32_t i = stage_find(world, first); i < count; i++) {
        if (!stage_may_look(stage, 1)) {
            return true;
        }
        const oban_object *object = oban_world_live_at(world, i);
        if (object->number > last) {
            break;
        }
        if (object->player.playing) { /* a paused one has not ended */
            return true;
        }
    }
    return false;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

oban_status oban_stage_create(const oban_stage_def *def, oban_stage **out)
{
    oban_stage *stage = oban_alloc_take(&def->alloc, sizeof *stage);
    if (stage == NULL) {
        return OBAN_NO_MEMORY;
    }
    *stage = (oban_stage){.alloc = def->alloc, .world = def->world, .sink = def->sink};
    const oban_machine_def machine = {.alloc = def->alloc,
                                      .host = {.context = stage,
                                               .apply = stage_do,
                                               .camera_busy = stage_camera_busy,
                                               .character_busy = stage_character_busy,
                                               .objects_busy = stage_objects_busy,
                                               .tell = stage_tell},
                                      .tasks_max = def->tasks_max,
                                      .statements_per_tick_max = def->statements_per_tick_max,
                                      .script_bytes_max = def->script_bytes_max};
    oban_status status = oban_machine_create(&machine, &stage->machine);
    if (status != OBAN_OK) {
        oban_alloc_give(&def->alloc, stage, sizeof *stage);
        return status;
    }
    *out = stage;
    return OBAN_OK;
}

void oban_stage_destroy(oban_stage *stage)
{
    if (stage != NULL) {
        const oban_alloc alloc = stage->alloc;
        oban_machine_destroy(stage->machine);
        oban_alloc_give(&alloc, stage, sizeof *stage);
    }
}

oban_machine *oban_stage_machine(oban_stage *stage)
{
    return stage->machine;
}

void oban_stage_world(oban_stage *stage, oban_world *world)
{
    stage->world = world;
    stage->told = 0;
    oban_machine_reset(stage->machine);
}

/* ---- the phases of a tick
 * ------------------------------------------------------------------------ */

void oban_stage_tick_begin(oban_stage *stage)
{
    stage->told = 0; /* the world forgets its events of the tick before */
    oban_world_tick_begin(stage->world);
    oban_stage_pass_begin(stage);
}

void oban_stage_pass_begin(oban_stage *stage)
{
    stage->looked = 0;
    oban_world_pass_begin(stage->world);
    oban_machine_begin(stage->machine, oban_world_tick(stage->world));
    stage_tell_events(stage);
}

oban_status oban_stage_apply(oban_stage *stage, const oban_command *command, oban_result *result)
{
    oban_status status = oban_world_apply(stage->world, command, result);
    stage_tell_events(stage);
    return status;
}

oban_status oban_stage_text(oban_stage *stage, oban_text name, oban_text text,
                            oban_text_outcome *outcome, oban_findings *findings)
{
    return oban_machine_text(stage->machine, name, text, outcome, findings);
}

void oban_stage_tick_end(oban_stage *stage)
{
    oban_machine_run(stage->machine);
    oban_world_tick_end(stage->world);
    stage_tell_events(stage);
    oban_world_events_clear(stage->world);
    stage->told = 0;
}

uint64_t oban_stage_hash(const oban_stage *stage)
{
    oban_hash hash;
    oban_hash_start(&hash);
    oban_hash_u64(&hash, oban_world_hash(stage->world));
    oban_machine_hash(stage->machine, &hash);
    return oban_hash_end(&hash);
}
