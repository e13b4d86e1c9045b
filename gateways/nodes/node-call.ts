import { createHmac, timingSafeEqual } from 'node:crypto';

import type { FollowFrom } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import { DomainError, type ErrorDetails } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Admitted, Member } from '../../src/platform/coordination/ports.ts';
import type { FeedPacket } from './following.ts';
import type { NodeQuestion } from './node-looks.ts';

/** Version of the node RPC. It is increased when a node of the previous release could not understand it. */
export const NODE_PROTOCOL = 1;

/** Longest nonce, in characters. */
export const MAX_NONCE_CHARACTERS = 64;

/** Longest message, in characters: a snapshot of a large property has a few hundred thousand. */
export const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Head of every call. */
export type Head = {
  from: string;
  /** Proof that the caller knows CLUSTER_SECRET; valid for this incarnation of the receiver only. */
  proof: string;
  protocol: number;
  /** Version of the caller's view: a receiver with an older one refreshes its members before it refuses. */
  view: number;
  /** After this instant of the database's clock nobody waits for the answer. */
  deadline?: Instant;
  /** Trace context and caller; in the envelope or the request too, here for logs. */
  traceparent?: string;
  tenantId?: TenantId;
  subject?: string;
};

/** A client's request forwarded as a whole. */
export type ForwardedRequest = {
  service: 'rate' | 'reservation';
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
  to: Address;
  admitted: Admitted;
  /** The caller cannot reach the owner, so the receiver may forward the request once more. */
  relay?: boolean;
};

export type ForwardedAnswer = { status: number; headers: Record<string, string | string[]>; body: string };

/** What has changed in a tenant: users and permissions, or settings. */
export type TenantChange = 'changed' | 'configured';

/** Calls by name: request and answer. */
export type Calls = {
  /** The first call of a connection, without a proof: its answer shows that the receiver knows the secret. */
  greet: [question: { nonce: string }, answer: { proof: string }];
  ping: [question: Record<string, never>, answer: { view: number }];
  execute: [question: { to: Address; envelope: WireEnvelope }, answer: Reply<unknown>];
  request: [question: ForwardedRequest, answer: ForwardedAnswer];
  release: [question: { to: Address }, answer: boolean];
  wake: [question: { to: Address }, answer: null];
  tenantChanged: [question: { what: TenantChange; tenantId: TenantId }, answer: null];
  /** The development clock was moved: answered when everything that fell due has run. */
  clockMoved: [question: Record<string, never>, answer: null];
  forgetRates: [question: { tenantId: TenantId }, answer: number];
  /** Answered with many packets, the first of which is the state. */
  follow: [question: { to: Address; from?: FollowFrom; id: string }, answer: FeedPacket];
  unfollow: [question: { id: string }, answer: null];
  report: [question: Record<string, never>, answer: unknown];
  /** A question of an operator; a node of the release before does not know it, and is said to be missing. */
  look: [question: NodeQuestion, answer: unknown];
};

export type CallName = keyof Calls;

/** Pattern of a call. An object, because the transport parses a pattern as JSON first. */
export const patternOf = (call: CallName): { call: CallName } => ({ call });

export type Question<N extends CallName> = { head: Head; body: Calls[N][0] };

/** Every answer, so that nothing is transported as an exception. */
export type CallAnswer<T> =
  | { ok: T }
  | { refusal: { code: string; detail: string; details: ErrorDetails } }
  | { notOwner: number; holder?: Member }
  /** Wrong secret or protocol: the call was not processed. */
  | { unwelcome: string };

/** JSON has no Infinity: a command without a deadline omits it. */
type WireEnvelope = Omit<Envelope, 'deadline'> & { deadline?: number };

export const toWire = ({ deadline, ...rest }: Envelope): WireEnvelope =>
  Number.isFinite(deadline) ? { ...rest, deadline } : rest;

export const fromWire = ({ deadline = Infinity, ...rest }: WireEnvelope): Envelope => ({ ...rest, deadline });

export const errorToWire = ({ code, message, details }: DomainError): CallAnswer<never> => ({
  refusal: { code, detail: message, details },
});

export function errorFromWire({ code, detail, details }: { code: string; detail: string; details: ErrorDetails }) {
  return new DomainError(code as DomainError['code'], detail, details);
}

/** Proof to a receiver that the caller knows the secret. @param incarnation of the receiver */
export function proofFor(secret: string, from: string, incarnation: string): string {
  return createHmac('sha256', secret).update(`innkeeper node ${from} ${incarnation}`).digest('base64url');
}

/**
 * Proof to the caller that the receiver knows the secret and was called at its own address: a receiver that relays
 * another node's challenge gets no proof that the caller accepts.
 */
export function answerProofFor(
  secret: string,
  { nodeId, incarnation, host, port }: Pick<Member, 'nodeId' | 'incarnation' | 'host' | 'port'>,
  nonce: string,
): string {
  const text = `innkeeper node ${nodeId} ${incarnation} at ${host} ${port} answers ${nonce}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
