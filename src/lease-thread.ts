import { parentPort } from 'node:worker_threads';

import { type FromKeeper, LeaseKeeper, type ToKeeper } from './coordination/lease-keeper.ts';
import { connect } from './storage/connection.ts';

/** A renewal that takes longer is tried again: the table may be locked, or the database hang. */
const SETTINGS = { statement_timeout: '2s', application_name: 'innkeeper_lease' };

/** The thread that keeps the lease of this node. */
const keeper = new LeaseKeeper({
  connect: (databaseUrl) => connect(databaseUrl, 'innkeeper_system', SETTINGS),
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  tell: (message: FromKeeper) => parentPort!.postMessage(message),
});
parentPort!.on('message', (message: ToKeeper) => keeper.told(message));
