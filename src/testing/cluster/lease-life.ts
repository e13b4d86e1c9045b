import { randomUUID } from 'node:crypto';
import process from 'node:process';

import { NodeLease } from '../../platform/coordination/node-lease.ts';

/**
 * A process that holds the lease of a node and prints its states, a line each: `held`, `gone`, `lost` (notified of it),
 * `time` with the database's time less its own. Arguments: connection string, node id, and for how many milliseconds
 * its main loop is blocked after a second.
 */
const [databaseUrl = '', nodeId = '', busyMs = '0'] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let held = false;
let lease: NodeLease | undefined;
function look(): void {
  if (held === lease!.held) return;
  held = !held;
  say(held ? 'held' : 'gone');
}

try {
  lease = await NodeLease.take({
    node: { nodeId, incarnation: randomUUID() },
    databaseUrl,
    log: quiet,
    client: () => Promise.reject(new Error('not asked')),
    renewed: ({ database, received }) => say(`time ${Math.round(database - received)}`),
  });
} catch (error) {
  say(`refused ${(error as Error).message}`);
  process.exit(1);
}
lease.onLost(() => {
  look();
  say('lost');
});
look();
setInterval(look, 1);
process.on('SIGTERM', () => void lease[Symbol.asyncDispose]().then(() => process.exit(0)));
if (Number(busyMs) > 0)
  setTimeout(() => {
    const end = performance.now() + Number(busyMs);
    // Blocked and not spinning: the loop stops, and the processor stays free for others.
    const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
    let wasHeld = true;
    while (performance.now() < end) {
      wasHeld &&= lease.held;
      Atomics.wait(nobodyWakes, 0, 0, 1);
    }
    say(`busy ${wasHeld}`);
  }, 1_000);
