import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { negated } from '../../kernel/rules/money.ts';
import type { ExtraOfNights, FolioCharge } from '../../money/rules/folio.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/** Pieces of an extra with a stock that a stay has on its nights (docs/reference/folio.md#extras-by-night). */
export type ExtraStay = {
  /** The posting of the folio that took them. */
  postingId: string;
  reservationId: ReservationId;
  /** Code of the extra on the price list. */
  code: string;
  quantity: number;
  firstNight: Day;
  lastNight: Day;
};

type Stayed = Pick<Reservation, 'id' | 'status' | 'charges'>;

const NONE: readonly ExtraStay[] = [];

/** Pieces of extras that a reservation has. One that is over has none. */
export function extraStaysOf({ id, status, charges = [] }: Stayed): readonly ExtraStay[] {
  if (status !== 'PENDING' && status !== 'CONFIRMED' && status !== 'CHECKED_IN') return NONE;
  const roots = rootsOf(charges);
  if (roots.length === 0) return NONE;
  return roots.flatMap((root): ExtraStay[] => {
    const { pieces: quantity, from: firstNight } = root.nightly;
    const lastNight = endOf(charges, root) - 1;
    if (lastNight < firstNight) return [];
    return [{ postingId: root.id, reservationId: id, code: root.code!, quantity, firstNight, lastNight }];
  });
}

type Root = FolioCharge & { id: string; nightly: ExtraOfNights };

/** Postings of extras by night that were not voided, without those that follow others. */
function rootsOf(charges: readonly FolioCharge[]): Root[] {
  if (!charges.some(({ nightly }) => nightly)) return [];
  const voided = new Set(charges.map(({ voids }) => voids));
  const isRoot = ({ id, nightly, voids, follows }: FolioCharge): boolean =>
    nightly !== undefined && voids === undefined && follows === undefined && !voided.has(id);
  return charges.filter((charge): charge is Root => isRoot(charge));
}

/** Postings that follow another one, in the order in which they were made. */
export function followersOf(charges: readonly FolioCharge[], postingId: string): FolioCharge[] {
  return charges.filter(({ follows, voids }) => follows === postingId && voids === undefined);
}

/** The morning until which the pieces of a posting are taken. */
function endOf(charges: readonly FolioCharge[], root: Root): Day {
  const last = followersOf(charges, root.id).at(-1);
  if (!last) return root.nightly.to;
  return last.quantity! > 0 ? last.nightly!.to : last.nightly!.from;
}

/** The nights that an extra which is posted today is taken for; none where `to` is not after `from`. */
export function nightsLeft({ checkIn, checkOut }: Stay, today: Day): Pick<ExtraOfNights, 'from' | 'to'> {
  return { from: Math.max(checkIn, today), to: checkOut };
}

type Unpriced = Omit<FolioCharge, 'description' | 'amount' | 'quantity' | 'taxLines' | 'unitAmount' | 'nightly'>;

/**
 * A posting of an extra by night: so many pieces on each of its nights, for the price of a piece and night.
 * @param change nights that were added or given back since the extra was posted
 */
export function nightlyCharge(
  charge: Unpriced & { unitAmount: number },
  nightly: ExtraOfNights,
  change?: 'more' | 'less',
): FolioCharge {
  const { name, pieces, from, to, taxLines } = nightly;
  const nights = to - from;
  const taken = pieces * nights;
  const signed = (amount: number): number => (change === 'less' ? negated(amount) : amount);
  const ofNights = [
    nights,
    change === 'more' && 'more',
    nights === 1 ? 'night' : 'nights',
    change === 'less' && 'less',
  ];
  return {
    ...charge,
    description: `${pieces === 1 ? '' : `${pieces} x `}${name}, ${ofNights.filter((word) => word !== false).join(' ')}`,
    quantity: signed(taken),
    amount: signed(charge.unitAmount * taken),
    ...(taxLines && { taxLines: taxLines.map((tax) => ({ ...tax, amount: signed(tax.amount * taken) })) }),
    nightly,
  };
}

/** How postings of a changed stay are made: business date, author and ids. */
type Following = { today: Day; by: string; idOf: (postingId: string, nth: number) => string };

/**
 * Charges of a stay whose nights have changed: each extra by night follows them at its booked price. Before the check-in
 * its posting is priced again, since nothing is earned yet; in house a further posting has the nights that came or went,
 * so that no day changes that is over.
 * @param charges as they are after the change, with the extras as before
 * @returns the same where no extra changes
 */
export function extrasAfter(
  charges: readonly FolioCharge[] | undefined,
  before: Pick<Reservation, 'stay' | 'status'>,
  { checkIn, checkOut }: Stay,
  following: Following,
): readonly FolioCharge[] | undefined {
  const roots = new Set<FolioCharge>(charges && rootsOf(charges));
  if (!charges || roots.size === 0) return charges;
  if (before.status === 'CHECKED_IN')
    return [...charges, ...[...roots].flatMap((root) => followed(charges, root as Root, checkOut, following))];
  const priced = new Map<string, FolioCharge>();
  for (const root of roots as Set<Root>) {
    const { nightly } = root;
    // A guest who comes late may have taken it from a later night on.
    const from = checkIn === before.stay.checkIn ? nightly.from : Math.max(checkIn, following.today);
    const to = Math.max(from, checkOut);
    if (from === nightly.from && to === endOf(charges, root)) continue;
    priced.set(root.id, nightlyCharge({ ...root, unitAmount: root.unitAmount! }, { ...nightly, from, to }));
  }
  // A check-in that was undone may have left postings that follow: they are in the price again.
  return charges
    .filter(({ follows }) => follows === undefined || !priced.has(follows))
    .map((charge) => (roots.has(charge) ? (priced.get((charge as Root).id) ?? charge) : charge));
}

/** The posting of the nights that a guest in house has added or given back. */
function followed(
  charges: readonly FolioCharge[],
  root: Root,
  checkOut: Day,
  { today, by, idOf }: Following,
): FolioCharge[] {
  const { id, nightly, code, kind, window, unitAmount } = root;
  const end = endOf(charges, root);
  const to = Math.max(nightly.from, checkOut);
  if (to === end) return [];
  const nth = followersOf(charges, id).length;
  const base = { id: idOf(id, nth), day: today, by, follows: id, unitAmount: unitAmount!, ...(code && { code }) };
  const shown = { ...base, ...(kind && { kind }), ...(window && { window }) };
  return to > end
    ? [nightlyCharge(shown, { ...nightly, from: end, to }, 'more')]
    : [nightlyCharge(shown, { ...nightly, from: to, to: end }, 'less')];
}
