/* SPDX-License-Identifier: MIT */
/* The player: start, step, stop. Not here: matrices (clip.c), events (../world/).
 * Next: ../world/tick.c. */
#include "core/anim/player.h"

#include "core/base/assert.h"

static int32_t player_last(const oban_clip *clip)
{
    return (int32_t)clip->frame_count - 1;
}

static int32_t player_end(const oban_player *player, const oban_clip *clip)
{
    return player->stop_frame != 0 ? player->stop_frame : (int32_t)clip->frame_count;
}

void oban_player_start(oban_player *player, const oban_clip *clip, int32_t stop_frame,
                       oban_rng *rng)
{
    player->frame = 0;
    if ((clip->flags & OBAN_CLIP_RANDOM_START) != 0 && rng != NULL) {
        player->frame = (int32_t)(((uint32_t)oban_rng_next16(rng) * clip->frame_count) >> 16);
    }
    player->step = 1;
    player->stop_frame = stop_frame;
    player->run += 1;
    player->playing = true;
    player->paused = false;
}

static oban_stop_reason player_halt(oban_player *player, const oban_clip *clip,
                                    oban_stop_reason reason)
{
    oban_player_stop(player, clip);
    return reason;
}

/* A ping-pong at a negative frame turns forwards again; anything else stops at its stop frame,
 * which is 0 when it has none. */
static oban_stop_reason player_step_back(oban_player *player, const oban_clip *clip)
{
    if ((clip->flags & OBAN_CLIP_PING_PONG) != 0) {
        if (player->frame < 0) {
            player->frame = 0;
            player->step = 1;
        }
        return OBAN_STOP_NONE;
    }
    if (player->frame > player->stop_frame) {
        return OBAN_STOP_NONE;
    }
    player->frame = player->stop_frame;
    return player_halt(player, clip, OBAN_STOP_STOP_FRAME);
}

oban_stop_reason oban_player_step(oban_player *player, const oban_clip *clip)
{
    if (!player->playing || player->paused) {
        return OBAN_STOP_NONE;
    }
    player->frame += player->step;
    if (player->step < 0) {
        return player_step_back(player, clip);
    }
    if (player->frame < player_end(player, clip)) {
        return OBAN_STOP_NONE;
    }
    if ((clip->flags & OBAN_CLIP_PING_PONG) != 0) {
        player->frame = player_last(clip);
        player->step = -1;
        return OBAN_STOP_NONE;
    }
    if ((clip->flags & OBAN_CLIP_LOOP) != 0) {
        player->frame = 0;
        return OBAN_STOP_NONE;
    }
    return player_halt(player, clip,
                       player->stop_frame != 0 ? OBAN_STOP_STOP_FRAME : OBAN_STOP_END);
}

void oban_player_stop(oban_player *player, const oban_clip *clip)
{
    int32_t last = player_last(clip);
    player->frame = player->frame > last ? last : player->frame;
    player->frame = player->frame < 0 ? 0 : player->frame;
    player->playing = false;
    player->paused = false;
}

uint64_t oban_player_ticks_left(const oban_player *player, const oban_clip *clip)
{
    int64_t left;
    if (!player->playing || (clip->flags & OBAN_CLIP_PING_PONG) != 0) {
        return UINT64_MAX;
    }
    if (player->step < 0) {
        left = (int64_t)player->frame - player->stop_frame;
    } else if ((clip->flags & OBAN_CLIP_LOOP) != 0) {
        return UINT64_MAX;
    } else {
        left = (int64_t)player_end(player, clip) - player->frame;
    }
    /* Already there or beyond, as after a random start behind the stop frame: the next step. */
    return left < 1 ? 1 : (uint64_t)left;
}

const char *oban_stop_reason_word(oban_stop_reason reason)
{
    static const char *const words[] = {
        [OBAN_STOP_NONE] = "none",
        [OBAN_STOP_END] = "end",
        [OBAN_STOP_STOP_FRAME] = "stop_frame",
        [OBAN_STOP_COMMAND] = "command",
        [OBAN_STOP_REPLACED] = "replaced",
        [OBAN_STOP_KILLED] = "killed",
    };
    OBAN_ASSERT((unsigned)reason < sizeof words / sizeof words[0]);
    return words[reason];
}
