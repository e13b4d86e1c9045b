import type { KeptAnswer } from './commands.ts';
import type { Guest, Reservation } from './reservation.ts';

/** What stands where a text named the guest. */
const NOBODY = 'guest';

/** Whether the person has been taken out: a guest of flesh and blood has an e-mail address. */
export function isErased({ guest }: Pick<Reservation, 'guest'>): boolean {
  return guest.email === '';
}

/**
 * A reservation as it stays in the books when its guest is erased (contracts.md 7): nights, amounts, payments and
 * states, and nothing about the person. What anybody typed freely goes whole; who did what stays, unless it names the
 * guest.
 */
export function withoutPerson(reservation: Reservation): Reservation {
  const { guest, billing, cancellation, checkIn, checkOut, charges, timeline, payments } = reservation;
  const unnamed = unnaming(guest, billing?.address?.name);
  return {
    ...reservation,
    guest: { guestId: guest.guestId, firstName: '', lastName: '', email: '' },
    specialRequests: [],
    billing: billing && { method: billing.method },
    source: { channel: reservation.source.channel },
    timeline: timeline.map((entry) => ({ ...entry, notes: undefined, by: unnamed(entry.by) })),
    cancellation: cancellation && {
      ...cancellation,
      description: undefined,
      cancelledBy: unnamed(cancellation.cancelledBy),
    },
    checkIn: checkIn && { ...checkIn, notes: undefined, staffMember: unnamed(checkIn.staffMember) },
    checkOut: checkOut && { ...checkOut, staffMember: unnamed(checkOut.staffMember) },
    payments: payments.map((payment) => {
      const { by, reference } = payment.paidOut ?? {};
      if (by === undefined) return payment;
      return { ...payment, paidOut: { by: unnamed(by), ...(reference && { reference: unnamed(reference) }) } };
    }),
    charges: charges?.map((charge) => ({ ...charge, description: unnamed(charge.description) })),
  };
}

/** Makes texts that name the guest name nobody; others stay as they are. */
export function unnaming(
  { firstName, lastName, email, phone }: Guest,
  ...names: (string | undefined)[]
): <T extends string | undefined>(text: T) => T {
  const telling = [firstName, lastName, email, phone, ...names].flatMap((name) => (name ? [inWords(name)] : []));
  return (text) => {
    const said = inWords(text ?? '');
    return telling.some((name) => said.includes(name)) ? (NOBODY as typeof text) : text;
  };
}

/** Whole words only: a guest called Al is not named by `hall`. */
function inWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Members of an answer that are about the person, whatever the answer is. */
const PERSONAL = new Set([
  ...[
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
  ],
]);

/** A kept answer (contracts.md 2) without the person: a repeat still finds that it was done, and not for whom. */
export function answerWithoutPerson(answer: KeptAnswer): KeptAnswer {
  return 'result' in answer ? { ...answer, result: withoutMembers(answer.result) } : answer;
}

function withoutMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMembers);
  if (typeof value !== 'object' || value === null) return value;
  if (isReservation(value)) return withoutPerson(value);
  const members = Object.entries(value).filter(([name]) => !PERSONAL.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member)]));
}

function isReservation(value: object): value is Reservation {
  return 'guest' in value && 'stay' in value && 'timeline' in value;
}
