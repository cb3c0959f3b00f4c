/* SPDX-License-Identifier: MIT */
/* env_setanim, env_anim, env_stop, env_pause, env_resume. Not here: runs themselves (runs.c).
 * Next: camera.c. */
#include "core/world/apply.h"
#include "core/world/runs.h"
#include "core/world/select.h"

static uint32_t animate_most(oban_stretch stretch)
{
    return stretch.end - stretch.first;
}

static void animate_start(oban_world *world, oban_result *result, oban_object *object,
                          const oban_clip *clip, int32_t stop_frame)
{
    oban_runs_start(world, object, clip, stop_frame);
    oban_apply_item(world, result, object, oban_runs_end(world, &object->player, clip));
}

oban_status oban_apply_env_setanim(oban_world *world, const oban_command *command,
                                   oban_result *result)
{
    oban_stretch stretch;
    oban_object *object;
    const oban_clip *clip = NULL;
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK ||
        oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK) {
        return result->status;
    }
    uint32_t at = stretch.first;
    const oban_needs needs = {.items = animate_most(stretch), .events = 2 * animate_most(stretch)};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = OBAN_RESULT_STARTED;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        animate_start(world, result, object, clip, 0);
    }
    return OBAN_OK;
}

/* Which of the stretch have no animation. Returns how many have one. */
static uint32_t animate_without(const oban_world *world, const oban_command *command,
                                oban_stretch stretch, oban_gather *without)
{
    const oban_object *object;
    uint32_t at = stretch.first;
    uint32_t with = 0;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        if (object->clip == NULL) {
            oban_gather_add(without, object->number);
        } else {
            with += 1;
        }
    }
    return with;
}

oban_status oban_apply_env_anim(oban_world *world, const oban_command *command, oban_result *result)
{
    oban_stretch stretch;
    oban_object *object;
    oban_gather without = {0};
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK) {
        return result->status;
    }
    uint32_t with = animate_without(world, command, stretch, &without);
    if (with == 0 && without.count > 0 && !OBAN_HAS(command, to)) {
        oban_gather_line(&without, &result->message, "has no animation", "");
        return oban_result_fail(result, OBAN_NO_ANIM, "object");
    }
    const oban_needs needs = {.items = with, .events = 2 * with};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    oban_gather_warn(&without, result, "has no animation", "have no animation");
    uint32_t at = stretch.first;
    result->kind = OBAN_RESULT_STARTED;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        if (object->clip != NULL) {
            animate_start(world, result, object, object->clip, command->stop_frame);
        }
    }
    return OBAN_OK;
}

/* ---- env_stop, env_pause, env_resume --------------------------------------------------------- */

/* What one of the three does, to whom, and what it says of the others. */
typedef struct animate_act {
    oban_result_kind kind;
    bool (*fits)(const oban_object *object);
    void (*act)(oban_world *world, oban_object *object);
    const char *one;
    const char *many;
} animate_act;

static bool animate_plays(const oban_object *object)
{
    return object->player.playing;
}

static bool animate_runs(const oban_object *object)
{
    return object->player.playing && !object->player.paused;
}

static bool animate_paused(const oban_object *object)
{
    return object->player.paused;
}

static void animate_stop(oban_world *world, oban_object *object)
{
    oban_runs_stop(world, object, OBAN_STOP_COMMAND);
}

static void animate_pause(oban_world *world, oban_object *object)
{
    oban_runs_pause(world, object, true);
}

static void animate_resume(oban_world *world, oban_object *object)
{
    oban_runs_pause(world, object, false);
}

static oban_status animate_do(oban_world *world, const oban_command *command, oban_result *result,
                              const animate_act *act)
{
    oban_stretch stretch;
    oban_object *object;
    oban_gather others = {0};
    if (oban_select_living(world, command, result, &stretch) != OBAN_OK) {
        return result->status;
    }
    uint32_t at = stretch.first;
    const oban_needs needs = {.items = animate_most(stretch), .events = animate_most(stretch)};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = act->kind;
    while ((object = oban_select_next(world, command, stretch, &at)) != NULL) {
        if (act->fits(object)) {
            act->act(world, object);
            oban_apply_item(world, result, object, UINT64_MAX);
        } else {
            oban_gather_add(&others, object->number);
        }
    }
    oban_gather_warn(&others, result, act->one, act->many);
    return OBAN_OK;
}

oban_status oban_apply_env_stop(oban_world *world, const oban_command *command, oban_result *result)
{
    static const animate_act act = {OBAN_RESULT_STOPPED, animate_plays, animate_stop,
                                    "does not play", "do not play"};
    return animate_do(world, command, result, &act);
}

oban_status oban_apply_env_pause(oban_world *world, const oban_command *command,
                                 oban_result *result)
{
    static const animate_act act = {OBAN_RESULT_PAUSED, animate_runs, animate_pause,
                                    "does not play, or is paused", "do not play, or are paused"};
    return animate_do(world, command, result, &act);
}

oban_status oban_apply_env_resume(oban_world *world, const oban_command *command,
                                  oban_result *result)
{
    static const animate_act act = {OBAN_RESULT_RESUMED, animate_paused, animate_resume,
                                    "is not paused", "are not paused"};
    return animate_do(world, command, result, &act);
}
