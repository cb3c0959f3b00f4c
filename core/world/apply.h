/* SPDX-License-Identifier: MIT */
/* Phase 3: one function per command, and what they share. Each reserves all that it may need
 * before it changes anything. Next: apply.c. */
#ifndef OBAN_WORLD_APPLY_H
#define OBAN_WORLD_APPLY_H

#include "core/world/state.h"

typedef oban_status oban_apply_function(oban_world *world, const oban_command *command,
                                        oban_result *result);

/* objects.c */
oban_apply_function oban_apply_obj_create;
oban_apply_function oban_apply_obj_kill;
oban_apply_function oban_apply_obj_show;
oban_apply_function oban_apply_obj_hide;
oban_apply_function oban_apply_obj_place;
/* define.c */
oban_apply_function oban_apply_obj_define;
/* animate.c */
oban_apply_function oban_apply_env_setanim;
oban_apply_function oban_apply_env_anim;
oban_apply_function oban_apply_env_stop;
oban_apply_function oban_apply_env_pause;
oban_apply_function oban_apply_env_resume;
/* refs.c */
oban_apply_function oban_apply_env_show;
/* camera_apply.c */
oban_apply_function oban_apply_cm_anim;
oban_apply_function oban_apply_cm_interpolate;
oban_apply_function oban_apply_cm_reset;
oban_apply_function oban_apply_cm_detach;
oban_apply_function oban_apply_gs_fov_set;
oban_apply_function oban_apply_camera_place;
oban_apply_function oban_apply_cm_orbit;
/* library.c */
oban_apply_function oban_apply_debug_env_anim;
/* doors.c */
oban_apply_function oban_apply_door_open;
oban_apply_function oban_apply_door_close;
oban_apply_function oban_apply_door_jam;
oban_apply_function oban_apply_door_unjam;
oban_apply_function oban_apply_door_define;
/* characters.c */
oban_apply_function oban_apply_chr_envanim;
oban_apply_function oban_apply_chr_envanim_stop;

/* What a command may need. */
typedef struct oban_needs {
    uint32_t items;  /* of the result */
    uint32_t events; /* its own */
    uint32_t births;
    uint32_t fresh; /* slots that are new */
    uint32_t kills;
} oban_needs;

/* Makes room for all of it. Returns OK, LIMIT (events of this pass) or NO_MEMORY; the result says
 * so. */
oban_status oban_apply_reserve(oban_world *world, oban_result *result, const oban_needs *needs);
/* Adds the object to the result's items. */
void oban_apply_item(oban_world *world, oban_result *result, const oban_object *object,
                     uint64_t ends);
/* Looks an animation up for a command. Returns OK, with a warning when only its case differs, or
 * NO_ANIM. */
oban_status oban_apply_find_clip(oban_world *world, oban_result *result, oban_text name,
                                 const oban_clip **out);
/* Whether objects_max and OBAN_NUMBERS_MAX allow so many more. Returns OK or LIMIT. */
oban_status oban_apply_check_limits(const oban_world *world, oban_result *result, uint32_t births,
                                    uint32_t fresh);
/* A copy of a text (NULL of none), for oban_apply_set_text. Returns false when memory is out; the
 * result says so. */
bool oban_apply_text(oban_world *world, oban_result *result, oban_text text, char **out);
void oban_apply_free_text(oban_world *world, char *text);
/* Puts a text in its place, the old one goes; stamped when it differs. Takes `text` over. */
void oban_apply_set_text(oban_world *world, oban_object *object, char **place, char *text,
                         oban_object_stamp stamp);
/* What is left of an object that was alive: its record, and the life that the next one follows. It
 * must be dropped from the index of the living too. */
void oban_apply_take_life(oban_object *object);
/* Brings an object to life; it must be spliced into the index of the living too. */
void oban_apply_give_life(oban_world *world, oban_object *object);

#endif
