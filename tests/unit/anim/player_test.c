/* SPDX-License-Identifier: MIT */
/* Tests of core/anim/player.c: the rules of behaviour 3 one by one, as rows of frames. */
#include "tests/unit/world/rig.h"

#include "core/anim/player.h"

static oban_clip clip_of(uint32_t flags, uint32_t frames)
{
    oban_clip clip;
    memset(&clip, 0, sizeof clip);
    clip.flags = flags;
    clip.frame_count = frames;
    return clip;
}

/* Steps `ticks` times and compares the frames, one letter each ("0" to "9"); the reason of a stop
 * follows its frame: E end, S stop frame. */
static void assert_frames(oban_player *player, const oban_clip *clip, const char *want)
{
    char got[200] = "";
    size_t at = 0;
    size_t ticks = 0;
    for (size_t i = 0; want[i] != '\0'; i++) {
        ticks += want[i] >= '0' && want[i] <= '9';
    }
    for (size_t i = 0; i < ticks; i++) {
        oban_stop_reason reason = oban_player_step(player, clip);
        got[at++] = (char)('0' + player->frame);
        if (reason != OBAN_STOP_NONE) {
            got[at++] = reason == OBAN_STOP_END ? 'E' : 'S';
        }
    }
    got[at] = '\0';
    assert_string_equal(got, want);
}

static void start_sets_everything(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 5);
    oban_player player = {.frame = 3, .step = -1, .run = 6, .playing = true, .paused = true};
    oban_player_start(&player, &clip, 4, NULL);
    assert_int_equal(player.frame, 0);
    assert_int_equal(player.step, 1);
    assert_int_equal(player.stop_frame, 4);
    assert_int_equal(player.run, 7);
    assert_true(player.playing);
    assert_false(player.paused);
}

static void a_clip_of_f_frames_stops_at_f(void **state)
{
    (void)state;
    for (uint32_t frames = 1; frames < 40; frames++) {
        oban_clip clip = clip_of(0, frames);
        oban_player player = {0};
        oban_player_start(&player, &clip, 0, NULL);
        for (uint32_t k = 1; k < frames; k++) {
            assert_int_equal(oban_player_ticks_left(&player, &clip), frames - k + 1);
            assert_int_equal(oban_player_step(&player, &clip), OBAN_STOP_NONE);
            assert_int_equal(player.frame, k);
        }
        assert_int_equal(oban_player_step(&player, &clip), OBAN_STOP_END);
        assert_int_equal(player.frame, frames - 1);
        assert_false(player.playing);
        assert_int_equal(oban_player_step(&player, &clip), OBAN_STOP_NONE); /* once */
        assert_int_equal(player.frame, frames - 1);
    }
}

static void a_loop_has_period_f(void **state)
{
    (void)state;
    oban_clip clip = clip_of(OBAN_CLIP_LOOP, 3);
    oban_player player = {0};
    oban_player_start(&player, &clip, 0, NULL);
    assert_frames(&player, &clip, "1201201201");
    assert_true(oban_player_ticks_left(&player, &clip) == UINT64_MAX);
}

static void a_loop_with_a_stop_frame_has_that_period(void **state)
{
    (void)state;
    oban_clip clip = clip_of(OBAN_CLIP_LOOP, 5);
    oban_player player = {0};
    oban_player_start(&player, &clip, 2, NULL);
    assert_frames(&player, &clip, "10101");
    assert_true(oban_player_ticks_left(&player, &clip) == UINT64_MAX);
}

static void a_ping_pong_shows_both_ends_twice(void **state)
{
    (void)state;
    oban_clip clip = clip_of(OBAN_CLIP_PING_PONG, 3);
    oban_clip both = clip_of(OBAN_CLIP_PING_PONG | OBAN_CLIP_LOOP, 3);
    oban_clip one = clip_of(OBAN_CLIP_PING_PONG, 1);
    oban_player player = {0};
    oban_player_start(&player, &clip, 0, NULL);
    assert_frames(&player, &clip, "122100122100122");
    assert_true(oban_player_ticks_left(&player, &clip) == UINT64_MAX);
    oban_player_start(&player, &both, 0, NULL);
    assert_frames(&player, &both, "122100122100122");
    oban_player_start(&player, &one, 0, NULL);
    assert_frames(&player, &one, "0000000");
}

/* The seed: at the stop frame too it turns back from the last frame. */
static void a_ping_pong_with_a_stop_frame_turns_from_the_last(void **state)
{
    (void)state;
    oban_clip clip = clip_of(OBAN_CLIP_PING_PONG, 5);
    oban_player player = {0};
    oban_player_start(&player, &clip, 2, NULL);
    assert_frames(&player, &clip, "143210014");
}

static void a_stop_frame_stops_at_s(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 5);
    oban_player player = {0};
    oban_player_start(&player, &clip, 3, NULL);
    assert_int_equal(oban_player_ticks_left(&player, &clip), 3);
    assert_frames(&player, &clip, "123S33");
    oban_player_start(&player, &clip, 5, NULL);
    assert_frames(&player, &clip, "12344S4"); /* min(S, F-1), by its own reason */
    oban_player_start(&player, &clip, 8, NULL);
    assert_int_equal(oban_player_ticks_left(&player, &clip), 8);
    assert_frames(&player, &clip, "12345674S4");
}

static void backwards_it_stops_at_its_stop_frame(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 9);
    oban_player player = {.frame = 4, .step = -1, .playing = true};
    assert_int_equal(oban_player_ticks_left(&player, &clip), 4);
    assert_frames(&player, &clip, "3210S0");
    player = (oban_player){.frame = 6, .step = -1, .stop_frame = 3, .playing = true};
    assert_int_equal(oban_player_ticks_left(&player, &clip), 3);
    assert_frames(&player, &clip, "543S3");
    player = (oban_player){.frame = 0, .step = -1, .playing = true}; /* there already */
    assert_int_equal(oban_player_ticks_left(&player, &clip), 1);
    assert_frames(&player, &clip, "0S0");
    player = (oban_player){.frame = 2, .step = -1, .stop_frame = 5, .playing = true}; /* beyond */
    assert_frames(&player, &clip, "5S5");
    clip.flags = OBAN_CLIP_LOOP; /* no ping-pong: stops as well */
    player = (oban_player){.frame = 2, .step = -1, .playing = true};
    assert_int_equal(oban_player_ticks_left(&player, &clip), 2);
    assert_frames(&player, &clip, "10S0");
}

static void pause_holds_the_frame(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 3);
    oban_player player = {0};
    oban_player_start(&player, &clip, 0, NULL);
    assert_frames(&player, &clip, "1");
    player.paused = true;
    assert_frames(&player, &clip, "11111");
    assert_int_equal(oban_player_ticks_left(&player, &clip), 2); /* in steps of its own */
    player.paused = false;
    assert_frames(&player, &clip, "22E2");
}

static void stop_clamps_the_frame(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 3);
    oban_player player = {.frame = 7, .step = 1, .playing = true, .paused = true};
    oban_player_stop(&player, &clip);
    assert_int_equal(player.frame, 2);
    assert_false(player.playing);
    assert_false(player.paused);
    assert_true(oban_player_ticks_left(&player, &clip) == UINT64_MAX);
    player.frame = -1;
    oban_player_stop(&player, &clip);
    assert_int_equal(player.frame, 0);
}

static void a_random_start_is_r16_times_frames_over_65536(void **state)
{
    (void)state;
    oban_clip clip = clip_of(OBAN_CLIP_RANDOM_START, 65535);
    oban_rng rng;
    oban_rng twin;
    oban_player player = {0};
    int64_t sum = 0;
    oban_rng_seed(&rng, 5);
    oban_rng_seed(&twin, 5);
    for (int i = 0; i < 2000; i++) {
        uint64_t r16 = oban_rng_next16(&twin);
        oban_player_start(&player, &clip, 0, &rng);
        assert_int_equal(player.frame, r16 * 65535 / 65536);
        assert_in_range(player.frame, 0, 65534);
        sum += player.frame;
    }
    assert_in_range(sum / 2000, 31000, 34500);
    oban_player_start(&player, &clip, 0, NULL);
    assert_int_equal(player.frame, 0);
    clip.flags = 0;
    oban_player_start(&player, &clip, 0, &rng); /* draws nothing */
    assert_int_equal(player.frame, 0);
    assert_true(rng.state == twin.state);
}

static void a_random_start_behind_the_stop_frame_stops_at_once(void **state)
{
    (void)state;
    oban_clip clip = clip_of(0, 9);
    oban_player player = {.frame = 6, .step = 1, .stop_frame = 3, .playing = true};
    assert_int_equal(oban_player_ticks_left(&player, &clip), 1);
    assert_frames(&player, &clip, "7S7");
}

/* Whatever state it begins in: so many steps as it says, then one stop. */
static void ticks_left_tells_the_truth(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 20000; round++) {
        oban_clip clip = clip_of(rig_random(&random) % 4, 1 + rig_random(&random) % 12);
        oban_player player = {.frame = (int32_t)(rig_random(&random) % clip.frame_count),
                              .step = rig_random(&random) % 3 != 0 ? 1 : -1,
                              .stop_frame = (int32_t)(rig_random(&random) % 16),
                              .playing = true};
        uint64_t left = oban_player_ticks_left(&player, &clip);
        uint64_t steps = 0;
        while (steps < 100 && oban_player_step(&player, &clip) == OBAN_STOP_NONE) {
            steps += 1;
        }
        assert_true(left == UINT64_MAX ? steps == 100 : steps + 1 == left);
        assert_true(player.playing == (left == UINT64_MAX));
    }
}

static void reasons_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(oban_stop_reason_word(OBAN_STOP_END), "end");
    assert_string_equal(oban_stop_reason_word(OBAN_STOP_STOP_FRAME), "stop_frame");
    assert_string_equal(oban_stop_reason_word(OBAN_STOP_COMMAND), "command");
    assert_string_equal(oban_stop_reason_word(OBAN_STOP_REPLACED), "replaced");
    assert_string_equal(oban_stop_reason_word(OBAN_STOP_KILLED), "killed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_sets_everything),
        cmocka_unit_test(a_clip_of_f_frames_stops_at_f),
        cmocka_unit_test(a_loop_has_period_f),
        cmocka_unit_test(a_loop_with_a_stop_frame_has_that_period),
        cmocka_unit_test(a_ping_pong_shows_both_ends_twice),
        cmocka_unit_test(a_ping_pong_with_a_stop_frame_turns_from_the_last),
        cmocka_unit_test(a_stop_frame_stops_at_s),
        cmocka_unit_test(backwards_it_stops_at_its_stop_frame),
        cmocka_unit_test(pause_holds_the_frame),
        cmocka_unit_test(stop_clamps_the_frame),
        cmocka_unit_test(a_random_start_is_r16_times_frames_over_65536),
        cmocka_unit_test(a_random_start_behind_the_stop_frame_stops_at_once),
        cmocka_unit_test(ticks_left_tells_the_truth),
        cmocka_unit_test(reasons_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
