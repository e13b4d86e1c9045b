import { LRUCache } from 'lru-cache';

import { eventIdOf } from '../../events/contracts/event-id.ts';
import { batchesOf, recordsOf } from '../../events/rules/event-records.ts';
import type { EventRecord } from '../../events/rules/events.ts';
import { assertKnown } from '../../events/rules/known-facts.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type {
  CursorAddress,
  CursorPage,
  CursorPosition,
  CursorRow,
  SendFailure,
  SendResult,
  SubscriptionSender,
} from '../../subscriptions/ports.ts';
import { eventMessage, snapshotMessages, type WebhookMessage } from '../rules/messages.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { type OpenTarget, openTarget, secretOwner, sendMessage } from './send-message.ts';

/** Time after which a page ends where it is, so that its position is recorded. */
const PAGE_MS = 2_000;
/** How long addresses and secrets are remembered: a change is seen after this time. */
const TARGET_MS = 1_000;
const MAX_TARGETS = 5_000;
/** Pause of a cursor whose webhook is gone. */
const REMOVED_MS = 5_000;
const GONE = 410;
/** A receiver that answers later is slow by itself: this node has not worked for it. */
const MAX_WORK_MS = 100;

type Parts = {
  services: Pick<
    Services,
    'webhooks' | 'receivers' | 'sealed' | 'properties' | 'log' | 'subscriptionChanges' | 'tenantShares'
  >;
  deliveries: DeliveryLog;
  /** Time of signatures: receivers compare it with theirs. */
  realTime(): number;
};

/** Where a page stands, and when it began. */
type Progress = { page: CursorPage; target: OpenTarget; at: CursorPosition; began: number };

/** Sends webhooks one event after the other; an event that is not taken holds up those of its property. */
export class WebhookSender implements SubscriptionSender {
  readonly #parts: Parts;
  readonly #targets = new LRUCache<string, { target: OpenTarget | undefined }>({
    max: MAX_TARGETS,
    ttl: TARGET_MS,
  });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async send(page: CursorPage, mayGoOn: () => boolean): Promise<SendResult> {
    const { cursor } = page;
    const target = await this.#targetOf(cursor.of);
    if (!target) return { to: cursor, pauseMs: REMOVED_MS };
    // Rows that retention has dropped cannot be sent: the state stands for them.
    const isGap = page.rows[0] !== undefined && page.rows[0].seq > cursor.seq + 1 && cursor.seq > 0;
    if (cursor.snapshot || isGap) return this.#sendSnapshot(page, target, mayGoOn);
    const progress = { page, target, at: { seq: cursor.seq, part: cursor.part }, began: performance.now() };
    for (const batch of wholeBatches(page)) {
      const records = recordsOfBatch(cursor.of, batch, () => progress.at.seq > cursor.seq);
      if (!records) break;
      const ended = await this.#sendBatch(progress, records, mayGoOn);
      if (ended) return ended;
      progress.at = { seq: batch.at(-1)!.seq, part: 0 };
    }
    return { to: progress.at };
  }

  async giveUp(of: CursorAddress, because: 'UNDELIVERABLE' | 'GONE', why: string): Promise<void> {
    const { services } = this.#parts;
    if (!(await services.webhooks.pause(of, because, why))) return;
    services.log.warn({ webhook: of.subscriptionId, because, why }, 'a webhook is paused');
    services.subscriptionChanges.emit('changed', of.subscriptionId);
  }

  /** @returns how the page ends, if it ends here */
  async #sendBatch(
    progress: Progress,
    records: readonly EventRecord[],
    mayGoOn: () => boolean,
  ): Promise<SendResult | undefined> {
    const { target, page } = progress;
    for (let n = progress.at.part; n < records.length; n++) {
      const record = records[n]!;
      if (!target.topics.includes(record.topic)) continue;
      // What is not sent is not counted: `part` moves with the next event that is.
      progress.at = { seq: progress.at.seq, part: n };
      if (!mayGoOn() || performance.now() - progress.began > PAGE_MS) return { to: progress.at };
      const failure = await this.#sendOne(page, target, eventMessage(record), Number(record.headers.seq));
      if (failure) return { to: progress.at, failure };
    }
    return undefined;
  }

  async #sendSnapshot(page: CursorPage, target: OpenTarget, mayGoOn: () => boolean): Promise<SendResult> {
    const { cursor } = page;
    const { tenantId, propertyId, subscriptionId } = cursor.of;
    const view = await this.#parts.services.properties.view({ tenantId, propertyId });
    const { seq, generation, at, businessDate, currency, lastNight } = view;
    const cells = view.grid(businessDate, lastNight);
    const state = {
      tenantId,
      propertyId,
      seq,
      generation,
      at,
      businessDate: formatDay(businessDate),
      currency,
      cells,
    };
    const idOf = (n: number): string =>
      eventIdOf({ tenantId, propertyId: `${propertyId} ${subscriptionId}`, generation }, seq, n);
    for (const message of snapshotMessages(state, idOf)) {
      if (!mayGoOn()) return { to: cursor };
      const failure = await this.#sendOne(page, target, message, seq);
      if (failure) return { to: cursor, failure };
    }
    return { to: { seq, part: 0 }, snapshot: true };
  }

  async #sendOne(
    { cursor: { of, attempts } }: CursorPage,
    target: OpenTarget,
    message: WebhookMessage,
    seq: number,
  ): Promise<SendFailure | undefined> {
    const { services, realTime, deliveries } = this.#parts;
    const at = realTime();
    const owner = secretOwner(of.tenantId, of.subscriptionId);
    const sent = await sendMessage(services.receivers, owner, target, message, at);
    const { isTaken, durationMs, httpStatus, failure, retryAfterMs } = sent;
    const { id: messageId, type: topic } = message;
    const { propertyId } = of;
    await services.tenantShares.rest(of.tenantId, Math.min(durationMs, MAX_WORK_MS));
    const attempt = attempts + 1;
    deliveries.add(of, { propertyId, seq, messageId, topic, attempt, at, durationMs, httpStatus, failure });
    if (isTaken) return undefined;
    return { why: failure ?? 'it was not taken', retryAfterMs, isGone: httpStatus === GONE };
  }

  async #targetOf({ tenantId, subscriptionId }: CursorAddress): Promise<OpenTarget | undefined> {
    const known = this.#targets.get(subscriptionId);
    if (known) return known.target;
    const { webhooks, sealed } = this.#parts.services;
    const found = await webhooks.target(tenantId, subscriptionId);
    const target = found && openTarget(sealed, secretOwner(tenantId, subscriptionId), found);
    this.#targets.set(subscriptionId, { target });
    return target;
  }
}

/** The last commit may continue after the given rows, unless they end at the newest. */
function wholeBatches({ rows, newest }: CursorPage): CursorRow[][] {
  const batches = batchesOf(rows);
  if (rows.at(-1)?.seq !== newest) batches.pop();
  return batches;
}

/**
 * Events of one commit; `undefined` when it cannot be read and those before it were sent: it fails alone next time.
 * @throws errors of a row that this build cannot read
 */
function recordsOfBatch(to: Address, batch: readonly CursorRow[], hasSent: () => boolean): EventRecord[] | undefined {
  try {
    for (const row of batch) assertKnown(row);
    const { tenantId, propertyId } = to;
    return recordsOf({ tenantId, propertyId, generation: batch.at(-1)!.generation }, batch, eventIdOf);
  } catch (error) {
    if (hasSent()) return undefined;
    throw error;
  }
}
