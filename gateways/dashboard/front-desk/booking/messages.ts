import type { WireAmount } from '../../../../src/kernel/contracts/wire-money.ts';
import { ApiError } from '../../api.ts';
import { dayRange, mediumDay } from '../../grid/days.ts';
import { locale, textsOf } from '../../language/texts.ts';
import { moneyText, nightsWord } from '../../messages.ts';
import type { BillableCompany } from '../../properties/companies.ts';
import { errorText } from '../problem-messages.ts';
import { chargedNow, dueAtBooking, sumOfAmounts } from './offers.ts';
import type { BookingForm, BookingKind, NotSold, StayOffer, Pays, Plan } from './shapes.ts';

const say = textsOf('front-desk-booking');

export const bookingTitles: Record<BookingKind, string> = {
  reservation: say('New reservation'),
  'walk-in': say('Walk-in'),
};

export const bookingMessages = {
  close: say('Close'),
  startOver: say('Start over'),
  draft: say('This is as you left it.'),
  dates: say('Dates'),
  arrival: say('Arrival'),
  departure: say('Departure'),
  departsBefore: say('The departure is before the arrival. Choose a later departure.'),
  nights: say('Nights'),
  rooms: say('Rooms'),
  differ: say('The rooms differ'),
  room: (n: number): string => say('Room {n}', { n }),
  adults: say('Adults'),
  children: say('Children'),
  age: (n: number): string => say('Age of child {n}', { n }),
  noAge: say('Age?'),
  sayAges: say('Say how old each child is: the price depends on it.'),
  roomType: say('Room type'),
  ratePlan: say('Rate plan'),
  loading: say('Looking up prices…'),
  noOffers: say('Nothing is sold for these nights.'),
  left: (rooms: number): string => say('{rooms, plural, one {last room} other {# left}}', { rooms }),
  from: (amount: string): string => say('from {amount}', { amount }),
  withTaxes: say('with taxes'),
  perRoom: say('a room'),
  promo: say('Promo code'),
  promoNone: say('No plan takes this code for these nights.'),
  guest: say('Guest'),
  findGuest: say('Find a guest'),
  findHint: say('Half a name or address is enough'),
  nobody: say('Nobody is found: type the new guest below.'),
  known: (stays: number): string =>
    stays === 0
      ? say('Known, no past stay')
      : say('{stays, plural, one {Known, # past stay} other {Known, # past stays}}', { stays }),
  found: (guests: number): string => say('{guests, plural, one {# guest found} other {# guests found}}', { guests }),
  other: say('Another guest'),
  firstName: say('First name'),
  lastName: say('Last name'),
  email: say('E-mail'),
  phone: say('Phone'),
  optional: (name: string): string => say('{name} (optional)', { name }),
  requests: say('Requests'),
  giveRoom: say('Room number'),
  anyRoom: say('Any room of the type'),
  noReady: say('No room of this type is ready.'),
  payment: say('Payment'),
  channel: say('Came by'),
  identified: say('ID checked'),
  what: say('What will happen'),
  book: say('Book'),
  bookIn: say('Book and check in'),
  busy: say('Booking…'),
  wait: say('Put on the waitlist'),
  waits: (name: string, position: number): string =>
    say('{name} waits for a room, number {position} on the list.', { name, position }),
  alternatives: say('These stays can be had'),
};

export const payMessages: Record<Pays, string> = {
  CARD: say('Card'),
  CASH: say('Cash, now'),
  TERMINAL: say('Card terminal'),
  LATER: say('Later'),
};
export const AT_HOTEL = say('At the hotel');

export const channelMessages: Record<BookingForm['channel'], string> = {
  PHONE: say('Phone'),
  DIRECT: say('At the desk or by mail'),
  WEBSITE: say('Website'),
  CORPORATE: say('Company'),
};

/** Why a room type is not sold, in a sentence. */
export function notSoldText({ reason }: NotSold): string {
  if (reason.startsWith('SOLD_OUT ')) return say('Sold out on {reason}', { reason: mediumDay(reason.slice(9)) });
  return reason === 'NOT_BOOKABLE' ? say('Cannot be booked') : reason;
}

type Penalty = Plan['terms']['noShow'];

function penaltyText({ kind, value }: Penalty): string {
  if (kind === 'NONE') return say('nothing');
  if (kind === 'PERCENT') return value === 100 ? say('the whole stay') : say('{value} % of the stay', { value });
  return say('{value, plural, one {the first night} other {the first {value2}}}', {
    value,
    value2: nightsWord(value),
  });
}

/** Guarantee and terms of an offer in plain sentences. @param now milliseconds  @param zone of the property */
export function termsText({ plan, guarantee, freeUntil }: StayOffer, now: number, zone: string | undefined): string {
  return [guaranteeText(plan, guarantee), cancelText(plan, freeUntil, now, zone), changeText(plan)]
    .filter((text) => text !== '')
    .join(' ');
}

function guaranteeText(plan: Plan, guarantee: StayOffer['guarantee']): string {
  switch (guarantee) {
    case 'PREPAY': {
      const now = dueAtBooking(plan);
      if (now >= 100) return say('Paid with the booking.');
      const later = plan.depositSchedule?.flatMap(({ percent, due }) =>
        'daysBefore' in due
          ? [say('{percent} % {daysBefore} days before arrival', { percent, daysBefore: due.daysBefore })]
          : [],
      );
      const parts = [...(now > 0 ? [say('{now} % with the booking', { now })] : []), ...(later ?? [])];
      return say('Paid ahead: {parts}.', { parts: parts.join(', ') });
    }
    case 'CARD':
      return say('Guaranteed by a card, paid at the hotel.');
    case 'NONE':
      return plan.releaseHour === null
        ? say('Paid at the hotel.')
        : say('Paid at the hotel; the room is kept until {releaseHour} on the day of arrival.', {
            releaseHour: plan.releaseHour,
          });
    case 'COMPANY':
      return say('Invoiced to a company.');
  }
}

function cancelText({ terms }: Plan, freeUntil: string | null, now: number, zone: string | undefined): string {
  const { penalty } = terms.cancellation;
  if (freeUntil === null) return say('Never free to cancel: {penalty} is kept.', { penalty: penaltyText(penalty) });
  if (Date.parse(freeUntil) <= now)
    return say('No longer free to cancel: {penalty} is kept.', { penalty: penaltyText(penalty) });
  const until = new Date(freeUntil).toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(zone !== undefined && { timeZone: zone }),
  });
  return say('Free to cancel until {until}, then {penalty} is kept.', { until, penalty: penaltyText(penalty) });
}

function changeText({ terms: { change } }: Plan): string {
  return change === 'NOT_ALLOWED'
    ? say('Dates cannot be changed.')
    : change === 'FEE'
      ? say('A change costs a fee.')
      : '';
}

/** What the action would do. */
type Planned = {
  form: BookingForm;
  pays: Pays;
  today: string;
  /** One for each room. */
  chosen: readonly StayOffer[];
  names: ReadonlyMap<string, string>;
  companies: readonly BillableCompany[];
};

/** What a press of the button does, in one sentence with amounts. */
export function planText(planned: Planned): string {
  const { form, chosen, names } = planned;
  const types = new Map<string, number>();
  for (const { roomType } of chosen) types.set(roomType, (types.get(roomType) ?? 0) + 1);
  const rooms = [...types]
    .map(([roomType, count]) => `${chosen.length > 1 ? `${count} × ` : ''}${names.get(roomType) ?? roomType}`)
    .join(', ');
  const name = `${form.firstName} ${form.lastName}`.trim();
  const stay = `${rooms}, ${dayRange(form.checkIn, form.checkOut)}${name === '' ? '' : say(', for {name}', { name })}`;
  const then = form.kind === 'walk-in' ? say(' Then the guest is checked in{form}.', { form: roomText(form) }) : '';
  return `${stay}: ${paymentText(planned)}.${then}`;
}

const roomText = ({ roomNumber }: BookingForm): string =>
  roomNumber === '' ? '' : say(' to room {roomNumber}', { roomNumber });

function paymentText({ form, pays, today, chosen, companies }: Planned): string {
  const currency = chosen[0]?.currency ?? '';
  const total = sumOfAmounts(chosen.map((one) => one.total));
  const amount = moneyText(total, currency);
  if (chosen.some(({ guarantee }) => guarantee === 'COMPANY')) {
    const company = companies.find(({ companyId }) => companyId === form.companyId);
    return say('{amount} is invoiced to {name}', { amount, name: company?.name ?? say('the company') });
  }
  if (pays === 'CASH') return say('{amount} is taken in cash now', { amount });
  if (pays === 'TERMINAL') return say('{amount} is recorded as taken by the card terminal', { amount });
  if (pays === 'LATER') {
    if (chosen.every(({ guarantee }) => guarantee === 'NONE'))
      return say('{amount} is paid at the hotel, nothing now', { amount });
    return say('{amount} is open; the room is held for a short time and returns to sale unless somebody pays', {
      amount,
    });
  }
  const now = sumOfAmounts(chosen.map((offer) => chargedNow(offer, form.checkIn, today)));
  if (now === 0) return say('the card is checked and nothing is charged now; {amount} is paid later', { amount });
  const rest = (Math.round(total * 100) - Math.round(now * 100)) / 100;
  if (rest <= 0) return say('{now} is charged to the card now', { now: moneyText(now, currency) });
  return say('{now} is charged to the card now, {rest} is paid later', {
    now: moneyText(now, currency),
    rest: moneyText(rest, currency),
  });
}

/** What was booked, in one sentence. */
export function bookedText(name: string, numbers: readonly string[]): string {
  return say('{name} is booked, confirmation {numbers}.', { name, numbers: numbers.join(', ') });
}

export const afterwards = {
  held: (until: string): string => say('Not paid: the room is held until {until}.', { until }),
  checkedIn: (room: string): string => say('Checked in, room {room}.', { room }),
  /** A booking is done, and something after it is not. */
  but: (what: string, why: string): string => `${what}: ${why}`,
  cash: say('The cash is not recorded'),
  terminal: say('The payment by the terminal is not recorded'),
  room: say('The room is not given'),
  checkIn: say('The guest is not checked in'),
};

export const priceMoved = (from: WireAmount, to: WireAmount, currency: string): string =>
  say('The price is now {to}; it was {from}. Nothing is booked yet: look once more, then book.', {
    to: moneyText(to, currency),
    from: moneyText(from, currency),
  });

/** Errors of a booking, with the next step. */
const BOOKING_ERRORS: Record<string, string> = {
  PAYMENT_DECLINED: say(
    'The card was declined, and nothing is booked. All you typed is still here: use another card, or another way to pay.',
  ),
  ROOM_NOT_AVAILABLE: say('Somebody else has just taken the last room for these nights. Nothing is booked.'),
  PRICE_CHANGED: say('The price has changed meanwhile. Nothing is booked yet: look once more, then book.'),
  QUOTE_EXPIRED: say(
    'The price was kept for 15 minutes, which are over. It is looked up again: look once more, then book.',
  ),
  OUTCOME_UNKNOWN: say('It is not known whether it was booked. Press the button again: nothing is booked twice.'),
  IDEMPOTENCY_IN_PROGRESS: say(
    'The booking is still going on. Press the button again in a moment: nothing is booked twice.',
  ),
};

export function rejectionText(error: unknown): string {
  if (error instanceof ApiError && error.code === '') return BOOKING_ERRORS['OUTCOME_UNKNOWN']!;
  return (error instanceof ApiError ? BOOKING_ERRORS[error.code] : undefined) ?? errorText(error);
}
