// SPDX-License-Identifier: MIT
// Sixty times a second in the long run: setInterval would round 16.67 ms down and run at 62.5 Hz.
'use strict';

function every60th(work) {
  const start = performance.now();
  let tick = 0;
  const next = () => {
    tick += 1;
    work(tick);
    setTimeout(next, Math.max(0, start + (tick + 1) * (1000 / 60) - performance.now()));
  };
  setTimeout(next, 1000 / 60);
}

module.exports = { every60th };
