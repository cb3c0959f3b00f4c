// SPDX-License-Identifier: MIT
// The peer of fan-out: npm ws, one Buffer to all clients 60 times a second.
//   node fanout.js PORT FILE      FILE holds the message
// Not here: a simulation (whole.js).
'use strict';
const fs = require('node:fs');
const { WebSocketServer } = require('ws');
const { every60th } = require('./clock.js');

const [port, file] = process.argv.slice(2);
const message = fs.readFileSync(file);
const server = new WebSocketServer({ host: '127.0.0.1', port: Number(port), perMessageDeflate: false });

server.on('listening', () => console.log('ready'));
every60th(() => {
  for (const client of server.clients) {
    client.send(message, { binary: false });
  }
});
