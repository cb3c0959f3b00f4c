/* SPDX-License-Identifier: MIT */
/* Animations written as XML, byte for byte as OniSplit writes them but for its line ends and mark.
 * Next: oban_xml.h, xml_values.h. */
#include "proto/format/oban_xml.h"

#include "proto/format/xml_values.h"
#include "proto/json/floats.h"

#include <string.h>

static void xml_write(oban_writer *writer, const char *text)
{
    oban_writer_bytes(writer, text, strlen(text));
}

static void xml_write_i64(oban_writer *writer, int64_t value)
{
    oban_line line;
    oban_line_clear(&line);
    oban_line_add_i64(&line, value);
    oban_writer_bytes(writer, line.data, line.bytes);
}

/* <name>value</name> and a new line. */
static void xml_write_integer(oban_writer *writer, const char *open, int64_t value,
                              const char *close)
{
    xml_write(writer, open);
    xml_write_i64(writer, value);
    xml_write(writer, close);
}

static void xml_write_floats(oban_writer *writer, const char *open, const float *values,
                             uint32_t count, const char *close)
{
    xml_write(writer, open);
    for (uint32_t i = 0; i < count; i++) {
        char digits[OBAN_FLOAT_BYTES_MAX];
        size_t bytes = oban_float_dotnet(values[i], digits);
        xml_write(writer, i == 0 ? "" : " ");
        oban_writer_bytes(writer, digits, bytes);
    }
    xml_write(writer, close);
}

/* Names by rising bit; the whole as a number when a bit has no name. */
static void xml_write_flags(oban_writer *writer, uint32_t flags)
{
    uint32_t unnamed = flags;
    bool blank = false;
    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        unnamed &= ~flag->bit;
    }
    if (unnamed != 0) {
        xml_write_i64(writer, flags);
        return;
    }
    for (const xml_flag *flag = xml_flags; flag->name != NULL; flag++) {
        if ((flags & flag->bit) != 0) {
            xml_write(writer, blank ? " " : "");
            xml_write(writer, flag->name);
            blank = true;
        }
    }
}

static void xml_write_key(oban_writer *writer, const oban_key *key)
{
    const oban_quat *q = &key->rotation;
    const float rotation[4] = {q->x, q->y, q->z, q->w};
    xml_write(writer, "            <OBANKeyFrame>\n");
    xml_write_floats(writer, "                <Rotation>", rotation, 4, "</Rotation>\n");
    xml_write_floats(writer, "                <Translation>", key->position, 3, "</Translation>\n");
    xml_write_integer(writer, "                <Time>", key->frame, "</Time>\n");
    xml_write(writer, "            </OBANKeyFrame>\n");
}

static void xml_write_keys(oban_writer *writer, const oban_clip_def *def)
{
    if (def->key_count == 0) {
        xml_write(writer, "        <KeyFrames />\n");
        return;
    }
    xml_write(writer, "        <KeyFrames>\n");
    for (uint32_t i = 0; i < def->key_count; i++) {
        xml_write_key(writer, &def->keys[i]);
    }
    xml_write(writer, "        </KeyFrames>\n");
}

/* OniSplit prints the frame count as a signed 16-bit number; the reader takes it back. */
static int64_t xml_write_i16(int32_t value)
{
    return value > INT16_MAX ? (int64_t)value - 65536 : value;
}

static void xml_write_clip(oban_writer *writer, const oban_clip_def *def, uint32_t id)
{
    xml_write_integer(writer, "    <OBAN id=\"", id, "\">\n");
    xml_write(writer, "        <Flags>");
    xml_write_flags(writer, def->flags);
    xml_write(writer, "</Flags>\n");
    xml_write_floats(writer, "        <InitialTransform>", def->start.m, 12,
                     "</InitialTransform>\n");
    xml_write_floats(writer, "        <BaseTransform>", def->base.m, 12, "</BaseTransform>\n");
    xml_write_integer(writer, "        <FrameLength>", def->frame_length, "</FrameLength>\n");
    xml_write_integer(writer, "        <FrameCount>", xml_write_i16(def->frame_count),
                      "</FrameCount>\n");
    xml_write_integer(writer, "        <HalfStopFrame>", def->half_stop, "</HalfStopFrame>\n");
    xml_write_keys(writer, def);
    xml_write(writer, "    </OBAN>\n");
}

void oban_xml_write(oban_writer *writer, const oban_clip_def *defs, uint32_t count)
{
    xml_write(writer, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Oni>\n");
    for (uint32_t i = 0; i < count; i++) {
        xml_write_clip(writer, &defs[i], i);
    }
    xml_write(writer, "</Oni>");
}
