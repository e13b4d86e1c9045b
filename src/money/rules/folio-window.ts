import type { GuestId, PaymentId } from '../../kernel/rules/ids.ts';

/** Payers of parts of a folio (docs/reference/folio.md#windows). */
export const FOLIO_WINDOWS = ['GUEST', 'SHARER', 'COMPANY', 'CHANNEL'] as const;
export type FolioWindow = (typeof FOLIO_WINDOWS)[number];

/** Kinds of postings that change the price of the stay; each can be routed to a window. */
export const CHARGE_KINDS = ['ROOM', 'EXTRA', 'TAX', 'FEE', 'PENALTY', 'CREDIT'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/**
 * Routes every posting of a kind to a window. With a percentage, the sharer pays that part of each posting, and the rest
 * stays in the window that it would be in without the rule.
 */
export type RoutingRule = { kind: ChargeKind; window: FolioWindow; percent?: number };

/**
 * Whether a rule counts: a penalty is never the sharer's, also not what is retained of a change or an early departure
 * (docs/reference/sharers.md#penalties).
 */
export const isHonoured = ({ kind, window }: RoutingRule): boolean => kind !== 'PENALTY' || window !== 'SHARER';

/** Members of a reservation that determine the window of a line. */
export type Routed = {
  routing?: readonly RoutingRule[];
  /** Windows of payments; payments that are not listed are the guest's. */
  paymentWindows?: Readonly<Record<PaymentId, FolioWindow>>;
  /** Guarantee of the booking. */
  guarantee?: { readonly kind: string };
  /** Company with an account. */
  companyId?: string;
  /** Second guest of the room, who pays a part of it (docs/reference/sharers.md#sharers). */
  sharer?: { readonly guestId: GuestId };
};

/** Kinds paid by the guarantor of the booking when no rule says otherwise; the guest pays the rest. */
const OF_THE_ROOM: ReadonlySet<ChargeKind> = new Set<ChargeKind>(['ROOM', 'TAX', 'FEE', 'PENALTY']);

/** Default payer for the room of a booking. */
export function payerOf({ guarantee, companyId }: Routed): FolioWindow {
  if (guarantee?.kind === 'COMPANY' && companyId !== undefined) return 'COMPANY';
  return guarantee?.kind === 'CHANNEL' ? 'CHANNEL' : 'GUEST';
}

/** Whether a window has a payer: SHARER, COMPANY and CHANNEL only have one where the stay names it. */
export function hasPayer({ companyId, guarantee, sharer }: Routed, window: FolioWindow): boolean {
  switch (window) {
    case 'GUEST':
      return true;
    case 'SHARER':
      return sharer !== undefined;
    case 'COMPANY':
      return companyId !== undefined;
    case 'CHANNEL':
      return guarantee?.kind === 'CHANNEL';
  }
}

/** Window of the account that takes over payments by INVOICE; `undefined` without an account. */
export function accountWindow(reservation: Routed): 'COMPANY' | 'CHANNEL' | undefined {
  return (['CHANNEL', 'COMPANY'] as const).find((window) => hasPayer(reservation, window));
}

/** Default window of postings of a kind; of those that are divided, that of what the sharer does not pay. */
export function windowOfKind(reservation: Routed, kind: ChargeKind): FolioWindow {
  const rule = reservation.routing?.find((one) => one.kind === kind && isHonoured(one));
  if (rule && rule.percent === undefined) return rule.window;
  return OF_THE_ROOM.has(kind) ? payerOf(reservation) : 'GUEST';
}

/** Percentage of the postings of a kind that the sharer pays. @param named window that the posting names itself */
export function sharerPercent({ routing }: Routed, kind: ChargeKind, named?: FolioWindow): number {
  if (named !== undefined) return named === 'SHARER' ? 100 : 0;
  const rule = routing?.find((one) => one.kind === kind && one.window === 'SHARER' && isHonoured(one));
  return rule ? (rule.percent ?? 100) : 0;
}

/** Window of a payment; a refund has the window of its charge. What an account took over belongs to the account. */
export function windowOfPayment(
  reservation: Routed,
  { paymentId, chargeId, method }: { paymentId: PaymentId; chargeId?: string; method?: string | null },
): FolioWindow {
  const named = reservation.paymentWindows?.[chargeId ?? paymentId];
  return named ?? (method === 'INVOICE' ? payerOf(reservation) : 'GUEST');
}

/** Windows that a folio always has, also when they are empty. */
export function openWindows(reservation: Routed): FolioWindow[] {
  const named = new Set<FolioWindow>(['GUEST', payerOf(reservation)]);
  for (const rule of reservation.routing ?? []) if (isHonoured(rule)) named.add(rule.window);
  for (const window of Object.values(reservation.paymentWindows ?? {})) named.add(window);
  return FOLIO_WINDOWS.filter((window) => named.has(window));
}
