import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type * as answers from '../../../../src/money/contracts/folio.ts';
import type { FolioPosting, FolioWindowView } from '../../../../src/money/rules/postings.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { mask } from '../../../http/masks.ts';

/** Free text may name a person: a VIEWER gets its first character. */
export function folio(
  { reservation, windows }: { reservation: Reservation; windows: readonly FolioWindowView[] },
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof answers.folioAnswer> {
  return {
    reservationId: reservation.id,
    currency: reservation.currency,
    windows: windows.map((window) => renderFolioWindow(window, caller)),
    routing: [...(reservation.routing ?? [])],
  };
}

export function renderFolioWindow(
  { postings, ...balance }: FolioWindowView,
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof answers.folioWindow> {
  const isMasked = !may(caller, 'contact.read');
  return { ...balance, postings: postings.map((one) => posting(isMasked ? masked(one) : one)) };
}

function masked({ description, notes, typed, ...line }: FolioPosting): FolioPosting {
  return {
    ...line,
    description: typed ? mask(description) : description,
    ...(notes !== undefined && { notes: mask(notes) }),
  };
}

/** After a guest's erasure, a repeat of the request has no description. */
export function posting({
  description = '',
  code: extraCode,
  by: postedBy,
  notes: reason,
  ...line
}: Omit<FolioPosting, 'description'> & { description?: string }): AnswerOf<typeof answers.postingAnswer> {
  return {
    ...line,
    description,
    ...(extraCode !== undefined && { extraCode }),
    ...(postedBy !== undefined && { postedBy }),
    ...(reason !== undefined && { reason }),
  };
}
