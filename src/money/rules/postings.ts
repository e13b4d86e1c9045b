import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { isChargeback, isGivenUp } from './charges.ts';
import {
  type ChargeKind,
  FOLIO_WINDOWS,
  type FolioWindow,
  openWindows,
  type Routed,
  sharerPercent,
  windowOfKind,
  windowOfPayment,
} from './folio-window.ts';
import { billedCharges, EARLY_DEPARTURE, type ExtraOfNights, type FolioCharge, RETAINED } from './folio.ts';
import type { Night } from './night.ts';
import type { Payment, Tendered } from './payment.ts';
import { penaltyParts } from './penalty.ts';
import { shareOf, shareOfTaxLines, taxLinesWithout } from './shared-lines.ts';
import { linesOfSurcharge, nightDescription, partsOfNight, upgradeDescription } from './surcharge.ts';
import { linesOfNight, mergedLines, shareOfTaxes, type TaxLine } from './taxes.ts';

export const POSTING_KINDS = ['ROOM', 'EXTRA', 'TAX', 'FEE', 'PENALTY', 'CREDIT', 'PAYMENT', 'REFUND'] as const;
type PostingKind = (typeof POSTING_KINDS)[number];

/** A tax within the amount of a posting. */
type PostingTax = Pick<TaxLine, 'code' | 'amount'>;

/** A line of a folio (docs/reference/folio.md#postings). */
export type FolioPosting = {
  postingId: string;
  businessDate: Day;
  kind: PostingKind;
  description: string;
  quantity: number;
  unitAmount: Minor;
  /** Gross; negative for a credit or a reversal. Payments and refunds are positive. */
  amount: Minor;
  /** Taxes that are in the amount. */
  taxes: PostingTax[];
  window: FolioWindow;
  code?: string;
  by?: string;
  /** Id of the posting that reversed this one. */
  voidedBy?: string;
  /** Id of the posting that this one reverses, with the reason. */
  voids?: string;
  notes?: string;
  /** Pieces of an extra by night, with the first and the last night. */
  perNight?: { quantity: number; from: Day; to: Day };
  /** Of a payment in another currency. */
  tendered?: Tendered;
  /** The description was typed by hand. */
  typed?: true;
};

/** Members of a reservation that its folio is computed from. */
type Folio = Routed &
  Pick<
    Reservation,
    'status' | 'stay' | 'nights' | 'charges' | 'cancellation' | 'retained' | 'payments' | 'currency' | 'posted'
  >;

/** A line of the price; `isPosted` is false for nights to come. */
type CostLine = Omit<FolioPosting, 'kind'> & { kind: ChargeKind; isPosted: boolean };

/** Charge codes for amounts that are due without a slept night. */
const PENALTY_CODES: ReadonlySet<string | undefined> = new Set([RETAINED, EARLY_DEPARTURE, 'CHANGE_FEE', 'PENALTY']);

/**
 * All lines of the price of a reservation, posted or to come; they sum to its total (`folioTotals`).
 * @param today business date: nights before it are posted, the others are to come
 */
export function costLines(reservation: Folio, today: Day): CostLine[] {
  const { cancellation, nights, status } = reservation;
  const stay = cancellation
    ? penaltyLines(reservation, cancellation)
    : nights.flatMap((night) => nightLines(reservation, night, status === 'CHECKED_OUT' || night.day < today));
  return [...stay, ...linesOfCharges(reservation)];
}

type Line = Omit<Partial<CostLine>, 'taxes'> &
  Pick<CostLine, 'postingId' | 'businessDate' | 'kind' | 'description' | 'amount'> & {
    taxLines?: readonly TaxLine[];
    /** Kind by which it is routed, where that is not its own. */
    routedAs?: ChargeKind;
  };

/** A line in its window; two where the sharer pays a part of it (docs/reference/folio.md#divided-postings). */
function linesOf(reservation: Folio, { taxLines = [], routedAs, ...line }: Line): [CostLine, ...CostLine[]] {
  const { quantity = 1, amount, kind, window } = line;
  const routed = routedAs ?? kind;
  const whole: CostLine = {
    quantity,
    unitAmount: amount,
    taxes: taxesIn(taxLines),
    window: windowOfKind(reservation, routed),
    isPosted: true,
    ...line,
  };
  const percent = sharerPercent(reservation, routed, window);
  if (percent === 0 || percent === 100) return [whole];
  const { currency } = reservation;
  const own = shareOf(amount, percent, currency);
  const ownTaxes = shareOfTaxLines(taxLines, percent, currency);
  const rest = { ...partOf(whole, amount - own), taxes: taxesIn(taxLinesWithout(taxLines, ownTaxes)) };
  return [rest, { ...namedAsPart(partOf(whole, own)), window: 'SHARER', taxes: taxesIn(ownTaxes) }];
}

/** A part of a line: what it is a quantity of is divided too. */
function partOf(line: CostLine, amount: Minor): CostLine {
  const quantity = line.quantity < 0 ? -1 : 1;
  return { ...line, amount, quantity, unitAmount: quantity < 0 ? negated(amount) : amount };
}

/** Ids of the sharer's parts follow from those of the whole postings. */
function namedAsPart(line: CostLine): CostLine {
  const { postingId, voidedBy, voids } = line;
  return {
    ...line,
    postingId: partId(postingId),
    ...(voidedBy !== undefined && { voidedBy: partId(voidedBy) }),
    ...(voids !== undefined && { voids: partId(voids) }),
  };
}

const partId = (postingId: string): string => `${postingId}/SHARER`;

function nightLines(reservation: Folio, night: Night, isPosted: boolean): CostLine[] {
  const { day, fees } = night;
  const date = formatDay(day);
  const of = { businessDate: day, isPosted };
  const { room, surcharge } = partsOfNight(night);
  const description = nightDescription(reservation.stay.roomType, night);
  const ofRoom = { ...of, postingId: `ROOM-${date}`, kind: 'ROOM' as const, code: 'NIGHT', description };
  const ofRate = linesOfNight(room).filter(({ fee: isFee }) => !isFee);
  const lines: CostLine[] = linesOf(reservation, {
    ...ofRoom,
    amount: room.rate + room.taxes,
    taxLines: ofRate,
  });
  if (surcharge) {
    const { rate, taxes } = surcharge;
    const upgrade = { ...of, postingId: `UPGRADE-${date}`, kind: 'ROOM' as const, code: 'UPGRADE' };
    const text = upgradeDescription(reservation.stay.roomType);
    const taxLines = linesOfSurcharge(surcharge);
    lines.push(...linesOf(reservation, { ...upgrade, description: text, amount: rate + taxes, taxLines }));
  }
  if (fees === 0) return lines;
  const fee = { ...of, postingId: `FEE-${date}`, kind: 'FEE' as const, code: 'FEES' };
  return [...lines, ...linesOf(reservation, { ...fee, description: 'Fees', amount: fees })];
}

/** Taxes by code, included or on top. */
const taxesIn = (lines: readonly TaxLine[]): PostingTax[] =>
  mergedLines(lines.map(({ code, amount }) => ({ code, amount })));

/**
 * The penalty as it came due, and its later waivers and collections by day. Each has the change of the taxes that it
 * makes, so that those of a day sum to the taxes of the penalty of that day, which are rounded once.
 */
function penaltyLines(reservation: Folio, cancellation: Cancellation): CostLine[] {
  const { penalty, waived = [], policyName, day, cancellationId } = cancellation;
  const due = penalty + sum(waived, ({ amount }) => amount);
  const { nights, currency } = reservation;
  const what = reservation.status === 'NO_SHOW' ? 'No-show' : 'Cancellation';
  const ofPenalty = { kind: 'PENALTY' as const, code: 'PENALTY', description: `${what}, ${policyName}` };
  const taxesOf = (retained: Minor): Minor => penaltyParts(retained, nights, currency).taxes;
  let retained: Minor = 0;
  const lineOn = (on: Day, line: Pick<Line, 'postingId' | 'amount' | 'kind' | 'description'>): CostLine[] => {
    const before = retained;
    retained += line.amount;
    const taxLines = shareOfTaxes(taxesOf(retained) - taxesOf(before), nights, currency);
    // What is waived goes back to who owed the penalty, so that nothing is left when all of it was.
    return linesOf(reservation, { ...line, businessDate: on, taxLines, routedAs: 'PENALTY' });
  };
  const own = due === 0 ? [] : lineOn(day, { ...ofPenalty, postingId: cancellationId, amount: due });
  const later = waived.flatMap(({ day: on, amount }, index) => {
    const of = amount < 0 ? ofPenalty : { kind: 'CREDIT' as const, description: 'Waived' };
    return lineOn(on, { ...of, postingId: `${cancellationId}-${index + 1}`, amount: negated(amount) });
  });
  return [...own, ...later];
}

function linesOfCharges(reservation: Folio): CostLine[] {
  const { charges = [], status } = reservation;
  const voidedBy = new Map(charges.map(({ voids, id }) => [voids, id]));
  return billedCharges(reservation).flatMap((charge, index) => {
    const { id, day, description, amount, code, quantity, unitAmount, taxLines, window, by, voids, notes } = charge;
    const { nightly } = charge;
    const kind = kindOfCharge(charge);
    return linesOf(reservation, {
      postingId: id ?? `${kind}-${index}`,
      businessDate: day,
      kind,
      description,
      amount,
      // What is retained of nights that were given up is known only when the stay ends.
      isPosted: status === 'CHECKED_OUT' || (code !== RETAINED && code !== EARLY_DEPARTURE),
      ...(quantity !== undefined && { quantity }),
      ...(unitAmount !== undefined && { unitAmount }),
      ...(taxLines && { taxLines }),
      ...(window && { window }),
      ...(code !== undefined && { code }),
      ...(by !== undefined && { by }),
      ...(id !== undefined && voidedBy.has(id) && { voidedBy: voidedBy.get(id)! }),
      ...(voids !== undefined && { voids, notes }),
      ...(nightly && quantity !== 0 && { perNight: perNight(nightly) }),
      ...(code === undefined && { typed: true as const }),
    });
  });
}

const perNight = ({ pieces, from, to }: ExtraOfNights): NonNullable<FolioPosting['perNight']> => ({
  quantity: pieces,
  from,
  to: to - 1,
});

/** Kind of a charge as a posting. */
export function kindOfCharge({ kind, code, amount, goodwill }: FolioCharge): ChargeKind {
  if (kind) return kind;
  if (PENALTY_CODES.has(code)) return 'PENALTY';
  return goodwill || amount < 0 ? 'CREDIT' : 'EXTRA';
}

/**
 * Lines of captured payments and ordered refunds, as `received` sums them, on the business dates of their night audits
 * (docs/concepts/night-audit.md#postings); those of earlier releases, and refunds under way, on the date of their time.
 */
function moneyLines(reservation: Folio, dayAt: (at: Instant) => Day): FolioPosting[] {
  return countedPayments(reservation).map((payment) => {
    const { paymentId, type, amount, method, processedAt, createdAt, tendered, regains } = payment;
    const way = method ?? 'OTHER';
    return {
      postingId: paymentId,
      businessDate: reservation.posted?.money?.[paymentId] ?? dayAt(processedAt ?? createdAt),
      kind: type === 'CHARGE' ? ('PAYMENT' as const) : ('REFUND' as const),
      description: isChargeback(payment) ? `Chargeback, ${way}` : regains ? `Chargeback won, ${way}` : way,
      quantity: 1,
      unitAmount: amount,
      amount,
      taxes: [],
      window: windowOfPayment(reservation, payment),
      ...(tendered && { tendered }),
    };
  });
}

function countedPayments({ payments }: Pick<Reservation, 'payments'>): Payment[] {
  return payments.filter((one) => (one.type === 'CHARGE' ? one.status === 'COMPLETED' : !isGivenUp(one)));
}

/** Amounts due and paid of a window. */
type WindowBalance = {
  window: FolioWindow;
  /** Sum of the posted lines. */
  total: Minor;
  paid: Minor;
  /** `total - paid`; negative when more is paid than posted. */
  balance: Minor;
  /** Total of the whole stay including nights to come; over all windows it is the total of the reservation. */
  expectedTotal: Minor;
};

/**
 * Balances of the windows of a folio (docs/reference/folio.md#windows); after the stay `total` equals `expectedTotal`.
 * @param today business date of the property
 */
export function windowsOf(reservation: Folio, today: Day): WindowBalance[] {
  return windowBalances(reservation, costLines(reservation, today));
}

/** The same as {@link windowsOf} from lines that were computed before, as `costLines` gives them. */
export function windowBalances(reservation: Folio, lines: readonly CostLine[]): WindowBalance[] {
  const payments = countedPayments(reservation);
  const isOpen = new Set(openWindows(reservation));
  for (const { window } of lines) isOpen.add(window);
  return FOLIO_WINDOWS.filter((window) => isOpen.has(window)).map((window) => {
    const own = lines.filter((line) => line.window === window);
    const total = sum(own, ({ amount, isPosted }) => (isPosted ? amount : 0));
    const paid = sum(payments, (payment) => {
      if (windowOfPayment(reservation, payment) !== window) return 0;
      return payment.type === 'CHARGE' ? payment.amount : negated(payment.amount);
    });
    return { window, total, paid, balance: total - paid, expectedTotal: sum(own, ({ amount }) => amount) };
  });
}

export type FolioWindowView = WindowBalance & { postings: FolioPosting[] };

/**
 * Folio of a reservation (`GET /reservations/{id}/folio`).
 * @param today business date of the property
 * @param dayAt business date of a moment, for payments that have none on record
 */
export function folioOf(reservation: Folio, today: Day, dayAt: (at: Instant) => Day): FolioWindowView[] {
  const lines = costLines(reservation, today);
  const posted: FolioPosting[] = lines.filter(({ isPosted }) => isPosted).map(asPosting);
  const all = [...posted, ...moneyLines(reservation, dayAt)].toSorted((a, b) => a.businessDate - b.businessDate);
  return windowBalances(reservation, lines).map((balance) => ({
    ...balance,
    postings: all.filter(({ window }) => window === balance.window),
  }));
}

/** A posting of the folio by its id, in its current state. */
export function postingOf(reservation: Folio, today: Day, postingId: string): FolioPosting | undefined {
  const line = costLines(reservation, today).find((one) => one.postingId === postingId);
  return line && asPosting(line);
}

function asPosting(line: CostLine): FolioPosting {
  const { isPosted: _, ...posting } = line;
  return posting;
}
