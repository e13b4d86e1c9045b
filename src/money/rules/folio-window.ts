import type { PaymentId } from '../../kernel/rules/ids.ts';

/** Who pays a part of a folio (docs/reference/folio.md#windows). */
export const FOLIO_WINDOWS = ['GUEST', 'COMPANY', 'CHANNEL'] as const;
export type FolioWindow = (typeof FOLIO_WINDOWS)[number];

/** Kinds of postings that make the stay cost more or less; each can be routed to a window. */
export const CHARGE_KINDS = ['ROOM', 'EXTRA', 'TAX', 'FEE', 'PENALTY', 'CREDIT'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Every posting of a kind goes to a window. */
export type RoutingRule = { kind: ChargeKind; window: FolioWindow };

/** What of a reservation says which window a line belongs to. */
export type Routed = {
  routing?: readonly RoutingRule[];
  /** Windows of payments; those that are not named are the guest's. */
  paymentWindows?: Readonly<Record<PaymentId, FolioWindow>>;
  /** What makes the booking certain. */
  guarantee?: { readonly kind: string };
  /** The company that has an account. */
  companyId?: string;
};

/** Paid by the one who guarantees the booking where no rule says otherwise; the guest pays the rest. */
const OF_THE_ROOM: ReadonlySet<ChargeKind> = new Set<ChargeKind>(['ROOM', 'TAX', 'FEE', 'PENALTY']);

/** Who pays for the room of a booking where no rule says otherwise. */
export function payerOf({ guarantee, companyId }: Routed): FolioWindow {
  if (guarantee?.kind === 'COMPANY' && companyId !== undefined) return 'COMPANY';
  return guarantee?.kind === 'CHANNEL' ? 'CHANNEL' : 'GUEST';
}

/** The window of a posting that names none. */
export function windowOfKind(reservation: Routed, kind: ChargeKind): FolioWindow {
  const rule = reservation.routing?.find((one) => one.kind === kind);
  return rule?.window ?? (OF_THE_ROOM.has(kind) ? payerOf(reservation) : 'GUEST');
}

/** The window that a payment was for; a refund is of that of its charge. What an account took over is of the account. */
export function windowOfPayment(
  reservation: Routed,
  { paymentId, chargeId, method }: { paymentId: PaymentId; chargeId?: string; method?: string | null },
): FolioWindow {
  const named = reservation.paymentWindows?.[chargeId ?? paymentId];
  return named ?? (method === 'INVOICE' ? payerOf(reservation) : 'GUEST');
}

/** Windows that a folio has in any case, also while nothing stands in them. */
export function openWindows(reservation: Routed): FolioWindow[] {
  const named = new Set<FolioWindow>(['GUEST', payerOf(reservation)]);
  for (const { window } of reservation.routing ?? []) named.add(window);
  for (const window of Object.values(reservation.paymentWindows ?? {})) named.add(window);
  return FOLIO_WINDOWS.filter((window) => named.has(window));
}
