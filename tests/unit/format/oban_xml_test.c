/* SPDX-License-Identifier: MIT */
/* OBAN XML: what is read and refused, with line and column; round trips byte for byte; memory that
 * runs out. Next: clip_file_test.c. */
#include "proto/format/oban_xml.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/format/memory.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
#define UNIT "1 0 0 0 1 0 0 0 1 0 0 0"
/* Lines 4 to 9. */
#define FIELDS                                                                                     \
    "        <Flags></Flags>\n"                                                                    \
    "        <InitialTransform>" UNIT "</InitialTransform>\n"                                      \
    "        <BaseTransform>" UNIT "</BaseTransform>\n"                                            \
    "        <FrameLength>1</FrameLength>\n"                                                       \
    "        <FrameCount>1</FrameCount>\n"                                                         \
    "        <HalfStopFrame>0</HalfStopFrame>\n"
/* Seven lines. */
#define KEYS                                                                                       \
    "        <KeyFrames>\n"                                                                        \
    "            <OBANKeyFrame>\n"                                                                 \
    "                <Rotation>0 0 0 1</Rotation>\n"                                               \
    "                <Translation>0 0 0</Translation>\n"                                           \
    "                <Time>0</Time>\n"                                                             \
    "            </OBANKeyFrame>\n"                                                                \
    "        </KeyFrames>\n"
#define OBAN0 "    <OBAN id=\"0\">\n"
#define GOOD HEAD "<Oni>\n" OBAN0 FIELDS KEYS "    </OBAN>\n</Oni>"

/* Reads exactly these bytes. */
static oban_status read_exact(memory *own, const char *name, const char *text, size_t size,
                              oban_clip_file *out)
{
    oban_alloc alloc = memory_alloc(own);
    char *exact = malloc(size + (size == 0));
    assert_non_null(exact);
    memcpy(exact, text, size);
    oban_status status = oban_xml_read(&alloc, oban_text_of(name), exact, size, out);
    free(exact);
    return status;
}

static void finish(memory *own, oban_clip_file *file)
{
    oban_clip_file_fini(file);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->wrong_sizes, 0);
}

/* A copy of the text with the first `from` replaced. */
static char *with(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("nothing to replace: %s", from);
        abort();
    }
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    (void)sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static void all_faults(const oban_clip_file *file, char *out)
{
    out[0] = '\0';
    for (uint32_t i = 0; i < file->faults.count; i++) {
        oban_line line;
        oban_file_fault_line(&file->faults.items[i], &line);
        (void)strcat(strcat(out, i == 0 ? "" : "\n"), line.data);
    }
}

/* ---- tables ---- */

typedef struct edit {
    const char *from, *to; /* in GOOD */
    oban_status status;
    const char *faults; /* all, a line each; what ends in * is a beginning */
} edit;

static void run(const edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memory own = {0};
        oban_clip_file file;
        char faults[16384];
        char *text = with(GOOD, edits[i].from, edits[i].to);
        oban_status status = read_exact(&own, "OBANx.xml", text, strlen(text), &file);
        all_faults(&file, faults);
        size_t bytes = strlen(edits[i].faults);
        if (bytes > 0 && edits[i].faults[bytes - 1] == '*' && strlen(faults) >= bytes) {
            (void)strcpy(faults + bytes - 1, "*");
        }
        if (status != edits[i].status || strcmp(faults, edits[i].faults) != 0) {
            fail_msg("edit %zu: %s -> %s\n%s\n%s", i, edits[i].from, edits[i].to,
                     oban_status_word(status), faults);
        }
        assert_true(status == OBAN_OK || file.count == 0);
        free(text);
        finish(&own, &file);
    }
}

/* What OniSplit takes is taken. */
static void test_tolerant(void **state)
{
    static const edit edits[] = {
        {HEAD, "\xef\xbb\xbf" HEAD, OBAN_OK, ""},
        {HEAD, "", OBAN_OK, ""},
        {"<Oni>", "<Oni Version=\"0.9.96.0\">", OBAN_OK, ""},
        {"<OBAN id=\"0\">", "<OBAN name=\"y\" id=\"seven\" type=\"OBAN\">", OBAN_OK, ""},
        {"<Flags>", "<!-- a --><?pi?><Flags a=\"1\">", OBAN_OK, ""},
        {"<Flags></Flags>", "<Flags/>", OBAN_OK, ""},
        {"<Flags></Flags>", "<Flags> \n\t17 </Flags>", OBAN_OK, ""},
        {"<Flags></Flags>", "<Flags>-1</Flags>", OBAN_OK, ""},
        {"<Flags></Flags>", "<Flags> NormalLoop,ZAxisUp BackToBackLoop\n</Flags>", OBAN_OK, ""},
        {"0 0 0 1<", "0<!-- c --> 0\n\t0   1<", OBAN_OK, ""},
        {"0 0 0 1<", "&#48; 0 <![CDATA[0 1]]><", OBAN_OK, ""},
        {"0 0 0 1<", "0 -0 +.0e5 1.E0<", OBAN_OK, ""},
        {"<Time>0<", "<Time>\n+0 <", OBAN_OK, ""},
        {"</Oni>", "</Oni>\n<!-- end -->\n", OBAN_OK, ""},
        /* with a warning */
        {"0 0 0 1<", "0 0 0 1 9<", OBAN_OK,
         "line 12, column 27: warning: <Rotation>: only the first 4 numbers count"},
        {"<Translation>0 0 0</Translation>", "<Position>0 0 0</Position>", OBAN_OK,
         "line 13, column 17: warning: expected <Translation>, found <Position>; it is read by its "
         "order"},
        {"0 0 0 1<", "1 1 1 1<", OBAN_OK,
         "line 11, column 13: warning: x: key 0 has a quaternion that is not of length 1*"},
        {"<FrameCount>1<", "<FrameCount>71<", OBAN_OK,
         "line 8, column 9: warning: x: has a frame count of 71, but its last key is at frame 0"},
        {"</Oni>", "<TXMP id=\"1\"><A><B/>x</A></TXMP></Oni>", OBAN_OK,
         "line 18, column 1: warning: passed over: <TXMP> is no OBAN"},
        {"<OBAN id=\"0\">", "<OBAN type=\"DOOR\">", OBAN_OK,
         "line 3, column 5: warning: passed over: <DOOR> is no OBAN\n"
         "line 18, column 1: warning: the file holds no animation (OBAN)"},
    };
    (void)state;
    run(edits, sizeof edits / sizeof edits[0]);
}

#define NUMBER "a number, found "
#define HELP                                                                                       \
    "<Flags>: expected NormalLoop, BackToBackLoop, RandomStartFrame, Autostart or ZAxisUp, with "  \
    "one blank between them, or a decimal number, found "

/* What it refuses is refused, at the place. */
static void test_strict(void **state)
{
    static const edit edits[] = {
        {"<Oni>", "<oni>", OBAN_BAD_FILE, "line 2, column 1: error: expected <Oni>, found <oni>"},
        {"<Oni>", "<!DOCTYPE Oni><Oni>", OBAN_BAD_FILE,
         "line 2, column 14: error: a DOCTYPE is not allowed"},
        {"<Oni>", "<!DOCTYPE a [<!ENTITY b \"c\">]><Oni>", OBAN_BAD_FILE,
         "line 2, column 13: error: a DOCTYPE is not allowed"},
        {"utf-8", "windows-1252", OBAN_BAD_FILE,
         "line 1, column 31: error: not well-formed XML: unknown encoding"},
        {"</OBAN>", "</OBA>", OBAN_BAD_FILE,
         "line 17, column 7: error: not well-formed XML: mismatched tag"},
        {"</Oni>", "", OBAN_BAD_FILE,
         "line 18, column 1: error: not well-formed XML: no element found"},
        {"</Oni>", "</Oni>x", OBAN_BAD_FILE,
         "line 18, column 7: error: not well-formed XML: junk after document element"},
        {"<OBAN id=\"0\">", "<OBAN>", OBAN_BAD_FILE,
         "line 3, column 5: error: expected an attribute id in <OBAN>, such as id=\"0\""},
        {"</Oni>", "<DOOR id=\"0\"/></Oni>", OBAN_BAD_FILE,
         "line 18, column 1: error: the id '0' is there twice"},
        {"id=\"0\"", "id=\"0123456789012345678901234567890123456789012345678901234567890123\"",
         OBAN_BAD_FILE, "line 3, column 5: error: expected an id of at most 63 bytes"},
        {"<OBAN ", "text<OBAN ", OBAN_BAD_FILE,
         "line 3, column 5: error: expected an element or an end tag, found bare text"},
        {"<Flags>", "\n\n x<Flags>", OBAN_BAD_FILE,
         "line 6, column 2: error: expected <Flags>, found bare text"},
        {"<Time>0</Time>", "0", OBAN_BAD_FILE,
         "line 14, column 17: error: expected <Time>, found bare text; the wiki page lost the tags "
         "of <Time>0</Time>: put them back"},
        {"<Time>0</Time>", "", OBAN_BAD_FILE,
         "line 15, column 13: error: expected <Time>, found the end of <OBANKeyFrame>"},
        {"<Time>0</Time>", "<Time>0</Time><Time/>", OBAN_BAD_FILE,
         "line 14, column 31: error: expected the end of <OBANKeyFrame>, found <Time>"},
        {"</OBAN>", "<More/></OBAN>", OBAN_BAD_FILE,
         "line 17, column 5: error: expected the end of <OBAN>, found <More>"},
        {"        <HalfStopFrame>0</HalfStopFrame>\n", "", OBAN_BAD_FILE,
         "line 9, column 9: warning: expected <HalfStopFrame>, found <KeyFrames>; it is read by "
         "its "
         "order\n"
         "line 10, column 13: error: expected text or an end tag, found <OBANKeyFrame>"},
        {KEYS, "", OBAN_BAD_FILE,
         "line 10, column 5: error: expected <KeyFrames>, found the end of <OBAN>"},
        {"        </KeyFrames>", "<Key/></KeyFrames>", OBAN_BAD_FILE,
         "line 16, column 1: error: expected <OBANKeyFrame> like the first key, found <Key>"},
        {"<KeyFrames>", "<KeyFrames>,", OBAN_BAD_FILE,
         "line 10, column 20: error: expected an element or an end tag, found bare text"},
        {"<Time>0", "<Time><b/>0", OBAN_BAD_FILE,
         "line 14, column 23: error: expected text or an end tag, found <b>"},
        {"0 0 0 1<", "0 0 0<", OBAN_BAD_FILE,
         "line 12, column 32: error: <Rotation>: expected 4 numbers, found 3"},
        {"0 0 0 1<", "<", OBAN_BAD_FILE,
         "line 12, column 17: error: <Rotation>: expected 4 numbers, found 0"},
        {"0 0 0 1<", "0 0,5 0 1<", OBAN_BAD_FILE,
         "line 12, column 29: error: <Rotation>: expected " NUMBER "'0,5'"},
        {"0 0 0 1<", "0\n0 0x1 0 1<", OBAN_BAD_FILE,
         "line 13, column 3: error: <Rotation>: expected " NUMBER "'0x1'"},
        {"0 0 0 1<", "inf 0 0 1<", OBAN_BAD_FILE,
         "line 12, column 27: error: <Rotation>: expected " NUMBER "'inf'"},
        {"0 0 0 1<", ". 0 0 1<", OBAN_BAD_FILE,
         "line 12, column 27: error: <Rotation>: expected " NUMBER "'.'"},
        {"0 0 0 1<", "1e 0 0 1<", OBAN_BAD_FILE,
         "line 12, column 27: error: <Rotation>: expected " NUMBER "'1e'"},
        {"0 0 0 1<", "1e39 0 0 1<", OBAN_BAD_FILE,
         "line 12, column 27: error: <Rotation>: expected a number that float32 holds, found "
         "'1e39'"},
        {"<InitialTransform>1 0", "<InitialTransform>1", OBAN_BAD_FILE,
         "line 5, column 48: error: <InitialTransform>: expected 12 numbers, found 11"},
        {"<FrameCount>1", "<FrameCount>32768", OBAN_BAD_FILE,
         "line 8, column 21: error: <FrameCount>: expected a whole number from -32768 to 32767, "
         "found '32768'"},
        {"<FrameLength>1", "<FrameLength>1.0", OBAN_BAD_FILE,
         "line 7, column 22: error: <FrameLength>: expected a whole number from -32768 to 32767, "
         "found '1.0'"},
        {"<Time>0", "<Time>2147483648", OBAN_BAD_FILE,
         "line 14, column 23: error: <Time>: expected a whole number from -2147483648 to "
         "2147483647, found '2147483648'"},
        {"<Time>0", "<Time>99999999999999999999999", OBAN_BAD_FILE,
         "line 14, column 23: error: <Time>: expected a whole number from -2147483648 to "
         "2147483647, found '99999999999999999999999'"},
        {"<Time>0", "<Time> 1 2 ", OBAN_BAD_FILE,
         "line 14, column 24: error: <Time>: expected a whole number from -2147483648 to "
         "2147483647, found '1 2'"},
        {"<Time>0", "<Time>", OBAN_BAD_FILE,
         "line 14, column 17: error: <Time>: expected a whole number from -2147483648 to "
         "2147483647, found nothing"},
        {"<Flags>", "<Flags>NormalLoop  ZAxisUp", OBAN_BAD_FILE,
         "line 4, column 27: error: " HELP "nothing"},
        {"<Flags>", "<Flags>NormalLoop, ZAxisUp", OBAN_BAD_FILE,
         "line 4, column 27: error: " HELP "nothing"},
        {"<Flags>", "<Flags>NormalLoop\tZAxisUp", OBAN_BAD_FILE,
         "line 4, column 16: error: " HELP "'NormalLoop\tZAxisUp'"},
        {"<Flags>", "<Flags>normalloop", OBAN_BAD_FILE,
         "line 4, column 16: error: " HELP "'normalloop'"},
        {"<Flags>", "<Flags>0x11", OBAN_BAD_FILE, "line 4, column 16: error: " HELP "'0x11'"},
        {"<Flags>", "<Flags>4294967296", OBAN_BAD_FILE,
         "line 4, column 16: error: " HELP "'4294967296'"},
    };
    (void)state;
    run(edits, sizeof edits / sizeof edits[0]);
}

/* Read, but the clip is left out: the file is good, the animation is not. */
static void test_refused(void **state)
{
    static const edit edits[] = {
        {"0 0 0 1<", "NaN INF -INF 1<", OBAN_OK,
         "line 11, column 13: error: x: key 0 holds a number that is not finite"},
        {"0 0 0 1<", "0 0 -0 0<", OBAN_OK,
         "line 11, column 13: error: x: key 0 has a quaternion of length 0"},
        {"<BaseTransform>1", "<BaseTransform>NaN", OBAN_OK,
         "line 6, column 9: error: x: the base matrix holds a number that is not finite"},
        {"<InitialTransform>1", "<InitialTransform>INF", OBAN_OK,
         "line 5, column 9: error: x: the start matrix holds a number that is not finite"},
        {"<FrameCount>1", "<FrameCount>0", OBAN_OK,
         "line 8, column 9: error: x: has a frame count of 0; it must be 1 to 65535"},
        {KEYS, "        <KeyFrames />\n", OBAN_OK, "line 10, column 9: error: x: has no keys"},
    };
    (void)state;
    run(edits, sizeof edits / sizeof edits[0]);
}

/* ---- values ---- */

static void test_values(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    char *text = with(GOOD, "<Flags>", "<Flags>Autostart RandomStartFrame");
    char *more = with(text, "<FrameCount>1", "<FrameCount>-25536");
    assert_int_equal(read_exact(&own, "OBANx.xml", more, strlen(more), &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_int_equal(file.items[0].line, 3);
    assert_int_equal(file.items[0].clip->flags, 0x0c);
    assert_int_equal(file.items[0].clip->frame_count, 40000);
    free(more);
    free(text);
    finish(&own, &file);
}

static void test_utf16(void **state)
{
    memory own = {0};
    oban_clip_file file;
    char wide[4096] = {'\xff', '\xfe'};
    (void)state;
    char *text = with(GOOD, "utf-8", "utf-16");
    for (size_t i = 0; text[i] != '\0'; i++) {
        wide[2 + 2 * i] = text[i];
    }
    assert_true(oban_xml_looks_like(wide, 4));
    assert_int_equal(read_exact(&own, "OBANx.xml", wide, 2 + 2 * strlen(text), &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_int_equal(file.faults.count, 0);
    free(text);
    finish(&own, &file);
}

static void test_crlf(void **state)
{
    memory own = {0};
    oban_clip_file file;
    char faults[1024];
    (void)state;
    char *bad = with(GOOD, "0 0 0 1<", "0 0 0 1 9<");
    char *text = malloc(2 * strlen(bad));
    assert_non_null(text);
    size_t n = 0;
    for (size_t i = 0; bad[i] != '\0'; i++) {
        if (bad[i] == '\n') {
            text[n++] = '\r';
        }
        text[n++] = bad[i];
    }
    assert_int_equal(read_exact(&own, "OBANx.xml", text, n, &file), OBAN_OK);
    all_faults(&file, faults);
    assert_string_equal(faults,
                        "line 12, column 27: warning: <Rotation>: only the first 4 numbers count");
    free(text);
    free(bad);
    finish(&own, &file);
}

static void test_several(void **state)
{
    memory own = {0};
    oban_clip_file file;
    char faults[1024];
    (void)state;
    char *text = with(GOOD, "</Oni>", "<OBAN id=\"1\">" FIELDS KEYS "</OBAN></Oni>");
    assert_int_equal(read_exact(&own, "OBANa%2Fb.xml", text, strlen(text), &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].clip->name, "a/b");
    all_faults(&file, faults);
    assert_string_equal(faults, "line 18, column 1: warning: an animation that is not the first "
                                "instance has no name and is left out; give it a file of its own");
    free(text);
    finish(&own, &file);
}

/* The old form, with another instance in front: the animation is not the first. */
static void test_not_first(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    char *text = with(GOOD, "<OBAN id=\"0\">", "<TXMP id=\"9\"/><Instance id=\"0\" type=\"OBAN\">");
    char *more = with(text, "</OBAN>", "</Instance>");
    assert_int_equal(read_exact(&own, "x.xml", more, strlen(more), &file), OBAN_OK);
    assert_int_equal(file.count, 0);
    assert_int_equal(file.faults.count, 2);
    free(more);
    free(text);
    finish(&own, &file);
}

/* ---- limits ---- */

/* head, `count` times `piece`, tail; the fault must begin with `expected`. */
static void limit(const char *head, const char *piece, size_t count, const char *tail,
                  oban_status expected_status, const char *expected)
{
    memory own = {0};
    oban_clip_file file;
    char faults[16384] = "";
    size_t n = strlen(head);
    size_t bytes = strlen(piece);
    char *text = malloc(n + count * bytes + strlen(tail) + 1);
    assert_non_null(text);
    memcpy(text, head, n);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + n, piece, bytes);
        n += bytes;
    }
    memcpy(text + n, tail, strlen(tail) + 1);
    assert_int_equal(read_exact(&own, "x.xml", text, strlen(text), &file), expected_status);
    if (file.faults.count > 0) {
        oban_line line;
        oban_file_fault_line(&file.faults.items[file.faults.count - 1], &line);
        (void)strcpy(faults, line.data);
    }
    const char *message = strstr(faults, expected);
    if (message == NULL) {
        fail_msg("expected %s, found %s", expected, faults);
    }
    assert_true(own.bytes_most < 16u << 20);
    free(text);
    finish(&own, &file);
}

static void test_limits(void **state)
{
    static const char key[] = "<K><R>0 0 0 1</R><T>0 0 0</T><F>0</F></K>";
    static const char open[] = "<Oni><OBAN id=\"0\">" FIELDS "<KeyFrames>";
    static const char close[] = "</KeyFrames></OBAN></Oni>";
    (void)state;
    limit("", "<a>", 1000000, "", OBAN_BAD_FILE, "expected <Oni>, found <a>");
    limit("<Oni><X id=\"0\">", "<a>", 14, "", OBAN_BAD_FILE, "no element found");
    limit("<Oni><X id=\"0\">", "<a>", 15, "", OBAN_BAD_FILE, "elements deeper than 16");
    limit("<Oni><OBAN id=\"0\"><Flags>", " ", 4096, "<", OBAN_BAD_FILE, "unclosed token");
    limit("<Oni><OBAN id=\"0\"><Flags>", " ", 4097, "<", OBAN_BAD_FILE,
          "a text of over 4096 bytes");
    limit(open, key, 65535, close, OBAN_OK, "first counts");
    limit(open, key, 65536, close, OBAN_BAD_FILE, "over 65535 keys");
    limit("<Oni>", "<X/>", 4096, "</Oni>", OBAN_OK, "<X> is no OBAN");
    limit("<Oni>", "<X/>", 4097, "</Oni>", OBAN_BAD_FILE, "over 4096 instances");
    limit("<Oni><OBAN id=\"0\">" FIELDS "<KeyFrames><", "x", 64, ">", OBAN_BAD_FILE,
          "expected <OBANKeyFrame>, found <xxx");
    limit("<", "x", 100000, ">", OBAN_BAD_FILE, "expected <Oni>, found <xxx");
}

static void test_no_memory(void **state)
{
    (void)state;
    char *text = with(GOOD, "0 0 0 1<", "1 1 1 1 9<");
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_clip_file file;
        oban_status status = read_exact(&own, "OBANx.xml", text, strlen(text), &file);
        bool done = own.calls < call;
        assert_int_equal(status, done ? OBAN_OK : OBAN_NO_MEMORY);
        assert_int_equal(file.count, done ? 1 : 0);
        finish(&own, &file);
        if (done) {
            assert_true(call > 10);
            break;
        }
    }
    free(text);
}

/* Cut at every length, and any byte anywhere: an answer, never a crash. */
static void test_hostile(void **state)
{
    static const unsigned char values[] = {0, '<', '>', '&', '"', '/', ' ', '9', 0x80, 0xff};
    char text[] = GOOD;
    (void)state;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        memory own = {0};
        oban_clip_file file;
        assert_int_equal(read_exact(&own, "x.xml", text, size, &file), OBAN_BAD_FILE);
        assert_true(file.faults.errors == 1 && file.faults.items[0].message.bytes > 0);
        finish(&own, &file);
    }
    for (size_t at = 0; at < sizeof text - 1; at++) {
        char kept = text[at];
        for (size_t v = 0; v < sizeof values; v++) {
            memory own = {0};
            oban_clip_file file;
            text[at] = (char)values[v];
            (void)read_exact(&own, "x.xml", text, sizeof text - 1, &file);
            finish(&own, &file);
        }
        text[at] = kept;
    }
}

/* ---- writing ---- */

static void written(const oban_clip_def *defs, uint32_t count, const char *expected)
{
    memory own = {0};
    oban_alloc alloc = memory_alloc(&own);
    oban_writer writer;
    oban_writer_init(&writer, &alloc);
    oban_xml_write(&writer, defs, count);
    assert_false(writer.failed);
    assert_int_equal(writer.bytes, strlen(expected));
    assert_memory_equal(writer.data, expected, writer.bytes);
    oban_writer_fini(&writer);
    assert_int_equal(own.blocks, 0);
}

/* As OniSplit would write it: all that is read comes back byte for byte. */
static const char onisplit[] =
    HEAD "<Oni>\n"
         "    <OBAN id=\"0\">\n"
         "        <Flags>NormalLoop ZAxisUp</Flags>\n"
         "        <InitialTransform>1.82 0 0 0 -7.955e-08 -1.82 0 1.82 1E-05 1188.826 -54.99765 "
         "-109.0124</InitialTransform>\n"
         "        <BaseTransform>-1 0 0 0 -1 0 0 0 1 0 0 -0</BaseTransform>\n"
         "        <FrameLength>80</FrameLength>\n"
         "        <FrameCount>71</FrameCount>\n"
         "        <HalfStopFrame>-1</HalfStopFrame>\n"
         "        <KeyFrames>\n"
         "            <OBANKeyFrame>\n"
         "                <Rotation>-0.7071068 -9.12965E-08 0.0001 -0.7071068</Rotation>\n"
         "                <Translation>1E+07 1234567 3.402823E+38</Translation>\n"
         "                <Time>0</Time>\n"
         "            </OBANKeyFrame>\n"
         "            <OBANKeyFrame>\n"
         "                <Rotation>1 1 1 1</Rotation>\n"
         "                <Translation>-217 34.5 -778.5</Translation>\n"
         "                <Time>70</Time>\n"
         "            </OBANKeyFrame>\n"
         "        </KeyFrames>\n"
         "    </OBAN>\n"
         "</Oni>";

static void test_round_trip(void **state)
{
    memory own = {0};
    oban_clip_file file;
    (void)state;
    char *text = with(onisplit, "-7.955e-08", "-7.955E-08");
    assert_int_equal(read_exact(&own, "OBANx.xml", text, strlen(text), &file), OBAN_OK);
    assert_int_equal(file.count, 1);
    oban_clip_def def = oban_clip_def_of(file.items[0].clip);
    written(&def, 1, text);
    free(text);
    finish(&own, &file);
}

static void test_write(void **state)
{
    oban_clip_def defs[2] = {{.flags = 0x1f, .frame_count = 40000}, {.flags = 0x8000001fu}};
    oban_key key = {{NAN, INFINITY, -INFINITY, 0}, {0, 0, 0}, -5};
    (void)state;
    defs[1].keys = &key;
    defs[1].key_count = 1;
#define ZEROS                                                                                      \
    "        <InitialTransform>0 0 0 0 0 0 0 0 0 0 0 0</InitialTransform>\n"                       \
    "        <BaseTransform>0 0 0 0 0 0 0 0 0 0 0 0</BaseTransform>\n"                             \
    "        <FrameLength>0</FrameLength>\n"
    written(defs, 2,
            HEAD "<Oni>\n    <OBAN id=\"0\">\n"
                 "        <Flags>NormalLoop BackToBackLoop RandomStartFrame Autostart "
                 "ZAxisUp</Flags>\n" ZEROS "        <FrameCount>-25536</FrameCount>\n"
                 "        <HalfStopFrame>0</HalfStopFrame>\n"
                 "        <KeyFrames />\n    </OBAN>\n"
                 "    <OBAN id=\"1\">\n        <Flags>2147483679</Flags>\n" ZEROS
                 "        <FrameCount>0</FrameCount>\n"
                 "        <HalfStopFrame>0</HalfStopFrame>\n"
                 "        <KeyFrames>\n            <OBANKeyFrame>\n"
                 "                <Rotation>NaN INF -INF 0</Rotation>\n"
                 "                <Translation>0 0 0</Translation>\n"
                 "                <Time>-5</Time>\n            </OBANKeyFrame>\n"
                 "        </KeyFrames>\n    </OBAN>\n</Oni>");
    written(defs, 0, HEAD "<Oni>\n</Oni>");
}

static void test_write_no_memory(void **state)
{
    oban_clip_def def = {.flags = 1};
    (void)state;
    for (long call = 1;; call++) {
        memory own = {.refuse_at = call};
        oban_alloc alloc = memory_alloc(&own);
        oban_writer writer;
        oban_writer_init(&writer, &alloc);
        oban_xml_write(&writer, &def, 1);
        bool done = own.calls < call;
        assert_int_equal(writer.failed, !done);
        oban_writer_fini(&writer);
        assert_int_equal(own.blocks, 0);
        if (done) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerant), cmocka_unit_test(test_strict),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_values),
        cmocka_unit_test(test_utf16),    cmocka_unit_test(test_crlf),
        cmocka_unit_test(test_several),  cmocka_unit_test(test_not_first),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_hostile),  cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_write),    cmocka_unit_test(test_write_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
