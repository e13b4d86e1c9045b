import { parentPort, workerData } from 'node:worker_threads';

import { PlayedPast, type PastOrder, type PlayedBatch, type PlayedPart } from './past-order.ts';
import type { PastReply, PastRequest } from './past-thread.ts';

/** A thread that plays the past of one property, request by request. */
const past = new PlayedPast(workerData as PastOrder);
let parts: Iterator<PlayedPart> | undefined;
let batches: Iterator<PlayedBatch> | undefined;

parentPort!.on('message', (request: PastRequest) => {
  let reply: PastReply;
  try {
    if ('recent' in request) reply = { recent: past.recent() };
    else if ('batch' in request) {
      batches ??= past.batches()[Symbol.iterator]();
      const { value, done } = batches.next();
      reply = { batch: done === true ? null : value };
    } else if ('upcoming' in request) reply = { upcoming: past.upcoming() };
    else {
      parts ??= past.old(request.done)[Symbol.iterator]();
      const { value, done } = parts.next();
      reply = { part: done === true ? null : value };
    }
  } catch (error) {
    reply = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage(reply);
});
