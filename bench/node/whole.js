// SPDX-License-Identifier: MIT
// The peer of the whole job: clips, players, matrices, JSON.stringify and ws, written as one would in
// node. Three ways to make the JSON:
//   doubles   once for all clients, the numbers as they come (17 digits)
//   protocol  the same, with the numbers as oban.v1 asks for them: at most 9 digits that give the float32
//   each      doubles, and as it is commonly written: client.send(JSON.stringify(...)) for each client
//   node whole.js PORT FILE WAY   FILE: {"clips":{name:{frames,base,keys}},"objects":[{object,anim}]}
// All clips loop and start at tick 0. run.py compares its matrices with the daemon's.
'use strict';
const fs = require('node:fs');
const { WebSocketServer } = require('ws');
const { every60th } = require('./clock.js');

const [port, file, way] = process.argv.slice(2);
const scene = JSON.parse(fs.readFileSync(file, 'utf8'));
const objects = scene.objects.map(({ object, anim }) => ({ object, anim, frame: 0, m: new Array(12).fill(0) }));
const server = new WebSocketServer({ host: '127.0.0.1', port: Number(port), perMessageDeflate: false });

// Rotation and position at a frame; keys are {frame, q, p}.
const pose = { x: 0, y: 0, z: 0, w: 1, p: [0, 0, 0], scale: 2 };

function poseAt(keys, frame) {
  let i = 0;
  while (i + 1 < keys.length && keys[i + 1].frame <= frame) {
    i += 1;
  }
  const a = keys[i];
  const b = frame > a.frame && i + 1 < keys.length ? keys[i + 1] : a;
  const t = a === b ? 0 : (frame - a.frame) / (b.frame - a.frame);
  const s = 1 - t;
  const dot = a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3];
  const u = dot < 0 ? -t : t;
  pose.x = s * a.q[0] + u * b.q[0];
  pose.y = s * a.q[1] + u * b.q[1];
  pose.z = s * a.q[2] + u * b.q[2];
  pose.w = s * a.q[3] + u * b.q[3];
  pose.scale = 2 / (pose.x * pose.x + pose.y * pose.y + pose.z * pose.z + pose.w * pose.w);
  pose.p[0] = s * a.p[0] + t * b.p[0];
  pose.p[1] = s * a.p[1] + t * b.p[1];
  pose.p[2] = s * a.p[2] + t * b.p[2];
}

const turn = new Float64Array(9);

function turnOfPose() {
  const { x, y, z, w, scale } = pose;
  turn[0] = 1 - scale * (y * y + z * z);
  turn[1] = scale * (x * y - z * w);
  turn[2] = scale * (x * z + y * w);
  turn[3] = scale * (x * y + z * w);
  turn[4] = 1 - scale * (x * x + z * z);
  turn[5] = scale * (y * z - x * w);
  turn[6] = scale * (x * z - y * w);
  turn[7] = scale * (y * z + x * w);
  turn[8] = 1 - scale * (x * x + y * y);
}

function evaluate(clip, frame, m) {
  poseAt(clip.keys, frame);
  turnOfPose();
  const base = clip.base;
  for (let column = 0; column < 12; column += 3) {
    for (let row = 0; row < 3; row++) {
      m[column + row] = turn[row] * base[column] + turn[3 + row] * base[column + 1] +
        turn[6 + row] * base[column + 2] + (column === 9 ? pose.p[row] : 0);
    }
  }
}

// A number of at most 9 digits that reads back to the same float32.
const nineDigits = (value) => Number(Math.fround(value).toPrecision(9));

function frameText(tick) {
  const shown = way === 'protocol' ? objects.map((o) => ({ ...o, m: o.m.map(nineDigits) })) : objects;
  return JSON.stringify({ op: 'frame', tick, objects: shown });
}

server.on('listening', () => console.log('ready'));
every60th((tick) => {
  for (const object of objects) {
    const clip = scene.clips[object.anim];
    object.frame = tick % clip.frames;
    evaluate(clip, object.frame, object.m);
  }
  if (server.clients.size === 0) {
    return;
  }
  const once = way === 'each' ? null : Buffer.from(frameText(tick));
  for (const client of server.clients) {
    client.send(once ?? frameText(tick), { binary: false });
  }
});
