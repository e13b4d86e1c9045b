import { claim, type ClientKey, send } from '../../../kernel/operations/send.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../../kernel/rules/commands.ts';
import type { HoldId } from '../../../kernel/rules/ids.ts';
import type { Hold } from '../../rules/hold.ts';
import { addressOfHold } from './find-hold.ts';

/**
 * Extends a hold once (docs/reference/reservations.md#holds).
 * @throws DomainError HOLD_NOT_FOUND, HOLD_EXPIRED, INVALID_STATE for a second extension and when all its rooms are
 * booked
 */
export async function extendHold(
  services: Services,
  caller: Caller,
  holdId: HoldId,
  key?: ClientKey,
): Promise<Reply<Hold> & { to: Address }> {
  return change(services, caller, { type: 'EXTEND_HOLD', holdId }, key);
}

/**
 * Ends a hold (docs/reference/reservations.md#holds) and frees its remaining rooms.
 * @throws DomainError HOLD_NOT_FOUND, INVALID_STATE when no rooms remain
 */
export async function releaseHold(
  services: Services,
  caller: Caller,
  holdId: HoldId,
  key?: ClientKey,
): Promise<Reply<Hold> & { to: Address }> {
  return change(services, caller, { type: 'RELEASE_HOLD', holdId }, key);
}

async function change(
  services: Services,
  caller: Caller,
  command: CommandOf<'EXTEND_HOLD' | 'RELEASE_HOLD'>,
  key: ClientKey | undefined,
): Promise<Reply<Hold> & { to: Address }> {
  const to = await addressOfHold(services, caller, command.holdId, key);
  return { ...(await send(services, caller, to, command, claim(key))), to };
}
