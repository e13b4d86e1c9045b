import {
  CLOSE_CODES,
  type CloseCode,
  LIVE_LIMITS,
  LIVE_PROTOCOL,
} from '../../packages/client/src/live/live-limits.ts';
import type { LookedBack } from '../../src/history/operations/look-back.ts';
import type { Clock } from '../../src/kernel/ports.ts';
import type { Address, Caller } from '../../src/kernel/rules/caller.ts';
import { dayOf } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId, PropertyId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { clientFrame, type ClientFrame, type Position, type SubscribeFrame } from '../../src/live/contracts/live.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import { problemOf } from '../http/problem.ts';
import { invalid } from '../http/validation.ts';
import type { Scope } from './audience.ts';
import { type ConnectionListener, type LiveConnection, Outgoing } from './connection.ts';
import { FrameBudget } from './frame-budget.ts';
import type { Hub } from './hub.ts';
import type { GatewayLimits } from './limits.ts';
import type { LiveLog } from './log.ts';
import { type LiveAuthenticator, Membership, type MembershipListener } from './membership.ts';
import type { PastShelf } from './past/past-shelf.ts';
import type { LookBack } from './past/past.ts';
import type { LiveQuotas, SocketOwner } from './quotas.ts';
import { type RoleClass, roleClassOf } from './role-class.ts';
import { SendBuffer } from './send-buffer.ts';
import type { PropertyStream } from './stream.ts';
import { Subscription } from './subscription.ts';

type SessionParts<I extends { readonly expiresAt: Instant }> = {
  hub: Hub;
  lookBack: LookBack;
  authenticator: LiveAuthenticator<I>;
  clock: Clock;
  limits: GatewayLimits;
  quotas: LiveQuotas;
  shelf: PastShelf;
  log: LiveLog;
  /** Called once, when a valid token was shown. */
  onAdmitted?: () => void;
};

/** Queue entry for a message that is not JSON, so that its answer keeps its place. */
const UNREADABLE = Symbol('unreadable');

/**
 * The live protocol on one connection (docs/reference/live-protocol.md#live-protocol), the same over plain WebSocket
 * and socket.io.
 */
export class LiveSession<I extends { readonly expiresAt: Instant }>
  implements ConnectionListener, MembershipListener
{
  readonly #connection: LiveConnection;
  readonly #parts: SessionParts<I>;
  readonly #sendBuffer: SendBuffer;
  readonly #membership: Membership<I>;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #heartbeat: NodeJS.Timeout;
  /** Frames that wait for the one before them. */
  readonly #queue: unknown[] = [];
  #working = false;
  readonly #frames: FrameBudget;
  readonly #authFrames: FrameBudget;
  /** Consecutive refused frames. */
  #refusedFrames = 0;
  #owner: SocketOwner | undefined;
  #roleClass: RoleClass = 'viewer';
  #closed = false;

  constructor(connection: LiveConnection, parts: SessionParts<I>) {
    const { limits, authenticator, log } = parts;
    this.#connection = connection;
    this.#parts = parts;
    this.#sendBuffer = new SendBuffer(connection, limits, {
      recovered: () => this.#subscriptions.forEach((subscription) => subscription.recover()),
      blocked: () => this.close(CLOSE_CODES.tooSlow, 'too slow'),
    });
    this.#membership = new Membership(authenticator, this, limits, log, connection);
    this.#frames = new FrameBudget(limits.frames);
    this.#authFrames = new FrameBudget(limits.authFrames);
    this.#heartbeat = setInterval(() => this.#beat(), limits.heartbeatMs);
    const serverTime = parts.clock.now();
    this.#answer({ t: 'hello', protocol: LIVE_PROTOCOL, serverTime, heartbeatMs: limits.heartbeatMs });
  }

  /** Number of followed properties. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  received(frame: unknown): void {
    if (this.#closed || !this.#mayHave(frame)) return;
    if (this.#queue.length >= this.#parts.limits.queuedFrames) {
      this.close(CLOSE_CODES.tooSlow, 'too many frames at once');
      return;
    }
    this.#queue.push(frame);
    if (!this.#working) void this.#work();
  }

  unreadable(): void {
    this.received(UNREADABLE);
  }

  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#queue.length = 0;
    this.#membership.close();
    this.#sendBuffer.close();
    this.#parts.quotas.closed(this.#connection.address, this.#owner);
    for (const propertyId of this.#subscriptions.keys()) this.#leave(propertyId);
  }

  close(code: CloseCode, reason: string): void {
    if (this.#closed) return;
    this.#parts.log.debug({ connection: this.#connection.id, code, reason }, 'live connection closed by us');
    this.closed();
    this.#connection.close(code, reason);
  }

  admitted(caller: Caller, expiresAt: Instant): void {
    if (!this.#isCounted(caller)) return;
    this.#answer({ t: 'ready', tenantId: caller.tenantId, role: caller.role, expiresAt });
    const roleClass = roleClassOf(caller.role);
    if (roleClass === this.#roleClass) return;
    this.#roleClass = roleClass;
    const followed = [...this.#subscriptions];
    for (const [propertyId, { address, scope, stream, asOf, past }] of followed) {
      this.#leave(propertyId);
      const next = this.#subscription(address, { ...scope, roleClass }, stream);
      if (asOf === undefined) this.#join(next);
      else this.#showPast(next, asOf, past);
    }
  }

  /** Counts the socket for its owner, known from the first token; beyond the quota the socket is closed. */
  #isCounted({ tenantId, subject }: Caller): boolean {
    if (this.#owner) return true;
    const owner = { tenantId, subject };
    try {
      this.#parts.quotas.admit(owner);
    } catch (thrown) {
      this.refused(domainErrorOf(thrown), { frame: 'auth' });
      this.close(CLOSE_CODES.tooMuch, 'too many sockets');
      return false;
    }
    this.#owner = owner;
    this.#parts.onAdmitted?.();
    return true;
  }

  /**
   * Whether a frame is within the socket's rate. The first frame over it is answered; further ones only count, since
   * an answer costs as much as a frame, and a client that continues is closed.
   */
  #mayHave(frame: unknown): boolean {
    const isAuth = typeof frame === 'object' && frame !== null && Reflect.get(frame, 't') === 'auth';
    const seconds = this.#frames.take() || (isAuth ? this.#authFrames.take() : 0);
    if (seconds === 0) {
      this.#refusedFrames = 0;
      return true;
    }
    this.#parts.quotas.noteRefused('frame');
    this.#refusedFrames += 1;
    if (this.#refusedFrames > this.#parts.limits.refusedFrames) this.close(CLOSE_CODES.tooMuch, 'too many frames');
    else if (this.#refusedFrames === 1)
      this.refused(new DomainError('QUOTA_EXCEEDED', 'Too many frames in a second.', { retryAfterSeconds: seconds }));
    return false;
  }

  refused(error: DomainError, about: Record<string, unknown> = {}): void {
    const { details } = error;
    const { retryAfterSeconds } = details;
    const extra = { ...details.extra, ...about, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
    const named = new DomainError(error.code, error.message, { ...details, extra });
    this.#sendBuffer.answer(
      new Outgoing(
        JSON.stringify({ t: 'error', problem: problemOf(named, this.#connection.path, this.#connection.id) }),
      ),
    );
  }

  /** Handles frames strictly in order: `subscribe` may follow `auth` at once. */
  async #work(): Promise<void> {
    this.#working = true;
    while (this.#queue.length > 0) await this.#handle(this.#queue.shift());
    this.#working = false;
  }

  async #handle(input: unknown): Promise<void> {
    let about = {};
    try {
      if (input === UNREADABLE) throw new DomainError('BODY_UNREADABLE', 'A frame is one JSON object, sent as text.');
      const parsed = clientFrame.safeParse(input);
      if (!parsed.success) throw invalid(parsed.error.issues, input, true);
      const frame = parsed.data;
      about = 'propertyId' in frame ? { frame: frame.t, propertyId: frame.propertyId } : { frame: frame.t };
      await this.#obey(frame);
    } catch (thrown) {
      const error = domainErrorOf(thrown);
      if (error.kind === 'fault') {
        this.#parts.log.error({ err: thrown, connection: this.#connection.id }, 'live frame failed');
      }
      if (!this.#closed) this.refused(error, about);
    }
  }

  async #obey(frame: ClientFrame): Promise<void> {
    if (frame.t === 'auth') return this.#membership.authenticate(frame);
    if (frame.t === 'ping') return this.#answer({ t: 'pong' });
    const { tenantId } = this.#membership.caller;
    switch (frame.t) {
      case 'subscribe':
        return this.#subscribe(tenantId, frame);
      case 'unsubscribe':
        this.#subscriptionOf(frame.propertyId);
        this.#leave(frame.propertyId);
        return;
      case 'resync':
        this.#subscriptionOf(frame.propertyId);
        await this.#askSnapshot();
        return this.#resync(this.#subscriptionOf(frame.propertyId), frame);
      case 'seek':
        return this.#seek(this.#subscriptionOf(frame.propertyId), frame.asOf);
      case 'live':
        return this.#returnToPresent();
    }
  }

  async #subscribe(tenantId: TenantId, { propertyId, topics, window, from }: SubscribeFrame): Promise<void> {
    const isNew = !this.#subscriptions.has(propertyId);
    if (isNew && this.#subscriptions.size >= LIVE_LIMITS.subscriptions) {
      throw new DomainError(
        'QUOTA_EXCEEDED',
        `A connection follows at most ${LIVE_LIMITS.subscriptions} properties.`,
      );
    }
    const address = { tenantId, propertyId };
    await this.#askSnapshot();
    const stream = await this.#parts.hub.open(address, from);
    if (this.#closed) {
      this.#parts.hub.release(address);
      return;
    }
    this.#leave(propertyId);
    const start = dayOf(window.start);
    const end = start + window.days - 1;
    const scope = { roleClass: this.#roleClass, start, end, topics: new Set(topics) };
    const subscription = this.#subscription(address, scope, stream);
    this.#join(subscription, from);
    this.#confirm(subscription, from);
  }

  async #seek(looking: Subscription, asOf: Instant): Promise<void> {
    const { address, past } = looking;
    await this.#turn();
    const was = await this.#parts.lookBack(address, asOf, past);
    // A role change in the meantime has replaced this subscription.
    const subscription = this.#subscriptions.get(address.propertyId);
    if (!this.#closed && subscription) this.#showPast(subscription, asOf, was);
  }

  #showPast(subscription: Subscription, asOf: Instant, past: LookedBack | undefined): void {
    this.#subscriptions.set(subscription.address.propertyId, subscription);
    subscription.lookBack(asOf, past);
    this.#parts.hub.release(subscription.address);
  }

  /** Rebuilds the past state of a subscription after it was dropped from the cache. */
  async #showAgain(subscription: Subscription, asOf: Instant): Promise<void> {
    const { address } = subscription;
    const isHere = (): boolean => !this.#closed && this.#subscriptions.get(address.propertyId) === subscription;
    try {
      await this.#turn();
      const was = await this.#parts.lookBack(address, asOf);
      if (isHere() && subscription.asOf === asOf) subscription.lookBack(asOf, was);
    } catch (thrown) {
      if (isHere()) this.refused(domainErrorOf(thrown), { frame: 'seek', propertyId: address.propertyId });
    }
  }

  /** @throws QuotaExceeded */
  async #askSnapshot(): Promise<void> {
    const { tenantId, subject } = this.#membership.caller;
    await this.#parts.quotas.snapshot({ tenantId, subject });
  }

  /** @throws QuotaExceeded */
  async #turn(): Promise<void> {
    const { tenantId, subject } = this.#membership.caller;
    await this.#parts.quotas.turn({ tenantId, subject });
  }

  /** Subscriptions that show the past follow the present again, as if new. */
  async #returnToPresent(): Promise<void> {
    const past = [...this.#subscriptions.values()].filter(({ asOf }) => asOf !== undefined);
    if (past.length === 0) this.#beat();
    for (const { address, scope } of past)
      await this.#follow(address, scope).catch((thrown: unknown) => this.#lost(address, thrown));
  }

  async #follow(address: Address, scope: Scope): Promise<void> {
    const stream = await this.#parts.hub.open(address, undefined);
    if (this.#closed) {
      this.#parts.hub.release(address);
      return;
    }
    this.#leave(address.propertyId);
    this.#join(this.#subscription(address, { ...scope, roleClass: this.#roleClass }, stream));
  }

  #lost({ propertyId }: Address, thrown: unknown): void {
    this.#leave(propertyId);
    if (!this.#closed) this.refused(domainErrorOf(thrown), { frame: 'live', propertyId });
  }

  #resync(subscription: Subscription, { generation, seq }: Position): void {
    subscription.resync({ generation, seq });
    this.#confirm(subscription, { generation, seq });
  }

  /** When nothing was missed nothing is sent: the heartbeat shows the client that it is up to date. */
  #confirm({ position }: Subscription, from: Position | undefined): void {
    if (from && position?.seq === from.seq && position.generation === from.generation) this.#beat();
  }

  #subscription(address: Address, scope: Scope, stream: PropertyStream): Subscription {
    return new Subscription(address, scope, stream, this.#sendBuffer, {
      shelf: this.#parts.shelf,
      ended: this.#endOf(address.propertyId),
      pastMissing: (missing, asOf) => void this.#showAgain(missing, asOf),
    });
  }

  #join(subscription: Subscription, from?: SubscribeFrame['from']): void {
    const { propertyId } = subscription.address;
    this.#subscriptions.set(propertyId, subscription);
    try {
      subscription.start(from);
    } catch (thrown) {
      this.#leave(propertyId);
      throw thrown;
    }
  }

  #leave(propertyId: PropertyId): void {
    const subscription = this.#subscriptions.get(propertyId);
    if (!subscription) return;
    this.#subscriptions.delete(propertyId);
    subscription.leave();
    this.#parts.hub.release(subscription.address);
  }

  #endOf(propertyId: PropertyId): (error: DomainError) => void {
    return (error) => {
      this.#subscriptions.delete(propertyId);
      if (!this.#closed) this.refused(error, { propertyId });
    };
  }

  #subscriptionOf(propertyId: PropertyId): Subscription {
    const subscription = this.#subscriptions.get(propertyId);
    if (!subscription) throw new DomainError('INVALID_STATE', `This connection does not follow ${propertyId}.`);
    return subscription;
  }

  #beat(): void {
    const followed = [...this.#subscriptions].filter(([, { position }]) => position !== undefined);
    const positions = Object.fromEntries(followed.map(([propertyId, { position }]) => [propertyId, position!]));
    this.#answer({ t: 'heartbeat', serverTime: this.#parts.clock.now(), positions });
  }

  #answer(frame: Parameters<typeof Outgoing.of>[0]): void {
    this.#sendBuffer.answer(Outgoing.of(frame));
  }
}
