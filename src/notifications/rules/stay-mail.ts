import type { MailId, PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Facts } from '../../kernel/rules/journal.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { FolioWindow } from '../../money/rules/folio-window.ts';

/** Kinds of mails that staff send, and no event of a booking. */
export const STAY_MAIL_KINDS = ['INVOICE', 'PAYMENT_LINK', 'STAY_LINK'] as const;
export type StayMailKind = (typeof STAY_MAIL_KINDS)[number];

/** A mail that staff send about a stay (docs/reference/invoices.md#by-mail). Its text is written when it is sent. */
export type StayMail = {
  mailId: MailId;
  propertyId: PropertyId;
  reservationId: ReservationId;
  kind: StayMailKind;
  /** E-mail address of the recipient. */
  address: string;
  /** Whose invoice, or who pays; absent for the rest of the stay, and for the guest. */
  window?: FolioWindow;
  /** What a link takes; absent for what is open when it is used. */
  amount?: Minor;
  /** End of a link. */
  expiresAt?: Instant;
  revokedAt?: Instant;
  by: string;
  at: Instant;
};

/** Mails of one stay. */
export const MAX_MAILS_OF_STAY = 100;

const KINDS: ReadonlySet<unknown> = new Set(STAY_MAIL_KINDS);

export const isStayMail = (kind: string): kind is StayMailKind => KINDS.has(kind);

/** Mails that a journal row orders. */
export function mailsIn({
  setup = [],
}: Pick<Facts, 'setup'>): { reservationId: ReservationId; kind: StayMailKind }[] {
  return setup.flatMap(({ kind, after }) => {
    const { what, reservationId } = (after ?? {}) as { what?: string; reservationId?: ReservationId };
    return kind === 'mail' && what !== undefined && isStayMail(what) && reservationId !== undefined
      ? [{ reservationId, kind: what }]
      : [];
  });
}
