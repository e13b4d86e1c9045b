import { hash } from 'node:crypto';

import { isErased } from '../../guests/rules/erasure.ts';
import { type ClientKey, isAnswered } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import { billIn, openIn } from '../../money/rules/due.ts';
import { clockOf, type Property } from '../../properties/rules/property.ts';
import { isLinkOpen, type StayPage } from '../../stay/rules/online-check-in.ts';
import { allows } from '../../stay/rules/reservation-states.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type StayBill, withOwed } from '../rules/stay-by-link.ts';
import type { StayMail } from '../rules/stay-mail.ts';

/** Purpose of the signature: no other link opens the page, and this one opens no other. */
const PURPOSE = 'stay';

/** Begins the time at which the link of a stay was signed, where a payment link has the id of its mail. */
const SIGNED_AT = '_';

/** What the page behind a link shows of a stay. */
export type LinkedStay = {
  to: Address;
  /** Names the link as a caller, and in the keys of what is done by it. */
  linkId: string;
  /** Whether the link manages the stay; one that was mailed to somebody else only pays. */
  isManaging: boolean;
  /** Where the tenant sells nothing at the moment: other dates and extras are sales. */
  isSelling?: false;
  reservation: Reservation;
  property: Property;
  /** Business date of the property. */
  today: Day;
  now: Instant;
  /** What the guest has done on the page before. */
  page: StayPage;
  /** What the guest's part of the bill comes to. */
  bill: StayBill;
  /** What the link takes now: 0 where nothing is due, or its amount is paid. */
  due: Minor;
  /** Names what the page has shown: a form does its work once for that, however often it is sent. */
  state: string;
};

type Linking = Pick<Services, 'signed' | 'clock' | 'reservations' | 'stayMails' | 'stayPages'>;
type Signing = Pick<Services, 'signed'>;

/** The text by which a payment link opens its page: the credential until it expires or is revoked. */
export function signedStay(
  { signed }: Signing,
  tenantId: TenantId,
  { reservationId, mailId }: Pick<StayMail, 'reservationId' | 'mailId'>,
): string {
  return signed.sign(PURPOSE, `${tenantId}~${reservationId}~${mailId}`);
}

/**
 * The text by which a guest opens the page of a stay, until some time after the departure or until links are revoked
 * (docs/guide/my-stay.md#the-link). @param at when it is signed
 */
export function signedOwnStay({ signed }: Signing, tenantId: TenantId, id: ReservationId, at: Instant): string {
  return signed.sign(PURPOSE, `${tenantId}~${id}~${SIGNED_AT}${at}`);
}

/** Address of the page that a signed text opens. */
export const stayAddress = ({ pagesUrl = '' }: Pick<Services, 'pagesUrl'>, link: string): string =>
  `${pagesUrl}/stay/${link}`;

/**
 * Address for a letter to the guest. The link counts as signed when the letter was ordered, so a revocation ends that
 * of a letter that still waits, too. @returns undefined where it would open nothing
 */
export async function stayAddressInLetter(
  services: Signing & Pick<Services, 'stayPages' | 'pagesUrl'>,
  tenantId: TenantId,
  id: ReservationId,
  orderedAt: Instant,
): Promise<string | undefined> {
  const { linksFrom = 0 } = (await services.stayPages.get(tenantId, id)) ?? {};
  return orderedAt < linksFrom ? undefined : stayAddress(services, signedOwnStay(services, tenantId, id, orderedAt));
}

/**
 * Opens a link. One that was altered, is over, was revoked, or is of a guest who was erased is answered like one that
 * never was.
 * @throws DomainError LINK_NOT_VALID
 */
export async function openStayLink(services: Linking, link: string): Promise<LinkedStay> {
  const [tenantId, reservationId, of] = services.signed.open(PURPOSE, link)?.split('~') ?? [];
  if (!tenantId || !reservationId || !of) throw linkNotValid();
  const now = services.clock.now();
  const isOwn = of.startsWith(SIGNED_AT);
  const mail = isOwn ? undefined : await services.stayMails.get(tenantId, of);
  if (!isOwn && !(mail?.reservationId === reservationId && isOpen(mail, now))) throw linkNotValid();
  const found = await services.reservations.get(tenantId, reservationId);
  if (!found || isErased(found.reservation)) throw linkNotValid();
  const { reservation, property } = found;
  const page = (await services.stayPages.get(tenantId, reservationId)) ?? {};
  if (isOwn && !isLinkOpen(Number(of.slice(SIGNED_AT.length)), found, page, now)) throw linkNotValid();
  const today = businessDate(now, clockOf(property));
  const { version, payments, status, propertyId, guest } = reservation;
  const bill = withOwed(billIn(reservation, 'GUEST', today), reservation);
  const open = allows(status, 'receivePayment') ? openIn(reservation, 'GUEST', today) : 0;
  return {
    to: { tenantId, propertyId },
    linkId: mail?.mailId ?? reservationId,
    isManaging: !mail || mail.address.toLowerCase() === guest.email.toLowerCase(),
    reservation,
    property,
    today,
    now,
    page,
    bill,
    due: Math.max(0, Math.min(open, mail ? leftOfMail(mail, reservation) : Infinity)),
    state: [version, payments.length, ...(page.checkIn ? [page.checkIn.signedAt] : [])].join('-'),
  };
}

/** How every link is answered that opens nothing, whatever the reason. */
export const linkNotValid = (): DomainError => new DomainError('LINK_NOT_VALID', 'This link cannot be used.');

const isOpen = ({ revokedAt, expiresAt = 0 }: StayMail, now: Instant): boolean =>
  revokedAt === undefined && now < expiresAt;

/** What is left of the amount of a payment link: all that was paid since counts. */
function leftOfMail({ amount, at }: StayMail, { payments }: Reservation): Minor {
  if (amount === undefined) return Infinity;
  return payments.reduce((left, payment) => {
    const counts = payment.type === 'CHARGE' && payment.createdAt >= at;
    return counts && (payment.status === 'COMPLETED' || payment.status === 'PROCESSING')
      ? left - payment.amount
      : left;
  }, amount);
}

/** Under which a form is sent to its command: a repeat is answered as the first one was. */
export type Once = { key: ClientKey; ifVersion?: number; isRepeat: boolean };

/**
 * Has a form do its work once, from two tabs too: its key names the link, the state that the page has shown, and the
 * form itself where it may be refused and sent again with something else.
 * @param content what else the form says
 * @throws DomainError STALE_VERSION where the page has shown another state
 */
export async function once(
  services: Services,
  caller: Caller,
  { linkId, state: current, reservation: { version } }: LinkedStay,
  { what = [], state, content }: { what?: readonly string[]; state: string; content: readonly unknown[] },
): Promise<Once> {
  const names = ['stay', ...what, linkId, state];
  const key = { key: names.join('-'), fingerprint: hash('sha256', content.join('\n')) };
  const isRepeat = await isAnswered(services, caller, key);
  if (isRepeat) return { key, isRepeat };
  if (state !== current) throw changed();
  return { key, ifVersion: version, isRepeat };
}

/** The page has shown something else than what is now. */
export const changed = (): DomainError =>
  new DomainError('STALE_VERSION', 'The stay has changed since the page was shown.');
