import type * as KafkaJs from 'kafkajs';
import { createRequire } from 'node:module';

type RequestQueue = {
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
};

/** Interval in which kafkajs checks throttled requests. */
const CHECK_PENDING_MS = 10;

const require = createRequire(import.meta.url);
let loaded: typeof KafkaJs | undefined;

/**
 * kafkajs 2.2.4 checks the queue of each connection every millisecond for ever, with a negative delay when nothing
 * waits (which Node and Deno warn of): 3 % of a processor for an idle service. Patched to check only while something
 * waits, or the broker throttles.
 */
const QUEUE_PATCH = {
  scheduleCheckPendingRequests(this: RequestQueue): void {
    const throttledMs = this.throttledUntil - Date.now();
    if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && throttledMs <= 0)) return;
    const look = (): void => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(look, throttledMs > 0 ? throttledMs : CHECK_PENDING_MS);
  },
};

/**
 * The one way to kafkajs, patched. It is loaded on the first call: a service without brokers starts without its 143
 * modules. Node can name only some exports of this CommonJS module.
 */
export function loadKafkaJs(): typeof KafkaJs {
  if (loaded === undefined) {
    const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: object };
    Object.assign(prototype, QUEUE_PATCH);
    loaded = require('kafkajs') as typeof KafkaJs;
  }
  return loaded;
}
