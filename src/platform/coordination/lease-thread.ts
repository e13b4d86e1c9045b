import { parentPort, workerData } from 'node:worker_threads';

import { connect } from '../database/connection.ts';
import type { LeaseThreadData } from './keeper-thread.ts';
import { type FromKeeper, LEASE_CONNECTION, LeaseKeeper, type ToKeeper } from './lease-keeper.ts';

/** The thread that keeps the lease of this node. */
const keeper = new LeaseKeeper({
  connect: (databaseUrl) => connect(databaseUrl, 'innkeeper_system', LEASE_CONNECTION),
  ...(workerData as LeaseThreadData),
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  notify: (message: FromKeeper) => parentPort!.postMessage(message),
});
parentPort!.on('message', (message: ToKeeper) => keeper.notified(message));
