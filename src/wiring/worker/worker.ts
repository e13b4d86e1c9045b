import { parentPort } from 'node:worker_threads';

import { type TaskDone, type Order, perform, type WorkerReply } from './tasks.ts';

/** A worker thread: does one task after the other. */
parentPort!.on('message', (order: Order) => void follow(order));

async function follow(order: Order): Promise<void> {
  let done: TaskDone;
  try {
    done = { output: await perform(order, (percent) => reply({ percent })) };
  } catch (error) {
    done = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  reply(done);
}

function reply(message: WorkerReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage(message);
}
