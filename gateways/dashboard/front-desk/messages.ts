import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { ApiError } from '../api.ts';
import { dayRange, longDay, mediumDay, shortDay } from '../grid/days.ts';
import type { KeyLine } from '../keys-messages.ts';
import { moneyText, nightsWord, UNREACHABLE } from '../messages.ts';
import type { Walked } from './api.ts';
import type { ConfirmRequest } from './drawer.ts';
import type { Clash, LaneGroup } from './lanes.ts';
import type { RoomFit } from './moving.ts';
import type { BoardStay, MaintenanceView, ReservationView, RoomStatusName, TaskView } from './shapes.ts';
import type { ListName, Task } from './tasks.ts';

/** Names of today's tasks in the legend, the bars and the lists. */
export const taskMessages: Record<Task, string> = {
  overstay: 'Overstays',
  'arrives-no-room': 'Arrives, no room',
  'arrives-unready': 'Arrives, room not ready',
  'arrives-unpaid': 'Arrives, not confirmed',
  'arrives-ready': 'Arrives, room ready',
  'leaves-owing': 'Leaves, has to pay',
  leaves: 'Leaves today',
  'in-house': 'In house, nothing to do',
  later: 'Comes later',
  left: 'Has left',
};

/** Advice for each task in the drawer. */
export const taskAdvice: Partial<Record<Task, string>> = {
  overstay: 'Should have left. Check the guest out, or change the departure.',
  'arrives-no-room': 'Give the stay a room.',
  'arrives-unready': 'The room has to be cleaned first, or give the stay another one.',
  'arrives-unpaid': 'The deposit is not paid yet: it cannot be checked in before.',
  'arrives-ready': 'The room is ready: the guest can be checked in.',
  'leaves-owing': 'There is a balance to be paid before the guest leaves.',
  leaves: 'Everything is paid: the guest can be checked out.',
};

export const roomStatusMessages: Record<RoomStatusName, string> = {
  AVAILABLE: 'Available',
  OCCUPIED: 'Occupied',
  DIRTY: 'Dirty',
  CLEAN: 'Clean',
  INSPECTED: 'Inspected',
  OUT_OF_ORDER: 'Out of order',
};

export const maintenanceMessages: Record<MaintenanceView['kind'], string> = {
  OUT_OF_ORDER: 'Out of order',
  OUT_OF_SERVICE: 'Out of service',
};

const clashMessages: Record<Clash, string> = {
  taken: 'room taken',
  'out-of-order': 'out of order',
  'no-such-room': 'no such room',
};

export const listMessages: Record<ListName, string> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  inHouse: 'In house',
};

export const desk = {
  today: 'Today',
  lists: 'Guests of today',
  chart: 'Tape chart',
  search: 'Find a guest, room or number',
  searchHint: 'Name, room or confirmation number',
  nothingFound: 'Nobody is found. A whole confirmation number and Enter looks beyond these days.',
  results: (count: number): string => (count === 1 ? '1 stay found' : `${count} stays found`),
  nobody: {
    arrivals: 'Nobody is expected today.',
    departures: 'Nobody leaves today.',
    inHouse: 'Nobody is in house.',
  } satisfies Record<ListName, string>,
  progress: (name: ListName, of: number, total: number): string =>
    name === 'arrivals' ? `${of} of ${total} arrived` : `${of} of ${total} left`,
  inHouse: (count: number): string => (count === 1 ? '1 stay' : `${count} stays`),
  earlier: 'A week earlier',
  later: 'A week later',
  room: (number: string): string => `Room ${number}`,
  legend: 'What has to be done today',
  loading: 'Loading rooms and stays…',
  noStays: 'This property has no rooms and no stays yet.',
  gridHelp:
    'Rooms and stays by day. Arrow keys move, Enter opens a stay or a room, M picks a stay up: then the arrow keys ' +
    'choose a room, Enter puts it down, Escape puts it back.',
  keysShort: 'Arrows move · Enter opens · M moves a stay',
  rooms: 'Rooms',
  unassigned: 'No room yet',
  overbooked: 'Overbooked',
  over: (rooms: number): string => `${rooms} over`,
  overLong: (rooms: number, from: string): string =>
    `Overbooked from ${longDay(from)} on: ${rooms} ${rooms === 1 ? 'stay' : 'stays'} more than rooms`,
  clash: (room: string, why: Clash): string => `${room}: ${clashMessages[why]}`,
  maintenance: ({ kind, reason, from, to }: MaintenanceView): string =>
    `${maintenanceMessages[kind]} ${to === null ? `from ${shortDay(from)} on` : `${shortDay(from)} to ${shortDay(to)}`}: ${reason}`,
  free: (rooms: number): string => `${rooms} free`,
  freeLong: (rooms: number, date: string): string =>
    `${shortDay(date)}: ${rooms < 0 ? `${-rooms} too many` : `${rooms} free`}`,
  roomSet: (room: string, status: RoomStatusName): string =>
    `Room ${room} is ${roomStatusMessages[status].toLowerCase()}.`,
  roomWord: 'Room',
  guestInIt: 'guest in house',
  alarms: 'Alerts',
  alarmOver: (roomType: string, rooms: number, from: string): string =>
    `${roomType} overbooked on ${mediumDay(from)}, ${rooms} too many`,
  alarmClash: (name: string, room: string, why: Clash): string => `${name}, ${room}: ${clashMessages[why]}`,
};

export const DESK_KEYS: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'The tape chart',
    lines: [
      { keys: ['← ↑ → ↓'], does: 'From stay to stay, and to the rooms' },
      { keys: ['Home', 'End'], does: 'The room, and its last stay' },
      { keys: ['Page Up', 'Page Down'], does: 'Eight rooms up and down' },
      { keys: ['Enter'], does: 'Opens a stay or a room' },
      { keys: ['m'], does: 'Picks a stay up: ↑ ↓ choose a room, Enter puts it down' },
      { keys: ['Esc'], does: 'Puts it back, gives a question up, closes what is open' },
    ],
  },
];

type Alarm = { key: string; text: string };

/** Problems to solve, lane by lane. */
export function alarmsOf(groups: readonly LaneGroup[], days: readonly { date: string }[]): Alarm[] {
  return groups.flatMap(({ roomType, lanes }) =>
    lanes.flatMap((lane): Alarm[] => {
      const { key } = lane;
      if (lane.kind === 'clash')
        return lane.bars.map(({ stay }) => ({ key, text: desk.alarmClash(stay.name, lane.roomNumber, lane.clash) }));
      if (lane.kind !== 'overbooked') return [];
      const [first] = lane.gaps;
      const rooms = Math.max(...lane.gaps.map((gap) => gap.rooms));
      const from = days[Math.floor((first?.from ?? 0) / 2)]?.date;
      return from === undefined ? [] : [{ key, text: desk.alarmOver(roomType, rooms, from) }];
    }),
  );
}

/** A bar described in a sentence. */
export function barLabel(stay: BoardStay, task: Task): string {
  const where = stay.roomNumber === undefined ? 'no room yet' : `room ${stay.roomNumber}`;
  const owes = stay.balance > 0 ? `, balance ${moneyText(stay.balance, stay.currency)}` : '';
  return `${stay.name}, ${taskMessages[task]}, ${where}, ${mediumDay(stay.checkIn)} to ${mediumDay(stay.checkOut)}${owes}`;
}

export const moving = {
  pickedUp: (name: string): string =>
    `${name} picked up. Arrow keys choose a room, Enter puts down, Escape puts back.`,
  putBack: (name: string): string => `${name} stays where it was.`,
  over: (fit: RoomFit): string => `Room ${fit.room.roomNumber}, ${fit.room.roomType}, ${fitMessages(fit)}.`,
  bar: (name: string): string => `Moving ${name}: choose a room with the arrow keys or a click.`,
  putBackButton: 'Put back',
  notNow: (name: string): string => `The stay of ${name} cannot be given a room now.`,
};

/** How well a room suits a stay. */
export function fitMessages({ room, isFree, isReady, isOwnType }: RoomFit): string {
  if (room.status === 'OUT_OF_ORDER') return 'out of order';
  if (!isFree) return 'taken on these nights';
  const state = isReady ? 'ready' : room.status === 'OCCUPIED' ? 'still occupied' : roomStatusMessages[room.status];
  return `${isOwnType ? 'free' : 'free, another type'}, ${state.toLowerCase()}`;
}

export const taskTypeMessages: Record<TaskView['taskType'], string> = {
  DEPARTURE: 'Clean for the next guest',
  STAY_OVER: 'Clean for the guest in house',
  CLEANING: 'Clean',
};

export const taskStatusMessages: Record<TaskView['status'], string> = {
  PENDING: 'To do',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Done',
  INSPECTED: 'Inspected',
  SKIPPED: 'Skipped',
};

export const housekeeping = {
  title: 'Housekeeping task',
  attendant: 'Attendant',
  nobody: 'Nobody yet',
  nextArrival: 'Next arrival',
  notes: 'Notes',
  steps: 'Record',
  start: 'Start',
  complete: 'Done',
  pass: 'Inspection passed',
  fail: 'Inspection failed',
  give: 'Give to the attendant',
  started: (room: string): string => `The task of room ${room} is in progress.`,
  given: (room: string, attendant: string | null): string =>
    attendant === null ? `Nobody has the task of room ${room}.` : `${attendant} has the task of room ${room}.`,
};

export const maintenances = {
  title: 'Maintenance',
  none: 'None planned.',
  kind: 'Kind',
  from: 'First night',
  to: 'Last night, if known',
  reason: 'Reason',
  plan: 'Plan maintenance',
  end: 'End',
  endLong: ({ kind, from }: MaintenanceView): string =>
    `End ${maintenanceMessages[kind].toLowerCase()}, ${shortDay(from)}`,
  ended: (room: string): string => `The maintenance of room ${room} has ended.`,
  planned: (room: string): string => `The maintenance of room ${room} is planned.`,
  short: (roomType: string, nights: number, first: string): string =>
    `${roomType} is short of rooms on ${nightsWord(nights)} from ${mediumDay(first)} on.`,
};

export const drawer = {
  title: 'Stay',
  close: 'Close',
  number: 'Confirmation',
  stay: 'Stay',
  room: 'Room',
  noRoom: 'Not assigned',
  guests: 'Guests',
  guestsOf: (adults: number, children: number): string =>
    `${adults} ${adults === 1 ? 'adult' : 'adults'}` +
    (children > 0 ? `, ${children} ${children === 1 ? 'child' : 'children'}` : ''),
  companions: 'With',
  sharer: 'Shared with',
  otherRooms: 'Other rooms of the booking',
  contact: 'Contact',
  member: 'Loyalty',
  total: 'Total',
  paid: 'Paid',
  balance: 'Balance',
  requests: 'Requests',
  lookOnly: 'You may look at stays, and not change them.',
  nothing: 'There is nothing to be done with this stay any more.',
  loading: 'Loading…',
  trying: 'Checking the change…',
  what: 'What would happen',
  checkIn: 'Check in…',
  checkOut: 'Check out…',
  assign: 'Assign a room…',
  move: 'Move…',
  dates: 'Change dates…',
  cancel: 'Cancel…',
  walk: 'Send to another hotel…',
  walkTo: 'Other hotel',
  compensation: 'Compensation',
  giveUp: 'Not now',
  keyCards: 'Key cards',
  identified: 'ID checked',
  roomsLegend: 'Choose a room, here or in the chart',
  inChart: 'Choose in the chart',
  reason: 'Reason',
  arrival: 'Arrival',
  departure: 'Departure',
  seePrice: 'See what it costs',
  takeCash: (amount: string): string => `Take ${amount} in cash`,
  roomStatus: 'Housekeeping',
  setStatus: 'Set the room to',
  guestInRoom: 'In the room now',
  openStay: 'Open the stay',
  nextIn: 'Comes next',
};

export const confirmMessages: Record<ConfirmRequest['kind'], string> = {
  'check-in': 'Check in now',
  'check-out': 'Check out now',
  cancel: 'Cancel the reservation',
  walk: 'Send the guest there',
  room: 'Give this room',
  dates: 'Change the dates',
};

export const cancelReasons: Record<string, string> = {
  GUEST_REQUEST: 'Requested by the guest',
  PROPERTY_REQUEST: 'Requested by the property',
  DUPLICATE: 'Booked twice',
  FORCE_MAJEURE: 'Force majeure',
  OTHER: 'Another reason',
};

const POLICIES: Record<string, string> = {
  STANDARD: 'Standard policy',
  FLEXIBLE: 'Flexible policy',
  NON_REFUNDABLE: 'Non-refundable',
};

/** A label and a text. */
type Line = [string, string];

/** Effects of an action, expected or done, as labelled lines; the first is the most important. */
export function outcomeLines(request: ConfirmRequest, reservation: ReservationView, zone?: string): Line[] {
  const { currency, balanceDue: due } = reservation.financial;
  const amount = (value: number): string => moneyText(value, currency);
  switch (request.kind) {
    case 'check-in': {
      const { roomNumber, roomType, upgraded } = request.answer!.roomDetails;
      const other = reservation.stayDetails.roomNumber !== 'TBA' && reservation.stayDetails.roomNumber !== roomNumber;
      const why = upgraded
        ? 'Ready; an upgrade, at the same price'
        : other
          ? `Ready; ${reservation.stayDetails.roomNumber} was assigned and is not`
          : 'Ready';
      return [
        ['Room', `${roomNumber}, ${roomType}`],
        ['Condition', why],
        ...(due > 0 ? [['Balance', amount(due)] as Line] : []),
      ];
    }
    case 'check-out': {
      const { refund } = request.answer!;
      const { roomCharges, additionalCharges, taxes, totalAmount, balanceDue } = request.answer!.finalBill;
      return [
        [balanceDue > 0 ? 'Charged to the card on file' : 'Nothing is due', balanceDue > 0 ? amount(balanceDue) : ''],
        ['Nights', amount(roomCharges)],
        ['Extras and fees', amount(additionalCharges)],
        ['Taxes', amount(taxes)],
        ['Total', amount(totalAmount)],
        ...(refund.amount > 0 ? [['Goes back to the guest', amount(refund.amount)] as Line] : []),
        ['Room', `${reservation.stayDetails.roomNumber} becomes dirty`],
      ];
    }
    case 'cancel': {
      const { cancellationPolicy: policy, refund } = request.answer!;
      return [
        ['Penalty', amount(policy.penaltyAmount)],
        ['Goes back to the guest', amount(refund.refundAmount)],
        [POLICIES[policy.policyName] ?? policy.policyName, freeUntilText(policy.deadlineDate, zone)],
        ['Rooms', `${nightsText(reservation)} are sold again`],
      ];
    }
    case 'walk':
      return walkLines(request.answer!, amount, reservation);
    case 'room': {
      const { roomNumber, roomType, upgraded, previousRoomNumber } = request.answer!;
      const inHouse = reservation.status === 'CHECKED_IN' && previousRoomNumber !== null;
      return [
        ['Room', `${roomNumber}, ${roomType}`],
        ...(previousRoomNumber === null ? [] : [['Until now', previousRoomNumber] as Line]),
        ['Price', upgraded ? 'As booked: an upgrade' : 'As booked'],
        ...(inHouse ? [['Guest', `Moves at once; ${previousRoomNumber} becomes dirty`] as Line] : []),
      ];
    }
    case 'dates': {
      const { changes, additionalPayment, refund } = request.answer!;
      const total = changes.totalAmount;
      const price = total ? `${amount(Number(total.from))} → ${amount(Number(total.to))}` : 'As before';
      return [
        ['Price', price],
        ['Stay', `${mediumDay(request.checkIn)} to ${mediumDay(request.checkOut)}`],
        ...(additionalPayment.amount > 0 ? [['Still to be paid', amount(additionalPayment.amount)] as Line] : []),
        ...(refund.refundAmount > 0 ? [['Goes back to the guest', amount(refund.refundAmount)] as Line] : []),
      ];
    }
  }
}

function walkLines(
  { walk, refund }: Walked,
  amount: (value: number) => string,
  reservation: ReservationView,
): Line[] {
  return [
    ['Sent to', walk.to ?? ''],
    ['Goes back to the guest', amount(refund.refundAmount)],
    ['Compensation', `${amount(walk.compensation)}, to be paid by the property`],
    ['Rooms', `${nightsText(reservation)} are sold again`],
  ];
}

function freeUntilText(deadline: string | null, timezone: string | undefined): string {
  if (deadline === null) return 'Never free of charge';
  const at = new Date(deadline).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timezone !== undefined && { timeZone: timezone }),
  });
  return `Free until ${at}`;
}

function nightsText({ stayDetails: { nights } }: ReservationView): string {
  return nightsWord(Math.max(1, nights));
}

/** What was done, in one sentence. */
export function done(
  request: ConfirmRequest | { kind: 'cash'; amount: WireAmount },
  reservation: ReservationView,
): string {
  const name = `${reservation.guestInfo.firstName} ${reservation.guestInfo.lastName}`;
  const amount = (value: number): string => moneyText(value, reservation.financial.currency);
  switch (request.kind) {
    case 'check-in':
      return `${name} is checked in, room ${request.answer!.roomDetails.roomNumber}.`;
    case 'check-out':
      return `${name} is checked out. The room has to be cleaned.`;
    case 'cancel':
      return `The reservation of ${name} is cancelled, penalty ${amount(request.answer!.cancellationPolicy.penaltyAmount)}.`;
    case 'walk':
      return `${name} is sent to ${request.to}.`;
    case 'room':
      return `${name} has room ${request.answer!.roomNumber}.`;
    case 'dates':
      return `${name} stays from ${mediumDay(request.checkIn)} to ${mediumDay(request.checkOut)}.`;
    case 'cash':
      return `${amount(request.amount)} taken from ${name}.`;
  }
}

/** Messages for errors of the service, with the next step. */
const ERROR_TEXTS: Record<string, string> = {
  NO_ROOM_READY: 'No room is ready for this guest. Have one cleaned, set it to clean, and try again.',
  ROOM_TAKEN: 'Another stay has this room on one of the nights. Choose another room, or move that stay first.',
  ROOM_OUT_OF_ORDER: 'This room is out of order. Choose another room.',
  ROOM_OCCUPIED: 'A guest is in this room. Move the guest first.',
  ROOM_UNSUITABLE: 'This room does not have what the stay requires. Choose another room, or change its wishes first.',
  WRONG_ROOM_TYPE: 'This room is not of the type that was booked, nor of a better one. Choose another room.',
  ROOM_NOT_AVAILABLE: 'No room of this type is left on one of the nights. Choose other nights or another room.',
  TOO_EARLY: 'The day of arrival has not come yet. Change the dates first, if the guest comes earlier.',
  STALE_VERSION: 'Somebody else has just changed this stay. It is shown as it is now: look once more and try again.',
  PAYMENT_METHOD_REQUIRED: 'There is a balance and no card on file. Take the money first, then check out.',
  PAYMENT_DECLINED: 'The card was declined. Take the money another way, then try again.',
  ROLE_TOO_LOW: 'Your role may not do this. Ask a colleague who may.',
  UNAUTHENTICATED: 'Your sign-in has expired. Sign in again.',
  NOT_EXECUTED: 'The service is too busy; nothing was done. Try again.',
  OUTCOME_UNKNOWN: 'It is not known whether it was done. Look at the stay before you try again.',
};

/** The message of an error; without one here, the service's own. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return ERROR_TEXTS[error.code] ?? error.message;
  return error instanceof Error ? error.message : UNREACHABLE;
}

/** Room and departure of a stay in a list. */
export const listRoom = ({ roomNumber, roomType }: BoardStay): string => `${roomNumber ?? ''} ${roomType}`;
export function listLine({ checkIn, checkOut, balance, currency, status }: BoardStay, task: Task): string {
  const owes = balance > 0 && status === 'CHECKED_IN' ? `${moneyText(balance, currency)} · ` : '';
  return `${taskMessages[task]} · ${owes}${dayRange(checkIn, checkOut)}`;
}
