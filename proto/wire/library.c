/* SPDX-License-Identifier: MIT */
/* Animations told as JSON.
 * Next: library.h. */
#include "proto/wire/library.h"

static char library_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Bytes of the character at `at`; names are UTF-8. */
static uint32_t library_character(oban_text text, uint32_t at)
{
    uint32_t code = 0;
    uint32_t bytes = oban_utf8_decode(text.data + at, text.bytes - at, &code);
    return bytes > 0 ? bytes : 1;
}

/* Only the last star ever needs another try: no recursion, no blow-up. */
bool oban_wire_matches(oban_text pattern, oban_text name)
{
    uint32_t p = 0;
    uint32_t n = 0;
    uint32_t star = UINT32_MAX;
    uint32_t star_name = 0;
    while (n < name.bytes) {
        char want = p < pattern.bytes ? pattern.data[p] : '\0';
        if (p < pattern.bytes && want == '*') {
            star = p++;
            star_name = n;
        } else if (p < pattern.bytes && want == '?') {
            p++;
            n += library_character(name, n);
        } else if (p < pattern.bytes && library_lower(want) == library_lower(name.data[n])) {
            p++;
            n++;
        } else if (star != UINT32_MAX) {
            star_name += library_character(name, star_name);
            p = star + 1;
            n = star_name;
        } else {
            return false;
        }
    }
    while (p < pattern.bytes && pattern.data[p] == '*') {
        p++;
    }
    return p == pattern.bytes;
}

static void library_number(oban_writer *writer, const char *key, int64_t number)
{
    oban_writer_key(writer, key);
    oban_writer_i64(writer, number);
}

static void library_list_item(oban_writer *writer, const oban_clip *clip)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, clip->name);
    library_number(writer, "frames", clip->frame_count);
    library_number(writer, "keys", clip->key_count);
    library_number(writer, "flags", clip->flags);
    library_number(writer, "half_stop", clip->half_stop);
    oban_writer_object_end(writer);
}

void oban_wire_anim_list(oban_writer *writer, const oban_world *world, oban_text match)
{
    uint32_t count = oban_world_clip_count(world);
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "anims");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < count; i++) {
        const oban_clip *clip = oban_world_clip_at(world, i);
        if (match.data == NULL || oban_wire_matches(match, oban_text_of(clip->name))) {
            library_list_item(writer, clip);
        }
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
}

static void library_floats(oban_writer *writer, const char *key, const float *values,
                           unsigned count)
{
    oban_writer_key(writer, key);
    oban_writer_array_begin(writer);
    for (unsigned i = 0; i < count; i++) {
        oban_writer_f32(writer, values[i]);
    }
    oban_writer_array_end(writer);
}

static void library_key(oban_writer *writer, const oban_key *key)
{
    const float q[4] = {key->rotation.x, key->rotation.y, key->rotation.z, key->rotation.w};
    oban_writer_object_begin(writer);
    library_number(writer, "frame", key->frame);
    library_floats(writer, "q", q, 4);
    library_floats(writer, "p", key->position, 3);
    oban_writer_object_end(writer);
}

void oban_wire_anim_get(oban_writer *writer, const oban_clip *clip)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "anim");
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "name");
    oban_writer_string(writer, clip->name);
    library_number(writer, "flags", clip->flags);
    library_number(writer, "frames", clip->frame_count);
    library_number(writer, "half_stop", clip->half_stop);
    oban_writer_key(writer, "start");
    oban_writer_mat34(writer, &clip->start);
    oban_writer_key(writer, "base");
    oban_writer_mat34(writer, &clip->base);
    oban_writer_key(writer, "keys");
    oban_writer_array_begin(writer);
    for (uint32_t i = 0; i < clip->key_count; i++) {
        library_key(writer, &clip->keys[i]);
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
    oban_writer_object_end(writer);
}

void oban_wire_anim_path(oban_writer *writer, const oban_clip *clip, uint32_t every)
{
    oban_writer_object_begin(writer);
    oban_writer_key(writer, "anim");
    oban_writer_string(writer, clip->name);
    library_number(writer, "frames", clip->frame_count);
    library_number(writer, "every", every);
    oban_writer_key(writer, "path");
    oban_writer_array_begin(writer);
    for (uint32_t frame = 0; frame < clip->frame_count; frame += every) {
        oban_mat34 m = oban_clip_matrix(clip, (int32_t)frame);
        oban_writer_object_begin(writer);
        library_number(writer, "frame", frame);
        oban_writer_key(writer, "m");
        oban_writer_mat34(writer, &m);
        oban_writer_object_end(writer);
    }
    oban_writer_array_end(writer);
    oban_writer_object_end(writer);
}
