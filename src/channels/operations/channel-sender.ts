import { LRUCache } from 'lru-cache';

import { idFrom } from '../../kernel/operations/id-from.ts';
import { letOthersRun, Slices } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type {
  CursorAddress,
  CursorPage,
  CursorPosition,
  LeasedCursor,
  SendResult,
  SubscriptionSender,
} from '../../subscriptions/ports.ts';
import type { ChannelAdapter, ChannelOutcome, ChannelRequest, ChannelTarget, RecordedLine } from '../ports.ts';
import {
  afterAnswer,
  CHANNEL_NIGHTS,
  closedNights,
  doubtfulAfter,
  keyOfLine,
  type KnownLine,
  MAX_RUNS,
  missingRuns,
  placeOfLine,
  stopSell,
  type WantedLine,
  wantedNights,
} from '../rules/channel-values.ts';
import type { ChannelAdapterName, ChannelMessage, ChannelRun } from '../rules/channel.ts';
import { drawnPause, type Pace, paceAfter, pauseBefore } from '../rules/pace.ts';
import { type AuditedLines, auditOf } from './audit-channel.ts';
import { channelOwner } from './channel-owner.ts';
import { LinesAtOnce } from './lines-at-once.ts';

/** Least time between messages, in which further changes are gathered. */
const INTERVAL_MS = 800;
/** Pause of a cursor whose channel is gone. */
const REMOVED_MS = 5_000;
/** Time after which a channel that takes nothing may oversell (docs/reference/channels.md#out-of-reach). */
const OUT_OF_REACH_MS = 5_000;
const MAX_FAILING = 10_000;
/** Pause of a cursor while the lines of others have all the memory. */
const BUSY_MS = 1_000;
/** Lines of channels that are sent something again and again: what they have is not read and decoded each time. */
const MAX_REMEMBERED = 500;
const REMEMBERED_MS = 60_000;
/** Lines that are priced at once: some ms. */
const LINES_AT_ONCE = 8;
/**
 * How long messages are computed without a pause, and the pause, since a booking passes the event loop several times;
 * a shorter one while many wait.
 */
const SLICE_MS = 1;
const SLICE_REST_MS = 3;
const MANY_WAITING = 16;
const GONE = 410;

type Parts = {
  services: Pick<Services, 'channels' | 'channelLinks' | 'sealed' | 'properties' | 'log' | 'subscriptionChanges'>;
  adapters: Readonly<Record<ChannelAdapterName, ChannelAdapter>>;
  /** Time of paces: that of the world. */
  realTime(): Instant;
  /** Time that people are shown: that of the service. */
  now(): Instant;
  /** Between 0 and 1; by default at random. */
  draw?(): number;
};

/** What is sold of a property. */
type SoldView = Pick<PropertyView, 'businessDate' | 'currency' | 'planNights' | 'seq' | 'generation'>;

/** What a page of a channel works on. */
type Sending = {
  cursor: LeasedCursor;
  target: ChannelTarget;
  view: SoldView;
  known: Map<string, KnownLine>;
  pace: Pace;
  mayGoOn(): boolean;
};

/** How a request ended; `undefined` when it was taken. */
type Ended = Pick<SendResult, 'failure' | 'pauseMs'> | undefined;

/**
 * Sends channels what they do not have (docs/reference/channels.md#what-is-sent). Nothing is taken from the rows of
 * the journal: they only say that something has changed. What is sent is the difference between the state of the
 * property and what the channel has taken, so that however much has changed, only the newest values are sent.
 */
export class ChannelSender implements SubscriptionSender {
  readonly readsState = true;
  readonly #parts: Parts;
  /** Since when channels take nothing, by the monotonic clock. */
  readonly #failing = new Map<string, number>();
  /** Channels after their last message, with the epoch of that: in the next one nobody else has sent them anything. */
  readonly #remembered = new LRUCache<string, { epoch: number; target: ChannelTarget }>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ target }) => Math.max(1, target.known.length),
    ttl: REMEMBERED_MS,
  });
  readonly #lines = new LinesAtOnce();
  readonly #slices = new Slices(SLICE_MS);
  #computed = Promise.resolve();
  /** Messages that wait to be computed. */
  #waiting = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async send(page: CursorPage, mayGoOn: () => boolean): Promise<SendResult> {
    const { cursor } = page;
    const target = await this.#targetOf(cursor);
    if (!target) return { to: cursor, pauseMs: REMOVED_MS };
    const paceMs = pauseBefore(target.pace, this.#parts.realTime());
    if (paceMs > 0) return { to: cursor, pauseMs: this.#drawn(paceMs) };
    const lines = Math.max(target.mapped.length, target.known.length);
    const giveBack = this.#lines.take(cursor.of.subscriptionId, lines);
    if (!giveBack) return { to: cursor, pauseMs: BUSY_MS };
    try {
      await this.#oneByOne();
      return await this.#sendChannel(page, target, mayGoOn);
    } finally {
      giveBack();
    }
  }

  #drawn(pauseMs: number): number {
    return drawnPause(pauseMs, (this.#parts.draw ?? Math.random)());
  }

  /** A change sets off all channels of a property: they are computed one after the other, with pauses for requests. */
  #oneByOne(): Promise<void> {
    this.#waiting += 1;
    return (this.#computed = this.#restAfter(this.#computed));
  }

  async #restAfter(last: Promise<void>): Promise<void> {
    await last;
    this.#waiting -= 1;
    if (this.#slices.isOver) await this.#slices.rest(this.#waiting < MANY_WAITING ? SLICE_REST_MS : 0);
  }

  /** Settings and mappings that have changed are those of a snapshot (docs/concepts/subscriptions.md#channels). */
  async #targetOf({ of, epoch, snapshot }: LeasedCursor): Promise<ChannelTarget | undefined> {
    const { tenantId, subscriptionId } = of;
    const last = this.#remembered.get(subscriptionId);
    this.#remembered.delete(subscriptionId);
    if (last?.epoch === epoch - 1 && !snapshot) return last.target;
    return this.#parts.services.channels.target(tenantId, subscriptionId);
  }

  async #sendChannel(
    { cursor, newest }: CursorPage,
    target: ChannelTarget,
    mayGoOn: () => boolean,
  ): Promise<SendResult> {
    const { services } = this.#parts;
    const { tenantId, propertyId, subscriptionId } = cursor.of;
    const view = await services.properties.view({ tenantId, propertyId }).catch(soldNoMore(target, newest));
    const known = new Map(target.known.map((line) => [keyOfLine(line), line]));
    const sending: Sending = { cursor, target, view, known, pace: target.pace, mayGoOn };
    const ended = (await this.#forgetReplaced(sending)) ?? (await this.#sendAll(sending));
    if (ended?.failure) this.#noteFailing(subscriptionId);
    else if (!ended) this.#failing.delete(subscriptionId);
    if (ended) return { to: cursor, ...ended };
    const { pace } = sending;
    const after = { ...target, known: [...known.values()], pace, auditedDay: view.businessDate };
    this.#remembered.set(subscriptionId, { epoch: cursor.epoch, target: after });
    // The view may be some ms behind the journal, and never ahead of it.
    const to: CursorPosition = { seq: Math.max(cursor.seq, view.seq), part: 0 };
    // What the channel may not be sent yet need not be looked at either.
    const hasSent = pace !== target.pace;
    const pauseMs = hasSent ? this.#drawn(Math.max(INTERVAL_MS, pauseBefore(pace, this.#parts.realTime()))) : 0;
    return { to, snapshot: true, ...(pauseMs > 0 && { pauseMs }) };
  }

  async giveUp(of: CursorAddress, because: 'UNDELIVERABLE' | 'GONE', why: string): Promise<void> {
    const { services } = this.#parts;
    this.#failing.delete(of.subscriptionId);
    if (!(await services.channels.pause(of, because, why))) return;
    services.log.warn({ channel: of.subscriptionId, because, why }, 'a channel is paused');
    services.subscriptionChanges.emit('changed', of.subscriptionId);
  }

  async #sendAll(sending: Sending): Promise<Ended> {
    const { target, view, cursor } = sending;
    const wanted = await wantedLines(sending);
    if (target.stopSellOnFailure && this.#isOutOfReach(cursor.of.subscriptionId)) {
      const stopped = wanted.map((one) => stopSell(one, sending.known.get(keyOfLine(one.line))));
      const ended = await this.#sendRuns(sending, stopped);
      if (ended) return ended;
    }
    if (target.auditedDay !== view.businessDate) {
      const ended = await this.#audit(sending);
      if (ended) return ended;
    }
    const ended = await this.#sendRuns(sending, wanted);
    if (ended) return ended;
    return this.#forget(sending);
  }

  async #sendRuns(sending: Sending, wanted: readonly WantedLine[]): Promise<Ended> {
    const { cursor, known, view } = sending;
    const { realTime } = this.#parts;
    for (;;) {
      const runs = missingRuns(wanted, (line) => known.get(keyOfLine(line)), realTime());
      if (runs.length === 0) return undefined;
      const { propertyId } = cursor.of;
      const messageId = idFrom(['channel', ...standOf(sending), runs]);
      const message = { messageId, at: realTime(), propertyId, currency: view.currency, runs };
      const ended = await this.#sendMessage(sending, message, wanted);
      // Everything that was missing was sent; the rest of more than one message can hold is looked for again.
      if (ended || runs.length < MAX_RUNS) return ended;
    }
  }

  async #sendMessage(sending: Sending, message: ChannelMessage, wanted: readonly WantedLine[]): Promise<Ended> {
    const { adapters, realTime } = this.#parts;
    const requests = adapters[sending.target.adapter].requestsOf(message);
    const pauseMs = pauseBefore(sending.pace, realTime(), requests.length);
    if (pauseMs > 0) return { pauseMs };
    for (const request of requests) {
      const ended = await this.#sendOne(sending, request, wanted);
      if (ended) return ended;
    }
    return undefined;
  }

  /** Sends a request, and records what the channel has after it. */
  async #sendOne(sending: Sending, request: ChannelRequest, wanted: readonly WantedLine[]): Promise<Ended> {
    const { cursor, target, known, view } = sending;
    const { services, adapters, realTime } = this.#parts;
    if (!sending.mayGoOn() || !(await this.#mayAsk(sending, request.runs))) return { pauseMs: 0 };
    const answer = await this.#ask(sending, request);
    const at = realTime();
    const ended =
      'body' in answer
        ? adapters[target.adapter].requestOutcome(answer, request)
        : { isTaken: false as const, why: answer.why };
    if (!ended.isTaken) {
      // It may have stored them all the same, and its values stay doubtful.
      const error = { why: ended.why, at: this.#parts.now() };
      await services.channels.record(cursor, { atRisk: countAtRisk(wanted, known), error });
      const isAnswered = 'body' in answer;
      return {
        failure: {
          why: ended.why,
          ...(isAnswered && { retryAfterMs: answer.retryAfterMs, isGone: answer.status === GONE }),
        },
      };
    }
    const refused = new Map(ended.rejected.map(({ index, why }) => [index, why]));
    const [taken, rejected]: [ChannelRun[], ChannelRun[]] = [[], []];
    for (const [index, run] of request.runs.entries()) (refused.has(index) ? rejected : taken).push(run);
    this.#failing.delete(cursor.of.subscriptionId);
    const lines = afterAnswer(known, { taken, rejected, at }, view.businessDate);
    for (const line of lines) known.set(keyOfLine(line), line);
    const [why] = refused.values();
    const error =
      why === undefined
        ? undefined
        : { why: `it did not take ${refused.size} values: ${why}`, at: this.#parts.now() };
    const outcome: ChannelOutcome = {
      lines,
      takenAt: this.#parts.now(),
      atRisk: countAtRisk(wanted, known),
    };
    const isRecorded = await services.channels.record(cursor, { ...outcome, ...(error && { error }) });
    // Another node has the cursor, or it was set: it goes on from what is recorded.
    return isRecorded ? undefined : { pauseMs: 0 };
  }

  /**
   * Counts a request before it is sent, with what the channel may have after it: who sends the next one, while this one
   * waits or was lost, waits for both, and sends again what nobody knows.
   */
  async #mayAsk(sending: Sending, runs: readonly ChannelRun[] = []): Promise<boolean> {
    const { services, realTime } = this.#parts;
    sending.pace = paceAfter(sending.pace, realTime());
    const lines = doubtfulAfter(sending.known, runs);
    const changed = lines.map(({ taken, ...line }): RecordedLine =>
      sending.known.has(keyOfLine(line)) ? line : { ...line, taken },
    );
    const isMine = await services.channels.record(sending.cursor, { pace: sending.pace, lines: changed });
    if (isMine) for (const line of lines) sending.known.set(keyOfLine(line), line);
    return isMine;
  }

  async #ask({ cursor, target }: Sending, { method, query, contentType, body }: ChannelRequest) {
    const { channelLinks, sealed } = this.#parts.services;
    const { tenantId, subscriptionId } = cursor.of;
    const url = new URL(target.url);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const of = channelOwner(tenantId, subscriptionId);
    const authorization = target.authorization === undefined ? undefined : sealed.open(target.authorization, of);
    const headers = {
      accept: contentType,
      'user-agent': 'Innkeeper-Channels/1.0',
      ...(authorization !== undefined && { authorization }),
      ...(method === 'POST' && { 'content-type': contentType }),
    };
    const began = performance.now();
    try {
      return await channelLinks.ask({ of, url: url.href, method, headers, body });
    } finally {
      this.#lines.answered(subscriptionId, performance.now() - began);
    }
  }

  /** Compares what the channel has with what it has taken, once each business day. */
  async #audit(sending: Sending): Promise<Ended> {
    const { cursor, target, known, view } = sending;
    const { services, adapters, realTime } = this.#parts;
    const adapter = adapters[target.adapter];
    const audited: AuditedLines = await auditOf(
      adapter,
      { propertyId: cursor.of.propertyId, first: view.businessDate, known: [...known.values()] },
      async (request) => {
        if (pauseBefore(sending.pace, realTime()) > 0 || !(await this.#mayAsk(sending))) return undefined;
        return this.#ask(sending, request);
      },
    );
    if (audited.isDelayed) return { pauseMs: pauseBefore(sending.pace, realTime()) };
    for (const line of audited.lines) known.set(keyOfLine(line), line);
    const audit = {
      day: view.businessDate,
      at: this.#parts.now(),
      ...(audited.drift !== undefined && { drift: audited.drift }),
    };
    const isRecorded = await services.channels.record(cursor, { lines: audited.lines, audit });
    return isRecorded ? undefined : { pauseMs: 0 };
  }

  /**
   * Lines whose room and rate at the channel are now those of another line: it is not closed, and what it has is
   * unknown until all of the other has been sent.
   */
  #forgetReplaced(sending: Sending): Promise<Ended> {
    const sold = new Set(sending.target.mapped.map(placeOfLine));
    return this.#forgetLines(sending, (line) => sold.has(placeOfLine(line)));
  }

  /** Lines that are mapped no more, once the channel has closed them. */
  #forget(sending: Sending): Promise<Ended> {
    return this.#forgetLines(sending, () => true);
  }

  async #forgetLines({ cursor, target, known }: Sending, isOver: (line: KnownLine) => boolean): Promise<Ended> {
    const mapped = new Set(target.mapped.map(keyOfLine));
    const forgotten = [...known.values()].filter((line) => !mapped.has(keyOfLine(line)) && isOver(line));
    if (forgotten.length === 0) return undefined;
    if (!(await this.#parts.services.channels.record(cursor, { forgotten }))) return { pauseMs: 0 };
    for (const line of forgotten) known.delete(keyOfLine(line));
    return undefined;
  }

  #isOutOfReach(channelId: string): boolean {
    const since = this.#failing.get(channelId);
    return since !== undefined && performance.now() - since >= OUT_OF_REACH_MS;
  }

  #noteFailing(channelId: string): void {
    if (this.#failing.has(channelId)) return;
    const [oldest] = this.#failing.keys();
    if (this.#failing.size >= MAX_FAILING && oldest !== undefined) this.#failing.delete(oldest);
    this.#failing.set(channelId, performance.now());
  }
}

/**
 * What a message differs by from an earlier one with the same values: a channel may drop what it knows by its id. The
 * epoch is another one in each attempt.
 */
function standOf({ cursor, view, target, known }: Sending): unknown[] {
  let rejectedAt = 0;
  for (const { rejected } of known.values())
    for (const { at } of rejected.values()) rejectedAt = Math.max(rejectedAt, at);
  return [cursor.of.subscriptionId, cursor.epoch, view.generation, view.seq, target.auditedDay ?? 0, rejectedAt];
}

/** A property that was deleted sells nothing: its channels are closed from the day of their last audit on. */
const soldNoMore =
  ({ auditedDay = 0 }: ChannelTarget, seq: number) =>
  (error: unknown): SoldView => {
    if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
    return { businessDate: auditedDay, currency: '', planNights: () => [], seq, generation: 0 };
  };

/** What the channel should have of each line, and of those that are mapped no more. */
async function wantedLines({ target, view, known }: Sending): Promise<WantedLine[]> {
  const { businessDate: first } = view;
  const last: Day = first + CHANNEL_NIGHTS - 1;
  const mapped: WantedLine[] = [];
  for (const [index, line] of target.mapped.entries()) {
    if (index > 0 && index % LINES_AT_ONCE === 0) await letOthersRun();
    const sold = view.planNights({ roomType: line.roomType, rateCode: line.ratePlan }, first, last);
    const wanted = wantedNights({ ...line, currency: view.currency }, sold);
    const has = known.get(keyOfLine(line));
    // Nights that are sold no more, such as all of a room type that was removed.
    const closed = has && closedNights(has, first + sold.length).nights;
    mapped.push(closed?.size ? { ...wanted, nights: new Map([...wanted.nights, ...closed]) } : wanted);
  }
  const keys = new Set(mapped.map(({ line }) => keyOfLine(line)));
  const others = [...known.values()].filter((line) => !keys.has(keyOfLine(line)));
  return [...mapped, ...others.map((line) => closedNights(line, first))];
}

/** Nights, each counted once, of which a channel has more rooms than there are. */
function countAtRisk(wanted: readonly WantedLine[], known: ReadonlyMap<string, KnownLine>): number {
  const nights = new Set<string>();
  for (const one of wanted)
    for (const day of stopSell(one, known.get(keyOfLine(one.line))).nights.keys())
      nights.add(`${one.line.roomType}\n${day}`);
  return nights.size;
}
