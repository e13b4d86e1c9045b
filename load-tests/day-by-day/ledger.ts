import { type Day, dayOf, formatDay } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { Cells } from '../replay/cells.ts';
import type * as answers from './answers.ts';
import { centsOf, Findings } from './findings.ts';

export type Status = 'PENDING' | 'CONFIRMED' | 'CHECKED_IN' | 'CHECKED_OUT' | 'CANCELLED' | 'NO_SHOW';

/** The client's knowledge of one booking, from answers alone. */
export type Account = {
  row: number;
  reservationId: string;
  status: Status;
  roomType: string;
  rateCode: string;
  checkIn: Day;
  checkOut: Day;
  total: Minor;
  paid: Minor;
  ending?: Ending;
};

/**
 * Price and payments of a booking at its cancellation or no-show, and the refund: unknown when no client requested the
 * end.
 */
export type Ending = { total: Minor; paidBefore: Minor; refund?: Minor; refundRequested: boolean };

/**
 * The client's own ledger of the property, in cents: the expected content of each answer is computed from those before
 * it. Only effects without a request are read back from the service.
 */
export class Ledger {
  readonly accounts = new Map<number, Account>();
  readonly findings = new Findings();
  /** All payments, and all refunds. */
  taken: Minor = 0;
  givenBack: Minor = 0;
  /** Bookings that a new day may end. */
  readonly #open = new Set<Account>();

  created(row: number, { reservationId, status, stayDetails, financial }: answers.Created): void {
    const { totalAmount, baseAmount, taxes, fees, paidAmount, balanceDue } = financial;
    const total = centsOf(baseAmount) + centsOf(taxes) + centsOf(fees);
    const paid = status === 'PENDING' ? 0 : total;
    this.findings.amount(`row ${row} total`, totalAmount, total);
    this.findings.amount(`row ${row} paid`, paidAmount, paid);
    this.findings.amount(`row ${row} balance`, balanceDue, total - paid);
    const { roomType, rateCode, checkIn, checkOut } = stayDetails;
    const stay = { roomType, rateCode, checkIn: dayOf(checkIn), checkOut: dayOf(checkOut) };
    const account: Account = { row, reservationId, status, ...stay, total, paid };
    this.taken += paid;
    this.accounts.set(row, account);
    this.#open.add(account);
  }

  amended(account: Account, { status, changes, additionalPayment, refund }: answers.Amended): void {
    const { row, total: before } = account;
    if (changes.totalAmount) {
      this.findings.amount(`row ${row} total before`, changes.totalAmount.from, before);
      account.total = centsOf(changes.totalAmount.to);
    }
    if (changes.checkOut) account.checkOut = dayOf(changes.checkOut.to);
    const over = Math.max(0, account.paid - account.total);
    this.findings.amount(`row ${row} addition`, additionalPayment.amount, Math.max(0, account.total - before));
    this.findings.amount(`row ${row} refund`, refund.refundAmount, over);
    this.#giveBack(account, over);
    account.status = status;
  }

  /** @param due the whole amount due, or the part that was to be paid */
  paid(account: Account, due: Minor, { amount, reservationStatus, financial }: answers.Paid): void {
    const { row } = account;
    this.findings.amount(`row ${row} payment`, amount, due);
    this.taken += due;
    account.paid += due;
    this.findings.amount(`row ${row} total`, financial.totalAmount, account.total);
    this.findings.amount(`row ${row} paid`, financial.paidAmount, account.paid);
    this.findings.amount(`row ${row} balance`, financial.balanceDue, account.total - account.paid);
    account.status = reservationStatus;
  }

  checkedIn(account: Account, { status, roomDetails }: answers.CheckedIn): void {
    account.status = status;
    account.roomType = roomDetails.roomType;
    this.#open.delete(account);
  }

  /**
   * Cancelled by the guest or the property, or a no-show at the front desk: what is not retained is refunded.
   * @param freely no penalty, where that is known
   */
  ended(account: Account, answer: answers.Ended, asked: { refundRequested: boolean; freely?: boolean }): void {
    const { row, paid } = account;
    const penalty = centsOf(answer.cancellationPolicy.penaltyAmount);
    const refund = asked.refundRequested ? paid - penalty : 0;
    this.findings.amount(`row ${row} refund`, answer.refund.refundAmount, refund);
    if (asked.freely !== undefined && asked.freely !== (penalty === 0) && paid > 0)
      this.findings.found(`row ${row}: penalty ${penalty}, free of charge ${asked.freely}`);
    account.ending = { total: account.total, paidBefore: paid, refund, refundRequested: asked.refundRequested };
    account.total = penalty;
    this.#giveBack(account, refund);
    account.status = answer.status;
    this.#open.delete(account);
  }

  /**
   * @param charges beside the nights
   * @param stay price of the stay after nights were given back, without charges; absent otherwise
   */
  left(
    account: Account,
    { forced, charges, stay = account.total }: { forced: boolean; charges: Minor; stay?: Minor },
    { status, finalBill, payment, refund }: answers.Left,
  ): void {
    const { row } = account;
    account.total = stay + charges;
    const balance = account.total - account.paid;
    const charged = balance > 0 && !forced ? balance : 0;
    const { roomCharges, additionalCharges, taxes, totalAmount, balanceDue } = finalBill;
    this.findings.amount(`row ${row} bill`, totalAmount, account.total);
    const parts = centsOf(roomCharges) + centsOf(additionalCharges) + centsOf(taxes);
    this.findings.amount(`row ${row} parts of the bill`, totalAmount, parts);
    this.findings.amount(`row ${row} due`, balanceDue, Math.max(0, balance));
    if (charged > 0) this.findings.amount(`row ${row} payment`, payment.amount, charged);
    this.findings.amount(`row ${row} refund`, refund.amount, Math.max(0, -balance));
    this.taken += charged;
    account.paid += charged;
    this.#giveBack(account, Math.max(0, -balance));
    account.status = status;
  }

  /**
   * A new day: yesterday's missing arrivals are no-shows, and unpaid bookings lose their rooms
   * (docs/reference/reservations.md#states).
   */
  rolled(today: Day): { noShows: number; expired: number } {
    const counts = { noShows: 0, expired: 0 };
    for (const account of this.#open) {
      const isDue = account.status === 'PENDING' || account.checkIn < today;
      if (!isDue) continue;
      account.ending = { total: account.total, paidBefore: account.paid, refundRequested: true };
      this.#open.delete(account);
      if (account.status === 'PENDING') {
        account.ending.refund = account.paid;
        this.#giveBack(account, account.paid);
        account.status = 'CANCELLED';
        account.total = 0;
        counts.expired += 1;
      } else {
        account.status = 'NO_SHOW';
        counts.noShows += 1;
      }
    }
    return counts;
  }

  /** Refund of a no-show: no client requested it, so its penalty is read. */
  fees(account: Account, ending: Ending, penalty: Minor): void {
    ending.refund ??= ending.paidBefore - penalty;
    account.total = penalty;
    this.#giveBack(account, account.paid - penalty);
  }

  /** Rooms taken by accepted bookings that are not over. */
  cells(): Cells {
    const cells = new Cells();
    for (const { status, roomType, checkIn, checkOut } of this.accounts.values())
      cells.add({ status, stayDetails: { roomType, checkIn: formatDay(checkIn), checkOut: formatDay(checkOut) } });
    return cells;
  }

  #giveBack(account: Account, amount: Minor): void {
    this.givenBack += amount;
    account.paid -= amount;
  }
}
