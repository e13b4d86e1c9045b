import { momentText } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import type { PaymentLink } from './shapes.ts';

const say = textsOf('front-desk-folio');

/** Messages of links by which guests pay. */
export const linkWords = {
  send: say('Send payment link'),
  title: say('Payment links'),
  sendTo: (address: string): string => say('Send to {address}', { address }),
  will: (address: string, amount: string): string =>
    say('Mails {address} a link to pay {amount}. It is valid for 3 days.', { address, amount }),
  typeAddress: say('Type the address that it goes to.'),
  typeAmount: say('Type what the guest is to pay.'),
  more: (open: string): string => say('Only {open} is open for this payer. Take that, or less.', { open }),
  sent: (address: string): string =>
    say('The payment link is on its way to {address}. Messages of the stay show when it has left.', { address }),
  revoke: say('Revoke'),
  revokeLong: (to: string): string => say('Revoke the link to {to}', { to }),
  revoked: (to: string): string => say('The link to {to} opens nothing any more.', { to }),
};

/** `Ada@example.com, €120.00, valid until 3 Mar 18:20`. */
export function linkText({ to, amount, expiresAt }: PaymentLink, currency: string): string {
  const asked = amount === null ? say('all that is due') : moneyText(amount, currency);
  return say('{to}, {asked}, valid until {until}', { to, asked, until: momentText(expiresAt) });
}
