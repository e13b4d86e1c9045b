import { setTimeout as pause } from 'node:timers/promises';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { RequestCounters } from '../../src/platform/coordination/ports.ts';
import { LastMinute } from '../http/admission/last-minute.ts';
import { type Limit, limitOf, QuotaExceeded, take } from '../http/admission/rate-limit.ts';

/** Quotas of a subject, a tenant and an address at the live gateway; 0 for no limit. */
export type LiveQuotaSettings = {
  /** Open sockets. */
  sockets: { subject: number; tenant: number; address: number };
  /** Sockets of an address that end without a valid token, per second; beyond it the address opens no more. */
  strangers: number;
  /** Snapshots requested by `subscribe` and `resync`, per second. */
  snapshots: { subject: number; tenant: number };
  /** Seeks per second: each reads a checkpoint and the journal after it. */
  seeks: { subject: number; tenant: number };
};

/** REST quotas per second, from which those of sockets are derived. */
type RestLimits = { tenant: number; subject: number; address: number };

/** For a hotel chain with all screens under one account: 2,000, and 8,000 per tenant. */
const SOCKETS_PER_SUBJECT_RATE = 2;
const SOCKETS_PER_TENANT_RATE = 4;
/** For an office, or an unconfigured proxy: 8,000. */
const SOCKETS_PER_ADDRESS_RATE = 400;
/**
 * After a restart all screens of an office reconnect in the same second, so those with a token are not counted: 100.
 */
const STRANGERS_PER_ADDRESS_RATE = 5;
/** A page requests twenty properties at once. Snapshots of one moment are shared, so they count like REST reads. */
const SNAPSHOTS_PER_RATE = { subject: 1, tenant: 1 };
/** A seek costs 6 to 20 ms: with 10 a second a subject uses a tenth of a core, with 20 a tenant a fifth. */
const SEEKS_PER_RATE = { subject: 0.01, tenant: 0.01 };
/** How long seeks over the quota are queued, so that dragging the slider is not refused. */
const SEEK_QUEUE_MS = 3_000;
const SEEK_RETRY_MS = 100;

/** Quotas of the live gateway derived from those of REST: one set of variables for both, 0 switches both off. */
export function liveQuotasOf({ tenant, subject, address }: RestLimits): LiveQuotaSettings {
  const unless0 = (rate: number, limit: number): number => (rate === 0 ? 0 : Math.max(1, Math.round(limit)));
  const limitOf = (part: { subject: number; tenant: number }) => ({
    subject: unless0(subject, subject * part.subject),
    tenant: unless0(tenant, tenant * part.tenant),
  });
  return {
    sockets: {
      subject: unless0(subject, subject * SOCKETS_PER_SUBJECT_RATE),
      tenant: unless0(tenant, tenant * SOCKETS_PER_TENANT_RATE),
      address: unless0(address, address * SOCKETS_PER_ADDRESS_RATE),
    },
    strangers: unless0(address, address * STRANGERS_PER_ADDRESS_RATE),
    snapshots: limitOf(SNAPSHOTS_PER_RATE),
    seeks: limitOf(SEEKS_PER_RATE),
  };
}

/** Causes of refused requests, for metrics. */
const REFUSED = ['connect', 'address', 'subject', 'tenant', 'token', 'frame', 'seek', 'snapshot', 'pending'] as const;
type RefusedWhat = (typeof REFUSED)[number];

/** Owner of a socket, once authenticated. */
export type SocketOwner = { tenantId: TenantId; subject: string };

const RETRY_AFTER_SECONDS = 5;

/** Counts sockets and their requests with the counters of REST. */
export class LiveQuotas {
  readonly #settings: LiveQuotaSettings;
  readonly #strangers: Limit | undefined;
  readonly #limits: Record<'seek' | 'snapshot', Record<'subject' | 'tenant', Limit | undefined>>;
  readonly #open = { subject: new Counts(), tenant: new Counts(), address: new Counts() };
  readonly #refused = new Map<RefusedWhat, number>(REFUSED.map((what) => [what, 0]));
  readonly #lately = new LastMinute();

  constructor(settings: LiveQuotaSettings, counters: RequestCounters) {
    this.#settings = settings;
    const pair = (name: string, { subject, tenant }: { subject: number; tenant: number }) => ({
      subject: limitOf(`live-${name}-subject`, subject, counters, 'bursts'),
      tenant: limitOf(`live-${name}-tenant`, tenant, counters, 'bursts'),
    });
    this.#strangers = limitOf('live-stranger', settings.strangers, counters);
    this.#limits = { seek: pair('seek', settings.seeks), snapshot: pair('snapshot', settings.snapshots) };
  }

  /** Refused requests since the start. */
  get refused(): ReadonlyMap<RefusedWhat, number> {
    return this.#refused;
  }

  get refusedLastMinute(): number {
    return this.#lately.count;
  }

  noteRefused(what: RefusedWhat): void {
    this.#lately.note();
    this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1);
  }

  /** Checks that an address may open a socket. @throws DomainError QUOTA_EXCEEDED */
  async connect(address: string): Promise<void> {
    if (this.#isFull('address', address)) throw this.#tooMany('address', 'sockets are open from this address');
    if (!this.#strangers) return;
    const standing = this.#strangers.steady.standing(address);
    if (standing.used < this.#strangers.perSecond) return;
    this.noteRefused('connect');
    throw new QuotaExceeded(this.#strangers.perSecond, standing);
  }

  /** Called when a socket is open; `closed` when it has ended. */
  opened(address: string): void {
    this.#open.address.add(address, 1);
  }

  closed(address: string, owner: SocketOwner | undefined): void {
    this.#open.address.add(address, -1);
    if (owner) this.#addOwner(owner, -1);
    else this.#strangers?.steady.count(address);
  }

  /** Counts an authenticated socket for its owner. @throws DomainError QUOTA_EXCEEDED */
  admit(owner: SocketOwner): void {
    const { subject, tenant } = keysOf(owner);
    if (this.#isFull('subject', subject)) throw this.#tooMany('subject', 'sockets of this user are open');
    if (this.#isFull('tenant', tenant)) throw this.#tooMany('tenant', 'sockets of this tenant are open');
    this.#addOwner(owner, 1);
  }

  /** Waits for a seek slot. @throws DomainError QUOTA_EXCEEDED when that takes too long */
  async turn(owner: SocketOwner): Promise<void> {
    const until = performance.now() + SEEK_QUEUE_MS;
    for (;;) {
      try {
        return await this.#take('seek', owner);
      } catch (refused) {
        if (!(refused instanceof QuotaExceeded)) throw this.#noted('seek', refused);
        if (performance.now() > until) throw this.#noted('seek', tooManyLooksBack(refused));
        await pause(SEEK_RETRY_MS);
      }
    }
  }

  /** Counts a snapshot. @throws QuotaExceeded */
  async snapshot(owner: SocketOwner): Promise<void> {
    await this.#take('snapshot', owner).catch((refused: unknown) => {
      throw this.#noted('snapshot', refused);
    });
  }

  async #take(what: 'seek' | 'snapshot', owner: SocketOwner): Promise<void> {
    const keys = keysOf(owner);
    const { subject, tenant } = this.#limits[what];
    if (subject) take(subject, keys.subject);
    if (tenant) take(tenant, keys.tenant);
  }

  #noted(what: RefusedWhat, refused: unknown): unknown {
    this.noteRefused(what);
    return refused;
  }

  #isFull(of: keyof LiveQuotaSettings['sockets'], key: string): boolean {
    const most = this.#settings.sockets[of];
    return most > 0 && this.#open[of].of(key) >= most;
  }

  #tooMany(of: keyof LiveQuotaSettings['sockets'], what: string): DomainError {
    this.noteRefused(of);
    const detail = `More than ${this.#settings.sockets[of]} ${what}.`;
    return new DomainError('QUOTA_EXCEEDED', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  #addOwner(owner: SocketOwner, more: 1 | -1): void {
    const { subject, tenant } = keysOf(owner);
    this.#open.subject.add(subject, more);
    this.#open.tenant.add(tenant, more);
  }
}

/** Error text for users, who moved a slider and know nothing of requests. */
function tooManyLooksBack({ code, quota, details }: QuotaExceeded): DomainError {
  return new DomainError(code, `More than ${quota.limit} looks back a second.`, details);
}

/** Counts by key; keys with 0 are removed. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, more: 1 | -1): void {
    const count = this.of(key) + more;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function keysOf({ tenantId, subject }: SocketOwner): { subject: string; tenant: string } {
  return { subject: `${tenantId}|${subject}`, tenant: tenantId };
}
