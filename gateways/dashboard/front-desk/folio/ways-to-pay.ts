import type { FolioView, PaymentPlan, StayRead, WindowName } from './shapes.ts';

type Payers = Pick<StayRead, 'companyId' | 'paymentDetails'>;

/** Ways to pay that a stay has for a payer; the card on file is that of who has booked, never of a sharer. */
export function waysToPay(
  stay: Payers,
  folio: Pick<FolioView, 'windows'> | undefined,
  payer: WindowName,
): PaymentPlan['method'][] {
  const hasCard = stay.paymentDetails?.cardOnFile === true && payer !== 'SHARER';
  const hasAccount =
    stay.companyId !== null ||
    (folio?.windows.some(({ window }) => window === 'COMPANY' || window === 'CHANNEL') ?? false);
  return [
    'CREDIT_CARD',
    'CASH',
    'TERMINAL',
    'BANK_TRANSFER',
    ...(hasCard ? (['CARD_ON_FILE'] as const) : []),
    ...(hasAccount ? (['INVOICE'] as const) : []),
  ];
}
