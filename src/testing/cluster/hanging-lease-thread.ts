import { parentPort } from 'node:worker_threads';

import type { FromKeeper, ToKeeper } from '../../platform/coordination/lease-keeper.ts';
import { LeaseMemory } from '../../platform/coordination/lease-memory.ts';

/** How long it says to hold, and hangs. */
const HOLDS_MS = 60_000;

// A thread of a lease that says it has one, and then never says anything again.
parentPort!.on('message', (message: ToKeeper) => {
  if (message.type !== 'take') return;
  new LeaseMemory(message.shared).hold(message.now + HOLDS_MS);
  const taken: FromKeeper = { type: 'taken' };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage(taken);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
