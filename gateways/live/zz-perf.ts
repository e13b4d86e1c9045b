import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { FIRST_NIGHT } from './testing/scripted-property.ts';
import { scriptedWorld } from './testing/scripted-world.ts';
import { subscribeFrame } from './testing/steps.ts';
const world = await scriptedWorld();
const N = 200; let got = 0; let bytes = 0; let lagSum = 0; let lagMax = 0;
await Promise.all(Array.from({ length: N }, (_, i) => new Promise<void>((ready) => {
  const ws = new WebSocket(world.url.replace('http', 'ws') + '/ws/v1');
  ws.on('open', () => { ws.send(JSON.stringify({ t: 'auth', token: ['demo:MANAGER', 'demo:STAFF', 'demo:VIEWER'][i % 3], tenantId: 'demo' })); ws.send(JSON.stringify(subscribeFrame())); });
  ws.on('message', (d: Buffer) => { const head = d.subarray(0, 12).toString(); if (head.includes('snapshot')) ready(); if (head.includes('delta')) { got++; bytes += d.length; if (i === 0) { const ts = Number(/"ts":(\d+)/.exec(d.toString())![1]); const lag = Date.now() - ts; lagSum += lag; lagMax = Math.max(lagMax, lag); } } });
})));
const cpu0 = process.cpuUsage(); const t0 = performance.now(); let sent = 0;
while (performance.now() - t0 < 4000) { world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + (sent % 20), nights: 3, guestName: 'Ada Lovelace' }); sent++; const due = t0 + sent * 2.5; const w = due - performance.now(); if (w > 0.5) await sleep(w); else if (sent % 10 === 0) await sleep(0); }
await sleep(500);
const cpu = process.cpuUsage(cpu0);
console.log(process.version, 'Deno' in globalThis, { sent, got, expected: sent * N, perSecond: Math.round(got / 4), mb: (bytes / 1e6).toFixed(0), cpuSeconds: ((cpu.user + cpu.system) / 1e6).toFixed(2), lagAvg: (lagSum / (got / N)).toFixed(1), lagMax });
process.exit();
