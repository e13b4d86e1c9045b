import { setTimeout as sleep } from 'node:timers/promises';
import { Replica } from '../../src/contracts/replica.ts';
import { TestClient, TRANSPORTS } from './testing/client.ts';
import { FIRST_NIGHT } from './testing/scripted-property.ts';
import { scriptedWorld } from './testing/scripted-world.ts';
import { contentOf, follow, fresh, PROPERTY, replay, signIn } from './testing/steps.ts';
console.log(process.version, 'Deno' in globalThis);
for (const transport of TRANSPORTS) {
  const world = await scriptedWorld({ slowBytes: 65_536, resumedBytes: 4_096, slowPollMs: 5, blockedMs: 300 });
  const client = TestClient.connect(world.url, transport);
  await signIn(client);
  const replica = new Replica(PROPERTY);
  replica.applySnapshot(await follow(client));
  for (let i = 0; i < 5; i++) world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT + i, nights: 2, guestName: 'Ada L' });
  await replay(client, replica, 5);
  console.log(transport, 'equal', JSON.stringify(contentOf(replica)) === JSON.stringify(await fresh(client)));
  const big = TestClient.connect(world.url, transport); await big.take('hello');
  big.send({ t: 'ping', padding: 'x'.repeat(66_000) }); console.log('1009?', await big.closing());
  const bad = TestClient.connect(world.url, transport); await bad.take('hello');
  bad.send({ t: 'auth', token: 'x', tenantId: 'demo' }); await bad.take('error'); console.log('4401?', await bad.closing());
  const evil = TestClient.connect(world.url, transport, { origin: 'https://evil.example' }); console.log('origin', await evil.closing(), evil.waiting.length);
  try { client.stopReading();
    for (let c = 0; c < 900; c++) { world.property.setAllRates(10_000 + c); if (c % 10 === 0) await sleep(0); }
    const t0 = Date.now(); client.readAgain(); await replay(client, replica, 905).catch((e) => console.log('replay', e.message));
    console.log('slow: deltas', client.deltas, 'snapshots', client.snapshots, Date.now() - t0, client.closed);
    const b = TestClient.connect(world.url, transport); await signIn(b); await follow(b, { days: 60 }); b.stopReading();
    for (let c = 0; c < 900; c++) { world.property.setAllRates(10_000 + c); if (c % 10 === 0) await sleep(0); }
    const d = Date.now(); while (!world.logged.some((l) => l.includes('too slow')) && Date.now() - d < 3000) await sleep(5);
    b.readAgain(); console.log('1013?', await b.closing());
  } catch (e) { console.log('slow part failed', e); }
  const c2 = TestClient.connect(world.url, transport); await c2.take('hello');
  const t1 = Date.now(); const closing = world.gateway.close(100); console.log('1001?', await c2.closing()); await closing; console.log('drained in', Date.now() - t1, world.gateway.stats());
  await world[Symbol.asyncDispose]();
}
const world = await scriptedWorld(); const p = TestClient.poll(world.url); await signIn(p); await follow(p); world.property.nothing(); await p.take('delta'); console.log('polling ok'); 
await p[Symbol.asyncDispose](); await world[Symbol.asyncDispose](); console.log('disposed');
