import type { PaymentId } from '../../kernel/rules/ids.ts';

/** Payers of parts of a folio (docs/reference/folio.md#windows). */
export const FOLIO_WINDOWS = ['GUEST', 'COMPANY', 'CHANNEL'] as const;
export type FolioWindow = (typeof FOLIO_WINDOWS)[number];

/** Kinds of postings that change the price of the stay; each can be routed to a window. */
export const CHARGE_KINDS = ['ROOM', 'EXTRA', 'TAX', 'FEE', 'PENALTY', 'CREDIT'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Routes every posting of a kind to a window. */
export type RoutingRule = { kind: ChargeKind; window: FolioWindow };

/** Members of a reservation that determine the window of a line. */
export type Routed = {
  routing?: readonly RoutingRule[];
  /** Windows of payments; payments that are not listed are the guest's. */
  paymentWindows?: Readonly<Record<PaymentId, FolioWindow>>;
  /** Guarantee of the booking. */
  guarantee?: { readonly kind: string };
  /** Company with an account. */
  companyId?: string;
};

/** Kinds paid by the guarantor of the booking when no rule says otherwise; the guest pays the rest. */
const OF_THE_ROOM: ReadonlySet<ChargeKind> = new Set<ChargeKind>(['ROOM', 'TAX', 'FEE', 'PENALTY']);

/** Default payer for the room of a booking. */
export function payerOf({ guarantee, companyId }: Routed): FolioWindow {
  if (guarantee?.kind === 'COMPANY' && companyId !== undefined) return 'COMPANY';
  return guarantee?.kind === 'CHANNEL' ? 'CHANNEL' : 'GUEST';
}

/** Whether a window has a payer: COMPANY and CHANNEL only have one where the stay names it. */
export function hasPayer({ companyId, guarantee }: Routed, window: FolioWindow): boolean {
  switch (window) {
    case 'GUEST':
      return true;
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

/** Default window of postings of a kind. */
export function windowOfKind(reservation: Routed, kind: ChargeKind): FolioWindow {
  const rule = reservation.routing?.find((one) => one.kind === kind);
  return rule?.window ?? (OF_THE_ROOM.has(kind) ? payerOf(reservation) : 'GUEST');
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
  for (const { window } of reservation.routing ?? []) named.add(window);
  for (const window of Object.values(reservation.paymentWindows ?? {})) named.add(window);
  return FOLIO_WINDOWS.filter((window) => named.has(window));
}
