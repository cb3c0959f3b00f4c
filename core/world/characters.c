/* SPDX-License-Identifier: MIT */
/* chr_envanim, chr_envanim_stop. A character is an object of its own kind. Carried to the end, or
 * let go, it is shown where that was for the rest of the tick, and is gone with the next. Next:
 * camera.c. Source: behaviour 6; what it leaves open: docs/decisions/0016. */
#include "core/world/characters.h"

#include "core/world/apply.h"
#include "core/world/publish.h"
#include "core/world/runs.h"
#include "core/world/select.h"

#include <string.h>

#define CHARACTERS_NAMED_MAX 4096u /* ours: they are looked through one by one */

static uint32_t characters_end(const oban_index *index)
{
    return oban_index_find(index, OBAN_CHARACTER_LAST + 1, 0);
}

/* The slot of somebody; NULL when he was never carried. *number is the one that he has or gets. */
static oban_object *characters_find(const oban_world *world, const oban_who *who, int32_t *number)
{
    const oban_index *all = &world->slots.all;
    if (who->number >= 0) {
        *number = OBAN_CHARACTER_FIRST + who->number;
        return oban_index_get(all, *number, 0);
    }
    *number = OBAN_CHARACTER_NAMED;
    for (uint32_t i = oban_index_find(all, OBAN_CHARACTER_NAMED, 0); i < characters_end(all); i++) {
        *number = all->items[i]->number;
        if (oban_text_equal(oban_text_of(all->items[i]->name), who->name)) {
            return all->items[i];
        }
        *number += 1;
    }
    return NULL;
}

bool oban_world_carried(const oban_world *world, const oban_who *who)
{
    int32_t number = 0;
    const oban_object *character = characters_find(world, who, &number);
    return character != NULL && character->alive && character->player.playing;
}

/* The animation from its frame 0, also where it has a random start: limbs are kept in step with it.
 */
static void characters_start(oban_world *world, oban_object *character, const oban_clip *clip,
                             bool norotation)
{
    oban_runs_stop(world, character, OBAN_STOP_REPLACED);
    oban_shown before = oban_publish_look(character);
    character->clip = clip;
    character->norotation = norotation;
    oban_player_start(&character->player, clip, 0, NULL);
    character->posed = true;
    character->dirty = true;
    oban_publish_changes(world, character, &before);
    oban_publish_run(oban_publish_object_event(world, OBAN_EVENT_START, character),
                     &character->player, clip, OBAN_STOP_NONE);
}

oban_status oban_apply_chr_envanim(oban_world *world, const oban_command *command,
                                   oban_result *result)
{
    const oban_clip *clip = NULL;
    int32_t number = 0;
    char *name = NULL;
    oban_object *character = characters_find(world, &command->character, &number);
    bool living = character != NULL && character->alive;
    bool fresh = character == NULL;
    const oban_needs needs = {
        .items = 1, .events = 3, .births = living ? 0 : 1, .fresh = fresh ? 1 : 0};
    if (oban_apply_find_clip(world, result, command->anim, &clip) != OBAN_OK ||
        oban_apply_check_limits(world, result, needs.births, needs.fresh) != OBAN_OK ||
        oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    if (number >= OBAN_CHARACTER_NAMED + (int32_t)CHARACTERS_NAMED_MAX) {
        oban_line_add(&result->message, "over 4096 characters with names");
        return oban_result_fail(result, OBAN_LIMIT, "character");
    }
    if (fresh && command->character.number < 0 &&
        !oban_apply_text(world, result, command->character.name, &name)) {
        return result->status;
    }
    if (fresh) {
        character = oban_slots_take(&world->slots, number, 0);
        character->name = name;
        oban_index_splice(&world->slots.all, &character, 1);
    }
    if (!living) {
        oban_index_splice(&world->slots.live, &character, 1);
        oban_apply_give_life(world, character);
    }
    characters_start(world, character, clip, OBAN_HAS(command, norotation) && command->norotation);
    result->kind = OBAN_RESULT_STARTED;
    oban_apply_item(world, result, character, oban_runs_end(world, &character->player, clip));
    return OBAN_OK;
}

oban_status oban_apply_chr_envanim_stop(oban_world *world, const oban_command *command,
                                        oban_result *result)
{
    int32_t number = 0;
    oban_object *character = characters_find(world, &command->character, &number);
    const oban_needs needs = {.items = 1, .events = 1};
    if (oban_apply_reserve(world, result, &needs) != OBAN_OK) {
        return result->status;
    }
    result->kind = OBAN_RESULT_STOPPED;
    if (character == NULL || !character->alive || !character->player.playing) {
        oban_line *line = oban_result_warn(result);
        oban_line_add(line, "character ");
        if (command->character.number >= 0) {
            oban_line_add_i64(line, command->character.number);
        } else {
            oban_line_add_text(line, command->character.name);
        }
        oban_line_add(line, " is not carried by an animation");
        return OBAN_OK;
    }
    oban_runs_stop(world, character, OBAN_STOP_COMMAND);
    oban_apply_item(world, result, character, UINT64_MAX);
    return OBAN_OK;
}

void oban_characters_release(oban_world *world)
{
    oban_index *live = &world->slots.live;
    uint32_t end = characters_end(live);
    bool any = false;
    for (uint32_t i = 0; i < end; i++) {
        oban_object *character = live->items[i];
        if (character->player.playing) {
            continue;
        }
        any = true;
        if (!character->broken) {
            oban_publish_gone(world, character);
        }
        oban_apply_take_life(character);
    }
    if (any) {
        oban_index_drop_dead(live, 0, end);
    }
}
