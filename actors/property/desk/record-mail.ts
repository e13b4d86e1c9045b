import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Decision } from '../decision.ts';
import type { Draft } from '../draft.ts';

/** Records that somebody sent a mail about a stay, or revoked the link in it; the stay does not change. */
export function decideRecordMail(
  _draft: Draft,
  { mailId, ofStay: reservationId, what }: CommandOf<'RECORD_MAIL'>,
): Decision<'RECORD_MAIL'> {
  const after = { what, reservationId };
  return {
    result: { mailId },
    entity: reservationId,
    facts: { setup: [{ kind: 'mail', id: mailId, before: null, after }] },
  };
}
