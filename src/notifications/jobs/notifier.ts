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
import { endsWithin } from '../../platform/jobs/ends-within.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import { TenantRounds, type RoundResult } from '../../platform/jobs/tenant-rounds.ts';
import type { TenantStore } from '../../tenants/ports.ts';
import { kindOf, NOTIFICATION_CHANNELS, type NotificationChannel } from '../rules/notification.ts';
import { mailsIn } from '../rules/stay-mail.ts';

/** Pause between two batches of a channel, as a multiple of the time of the last one, and its bounds. */
const SEND_REST = 2;
const MIN_SEND_REST_MS = 20;
const MAX_SEND_REST_MS = 100;

/** Pause after a read, as a multiple of its duration: mails may be late for a while, bookings may not. */
const READ_REST = 4;
const MAX_REST_MS = 2_000;

type Sent = { taken: number; partner: PartnerState };

const NOTHING_SENT: Sent = { taken: 0, partner: 'NOT_ASKED' };

type Options = {
  tenants: TenantStore;
  /** The configured channels: without any, no guest is notified. */
  channels: readonly NotificationChannel[];
  /** Reads journals of a tenant for notifications, for a limited time. */
  gather(tenantId: TenantId): Promise<RoundResult>;
  /** Time-based work: reminders, and removal of old notifications. */
  tidy(tenantId: TenantId): Promise<void>;
  /** Sends a batch of waiting notifications. */
  send(tenantId: TenantId, channel: NotificationChannel, signal: AbortSignal): Promise<Sent>;
  /** Sends some letters of invitations that are due. */
  invite?(tenantId: TenantId, signal: AbortSignal): Promise<Sent>;
  /** Breaker state of a channel's partner, if it has one. */
  breaker?(channel: NotificationChannel): BreakerState | undefined;
  log: Log;
  each?: ItemRunner;
  gatherMs?: number;
  restMs?: number;
};

/**
 * Schedules notifications of guests (docs/concepts/notifications.md#gathering): soon after a booking was committed,
 * which an actor signals, and once a minute for commits without a signal, such as those of a dead process. Bookings
 * never wait for it, and channels do not wait for each other's partners.
 */
export class Notifier implements AsyncDisposable {
  readonly #options: Options;
  readonly #each: ItemRunner;
  readonly #gathering: TenantRounds;
  readonly #sending: Map<NotificationChannel, TenantRounds>;
  readonly #partners = new Map<NotificationChannel, PartnerState>();
  /** Tenants that may have a letter of an invitation to send: not each message to a guest looks for one. */
  readonly #inviting = new Set<TenantId>();
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
    const afterReading = (tookMs: number): number => restMs ?? Math.min(READ_REST * tookMs, MAX_REST_MS);
    const afterSending = (tookMs: number): number =>
      restMs ?? Math.max(MIN_SEND_REST_MS, Math.min(SEND_REST * tookMs, MAX_SEND_REST_MS));
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

  /** Handles a committed entry; cheap for the committing property. */
  committed({ tenantId }: Address, entry: Pick<JournalEntry, 'entity' | 'facts'>): void {
    const { bookings, setup } = entry.facts;
    if (this.#options.channels.length === 0 || (!bookings?.length && !setup?.length)) return;
    const isNews = bookingsOf(entry).some((booking) => kindOf(booking)) || mailsIn(entry.facts).length > 0;
    if (isNews) this.#gathering.ask(tenantId);
  }

  /** Handles a write of the administration of a tenant, which may have ordered the letter of an invitation. */
  administered(tenantId: TenantId): void {
    this.#inviting.add(tenantId);
    this.#sending.get('MAIL')?.ask(tenantId);
  }

  /** Checks every tenant for due work and unsignalled commits; the work continues afterwards. */
  look(): Promise<void> {
    return this.#looks.look();
  }

  /** Reads every tenant's journals for unsignalled commits. */
  async read(): Promise<void> {
    if (this.#options.channels.length === 0) return;
    for (const tenantId of await this.#options.tenants.running()) this.#gathering.ask(tenantId);
  }

  /** Does all due work: the development clock answers after it (docs/reference/set-up.md#development-only). */
  async runDue(withinMs: number): Promise<void> {
    this.#each.wake();
    await endsWithin(
      withinMs,
      this.#looks.lookAgain().then(() => this.done()),
    );
  }

  /** Sends everything that waits, as far as partners accept it. */
  async done(): Promise<void> {
    await this.#gathering.done();
    await Promise.all([...this.#sending.values()].map((rounds) => rounds.done()));
  }

  /**
   * Components `mail` and `sms` of the health (docs/operations/health.md#components), one for each configured channel.
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
      // Includes what fell due for a retry.
      this.#inviting.add(tenantId);
      this.#askToSend(tenantId);
    }
  }

  #askToSend(tenantId: TenantId): void {
    for (const rounds of this.#sending.values()) rounds.ask(tenantId);
  }

  /** A partner that is away gets the rest in a later run. */
  async #send(channel: NotificationChannel, tenantId: TenantId, signal: AbortSignal): Promise<RoundResult> {
    const sent = await this.#options.send(tenantId, channel, signal);
    const invited = channel === 'MAIL' ? await this.#invite(tenantId, signal) : NOTHING_SENT;
    const partner = invited.partner === 'NOT_ASKED' ? sent.partner : invited.partner;
    if (partner !== 'NOT_ASKED') this.#partners.set(channel, partner);
    if (sent.taken + invited.taken === 0) return 'NOTHING';
    return partner === 'AWAY' ? 'SOME' : 'MORE';
  }

  async #invite(tenantId: TenantId, signal: AbortSignal): Promise<Sent> {
    const { invite } = this.#options;
    if (!invite || !this.#inviting.delete(tenantId)) return NOTHING_SENT;
    const invited = await invite(tenantId, signal);
    if (invited.taken > 0) this.#inviting.add(tenantId);
    return invited;
  }
}
