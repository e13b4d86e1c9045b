import type { MailId, ReservationId } from '../ids.ts';

/**
 * Commands of mails that staff send about a stay (docs/reference/invoices.md#by-mail). Addresses are personal data and
 * stand in a table of their own; the journal, and with it audit trail and outbox, has who sent which mail.
 */
export type MailCommands = {
  RECORD_MAIL: {
    command: {
      mailId: MailId;
      /** The stay that it is about, which does not change. */
      ofStay: ReservationId;
      what: 'INVOICE' | 'PAYMENT_LINK' | 'STAY_LINK' | 'LINK_REVOKED';
    };
    result: { mailId: MailId };
  };
};
