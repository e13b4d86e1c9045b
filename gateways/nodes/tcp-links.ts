import { ClientTCP } from '@nestjs/microservices';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { catchError, lastValueFrom, map, type Observable, take, throwError, timeout } from 'rxjs';

import type { Clock, Log } from '../../src/kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import {
  type LinkFigures,
  LinkLost,
  type Member,
  type NodeLinks,
  NotOwner,
  othersOf,
  type Placement,
} from '../../src/platform/coordination/ports.ts';
import { feedFrom } from './following.ts';
import { LinkSocket } from './link-socket.ts';
import {
  type CallAnswer,
  answerProofFor,
  type CallName,
  type Calls,
  type Head,
  isProof,
  NODE_PROTOCOL,
  patternOf,
  proofFor,
  type Question,
  errorFromWire,
  type TenantChange,
  toWire,
  type ForwardedAnswer,
  type ForwardedRequest,
} from './node-call.ts';
import type { NodeQuestion } from './node-looks.ts';

/** Time limits of calls to other nodes, in milliseconds. */
const PATIENCE = {
  connect: 1_000,
  /** For introducing a joining node; unreachable nodes are skipped. */
  introduce: 3_000,
  /** Interval of pings. A node that stays silent is checked in PostgreSQL, and pending calls to it fail. */
  pingEvery: 1_000,
  ping: 2_500,
  /** Time to read pending input before a node is judged: after a pause of the event loop, timers run before reads. */
  reading: 100,
  /** Longer than a command may wait in a mailbox. */
  command: 5_000,
  /** The longest that any request may take. */
  request: 30_000,
  release: 2_000,
  /** Longer than the time limit of reading a component that hangs. */
  report: 4_000,
  /** Time after which connections to a node outside the view are closed. */
  leaving: 20_000,
};

/** Interval of retries of a joining node. */
const INTRODUCE_AGAIN_MS = 50;

/** Pending calls to one node. */
const MAX_IN_FLIGHT = 4_096;

/** Certificates of one authority, shown by both sides. */
export type NodeCertificates = { cert: Buffer; key: Buffer; ca: Buffer };

type LinkOptions = {
  placement: Placement;
  /** CLUSTER_SECRET. */
  secret: string;
  clock: Clock;
  log: Log;
  tls?: NodeCertificates;
};

/** Calls of this node to all others, over one connection each, opened as soon as the other is in the view. */
export class TcpLinks implements NodeLinks, Disposable {
  readonly #options: LinkOptions;
  readonly #links = new Map<string, Link>();
  readonly #closing = new Map<string, NodeJS.Timeout>();
  readonly figures: LinkFigures = { calls: 0, failures: 0 };

  constructor(options: LinkOptions) {
    this.#options = options;
    options.placement.onChange(({ members }) => this.#follow(members));
    this.#follow(options.placement.view.members);
  }

  async execute(member: Member, to: Address, envelope: Envelope): Promise<Reply<unknown>> {
    const { subject, trace } = envelope;
    const about = { tenantId: to.tenantId, subject, ...(trace !== undefined && { traceparent: trace }) };
    return this.#call(member, 'execute', { to, envelope: toWire(envelope) }, { ms: PATIENCE.command, ...about });
  }

  /** Forwards a client's request as a whole. @throws NotOwner, LinkLost */
  request(member: Member, request: ForwardedRequest): Promise<ForwardedAnswer> {
    const { to, headers, admitted } = request;
    const { traceparent } = headers;
    const about = { tenantId: to.tenantId, subject: admitted.caller?.subject, traceparent };
    return this.#call(member, 'request', request, { ms: PATIENCE.request, ...about });
  }

  release(member: Member, to: Address): Promise<boolean> {
    return this.#call(member, 'release', { to }, { ms: PATIENCE.release, tenantId: to.tenantId });
  }

  async takeOver(member: Member, to: Address): Promise<void> {
    await this.#call(member, 'wake', { to }, { ms: PATIENCE.command, tenantId: to.tenantId });
  }

  forgetRates(member: Member, tenantId: TenantId): Promise<number> {
    return this.#call(member, 'forgetRates', { tenantId }, { ms: PATIENCE.release, tenantId });
  }

  async tenantChanged(member: Member, what: TenantChange, tenantId: TenantId): Promise<void> {
    await this.#call(member, 'tenantChanged', { what, tenantId }, { ms: PATIENCE.release, tenantId });
  }

  /** Notifies a node that the development clock was moved; it runs what fell due. @throws LinkLost */
  async clockMoved(member: Member): Promise<void> {
    await this.#call(member, 'clockMoved', {}, { ms: PATIENCE.request });
  }

  /** The report of a node. @throws LinkLost */
  report(member: Member): Promise<unknown> {
    return this.#call(member, 'report', {}, { ms: PATIENCE.report });
  }

  /** The answer of a node to an operator. @throws LinkLost */
  look(member: Member, what: NodeQuestion): Promise<unknown> {
    return this.#call(member, 'look', what, { ms: PATIENCE.report });
  }

  async follow(member: Member, to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed> {
    const link = await this.#connected(member);
    const id = randomUUID();
    const packets = link.stream('follow', { to, ...(from && { from }), id }, { tenantId: to.tenantId });
    const close = (): void => void link.call('unfollow', { id }, { ms: PATIENCE.release }).catch(() => undefined);
    return feedFrom(packets, listener, close);
  }

  /**
   * Checks whether all members accept this node; unreachable ones are skipped.
   * @throws Error in one clear line when one of them refuses this node
   */
  async introduce(): Promise<void> {
    const others = othersOf(this.#options.placement);
    const turnedAway = await Promise.all(others.map((member) => this.#turnsAway(member)));
    const why = turnedAway.find((error) => error !== undefined);
    if (why) throw new Error(`this node may not join the cluster: ${why.message}`);
  }

  /** Why a node does not accept this one. Retried for a while, since it may only be busy. */
  async #turnsAway(member: Member): Promise<TurnedAway | undefined> {
    const until = performance.now() + PATIENCE.introduce;
    for (;;) {
      try {
        await this.#connected(member);
        return undefined;
      } catch (error) {
        if (error instanceof TurnedAway) return error;
        if (performance.now() > until) return undefined;
      }
      await pause(INTRODUCE_AGAIN_MS);
    }
  }

  /** Whether the node is reachable, as far as known. */
  reaches(member: Member): boolean {
    return this.#links.get(keyOf(member))?.isUp ?? false;
  }

  [Symbol.dispose](): void {
    for (const timer of this.#closing.values()) clearTimeout(timer);
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
  }

  async #call<N extends CallName>(
    member: Member,
    name: N,
    body: Calls[N][0],
    options: CallOptions,
  ): Promise<Calls[N][1]> {
    this.figures.calls += 1;
    try {
      return await (await this.#connected(member)).call(name, body, options);
    } catch (error) {
      if (error instanceof LinkLost) this.figures.failures += 1;
      throw error;
    }
  }

  async #connected(member: Member): Promise<Link> {
    const link = this.#linkTo(member);
    await link.connect();
    return link;
  }

  #linkTo(member: Member): Link {
    const key = keyOf(member);
    let link = this.#links.get(key);
    if (!link) {
      this.#links.set(key, (link = new Link(member, this.#options)));
    }
    return link;
  }

  #follow(members: readonly Member[]): void {
    const { self } = this.#options.placement;
    const others = members.filter(({ nodeId }) => nodeId !== self.nodeId);
    const keys = new Set(others.map(keyOf));
    for (const key of this.#links.keys()) if (!keys.has(key)) this.#closeLater(key);
    // Connects at once, so that the first request does not discover an unreachable node.
    for (const member of others) this.#connected(member).catch(() => undefined);
  }

  /** A draining node may still be asked to release a property. */
  #closeLater(key: string): void {
    if (this.#closing.has(key)) return;
    const timer = setTimeout(() => {
      this.#closing.delete(key);
      const isBack = this.#options.placement.view.members.some((member) => keyOf(member) === key);
      if (isBack) return;
      this.#links.get(key)?.close();
      this.#links.delete(key);
    }, PATIENCE.leaving);
    timer.unref();
    this.#closing.set(key, timer);
  }
}

/** Calls without a deadline. */
const TIMELESS: ReadonlySet<CallName> = new Set(['greet', 'ping', 'clockMoved']);

/** The other node refuses this one. */
class TurnedAway extends LinkLost {}

/** Caller and trace context of a call. */
type About = Pick<Head, 'tenantId' | 'subject' | 'traceparent'>;
type CallOptions = About & { ms: number };

/** Resolves after the time, and after pending input was read. */
const late = (ms: number): Promise<void> =>
  pause(ms, undefined, { ref: false }).then(() => pause(PATIENCE.reading, undefined, { ref: false }));

const keyOf = ({ nodeId, incarnation, host, port }: Member): string => `${nodeId} ${incarnation} ${host}:${port}`;

/** The connection to one incarnation of a node. */
class Link {
  readonly #member: Member;
  readonly #options: LinkOptions;
  readonly #client: ClientTCP;
  readonly #proof: string;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #inFlight = 0;
  #closed = false;
  /** Whether the other side of this connection has proved that it knows the secret. */
  #greeted: { socket: unknown; done: Promise<void>; isDone: boolean } | undefined;
  isUp = false;

  constructor(member: Member, options: LinkOptions) {
    this.#member = member;
    this.#options = options;
    const { host, port } = member;
    const { secret, placement, tls } = options;
    this.#proof = proofFor(secret, placement.self.nodeId, member.incarnation);
    this.#client = new ClientTCP({
      host,
      port,
      socketClass: LinkSocket,
      ...(tls && { tlsOptions: tls }),
    });
    // Failures go to pending calls, and to the cluster's log.
    Object.assign(this.#client, { logger: { error: () => undefined } });
    this.#client.status.subscribe((status: string) => this.#is(status === 'connected'));
  }

  /** @throws LinkLost when nobody answers in time */
  async connect(): Promise<void> {
    if (!this.#greeted?.isDone) await this.#open();
  }

  async #open(): Promise<void> {
    const tooLate = late(PATIENCE.connect).then(() =>
      Promise.reject(new Error('the connection to the node was not established in time')),
    );
    try {
      await Promise.race([this.#client.connect().then(() => this.#greet()), tooLate]);
    } catch (error) {
      this.#hangUp();
      if (error instanceof TurnedAway) throw error;
      this.#suspect();
      throw this.#lost(error, false);
    }
  }

  /** Nothing is sent before the peer has proved that it knows the secret. */
  async #greet(): Promise<void> {
    const socket: unknown = this.#client.unwrap();
    let greeted = this.#greeted;
    if (!greeted || greeted.socket !== socket)
      this.#greeted = greeted = { socket, done: this.#demandProof(), isDone: false };
    await greeted.done;
    greeted.isDone = true;
  }

  async #demandProof(): Promise<void> {
    const nonce = randomUUID();
    const { proof } = await this.#ask('greet', { nonce }, { ms: 2 * PATIENCE.connect });
    if (!isProof(proof, answerProofFor(this.#options.secret, this.#member, nonce)))
      throw new TurnedAway(this.#member, 'it does not know CLUSTER_SECRET', false);
    // The peer may now verify this node.
    await this.#ask('ping', {}, { ms: 2 * PATIENCE.connect });
  }

  /** A broken connection would be reopened to any peer at the address, so nothing is sent to it. */
  async call<N extends CallName>(name: N, body: Calls[N][0], options: CallOptions): Promise<Calls[N][1]> {
    if (!this.#greeted?.isDone) throw this.#lost('the connection is gone', false);
    return this.#ask(name, body, options);
  }

  async #ask<N extends CallName>(name: N, body: Calls[N][0], { ms, ...about }: CallOptions): Promise<Calls[N][1]> {
    if (this.#inFlight >= MAX_IN_FLIGHT)
      throw new DomainError('NOT_EXECUTED', 'The node of the property is busy.', { retryAfterSeconds: 1 });
    this.#inFlight += 1;
    try {
      // A node with a wrong or just moved clock counts as alive, and learns the time.
      const deadline = TIMELESS.has(name) ? undefined : this.#options.clock.now() + ms;
      const question: Question<N> = { head: { ...this.#head(name, about), deadline }, body };
      const answer = this.#client.send<CallAnswer<Calls[N][1]>>(patternOf(name), question).pipe(take(1), timeout(ms));
      return this.#read(await lastValueFrom(answer).catch((error: unknown) => this.#cut(error)));
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** A call with many answers. Fails with the owner's first error, and with LinkLost when the link breaks. */
  stream<N extends CallName>(name: N, body: Calls[N][0], about: About): Observable<Calls[N][1]> {
    if (!this.#greeted?.isDone) return throwError(() => this.#lost('the connection is gone', false));
    const question: Question<N> = { head: this.#head(name, about), body };
    return this.#client.send<CallAnswer<Calls[N][1]>>(patternOf(name), question).pipe(
      catchError((error: unknown) => this.#cut(error)),
      map((answer) => this.#read<Calls[N][1]>(answer)),
    );
  }

  close(): void {
    this.#closed = true;
    this.#is(false);
    this.#hangUp();
  }

  #head(name: CallName, about: About): Head {
    const { placement } = this.#options;
    const proof = name === 'greet' ? '' : this.#proof;
    const { nodeId: from } = placement.self;
    return { from, proof, protocol: NODE_PROTOCOL, view: placement.view.version, ...about };
  }

  #read<T>(answer: CallAnswer<T>): T {
    if ('ok' in answer) return answer.ok;
    if ('refusal' in answer) throw errorFromWire(answer.refusal);
    if ('notOwner' in answer) throw new NotOwner(answer.notOwner, answer.holder);
    throw new TurnedAway(this.#member, answer.unwelcome, false);
  }

  #cut(error: unknown): never {
    throw this.#lost(error, true);
  }

  #lost(error: unknown, mayHaveRun: boolean): LinkLost {
    return new LinkLost(this.#member, error instanceof Error ? error.message : String(error), mayHaveRun);
  }

  #is(up: boolean): void {
    const was = this.isUp;
    this.isUp = up;
    if (!up) this.#greeted = undefined;
    clearInterval(this.#pinging);
    if (up && !this.#closed) this.#pinging = setInterval(() => void this.#ping(), PATIENCE.pingEvery);
    if (was && !up) this.#suspect();
  }

  /**
   * A broken connection may stay silent for ever: a peer that does not answer is cut off, so that pending calls end.
   */
  async #ping(): Promise<void> {
    const answered = this.call('ping', {}, { ms: 2 * PATIENCE.ping }).then(
      () => true,
      (error: unknown) => !(error instanceof LinkLost),
    );
    const isThere = await Promise.race([answered, late(PATIENCE.ping).then(() => false)]);
    if (!isThere && !this.#closed && this.isUp) this.#hangUp();
  }

  #hangUp(): void {
    this.#greeted = undefined;
    this.#client.close();
  }

  #suspect(): void {
    if (!this.#closed) this.#options.placement.suspect(this.#member);
  }
}
