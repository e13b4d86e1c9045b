import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, isAnswered, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { StayMail } from '../rules/stay-mail.ts';
import { messageIdOf } from './stay-messages.ts';

/** Namespace of ids that are derived from idempotency keys. */
const KEYS = '0f4b6b0e-5a3c-5d59-8c0e-1b7f6f3a9d24';

/** A mail that was ordered, with the message that it becomes; none in a dry run. */
export type OrderedMail = { mail: StayMail; messageId?: string; seq?: number; replayed: boolean };

/**
 * Orders a mail about a stay (docs/reference/invoices.md#by-mail). It is stored first; the command after it lets the
 * outbox find it. A repeat under the same key derives the same id, so it completes an order that was interrupted in
 * between, and mails nothing twice.
 * @throws DomainError RESERVATION_NOT_FOUND, MAIL_NOT_SET_UP, INVALID_STATE when there are too many
 */
export async function orderMail(
  services: Services,
  caller: Caller,
  id: ReservationId,
  make: () => Promise<Pick<StayMail, 'kind' | 'address' | 'window' | 'amount' | 'expiresAt'>>,
  { key, dryRun }: { key?: ClientKey; dryRun: boolean },
): Promise<OrderedMail> {
  const { tenantId, subject: by } = caller;
  const to = await addressOf(services, caller, id);
  if (!services.sendsMail) throw new DomainError('MAIL_NOT_SET_UP', 'This service has no mail server (SMTP_URL).');
  const mailId = key ? uuidv5(`${tenantId}\n${by}\n${id}\n${key.key}`, KEYS) : uuidv7();
  const isRepeat = !dryRun && (await isAnswered(services, caller, key));
  const known = isRepeat ? await services.stayMails.get(tenantId, mailId) : undefined;
  const mail = known ?? {
    mailId,
    propertyId: to.propertyId,
    reservationId: id,
    ...(await make()),
    by,
    at: services.clock.now(),
  };
  if (dryRun) return { mail, replayed: false };
  if (!isRepeat) await services.stayMails.add(tenantId, mail);
  const command = { type: 'RECORD_MAIL' as const, mailId, ofStay: id, what: mail.kind };
  const { seq, replayed } = await send(services, caller, to, command, claim(key));
  // An interrupted order may have left another address under this key: that is the one it goes to.
  const stored = (await services.stayMails.get(tenantId, mailId)) ?? mail;
  return { mail: stored, messageId: messageIdOf({ kind: mail.kind, channel: 'MAIL', occasion: seq }), seq, replayed };
}
