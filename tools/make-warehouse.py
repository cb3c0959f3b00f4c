#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes examples/warehouse: the clips as OBAN XML and as `.oni`, and scene.json.

    tools/make-warehouse.py [FOLDER]        (default: examples/warehouse)

Everything is designed by hand below, in the order of the README of that folder. The same run gives the
same bytes; a test makes the folder anew and compares it with what is committed.
The world: right-handed, y up, Oni units (about 10 to the metre), north is -z, east is +x. What drives or
looks does so along its local -z. Rotations are worked out in the usual sense and written in the file's,
which is its transpose (file_quaternion).
"""
import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oban_write import (AUTOSTART, IDENTITY, LOCAL, LOOP, PING_PONG, RANDOM_START, Clip, Key, f32,  # noqa: E402
                        oni_bytes, xml_bytes)

# ---- rotations, in the usual sense: x, y, z, w; turn(a, b): b acts first ------------------------------


def about(axis, degrees):
    half = math.radians(degrees) / 2
    s = math.sin(half)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(half))


def about_x(degrees):
    return about((1, 0, 0), degrees)


def about_y(degrees):
    return about((0, 1, 0), degrees)


def about_z(degrees):
    return about((0, 0, 1), degrees)


def turn(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def turned(q, v):
    x, y, z, _ = turn(turn(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))
    return (x, y, z)


def axes(q):
    return turned(q, (1, 0, 0)) + turned(q, (0, 1, 0)) + turned(q, (0, 0, 1))


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def look(eye, target):
    """The rotation of something at `eye` whose -z points at `target`, upright."""
    dx, dy, dz = (t - e for t, e in zip(target, eye))
    heading = math.degrees(math.atan2(-dx, -dz))
    return turn(about_y(heading), about_x(math.degrees(math.atan2(dy, math.hypot(dx, dz)))))


# ---- numbers for files -------------------------------------------------------------------------------

def tidy(values, digits):
    """Rounded (so that the same digits come out wherever this runs) and without minus zero."""
    return tuple(f32(round(v, digits)) + 0.0 for v in values)


def file_quaternion(q):
    """The file means the transpose of the usual rotation: x, y and z change their sign."""
    return tidy((-q[0], -q[1], -q[2], q[3]), 8)


def key(frame, q, p):
    return Key(frame, file_quaternion(q), tidy(p, 4))


def matrix(q, p, scale=1.0):
    return tidy([a * scale for a in axes(q)], 8) + tidy(p, 4)


def clip(name, poses, flags=0, half_stop=0, scale=1.0):
    """A clip of (frame, rotation, position) rows; the start matrix is the matrix at frame 0."""
    base = tidy((scale, 0, 0, 0, scale, 0, 0, 0, scale, 0, 0, 0), 8)
    start = IDENTITY if flags & LOCAL else matrix(poses[0][1], poses[0][2], scale)
    return Clip(name, tuple(key(*pose) for pose in poses), flags, start, base, 1, -1, half_stop)


# ---- movement ----------------------------------------------------------------------------------------

def ease(t):
    """0 to 1, slow at both ends."""
    t = min(1.0, max(0.0, t))
    return t * t * (3 - 2 * t)


def along(rows, frame):
    """A value that goes from row to row (frame, value) and rests at each of them."""
    for (f0, v0), (f1, v1) in zip(rows, rows[1:]):
        if frame <= f1:
            return v0 + (v1 - v0) * ease((frame - f0) / (f1 - f0))
    return rows[-1][1]


def glide(rows, frame):
    """A value that goes through the rows without resting at them, but at the first and the last (a monotone
    cubic, the slopes in the middle being harmonic means)."""
    steps = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(rows, rows[1:])]
    slopes = [0.0] + [2 * a * b / (a + b) for a, b in zip(steps, steps[1:])] + [0.0]
    if frame <= rows[0][0]:
        return rows[0][1]
    for i, ((f0, v0), (f1, v1)) in enumerate(zip(rows, rows[1:])):
        if frame <= f1:
            span, t = f1 - f0, (frame - f0) / (f1 - f0)
            return (v0 + (v1 - v0) * t * t * (3 - 2 * t) + span * slopes[i] * t * (1 - t) * (1 - t)
                    - span * slopes[i + 1] * t * t * (1 - t))
    return rows[-1][1]


# ---- doors -------------------------------------------------------------------------------------------
# Local clips: z is up in them, and the object's own matrix places them. The leaf's model stands y up, so
# each key's rotation undoes the quarter turn that such a clip begins with.
UPRIGHT = about_x(90)


def sliding_door():
    """Opens along its own x axis until frame 50 and closes again."""
    frames = (0, 6, 12, 20, 30, 38, 44, 50, 56, 62, 70, 80, 88, 94, 100)
    way = ((0, 0.0), (50, 27.0), (100, 0.0))
    return clip("door_slide", [(f, UPRIGHT, (along(way, f), 0, 0)) for f in frames], LOCAL, 50)


def double_door():
    """One leaf; the other is the same clip on an object turned round. It unlatches (out by 1.5), slides,
    and comes back the same way."""
    rows = ((0, 0, 0), (5, 0, -1.5), (12, 4, -1.5), (20, 14, -1.5), (28, 26, -1.5), (36, 36, -1.5), (50, 40, -1.5))
    opening = [(f, UPRIGHT, (x, y, 0)) for f, x, y in rows]
    closing = [(100 - f, q, p) for f, q, p in reversed(opening[:-1])]
    return clip("door_double", opening + closing, LOCAL, 50)


# ---- the forklift: five clips on one loop of 1200 frames ---------------------------------------------
FORKLIFT_FRAMES = 1200
PALLET = (108.0, 0.0, -50.0)
LANE = 20.0  # north on x = 20, south on x = -20
MAST_AT = (0.0, 4.0, -17.0)
DRIVER_AT = (0.0, 11.0, 6.0)
FORK_LOW, FORK_HIGH = 2.0, 45.0

# The way of the wheels as (frame, distance): out to the pallet, backwards out from under it, home.
OUT = ((20, 0.0), (60, 16.0), (150, 80.0), (260, 127.124), (300, 147.0), (340, 157.124))
BACK = ((620, 0.0), (720, 70.0), (810, 117.124))
HOME = ((830, 0.0), (1000, 140.0), (1190, 202.832))
LIFT = ((0, FORK_LOW), (345, FORK_LOW), (440, FORK_HIGH), (515, FORK_HIGH), (605, FORK_LOW), (1199, FORK_LOW))
TILT = ((0, 0.0), (440, 0.0), (460, 4.0), (495, 4.0), (515, 0.0), (1199, 0.0))
HEAD = ((0, 0.0), (345, 0.0), (370, 20.0), (500, 20.0), (540, 0.0), (1199, 0.0))  # looks up at the load
SHOULDER = ((0, 0.0), (600, 0.0), (622, 115.0), (800, 115.0), (825, 0.0), (1199, 0.0))  # looks back


def out_pose(s):
    """80 north, a quarter circle of radius 30 to the right, 30 east: x, z, heading (0 north, 90 east)."""
    if s <= 80:
        return LANE, 60 - s, 0.0
    arc = (s - 80) / 30
    if arc <= math.pi / 2:
        return 50 - 30 * math.cos(arc), -20 - 30 * math.sin(arc), math.degrees(arc)
    return 50 + (s - 80 - 15 * math.pi), -50.0, 90.0


def back_pose(s):
    """70 backwards to the west, then backwards in a quarter circle until it faces south."""
    if s <= 70:
        return 80 - s, -50.0, 90.0
    arc = min((s - 70) / 30, math.pi / 2)
    return 10 - 30 * math.sin(arc), -80 + 30 * math.cos(arc), 90 + math.degrees(arc)


def home_pose(s):
    """140 south, then half a circle of radius 20 to the left."""
    if s <= 140:
        return -LANE, -80 + s, 180.0
    arc = min((s - 140) / 20, math.pi)
    return -20 * math.cos(arc), 60 + 20 * math.sin(arc), 180 - math.degrees(arc)


def chassis_pose(frame):
    if frame <= 620:
        x, z, heading = out_pose(glide(OUT, frame))
    elif frame <= 830:
        x, z, heading = back_pose(glide(BACK, frame))
    else:
        x, z, heading = home_pose(glide(HOME, frame))
    if frame >= 1190:
        x, z, heading = LANE, 60.0, 0.0
    return about_y(-heading), (x, 0.0, z)


def forklift_poses(frame):
    """The five things at a frame: name -> (rotation, position)."""
    body, at = chassis_pose(frame)
    mast = turn(body, about_x(along(TILT, frame)))
    mast_at = plus(at, turned(body, MAST_AT))
    fork_at = plus(mast_at, turned(mast, (0, along(LIFT, frame) - MAST_AT[1], 0)))
    driver = turn(body, turn(about_y(-along(SHOULDER, frame)), about_x(along(HEAD, frame))))
    poses = {"forklift_chassis": (body, at), "forklift_mast": (mast, mast_at), "forklift_fork": (mast, fork_at),
             "forklift_driver": (driver, plus(at, turned(body, DRIVER_AT)))}
    if 345 <= frame <= 605:  # it hangs on the fork; the load's middle lies 11 in front of the mast
        poses["forklift_pallet"] = (mast, plus(fork_at, turned(mast, (0, -FORK_LOW, -11))))
    else:
        poses["forklift_pallet"] = (about_y(-90), PALLET)
    return poses


def forklift_key_frames():
    """Where its parts have their keys, all at the same frames: thick where it turns, thin where it stands."""
    spans = ((0, 20, 1), (20, 150, 8), (150, 260, 12), (260, 340, 5), (340, 345, 1), (345, 440, 6), (440, 460, 2),
             (460, 495, 1), (495, 515, 2), (515, 605, 6), (605, 622, 2), (622, 720, 6), (720, 800, 12), (800, 830, 4),
             (830, 1000, 8), (1000, 1060, 12), (1060, 1190, 14), (1190, 1199, 1))
    frames = {0}
    for first, last, parts in spans:
        frames.update(first + round((last - first) * k / parts) for k in range(1, parts + 1))
    return sorted(frames)


def forklift():
    frames = forklift_key_frames()
    clips = []
    for name in forklift_poses(0):
        rows, before = [], None
        for i, f in enumerate(frames):
            q, p = forklift_poses(f)[name]
            # A key in the middle of a rest says nothing: both its neighbours are alike.
            ahead = forklift_poses(frames[min(i + 1, len(frames) - 1)])[name]
            if before == (q, p) == ahead and 0 < i < len(frames) - 1:
                continue
            before = (q, p)
            rows.append((f, q, p))
        clips.append(clip(name, rows, LOOP))
    return clips


# ---- truck, crane ------------------------------------------------------------------------------------

def truck():
    """Comes in from the south, brakes (the nose dips and comes back) and stays. Its model is 1.82 too small."""
    rows = ((0, 400, 0), (30, 345, 0), (60, 290, 0), (90, 236, 0), (120, 188, -0.6), (150, 150, -1.6),
            (180, 122, -2.2), (210, 103, -2.4), (235, 93, -2.2), (255, 90, -1.0), (268, 90, 0.7), (282, 90, -0.3),
            (299, 90, 0))
    return clip("truck_in", [(f, about_x(nose), (-95, 0, z)) for f, z, nose in rows], scale=1.82)


def crane():
    """The trolley under the roof, from west to east; ping-pong brings it back. It leans a little."""
    way = ((0, -120.0), (15, -120.0), (165, 120.0), (179, 120.0))
    frames = (0, 15, 30, 45, 60, 75, 90, 105, 120, 135, 150, 165, 179)
    rows = []
    for f in frames:
        push = along(way, min(f + 3, 179)) + along(way, max(f - 3, 0)) - 2 * along(way, f)
        rows.append((f, about_z(6 * push), (along(way, f), 95, 20)))
    return clip("crane", rows, PING_PONG)


# ---- cameras -----------------------------------------------------------------------------------------
ESTABLISH_TARGET = (20.0, 10.0, -20.0)


def cam_establish():
    """From high above the gate, sinking slowly, on the middle of the hall."""
    rows = ((0, (150, 190, 240)), (75, (120, 176, 232)), (150, (85, 162, 224)), (225, (50, 148, 216)),
            (300, (20, 135, 206)), (360, (0, 128, 200)))
    return clip("cam_establish", [(f, look(eye, ESTABLISH_TARGET), eye) for f, eye in rows])


def cam_dolly():
    """Along the aisle at the height of a man's eyes, on the forklift's driver all the time: for the first
    600 frames of the forklift's loop, so start both in one tick."""
    way = ((0, 110.0), (360, -20.0), (600, -20.0))
    rows = []
    for f in range(0, 601, 20):
        eye = (-75.0 + 20 * ease(f / 600), 17.0 + 14 * ease((f - 330) / 200), along(way, min(f, 600)))
        rows.append((f, look(eye, forklift_poses(f)["forklift_driver"][1]), eye))
    return clip("cam_dolly", rows)


def cam_pallet():
    """One key: a view of the pallet, to cut or to glide to with cm_interpolate."""
    eye = (60.0, 40.0, 10.0)
    return clip("cam_pallet", [(0, look(eye, plus(PALLET, (0, 15, 0))), eye)])


# ---- the cutscene of scripts/shift.bsl ---------------------------------------------------------------
OFFICE = (150.0, 0.0, 30.0)  # its door, in the east wall
HIP = 9.5


def foreman_pose(frame):
    """His hip: out of the office, west, north to the pallet's side; he sways a little and turns with his way."""
    way = glide(((0, 0.0), (30, 6.0), (210, 96.0), (240, 102.0)), frame)
    if way <= 24:
        x, z, heading = OFFICE[0] - way, OFFICE[2], -90.0
    elif way <= 24 + 5 * math.pi:
        arc = (way - 24) / 10
        x, z = OFFICE[0] - 24 - 10 * math.sin(arc), OFFICE[2] - 10 + 10 * math.cos(arc)
        heading = -90 + math.degrees(arc)
    else:
        x, z, heading = OFFICE[0] - 34, OFFICE[2] - 10 - (way - 24 - 5 * math.pi), 0.0
    return about_y(-heading), (x, HIP + 0.3 * math.sin(way * math.pi / 4), z)


def foreman_walk():
    """Carries a character (chr_envanim foreman foreman_walk)."""
    return clip("foreman_walk", [(f, *foreman_pose(f)) for f in range(0, 241, 6)])


def cam_foreman():
    """With the foreman, from the side of the aisle, for the frames of foreman_walk."""
    rows = []
    for f in range(0, 241, 12):
        eye = (70.0, 24.0, 50.0 - 60 * ease(f / 240))
        rows.append((f, look(eye, plus(foreman_pose(f)[1], (0, 5, 0))), eye))
    return clip("cam_foreman", rows)


def view(name, eye, target):
    """One key, to cut or to glide to with cm_interpolate."""
    return clip(name, [(0, look(eye, target), eye)])


def cam_office():
    return view("cam_office", (90.0, 22.0, 75.0), plus(OFFICE, (0, 18, 0)))


def cam_crane():
    return view("cam_crane", (40.0, 12.0, 90.0), (0.0, 88.0, 20.0))


# ---- one small clip for each flag --------------------------------------------------------------------

def flag_loop():
    """A ventilator: a whole turn in 60 frames, and on without a jerk."""
    frames = (0, 12, 24, 36, 48, 59)
    return clip("flag_loop", [(f, about_z(6 * f), (-140, 60, -98)) for f in frames], LOOP)


def flag_ping_pong():
    """A lamp on its cable, swinging to and fro."""
    way = ((0, -25.0), (39, 25.0))
    rows = []
    for f in (0, 5, 10, 15, 20, 25, 30, 35, 39):
        q = about_z(along(way, f))
        rows.append((f, q, plus((-60, 110, 0), turned(q, (0, -30, 0)))))
    return clip("flag_ping_pong", rows, PING_PONG)


def flag_random():
    """A sheet of paper that sails to the floor, beginning anywhere on its way."""
    rows = []
    for f in (0, 20, 40, 60, 80, 100, 119):
        swing = (0, 1, 0, -1, 0, 1, 0)[len(rows)]
        rows.append((f, turn(about_y(f), about_z(20 * swing)), (140 + 12 * swing, 80 - 80 * f / 119, 60)))
    return clip("flag_random", rows, RANDOM_START)


def flag_autostart():
    """A warning light hopping on its pole: begins by itself, and again after each end."""
    rows = ((0, 30), (8, 38), (15, 40.5), (22, 38), (29, 30))
    return clip("flag_autostart", [(f, about_y(3 * f), (140, y, -98)) for f, y in rows], AUTOSTART)


def flag_local():
    """A hatch in the floor that opens round its hinge (its own x axis) and falls shut."""
    rows = ((0, 0), (15, 20), (30, 55), (45, 75), (60, 78), (75, 60), (85, 25), (90, 0), (94, 4), (99, 0))
    return clip("flag_local", [(f, turn(UPRIGHT, about_x(angle)), (0, 0, 0)) for f, angle in rows], LOCAL)


# ---- the scene ---------------------------------------------------------------------------------------

def scene(clips):
    """What stands where. `geometry` is a box in the model's own units, before the clip's base: width,
    height, depth."""
    start = {c.name: c.start for c in clips}

    def numbers(values):
        """float32 numbers with no more digits than they need."""
        tries = [[float("%.*g" % (digits, v)) for digits in range(1, 10)] for v in values]
        return [next(d for d in row if f32(d) == f32(v)) for row, v in zip(tries, values)]

    def thing(number, name, anim, geometry, part=0, at=None, play=False):
        row = {"object": number, "part": part, "name": name, "anim": anim,
               "matrix": numbers(at or start[anim]), "geometry": geometry, "create": True, "play": play}
        return {k: v for k, v in row.items() if (k, v) != ("part", 0)}

    return {
        "objects": [
            thing(1, "side door", "door_slide", "box 28 40 2", at=matrix(about_y(90), (-150, 0, 20))),
            thing(2, "gate, west leaf", "door_double", "box 42 60 3", at=matrix(about_y(180), (-1, 0, -140))),
            thing(2, "gate, east leaf", "door_double", "box 42 60 3", part=1,
                  at=matrix(about_y(0), (41, 0, -140))),
            thing(3, "hatch", "flag_local", "box 24 1 24", at=matrix(about_y(0), (-120, 0, -60))),
            thing(30, "crane", "crane", "box 24 10 30", play=True),
            thing(40, "truck", "truck_in", "box 14 18 40", play=True),
            thing(101, "ventilator", "flag_loop", "box 30 4 1", play=True),
            thing(102, "lamp", "flag_ping_pong", "box 8 6 8", play=True),
            thing(103, "paper", "flag_random", "box 6 1 8", play=True),
            thing(104, "warning light", "flag_autostart", "box 5 6 5"),
            thing(201, "forklift", "forklift_chassis", "box 18 14 34", play=True),
            thing(202, "mast", "forklift_mast", "box 14 50 3", play=True),
            thing(203, "fork", "forklift_fork", "box 12 2 22", play=True),
            thing(204, "driver", "forklift_driver", "box 8 14 8", play=True),
            thing(205, "pallet", "forklift_pallet", "box 22 16 22", play=True),
        ],
        "doors": [
            {"door": 1, "leaf": 0, "name": "office door", "anim": "door_slide",
             "matrix": numbers(matrix(about_y(-90), OFFICE))},
        ],
        "camera": {"matrix": numbers(start["cam_establish"]), "fov": 45.0},
    }


def scene_bytes(clips):
    made = scene(clips)
    lists = "".join('    "%s": [\n%s\n    ],\n' % (name, ",\n".join("        " + json.dumps(row) for row in made[name]))
                    for name in ("objects", "doors"))
    text = '{\n%s    "camera": %s\n}\n' % (lists, json.dumps(made["camera"]))
    return text.encode("utf-8")


def make(folder):
    truck_forklift = forklift()
    others = [sliding_door(), double_door(), truck(), crane(), cam_establish(), cam_dolly(), cam_pallet(),
              foreman_walk(), cam_foreman(), cam_office(), cam_crane(), flag_loop(),
              flag_ping_pong(), flag_random(), flag_autostart(), flag_local()]
    clips = others + truck_forklift
    files = {"anims/OBAN%s.xml" % c.name: xml_bytes(c) for c in clips}
    files.update({"oni/OBAN%s.oni" % c.name: oni_bytes([c]) for c in others})
    files["oni/forklift.oni"] = oni_bytes(truck_forklift)
    files["scene.json"] = scene_bytes(clips)
    for sub in ("anims", "oni"):
        os.makedirs(os.path.join(folder, sub), exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    make(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "examples", "warehouse"))
