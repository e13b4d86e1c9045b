import type { Caller } from '../domain/caller.ts';
import type { Reply } from '../domain/commands.ts';
import { addressOfHold } from './find-hold.ts';
import { claim, type ClientKey, send } from './send.ts';
import type { Services } from './services.ts';

/** Ends a hold (contracts.md 7, `DELETE /reservations/holds/{id}`): what is left of it is free. @throws Refusal HOLD_NOT_FOUND */
export async function releaseHold(
  services: Services,
  caller: Caller,
  holdId: string,
  key?: ClientKey,
): Promise<Reply<null>> {
  const to = await addressOfHold(services, caller, holdId, key);
  return send(services, caller, to, { type: 'RELEASE_HOLD', holdId }, claim(key));
}
