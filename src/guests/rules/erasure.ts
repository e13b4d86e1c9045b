import type { IdempotencyRecord } from '../../kernel/rules/commands.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import type { Companion } from './guest.ts';

/** Replaces the guest's name in texts. */
const REPLACEMENT = 'guest';

/** Whether the guest was erased: every other guest has a name. */
export function isErased({
  guest,
}: {
  guest: Pick<Reservation['guest'], 'email' | 'firstName' | 'lastName'>;
}): boolean {
  return guest.email === '' && guest.firstName === '' && guest.lastName === '';
}

/** What a reservation has of one of its guests: of who has booked, else of the sharer. */
export function partOfGuest(
  { guest, billing, sharer }: Pick<Reservation, 'guest' | 'billing' | 'sharer'>,
  guestId: GuestId,
): Pick<Reservation, 'guest' | 'billing'> {
  return sharer?.guestId === guestId && guest.guestId !== guestId ? { guest: sharer } : { guest, billing };
}

/**
 * A reservation without personal data of one of its guests (docs/concepts/guests-and-erasure.md#erasure); the other one
 * keeps all of it.
 */
export function withoutGuest(reservation: Reservation, guestId: GuestId, names: readonly string[] = []): Reservation {
  const isSharer = reservation.sharer?.guestId === guestId && reservation.guest.guestId !== guestId;
  return isSharer ? withoutSharer(reservation, names) : withoutPerson(reservation, names);
}

/**
 * A reservation without its guest's personal data (docs/concepts/guests-and-erasure.md#erasure): nights, amounts,
 * payments and states stay. Free texts are removed; who made which change stays, unless the text names the guest.
 * @param names of the guest in other reservations and in the profile
 */
export function withoutPerson(reservation: Reservation, names: readonly string[] = []): Reservation {
  const { channel, collectedBy } = reservation.source;
  const { guest, billing } = reservation;
  const unnamed = unnaming([...namesOf(reservation), ...names]);
  return {
    ...withoutTexts(reservation, { unnamed, free: () => undefined }),
    guest: { guestId: guest.guestId, firstName: '', lastName: '', email: '' },
    specialRequests: [],
    companions: undefined,
    roomWishes: undefined,
    unmetWishes: undefined,
    billing: billing && { method: billing.method },
    source: { channel, ...(collectedBy && { collectedBy }) },
  };
}

/** The same of the sharer: texts that name that guest are replaced, all others are those of who has booked. */
function withoutSharer(reservation: Reservation, names: readonly string[]): Reservation {
  const { guestId } = reservation.sharer!;
  const unnamed = unnaming([...namesOf({ guest: reservation.sharer! }), ...names]);
  const isOther = ({ firstName, lastName }: Companion): boolean => {
    const name = `${firstName} ${lastName}`;
    return unnamed(name) === name;
  };
  return {
    ...withoutTexts(reservation, { unnamed, free: unnamed }),
    sharer: { guestId, firstName: '', lastName: '', email: '' },
    specialRequests: reservation.specialRequests.map((text) => unnamed(text)),
    companions: reservation.companions?.filter(isOther),
  };
}

/** What becomes of texts that may name a guest, and of those that somebody typed. */
type Cleared = { unnamed: Unnaming; free: (text: string | undefined) => string | undefined };

function withoutTexts(reservation: Reservation, cleared: Cleared): Reservation {
  const { cancellation, endsTakenBack, checkIn, checkOut, charges, timeline, payments, documents } = reservation;
  const { comp } = reservation;
  const { unnamed, free } = cleared;
  return {
    ...reservation,
    timeline: timeline.map((entry) => ({ ...entry, notes: free(entry.notes), by: unnamed(entry.by) })),
    cancellation: cancellation && endWithoutPerson(cancellation, cleared),
    endsTakenBack: endsTakenBack?.map((end) => endWithoutPerson(end, cleared)),
    ...(comp && { comp: { ...comp, reason: free(comp.reason), by: unnamed(comp.by) } }),
    checkIn: checkIn && { ...checkIn, notes: free(checkIn.notes), staffMember: unnamed(checkIn.staffMember) },
    checkOut: checkOut && { ...checkOut, staffMember: unnamed(checkOut.staffMember) },
    payments: payments.map((payment) => paymentWithoutPerson(payment, cleared)),
    charges: chargesWithoutPerson(charges, cleared),
    // The recipient stays, as tax law requires.
    ...(documents && { documents: documents.map((document) => withoutName(document, unnamed)) }),
  };
}

type Unnaming = ReturnType<typeof unnaming>;

function endWithoutPerson<E extends Cancellation>(end: E, cleared: Cleared): E {
  const { charges, cancelledBy, walk, description } = end;
  const to = cleared.free(walk?.to);
  return {
    ...end,
    description: cleared.free(description),
    cancelledBy: cleared.unnamed(cancelledBy),
    ...(charges && { charges: chargesWithoutPerson(charges, cleared) }),
    ...(walk && { walk: { compensation: walk.compensation, ...(to !== undefined && { to }) } }),
  };
}

function chargesWithoutPerson(charges: Reservation['charges'], cleared: Cleared): Reservation['charges'] {
  return charges?.map((charge) => chargeWithoutPerson(charge, cleared));
}

type IssuedOf = NonNullable<Reservation['documents']>[number];

/** An issued document without names in its lines: typed texts are removed, amounts and recipient stay. */
function withoutName(document: IssuedOf, unnamed: (text: string) => string): IssuedOf {
  return { ...document, lines: document.lines.map((line) => ({ ...line, description: unnamed(line.description) })) };
}

type PaymentOf = Reservation['payments'][number];

function paymentWithoutPerson(payment: PaymentOf, { unnamed, free }: Cleared): PaymentOf {
  const { paidOut, chargeback } = payment;
  const cleared = <T extends { by: string; reference?: string }>({ reference, ...end }: T) => {
    return { ...end, by: unnamed(end.by), ...(reference && { reference: unnamed(reference) }) };
  };
  if (paidOut) return { ...payment, paidOut: cleared(paidOut) };
  if (!chargeback) return payment;
  const { closed } = chargeback;
  const ended = closed && { closed: { ...closed, by: unnamed(closed.by), reason: free(closed.reason) ?? '' } };
  return { ...payment, chargeback: { ...cleared(chargeback), reason: free(chargeback.reason) ?? '', ...ended } };
}

type Charge = NonNullable<Reservation['charges']>[number];

function chargeWithoutPerson(charge: Charge, { unnamed, free }: Cleared): Charge {
  const { notes: typed, description, by, ...rest } = charge;
  const notes = free(typed);
  return {
    ...rest,
    description: unnamed(description),
    ...(notes !== undefined && { notes }),
    ...(by !== undefined && { by: unnamed(by) }),
  };
}

/** Names and addresses of a guest in a reservation, former ones included. */
export function namesOf({ guest, billing }: Pick<Reservation, 'guest' | 'billing'>): string[] {
  const { firstName, lastName, email, phone, former = [] } = guest;
  const all = [firstName, lastName, email, phone, billing?.address?.name, ...former];
  // Profiles in the database have `null` for absent members.
  return all.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** Each word of a name identifies the guest, except for particles such as `de`. */
const IDENTIFYING_CHARACTERS = 3;

/** Returns a function that removes the guest's names from texts; others stay as they are. */
export function unnaming(names: readonly string[]): <T extends string | undefined>(text: T) => T {
  const words = names.filter((name) => !name.includes('@')).flatMap((name) => inText(name).trim().split(' '));
  const parts = words.filter((word) => word.length >= IDENTIFYING_CHARACTERS && /\p{L}/u.test(word));
  const telling = [...new Set([...names, ...parts].map(inText))].filter((name) => name.trim() !== '');
  return (text) => {
    const folded = inText(text ?? '');
    return telling.some((name) => folded.includes(name)) ? (REPLACEMENT as typeof text) : text;
  };
}

/** Whole words only: `hall` does not name a guest called Al. */
function inText(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Personal members of any answer. */
const PERSONAL = new Set([
  'firstName',
  'lastName',
  'email',
  'phone',
  'language',
  'preferences',
  'specialRequests',
  'companions',
  'roomWishes',
  'unmetWishes',
  'billing',
  'description',
  'notes',
  'paidOut',
  'chargeback',
]);

/** An idempotency record without personal data of a guest: a repeat still finds the result. */
export function answerWithoutPerson(
  answer: IdempotencyRecord,
  guestId: GuestId,
  names: readonly string[] = [],
): IdempotencyRecord {
  const person = { guestId, names, unnamed: unnaming(names) };
  return 'result' in answer ? { ...answer, result: withoutMembers(answer.result, person) } : answer;
}

type Erased = { guestId: GuestId; names: readonly string[]; unnamed: Unnaming };

function withoutMembers(value: unknown, person: Erased): unknown {
  if (typeof value === 'string') return person.unnamed(value);
  if (Array.isArray(value)) return value.map((one) => withoutMembers(one, person));
  if (typeof value !== 'object' || value === null) return value;
  // The table of invoices has the recipient; a repeated answer does not need it.
  if (isReservation(value)) return { ...withoutGuest(value, person.guestId, person.names), documents: undefined };
  const members = Object.entries(value).filter(([name]) => !PERSONAL.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, person)]));
}

function isReservation(value: object): value is Reservation {
  return 'guest' in value && 'stay' in value && 'timeline' in value;
}
