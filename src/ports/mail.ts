import type { MailText } from '../domain/message.ts';
import type { BehindBreaker } from './breaker.ts';
import type { About, Delivery } from './delivery.ts';

/** A mail to one guest, in the name of a property. */
export type Mail = MailText & {
  /** The same whenever the same mail is sent: mail servers know a second copy by it. */
  messageId: string;
  to: { name: string; address: string };
  /** Name of the property, and where answers go when it has an address. */
  from: { name: string; replyTo?: string };
  about: About;
};

/** Hands mails over for delivery; never throws for what a mail server answers. */
export interface MailSender extends BehindBreaker {
  /** @param signal the process is going: what is not on its way yet stays */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>;
}
