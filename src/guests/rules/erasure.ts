import type { IdempotencyRecord } from '../../kernel/rules/commands.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';

/** Replaces the guest's name in texts. */
const REPLACEMENT = 'guest';

/** Whether the guest was erased: every other guest has a name. */
export function isErased({ guest }: Pick<Reservation, 'guest'>): boolean {
  return guest.email === '' && guest.firstName === '';
}

/**
 * A reservation without its guest's personal data (docs/concepts/guests-and-erasure.md#erasure): nights, amounts,
 * payments and states stay. Free texts are removed; who made which change stays, unless the text names the guest.
 * @param names of the guest in other reservations and in the profile
 */
export function withoutPerson(reservation: Reservation, names: readonly string[] = []): Reservation {
  const { channel, collectedBy } = reservation.source;
  const { guest, cancellation, endsTakenBack, checkIn, checkOut, charges, timeline, payments, billing, documents } =
    reservation;
  const { comp } = reservation;
  const unnamed = unnaming([...namesOf(reservation), ...names]);
  return {
    ...reservation,
    guest: { guestId: guest.guestId, firstName: '', lastName: '', email: '' },
    specialRequests: [],
    companions: undefined,
    roomWishes: undefined,
    unmetWishes: undefined,
    billing: billing && { method: billing.method },
    source: { channel, ...(collectedBy && { collectedBy }) },
    timeline: timeline.map((entry) => ({ ...entry, notes: undefined, by: unnamed(entry.by) })),
    cancellation: cancellation && endWithoutPerson(cancellation, unnamed),
    endsTakenBack: endsTakenBack?.map((end) => endWithoutPerson(end, unnamed)),
    ...(comp && { comp: { ...comp, reason: undefined, by: unnamed(comp.by) } }),
    checkIn: checkIn && { ...checkIn, notes: undefined, staffMember: unnamed(checkIn.staffMember) },
    checkOut: checkOut && { ...checkOut, staffMember: unnamed(checkOut.staffMember) },
    payments: payments.map((payment) => paymentWithoutPerson(payment, unnamed)),
    charges: chargesWithoutPerson(charges, unnamed),
    // The recipient stays, as tax law requires.
    ...(documents && { documents: documents.map((document) => withoutName(document, unnamed)) }),
  };
}

type Unnaming = ReturnType<typeof unnaming>;

function endWithoutPerson<E extends Cancellation>(end: E, unnamed: Unnaming): E {
  const { charges, cancelledBy, walk } = end;
  return {
    ...end,
    description: undefined,
    cancelledBy: unnamed(cancelledBy),
    ...(charges && { charges: chargesWithoutPerson(charges, unnamed) }),
    ...(walk && { walk: { compensation: walk.compensation } }),
  };
}

function chargesWithoutPerson(charges: Reservation['charges'], unnamed: Unnaming): Reservation['charges'] {
  return charges?.map((charge) => chargeWithoutPerson(charge, unnamed));
}

type IssuedOf = NonNullable<Reservation['documents']>[number];

/** An issued document without names in its lines: typed texts are removed, amounts and recipient stay. */
function withoutName(document: IssuedOf, unnamed: (text: string) => string): IssuedOf {
  return { ...document, lines: document.lines.map((line) => ({ ...line, description: unnamed(line.description) })) };
}

type PaymentOf = Reservation['payments'][number];

function paymentWithoutPerson(payment: PaymentOf, unnamed: Unnaming): PaymentOf {
  const { paidOut, chargeback } = payment;
  const cleared = <T extends { by: string; reference?: string }>({ reference, ...end }: T) => {
    return { ...end, by: unnamed(end.by), ...(reference && { reference: unnamed(reference) }) };
  };
  if (paidOut) return { ...payment, paidOut: cleared(paidOut) };
  if (!chargeback) return payment;
  const { closed } = chargeback;
  const ended = closed && { closed: { ...closed, by: unnamed(closed.by), reason: '' } };
  return { ...payment, chargeback: { ...cleared(chargeback), reason: '', ...ended } };
}

type Charge = NonNullable<Reservation['charges']>[number];

function chargeWithoutPerson(charge: Charge, unnamed: Unnaming): Charge {
  const { notes: _, description, by, ...rest } = charge;
  return { ...rest, description: unnamed(description), ...(by !== undefined && { by: unnamed(by) }) };
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

/** An idempotency record without personal data: a repeat still finds the result. */
export function answerWithoutPerson(answer: IdempotencyRecord, names: readonly string[] = []): IdempotencyRecord {
  return 'result' in answer ? { ...answer, result: withoutMembers(answer.result, names, unnaming(names)) } : answer;
}

function withoutMembers(value: unknown, names: readonly string[], unnamed: (text: string) => string): unknown {
  if (typeof value === 'string') return unnamed(value);
  if (Array.isArray(value)) return value.map((one) => withoutMembers(one, names, unnamed));
  if (typeof value !== 'object' || value === null) return value;
  // The table of invoices has the recipient; a repeated answer does not need it.
  if (isReservation(value)) return { ...withoutPerson(value, names), documents: undefined };
  const members = Object.entries(value).filter(([name]) => !PERSONAL.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, names, unnamed)]));
}

function isReservation(value: object): value is Reservation {
  return 'guest' in value && 'stay' in value && 'timeline' in value;
}
