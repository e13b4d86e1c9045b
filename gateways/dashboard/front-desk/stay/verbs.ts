import { amountIn } from '../../amounts.ts';
import { shownBusinessDate, shortTime } from '../../grid/days.ts';
import { moneyText, nightsWord } from '../../messages.ts';
import type { FrontDesk } from '../front-desk.ts';
import { roomStatusMessages } from '../messages.ts';
import { doneWords, lineWords as words, verbWords } from './messages.ts';
import { noShowText, penaltyLines, penaltyOf } from './penalty.ts';
import type { VerbAnswers, VerbName, WholeStay } from './shapes.ts';

/** What somebody has typed and ticked; a box is `yes` or empty. */
export type VerbValues = Readonly<Record<string, string>>;

export type Field = {
  name: string;
  label: string;
  kind: 'text' | 'amount' | 'check' | 'type' | 'night';
  /** The answer does not depend on it, so that it is not tried again. */
  isAside?: boolean;
};

type Line = [name: string, text: string];

/** A verb of the desk: its fields, its request, and its words before and afterwards. */
export type StayVerb<N extends VerbName = VerbName> = {
  label: string;
  grave?: boolean;
  isOffered: (stay: WholeStay, desk: FrontDesk) => boolean;
  fields: (stay: WholeStay, desk: FrontDesk) => Field[];
  start: (stay: WholeStay) => VerbValues;
  /** Whether everything is there that the service needs. */
  isReady: (values: VerbValues) => boolean;
  send: (values: VerbValues) => { method: 'POST' | 'DELETE'; path: string; body: object };
  /** The most important first. */
  lines: (answer: VerbAnswers[N], stay: WholeStay) => Line[];
  done: (answer: VerbAnswers[N], stay: WholeStay) => string;
};

const REASON: Field = { name: 'reason', label: verbWords.reason, kind: 'text' };
const hasReason = ({ reason }: VerbValues): boolean => (reason ?? '').trim() !== '';

export const guestNameOf = ({ guestInfo: { firstName, lastName } }: WholeStay): string => `${firstName} ${lastName}`;
const money = ({ financial: { currency } }: WholeStay, amount: number): string => moneyText(amount, currency);
const isOver = ({ status }: WholeStay): boolean => status === 'CANCELLED' || status === 'NO_SHOW';

/** Whether the guest is due, today or since an earlier day. */
export const isDue = ({ status, stayDetails }: WholeStay, desk: FrontDesk): boolean =>
  status === 'CONFIRMED' && stayDetails.checkIn <= desk.today.value;

/** The business date of the last check-in. */
function arrivedOn({ timeline }: WholeStay, desk: FrontDesk): string | undefined {
  const arrived = timeline.findLast(({ event }) => event === 'CHECKED_IN');
  const { timezone, nightAuditHour = 3 } = desk.property.value ?? {};
  return arrived && shownBusinessDate(Date.parse(arrived.timestamp), timezone, nightAuditHour);
}

const total = (stay: WholeStay, after: { totalAmount: number }): Line => [
  words.total,
  `${money(stay, stay.financial.totalAmount)} → ${money(stay, after.totalAmount)}`,
];

const dueLine = (stay: WholeStay, { balanceDue }: { balanceDue: number }): Line[] =>
  balanceDue > 0 ? [[words.due, money(stay, balanceDue)]] : [];

export const STAY_VERBS: { [N in VerbName]: StayVerb<N> } = {
  noShow: {
    label: verbWords.noShow,
    grave: true,
    isOffered: isDue,
    fields: () => [],
    start: () => ({}),
    isReady: () => true,
    send: () => ({ method: 'POST', path: '/no-show', body: {} }),
    lines: (answer, stay) => [
      ...penaltyLines(answer, stay.financial, (value) => money(stay, value)),
      [words.rooms, words.soldAgain(nightsWord(Math.max(1, stay.stayDetails.nights)))],
    ],
    done: (answer, stay) =>
      noShowText(guestNameOf(stay), penaltyOf(answer, stay.financial), (value) => money(stay, value)),
  },
  undoCheckIn: {
    label: verbWords.undoCheckIn,
    isOffered: (stay, desk) => stay.status === 'CHECKED_IN' && arrivedOn(stay, desk) === desk.today.value,
    fields: () => [{ name: 'roomUsed', label: verbWords.roomUsed, kind: 'check' }],
    start: () => ({}),
    isReady: () => true,
    send: ({ roomUsed }) => ({ method: 'POST', path: '/undo-checkin', body: { roomUsed: roomUsed === 'yes' } }),
    lines: ({ roomNumber, roomStatus }) => [
      [words.stay, words.confirmedAgain],
      [
        words.room,
        roomNumber === null || roomStatus === null
          ? words.noRoom
          : words.roomBecomes(roomNumber, roomStatusMessages[roomStatus].toLowerCase()),
      ],
    ],
    done: (_, stay) => doneWords.undoCheckIn(guestNameOf(stay)),
  },
  upgrade: {
    label: verbWords.upgrade,
    isOffered: ({ status }) => status === 'CONFIRMED' || status === 'CHECKED_IN',
    fields: (stay, desk) => [
      { name: 'roomType', label: verbWords.roomType, kind: 'type' },
      { name: 'amountPerNight', label: verbWords.amountPerNight, kind: 'amount' },
      { ...REASON, label: verbWords.reasonIfFree },
      ...(isDue(stay, desk)
        ? [{ name: 'checkIn', label: verbWords.identified, kind: 'check', isAside: true } as const]
        : []),
    ],
    start: () => ({ roomType: '', amountPerNight: '0', reason: verbWords.freeUpgrade }),
    isReady: (values) =>
      values['roomType'] !== '' &&
      amountIn(values['amountPerNight'] ?? '') !== undefined &&
      (amountOf(values['amountPerNight']) > 0 || hasReason(values)),
    send: ({ roomType, amountPerNight, reason }) => ({
      method: 'POST',
      path: '/upgrade',
      body: { roomType, amountPerNight: amountOf(amountPerNight), ...(reason?.trim() && { reason: reason.trim() }) },
    }),
    lines: ({ roomType, previousRoomType, additionalPayment, financial }, stay) => [
      [words.room, `${previousRoomType} → ${roomType}`],
      [words.surcharge, additionalPayment.amount > 0 ? money(stay, additionalPayment.amount) : words.free],
      total(stay, financial),
    ],
    done: ({ roomType }, stay) => doneWords.upgrade(guestNameOf(stay), roomType),
  },
  comp: {
    label: verbWords.comp,
    isOffered: ({ status, comp, stayDetails }, desk) =>
      desk.mayManage &&
      (status === 'PENDING' || status === 'CONFIRMED' || status === 'CHECKED_IN') &&
      (comp?.nights.length ?? 0) < Math.max(1, stayDetails.nights),
    fields: () => [
      { name: 'night', label: verbWords.nights, kind: 'night' },
      REASON,
      { name: 'refund', label: verbWords.refund, kind: 'check' },
    ],
    start: () => ({ night: '', reason: '' }),
    isReady: hasReason,
    send: ({ night, reason, refund }) => ({
      method: 'POST',
      path: '/comp',
      body: { ...(night && { nights: [night] }), reason: reason?.trim(), refundRequested: refund === 'yes' },
    }),
    lines: ({ nights, financial, refund, credit }, stay) => [
      [words.nights, nightsWord(nights.filter(({ compedRate }) => compedRate !== undefined).length)],
      total(stay, financial),
      ...(refund.refundAmount > 0 ? [[words.back, money(stay, refund.refundAmount)] as Line] : []),
      ...(credit > 0 ? [[words.credit, money(stay, credit)] as Line] : []),
    ],
    done: ({ nights }, stay) =>
      doneWords.comp(
        guestNameOf(stay),
        nightsWord(nights.filter(({ compedRate }) => compedRate !== undefined).length),
      ),
  },
  undoComp: {
    label: verbWords.undoComp,
    isOffered: ({ comp, status }, desk) => desk.mayManage && comp !== undefined && status !== 'CHECKED_OUT',
    fields: () => [REASON],
    start: () => ({ reason: '' }),
    isReady: () => true,
    send: ({ reason }) => ({
      method: 'DELETE',
      path: '/comp',
      body: reason?.trim() ? { reason: reason.trim() } : {},
    }),
    lines: ({ financial }, stay) => [total(stay, financial), ...dueLine(stay, financial)],
    done: (_, stay) => doneWords.undoComp(guestNameOf(stay)),
  },
  reinstate: {
    label: verbWords.reinstate,
    isOffered: (stay, desk) => isOver(stay) && desk.mayManage,
    fields: () => [REASON],
    start: () => ({ reason: '' }),
    isReady: hasReason,
    send: ({ reason }) => ({ method: 'POST', path: '/reinstate', body: { reason: reason?.trim() } }),
    lines: ({ status, financial, holdExpiresAt }, stay) => [
      [
        words.stay,
        status === 'PENDING' && holdExpiresAt !== undefined
          ? words.heldUntil(shortTime(Date.parse(holdExpiresAt)))
          : words.confirmedAgain,
      ],
      [words.total, money(stay, financial.totalAmount)],
      ...dueLine(stay, financial),
    ],
    done: (_, stay) => doneWords.reinstate(guestNameOf(stay)),
  },
  waive: {
    label: verbWords.waive,
    isOffered: (stay, desk) => isOver(stay) && desk.mayManage && stay.financial.totalAmount > 0,
    fields: () => [{ name: 'amount', label: verbWords.amount, kind: 'amount' }, REASON],
    start: ({ financial }) => ({ amount: String(financial.totalAmount), reason: '' }),
    isReady: (values) => amountOf(values['amount']) > 0 && hasReason(values),
    send: ({ amount, reason }) => ({
      method: 'POST',
      path: '/waive-penalty',
      body: { amount: amountOf(amount), reason: reason?.trim() },
    }),
    lines: ({ waived, cancellationPolicy }, stay) => [
      [words.waived, money(stay, waived.amount)],
      ...(waived.refundId === null ? [] : [[words.back, money(stay, waived.amount)] as Line]),
      [words.stillRetained, money(stay, cancellationPolicy.penaltyAmount)],
    ],
    done: ({ waived }, stay) => doneWords.waive(guestNameOf(stay), money(stay, waived.amount)),
  },
};

/** Zero for what is no amount. */
const amountOf = (text = ''): number => amountIn(text) ?? 0;

/** Verbs for a stay, in the order of the table. */
export function offeredVerbs(stay: WholeStay, desk: FrontDesk): VerbName[] {
  return (Object.keys(STAY_VERBS) as VerbName[]).filter((name) => STAY_VERBS[name].isOffered(stay, desk));
}
