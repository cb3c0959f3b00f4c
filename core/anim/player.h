/* SPDX-License-Identifier: MIT */
/* The player: the state machine that moves one frame per tick. Pure: no clip of its own, no events;
 * its owner tells it the clip and publishes what it returns.
 * Next: ../world/world.h. */
#ifndef OBAN_ANIM_PLAYER_H
#define OBAN_ANIM_PLAYER_H

#include "core/anim/clip.h"
#include "core/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oban_player {
    int32_t frame;
    int32_t step;       /* +1 or -1 */
    int32_t stop_frame; /* 0: none */
    uint32_t run; /* number of the run, 0 before the first; counts on for the life of the owner */
    bool playing;
    bool paused; /* a paused player is playing too */
} oban_player;

typedef enum oban_stop_reason {
    OBAN_STOP_NONE,
    OBAN_STOP_END,
    OBAN_STOP_STOP_FRAME,
    OBAN_STOP_COMMAND,
    OBAN_STOP_REPLACED,
    OBAN_STOP_KILLED
} oban_stop_reason;

/* Starts a run: frame 0, or a random one when the clip says so and rng is not NULL; step +1; not
 * paused; run + 1. Source: behaviour 3, Start. */
void oban_player_start(oban_player *player, const oban_clip *clip, int32_t stop_frame,
                       oban_rng *rng);
/* One tick. Returns NONE, or END or STOP_FRAME in the very tick that it stops. A paused or stopped
 * player does nothing. Source: behaviour 3, Step. */
oban_stop_reason oban_player_step(oban_player *player, const oban_clip *clip);
/* Ends the run where it is (frame clamped into the clip). Source: behaviour 3. */
void oban_player_stop(oban_player *player, const oban_clip *clip);
/* In how many steps from now the run ends by itself; UINT64_MAX when it never does. Source: ours.
 */
uint64_t oban_player_ticks_left(const oban_player *player, const oban_clip *clip);
/* The reason's word on the wire, such as "stop_frame". */
const char *oban_stop_reason_word(oban_stop_reason reason);

#endif
