import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, Payload, type TcpContext } from '@nestjs/microservices';
import { LRUCache } from 'lru-cache';
import { catchError, defer, finalize, fromEvent, merge, type Observable, of, Subject, takeUntil } from 'rxjs';

import type { Reply } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { NotOwner } from '../../src/platform/coordination/ports.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import { feedPackets, type FeedPacket, MAX_WAITING_BYTES } from './following.ts';
import {
  type CallAnswer,
  answerProofFor,
  type CallName,
  type Calls,
  fromWire,
  type Head,
  isProof,
  MAX_CHARACTERS,
  MAX_NONCE_CHARACTERS,
  NODE_PROTOCOL,
  patternOf,
  proofFor,
  type Question,
  errorToWire,
  type ForwardedAnswer,
} from './node-call.ts';
import type { NodeRpc, OwnedProperties } from './node-rpc.ts';

/** Injection token of the {@link NodeRpc}. */
export const NODE_RPC = Symbol('node RPC');

/** Interval of log lines about unauthenticated callers. */
const WARN_EVERY_MS = 60_000;

/** Room for a body beside the head and the headers of an answer. */
const MAX_BODY_CHARACTERS = MAX_CHARACTERS - 64 * 1024;

/** Remembered callers; the least recently used ones are dropped. */
const MAX_CALLERS = 1_000;

/**
 * Calls of other nodes (docs/concepts/cluster.md#link-between-nodes). Each is processed only when the caller knows
 * CLUSTER_SECRET.
 */
@Controller()
export class NodeGateway {
  @Inject(NODE_RPC) protected readonly nodeRpc!: NodeRpc;
  /** Feeds that other nodes follow here, by their ids. */
  readonly #followed = new Map<string, Subject<void>>();
  /** Verified proofs of callers: a proof stays the same as long as this node lives. */
  readonly #proofs = new LRUCache<string, string>({ max: MAX_CALLERS });
  #warnedAt = Number.NEGATIVE_INFINITY;

  /**
   * The only call without the caller's proof: a caller must not reveal a proof to an address that is just a hint of
   * Redis.
   */
  @MessagePattern(patternOf('greet'))
  greet(@Payload() question: Question<'greet'> | undefined): CallAnswer<Calls['greet'][1]> {
    const nonce: unknown = question?.body?.nonce;
    if (typeof nonce !== 'string' || nonce.length > MAX_NONCE_CHARACTERS) return this.#turnAway('it greets nobody');
    const { secret, placement } = this.nodeRpc;
    return { ok: { proof: answerProofFor(secret, placement.self, nonce) } };
  }

  @MessagePattern(patternOf('ping'))
  ping(@Payload() question: Question<'ping'>): Promise<CallAnswer<Calls['ping'][1]>> {
    return this.#answer(question, async () => ({ view: this.nodeRpc.placement.view.version }));
  }

  @MessagePattern(patternOf('execute'))
  execute(@Payload() question: Question<'execute'>): Promise<CallAnswer<Reply<unknown>>> {
    return this.#answer(question, ({ to, envelope }, head) =>
      this.#properties.executeHere(to, fromWire(envelope), head.view),
    );
  }

  @MessagePattern(patternOf('request'))
  request(@Payload() question: Question<'request'>): Promise<CallAnswer<ForwardedAnswer>> {
    return this.#answer(question, async (request, head) => {
      if (!request.relay) await this.#properties.mustOwn(request.to, head.view);
      if (!this.nodeRpc.request) throw starting();
      return sendable(await this.nodeRpc.request(request));
    });
  }

  @MessagePattern(patternOf('release'))
  release(@Payload() question: Question<'release'>): Promise<CallAnswer<boolean>> {
    return this.#answer(question, async ({ to }, head) => {
      await this.nodeRpc.placement.refresh(head.view);
      return this.#properties.release(to);
    });
  }

  @MessagePattern(patternOf('wake'))
  wake(@Payload() question: Question<'wake'>): Promise<CallAnswer<null>> {
    return this.#answer(question, async ({ to }, head) => {
      await this.nodeRpc.placement.refresh(head.view);
      await this.#properties.activate(to);
      return null;
    });
  }

  @MessagePattern(patternOf('forgetRates'))
  forgetRates(@Payload() question: Question<'forgetRates'>): Promise<CallAnswer<number>> {
    return this.#answer(question, ({ tenantId }) => this.#properties.forgetRates(tenantId));
  }

  @MessagePattern(patternOf('clockMoved'))
  clockMoved(@Payload() question: Question<'clockMoved'>): Promise<CallAnswer<null>> {
    return this.#answer(question, async () => {
      await this.nodeRpc.clockMoved?.();
      return null;
    });
  }

  @MessagePattern(patternOf('tenantChanged'))
  tenantChanged(@Payload() question: Question<'tenantChanged'>): Promise<CallAnswer<null>> {
    return this.#answer(question, async ({ what, tenantId }) => {
      this.nodeRpc.tenantChanged?.(what, tenantId);
      return null;
    });
  }

  @MessagePattern(patternOf('report'))
  report(@Payload() question: Question<'report'>): Promise<CallAnswer<unknown>> {
    return this.#answer(question, async () => {
      if (!this.nodeRpc.report) throw starting();
      return this.nodeRpc.report();
    });
  }

  @MessagePattern(patternOf('look'))
  look(@Payload() question: Question<'look'>): Promise<CallAnswer<unknown>> {
    return this.#answer(question, async (what) => {
      if (!this.nodeRpc.look) throw starting();
      return this.nodeRpc.look(what);
    });
  }

  @MessagePattern(patternOf('unfollow'))
  unfollow(@Payload() question: Question<'unfollow'>): Promise<CallAnswer<null>> {
    return this.#answer(question, async ({ id }) => {
      this.#followed.get(id)?.next();
      return null;
    });
  }

  @MessagePattern(patternOf('follow'))
  follow(@Payload() question: Question<'follow'>, @Ctx() context: TcpContext): Observable<CallAnswer<FeedPacket>> {
    const unwelcome = this.#unwelcome(question);
    if (unwelcome) return of(unwelcome);
    const { head, body } = question;
    const socket = context.getSocketRef();
    const unfollowed = new Subject<void>();
    this.#followed.set(body.id, unfollowed);
    socket.netSocket.setMaxListeners(0);
    const gone = merge(unfollowed, fromEvent(socket.netSocket, 'close'));
    const isSlow = (): boolean => socket.netSocket.writableLength > MAX_WAITING_BYTES;
    return defer(() =>
      feedPackets(
        (listener) => this.#properties.followHere(body.to, body.from, listener, head.view),
        body.from,
        isSlow,
      ),
    ).pipe(
      takeUntil(gone),
      finalize(() => this.#followed.delete(body.id)),
      catchError((error: unknown) => of(this.#failed(error, head))),
    );
  }

  get #properties(): OwnedProperties {
    if (!this.nodeRpc.properties) throw starting();
    return this.nodeRpc.properties;
  }

  async #answer<N extends CallName>(
    question: Question<N>,
    work: (body: Calls[N][0], head: Question<N>['head']) => Promise<Calls[N][1]>,
  ): Promise<CallAnswer<Calls[N][1]>> {
    const unwelcome = this.#unwelcome(question);
    if (unwelcome) return unwelcome;
    const { head, body } = question;
    try {
      if (head.deadline !== undefined && head.deadline < this.nodeRpc.clock.now())
        throw new DomainError('NOT_EXECUTED', 'The call came too late; nothing happened.', { retryAfterSeconds: 1 });
      return { ok: await work(body, head) };
    } catch (error) {
      return this.#failed(error, head);
    }
  }

  #failed(error: unknown, { from: caller, tenantId, subject, traceparent }: Head): CallAnswer<never> {
    if (error instanceof NotOwner)
      return { notOwner: error.viewVersion, ...(error.holder && { holder: error.holder }) };
    if (!(error instanceof DomainError)) {
      const about = { node: caller, tenantId, subject, traceparent, error: String(error) };
      this.nodeRpc.log.error(about, 'a call of a node has failed');
    }
    return errorToWire(domainErrorOf(error));
  }

  #unwelcome(question: Question<CallName> | undefined): { unwelcome: string } | undefined {
    const { secret, placement } = this.nodeRpc;
    const { from: caller, proof, protocol } = question?.head ?? {};
    if (typeof caller !== 'string') return this.#turnAway('it does not say who it is');
    const expected = this.#proofs.get(caller) ?? proofFor(secret, caller, placement.self.incarnation);
    if (!isProof(proof, expected))
      return this.#turnAway('it does not know CLUSTER_SECRET, or means another life of this node');
    this.#proofs.set(caller, expected);
    if (protocol === NODE_PROTOCOL) return undefined;
    return this.#turnAway(`it speaks protocol ${String(protocol)} of nodes, and we ${NODE_PROTOCOL}`);
  }

  #turnAway(why: string): { unwelcome: string } {
    if (performance.now() - this.#warnedAt > WARN_EVERY_MS) {
      this.#warnedAt = performance.now();
      this.nodeRpc.log.warn({ why }, 'a call of a node was turned away');
    }
    return { unwelcome: why };
  }
}

/** An answer longer than a message would break the link for all tenants. */
function sendable(answer: ForwardedAnswer): ForwardedAnswer {
  const { body } = answer;
  // JSON escaping makes a text at most six times as long.
  if (body.length * 6 < MAX_BODY_CHARACTERS || JSON.stringify(body).length < MAX_BODY_CHARACTERS) return answer;
  throw new DomainError(
    'INTERNAL',
    'The answer is too long to be forwarded by another node. Request less at a time.',
  );
}

function starting(): DomainError {
  return new DomainError('NOT_EXECUTED', 'The node is starting.', { retryAfterSeconds: 1 });
}
