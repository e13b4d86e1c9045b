import { parentPort } from 'node:worker_threads';

import type { FromKeeper, ToKeeper } from '../../platform/coordination/lease-keeper.ts';
import { LeaseMemory } from '../../platform/coordination/lease-memory.ts';

/** Duration of the reported lease, after which it hangs. */
const HOLDS_MS = 60_000;

// A lease thread that reports a lease once, and then hangs.
parentPort!.on('message', (message: ToKeeper) => {
  if (message.type !== 'take') return;
  new LeaseMemory(message.shared).hold(message.now + HOLDS_MS);
  const taken: FromKeeper = { type: 'taken' };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage(taken);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
