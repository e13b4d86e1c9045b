import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import {
  type BreakerState,
  type HealthCheck,
  type Log,
  partnerHealth,
  type PartnerState,
} from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { bookingsOf, type JournalEntry } from '../../kernel/rules/journal.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import { TenantRounds, type RoundResult } from '../../platform/jobs/tenant-rounds.ts';
import { endsWithin } from '../../platform/jobs/within.ts';
import type { TenantStore } from '../../tenants/ports.ts';
import { kindOf, NOTIFICATION_CHANNELS, type NotificationChannel } from '../rules/notification.ts';

/** Between two batches of a channel: 80 messages a second at most, a small part of a core. */
const SEND_REST_MS = 100;

/** Reading rests four times as long as it works: mails may be late for a while, bookings may not. */
const READ_REST = 4;
const MOST_REST_MS = 2_000;

type Options = {
  tenants: TenantStore;
  /** The configured channels: without any, nobody is notified. */
  channels: readonly NotificationChannel[];
  /** Reads journals of a tenant for notifications, for a while. */
  gather(tenantId: TenantId): Promise<RoundResult>;
  /** What only time brings: reminders, and the end of what is old. */
  tidy(tenantId: TenantId): Promise<void>;
  /** Sends a batch of what waits. */
  send(
    tenantId: TenantId,
    channel: NotificationChannel,
    signal: AbortSignal,
  ): Promise<{ taken: number; partner: PartnerState }>;
  /** Of the partner of a channel, where it has one. */
  breaker?(channel: NotificationChannel): BreakerState | undefined;
  log: Log;
  each?: ItemRunner;
  gatherMs?: number;
  restMs?: number;
};

/**
 * When guests are notified (docs/concepts/notifications.md#gathering): soon after a booking was committed, of which an
 * actor gives a hint, and once a minute for commits without a hint, such as those of a dead process. It
 * only ever waits for itself: no booking waits for it, nor one channel for a partner of the other.
 */
export class Notifier implements AsyncDisposable {
  readonly #options: Options;
  readonly #each: ItemRunner;
  readonly #gathering: TenantRounds;
  readonly #sending: Map<NotificationChannel, TenantRounds>;
  readonly #partners = new Map<NotificationChannel, PartnerState>();
  readonly #looks = new SingleFlight(() => this.#look());
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
    const { log, gather, gatherMs, restMs } = options;
    this.#each = options.each ?? ItemRunner.uncounted(log);
    const failedAt =
      (what: string) =>
      (tenantId: TenantId, error: unknown): void =>
        this.#each.failed(`${tenantId} ${what}`, error);
    const what = 'guests are notified later';
    const work = async (tenantId: TenantId): Promise<RoundResult> => {
      const round = await gather(tenantId);
      if (round !== 'NOTHING') this.#askToSend(tenantId);
      return round;
    };
    const afterReading = (tookMs: number): number => restMs ?? Math.min(READ_REST * tookMs, MOST_REST_MS);
    const afterSending = (): number => restMs ?? SEND_REST_MS;
    const failed = failedAt('reading');
    this.#gathering = new TenantRounds({ work, log, what, failed, gatherMs, restMs: afterReading });
    this.#sending = new Map(
      options.channels.map((channel) => [
        channel,
        new TenantRounds({
          work: (...to) => this.#send(channel, ...to),
          log,
          what,
          failed: failedAt(channel),
          gatherMs: 0,
          restMs: afterSending,
        }),
      ]),
    );
  }

  /** An entry was committed; costs its property a look at what it holds. */
  committed({ tenantId }: Address, entry: Pick<JournalEntry, 'entity' | 'facts'>): void {
    if (this.#options.channels.length === 0 || !entry.facts.bookings?.length) return;
    if (bookingsOf(entry).some((booking) => kindOf(booking))) this.#gathering.ask(tenantId);
  }

  /** Looks at every tenant for what is due and for what hints have not said; the work goes on afterwards. */
  look(): Promise<void> {
    return this.#looks.look();
  }

  /** Has every tenant's journals read for what hints have not said. */
  async read(): Promise<void> {
    if (this.#options.channels.length === 0) return;
    for (const tenantId of await this.#options.tenants.running()) this.#gathering.ask(tenantId);
  }

  /** Has all done that is due: the development clock answers after it (docs/reference/set-up.md#development-only). */
  async runDue(withinMs: number): Promise<void> {
    this.#each.wake();
    await endsWithin(
      withinMs,
      this.#looks.lookAgain().then(() => this.done()),
    );
  }

  /** Everything that waits is sent, as far as partners accept it. */
  async done(): Promise<void> {
    await this.#gathering.done();
    await Promise.all([...this.#sending.values()].map((rounds) => rounds.done()));
  }

  /**
   * The components `mail` and `sms` of the health (docs/operations/health.md#components): there for each channel that
   * there is.
   */
  get health(): [name: string, check: HealthCheck][] {
    return NOTIFICATION_CHANNELS.flatMap((channel) => {
      if (!this.#options.channels.includes(channel)) return [];
      const check: HealthCheck['check'] = async () =>
        partnerHealth(this.#partners.get(channel) ?? 'NOT_ASKED', this.#options.breaker?.(channel));
      return [[channel.toLowerCase(), { essential: false, check }]];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#gathering[Symbol.asyncDispose]();
    await Promise.all([...this.#sending.values()].map((rounds) => rounds[Symbol.asyncDispose]()));
    await this.#looks.done();
  }

  async #look(): Promise<void> {
    const { tenants, tidy } = this.#options;
    for (const tenantId of await tenants.running()) {
      if (this.#ended) return;
      this.#looks.progressed();
      await this.#each.one(tenantId, () => tidy(tenantId));
      this.#gathering.ask(tenantId);
      // Also what fell due again.
      this.#askToSend(tenantId);
    }
  }

  #askToSend(tenantId: TenantId): void {
    for (const rounds of this.#sending.values()) rounds.ask(tenantId);
  }

  /** A partner that is away gets the rest when somebody looks again. */
  async #send(channel: NotificationChannel, tenantId: TenantId, signal: AbortSignal): Promise<RoundResult> {
    const { taken, partner } = await this.#options.send(tenantId, channel, signal);
    if (partner !== 'NOT_ASKED') this.#partners.set(channel, partner);
    if (taken === 0) return 'NOTHING';
    return partner === 'AWAY' ? 'SOME' : 'MORE';
  }
}
