import { randomUUID } from 'crypto';

import type { Address, Caller } from '../rules/caller.ts';
import type { Command, CommandResults, Envelope, KeyClaim, Reply } from '../rules/commands.ts';
import { DomainError } from '../rules/domain-error.ts';
import type { Services } from './services.ts';

/** A client's `Idempotency-Key` with the fingerprint of its request. */
export type ClientKey = { key: string; fingerprint: string };

/** How long a command may wait in the mailbox (docs/concepts/actor.md#commands). */
const DEADLINE_MS = 1_000;

/** Retries after a race: a guest that was just created, or a number just taken. */
const TRIES = 4;

/** Sends a caller's command to the owner of the property. */
export function send<C extends Command>(
  { properties, clock }: Pick<Services, 'properties' | 'clock'>,
  caller: Caller,
  to: Address,
  command: C,
  key?: KeyClaim,
): Promise<Reply<CommandResults[C['type']]>> {
  const { subject, requestId, trace } = caller;
  const envelope: Envelope & { command: C } = {
    command,
    subject,
    requestId,
    ...(trace !== undefined && { trace }),
    key,
    deadline: clock.now() + DEADLINE_MS,
  };
  return properties.execute(to, envelope);
}

/** The same without a deadline, for commands that complete something. */
export function sendAlways<C extends Command>(
  { properties }: Pick<Services, 'properties'>,
  by: Pick<Caller, 'subject' | 'requestId' | 'trace'>,
  to: Address,
  command: C,
  key?: KeyClaim,
): Promise<Reply<CommandResults[C['type']]>> {
  const { subject, requestId, trace } = by;
  const traced = trace !== undefined && { trace };
  return properties.execute(to, { command, subject, requestId, ...traced, key, deadline: Infinity });
}

/** The claim of a client's key; `ref` is what a repeat resumes with. */
export function claim(key: ClientKey | undefined, ref = ''): KeyClaim | undefined {
  return key && { ...key, ref };
}

/** Whether a request under this key has been answered, or is under way. */
export async function isAnswered(
  { reservations }: Pick<Services, 'reservations'>,
  { tenantId, subject }: Pick<Caller, 'tenantId' | 'subject'>,
  key: ClientKey | undefined,
): Promise<boolean> {
  return key !== undefined && reservations.hasKey(tenantId, subject, key.key);
}

/** Retries when another request was first with a guest or a number. */
export async function withFreshNames<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const reason = error instanceof DomainError ? error.details.extra?.reason : undefined;
      if ((reason !== 'guest-moved' && reason !== 'number-taken') || tries === TRIES) throw error;
    }
  }
}

/** Request id of background work. */
export const ownRequestId = (): string => `own-${randomUUID()}`;
