import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { underWay } from './charges.ts';
import { type FolioWindow, windowOfPayment } from './folio-window.ts';
import { billOf } from './folio.ts';
import { windowsOf } from './postings.ts';
import { sharerBalance } from './shared-money.ts';

/**
 * Amount due of a reservation; with several windows, of the window that pays (docs/reference/folio.md#windows).
 * @param today business date of the property
 */
export function balanceIn(reservation: Reservation, window: FolioWindow, today: Day): Minor {
  const windows = windowsOf(reservation, today);
  if (windows.length === 1 && windows[0]!.window === window) return billOf(reservation).balance;
  const { expectedTotal = 0, paid = 0 } = windows.find((one) => one.window === window) ?? {};
  return Math.min(balanceBeside(reservation, window), expectedTotal - paid);
}

/** Total of a stay with its nights to come, what is paid of it, and what is open; with several windows, of one of them. */
export function billIn(
  reservation: Reservation,
  window: FolioWindow,
  today: Day,
): { total: Minor; paid: Minor; open: Minor } {
  const open = Math.max(0, balanceIn(reservation, window, today));
  const windows = windowsOf(reservation, today);
  const found = windows.find((one) => one.window === window);
  if (windows.length > 1) return { total: found?.expectedTotal ?? 0, paid: found?.paid ?? 0, open };
  return { total: billOf(reservation).total, paid: reservation.paid, open };
}

/** Amount due without what is being paid at the moment. */
export function openIn(reservation: Reservation, window: FolioWindow, today: Day): Minor {
  const inWindow = reservation.payments.filter((one) => windowOfPayment(reservation, one) === window);
  const isSharer = reservation.sharer && window === 'SHARER';
  const beside = reservation.payments.filter((one) => isSharer === (windowOfPayment(reservation, one) === 'SHARER'));
  const open = balanceBeside(reservation, window) - underWay(reservation.sharer ? beside : reservation.payments);
  return Math.min(balanceIn(reservation, window, today) - underWay(inWindow), open);
}

/**
 * What is open of the stay for a window: what one of two guests has paid too much does not pay for the other one, who
 * may pay all the same (docs/reference/sharers.md#payment).
 */
function balanceBeside(reservation: Reservation, window: FolioWindow): Minor {
  const ofSharer = sharerBalance(reservation);
  return window === 'SHARER' && reservation.sharer ? ofSharer : billOf(reservation).balance - ofSharer;
}
