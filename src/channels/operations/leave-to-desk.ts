import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { type Code, DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { ChannelBookingBody } from '../contracts/channels.ts';
import type { Channel } from '../rules/channel.ts';

/** What the state of the property forbids, and no other body would help. */
const CODES: ReadonlySet<Code> = new Set<Code>([
  'INVALID_STATE',
  'UNKNOWN_ROOM_TYPE',
  'UNKNOWN_RATE_CODE',
  'NO_RATE',
]);
/** The same of a member of the body. */
const FAULTS = new Set(['NOT_MAPPED', 'IN_THE_PAST', 'BEYOND_HORIZON', 'OTHER_CURRENCY', 'TOO_MANY_NIGHTS']);

type Left = {
  services: Services;
  caller: Caller;
  channel: Channel;
  externalId: string;
  body: ChannelBookingBody;
  reservationId: ReservationId | undefined;
};

/**
 * Leaves a message that cannot be taken to the desk: the guest has a confirmation of the channel
 * (docs/reference/channels.md#what-cannot-be-taken). A fault of the message itself is its sender's.
 * @returns the error that the channel is answered
 */
export async function leaveToDesk(left: Left, error: unknown): Promise<unknown> {
  if (!(error instanceof DomainError) || !isOfProperty(error)) return error;
  const { services, caller, channel, externalId, body, reservationId } = left;
  const { checkIn, checkOut, externalRoom, updatedAt } = body;
  const [fault] = error.details.errors ?? [];
  await services.channelNotices.put(caller.tenantId, {
    channelId: channel.channelId,
    externalId,
    kind: 'NOT_TAKEN',
    reason: fault?.code ?? error.code,
    ...definedMembers({ at: updatedAt, checkIn, checkOut, externalRoom, reservationId }),
  });
  const { details } = error;
  const extra = { ...details.extra, deskTask: 'CHANNEL_BOOKING' };
  return new DomainError(error.code, `${error.message} The desk of the property has a task for it.`, {
    ...details,
    extra,
  });
}

function isOfProperty({ code, details: { errors = [] } }: DomainError): boolean {
  return CODES.has(code) || (errors.length > 0 && errors.every((one) => FAULTS.has(one.code)));
}
