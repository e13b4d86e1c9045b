import type { IdempotencyRecord } from '../../kernel/rules/commands.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';

/** What stands where a text named the guest. */
const NOBODY = 'guest';

/** Whether the person has been taken out: a guest of flesh and blood has an e-mail address. */
export function isErased({ guest }: Pick<Reservation, 'guest'>): boolean {
  return guest.email === '';
}

/**
 * A reservation as it stays in the books when its guest is erased (docs/concepts/guests-and-erasure.md#erasure):
 * nights, amounts, payments and states, and nothing about the person. What anybody typed freely goes whole; who did
 * what stays, unless it names the guest.
 *
 * @param names that the guest had in other places: in other reservations, in the profile
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
    billing: billing && { method: billing.method },
    source: { channel, ...(collectedBy && { collectedBy }) },
    timeline: timeline.map((entry) => ({ ...entry, notes: undefined, by: unnamed(entry.by) })),
    cancellation: cancellation && endWithoutPerson(cancellation, unnamed),
    endsTakenBack: endsTakenBack?.map((end) => endWithoutPerson(end, unnamed)),
    ...(comp && { comp: { ...comp, reason: undefined, by: unnamed(comp.by) } }),
    checkIn: checkIn && { ...checkIn, notes: undefined, staffMember: unnamed(checkIn.staffMember) },
    checkOut: checkOut && { ...checkOut, staffMember: unnamed(checkOut.staffMember) },
    payments: payments.map((payment) => {
      const { by, reference } = payment.paidOut ?? {};
      if (by === undefined) return payment;
      return { ...payment, paidOut: { by: unnamed(by), ...(reference && { reference: unnamed(reference) }) } };
    }),
    charges: chargesWithoutPerson(charges, unnamed),
    // The recipient stays, as tax law requires.
    ...(documents && { documents: documents.map((document) => withoutName(document, unnamed)) }),
  };
}

type Unnaming = ReturnType<typeof unnaming>;

function endWithoutPerson<E extends Cancellation>(end: E, unnamed: Unnaming): E {
  const { charges, cancelledBy } = end;
  return {
    ...end,
    description: undefined,
    cancelledBy: unnamed(cancelledBy),
    ...(charges && { charges: chargesWithoutPerson(charges, unnamed) }),
  };
}

function chargesWithoutPerson(charges: Reservation['charges'], unnamed: Unnaming): Reservation['charges'] {
  return charges?.map((charge) => chargeWithoutPerson(charge, unnamed));
}

type IssuedOf = NonNullable<Reservation['documents']>[number];

/** An issued document whose lines name nobody: what was typed there goes, amounts and the recipient stay. */
function withoutName(document: IssuedOf, unnamed: (text: string) => string): IssuedOf {
  return { ...document, lines: document.lines.map((line) => ({ ...line, description: unnamed(line.description) })) };
}

type Charge = NonNullable<Reservation['charges']>[number];

function chargeWithoutPerson(charge: Charge, unnamed: Unnaming): Charge {
  const { notes: _, description, by, ...rest } = charge;
  return { ...rest, description: unnamed(description), ...(by !== undefined && { by: unnamed(by) }) };
}

/** Names and addresses that a reservation has of its guest, former ones too. */
export function namesOf({ guest, billing }: Pick<Reservation, 'guest' | 'billing'>): string[] {
  const { firstName, lastName, email, phone, former = [] } = guest;
  const all = [firstName, lastName, email, phone, billing?.address?.name, ...former];
  // Profiles in the database have null for what they lack.
  return all.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** Of a name of several words each word names the guest, but for particles such as `de`. */
const IDENTIFYING_CHARACTERS = 3;

/** Makes texts that name the guest name nobody; others stay as they are. */
export function unnaming(names: readonly string[]): <T extends string | undefined>(text: T) => T {
  const words = names.filter((name) => !name.includes('@')).flatMap((name) => inText(name).trim().split(' '));
  const parts = words.filter((word) => word.length >= IDENTIFYING_CHARACTERS && /\p{L}/u.test(word));
  const telling = [...new Set([...names, ...parts].map(inText))].filter((name) => name.trim() !== '');
  return (text) => {
    const said = inText(text ?? '');
    return telling.some((name) => said.includes(name)) ? (NOBODY as typeof text) : text;
  };
}

/** Whole words only: a guest called Al is not named by `hall`. */
function inText(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Members of an answer that are about the person, whatever the answer is. */
const PERSONAL = new Set([
  'firstName',
  'lastName',
  'email',
  'phone',
  'preferences',
  'specialRequests',
  'billing',
  'description',
  'notes',
  'paidOut',
]);

/** An idempotency record without the person: a repeat still finds the result, without the guest. */
export function answerWithoutPerson(answer: IdempotencyRecord, names: readonly string[] = []): IdempotencyRecord {
  return 'result' in answer ? { ...answer, result: withoutMembers(answer.result, names, unnaming(names)) } : answer;
}

function withoutMembers(value: unknown, names: readonly string[], unnamed: (text: string) => string): unknown {
  if (typeof value === 'string') return unnamed(value);
  if (Array.isArray(value)) return value.map((one) => withoutMembers(one, names, unnamed));
  if (typeof value !== 'object' || value === null) return value;
  // The table of invoices has the recipient; an answer that is repeated needs nobody.
  if (isReservation(value)) return { ...withoutPerson(value, names), documents: undefined };
  const members = Object.entries(value).filter(([name]) => !PERSONAL.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, names, unnamed)]));
}

function isReservation(value: object): value is Reservation {
  return 'guest' in value && 'stay' in value && 'timeline' in value;
}
