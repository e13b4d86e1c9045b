import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

import { numberedFrame } from '../live/numbered-frame.ts';

/**
 * The baseline of the live feed: a plain WebSocket server that sends each published frame to everybody, at once, with
 * no tenant, sequence, conflation or back pressure. Each POST publishes the frame of FRAME_FILE with new numbers.
 */
const frame = readFileSync(process.env.FRAME_FILE ?? '', 'utf8');
const followers = new Set<WebSocket>();
let seq = 0;

const server = createServer((incoming, outgoing) => {
  incoming.resume();
  seq += 1;
  const text = numberedFrame(frame, seq);
  for (const socket of followers) socket.send(text);
  outgoing.writeHead(204).end();
});

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.send('{"t":"hello"}');
  socket.on('message', (data: Buffer) => {
    if (!data.toString().includes('"t":"subscribe"')) return;
    socket.send(`{"t":"snapshot","seq":${seq}}`);
    followers.add(socket);
  });
  socket.on('close', () => followers.delete(socket));
});

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
