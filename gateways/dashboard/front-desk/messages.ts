import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { dayRange, longDay, mediumDay, shortDay } from '../grid/days.ts';
import type { KeyLine } from '../keys-messages.ts';
import { locale, textsOf } from '../language/texts.ts';
import { moneyText, nightsWord } from '../messages.ts';
import type { CheckedIn, Walked } from './api.ts';
import type { ConfirmRequest } from './drawer.ts';
import { holdText } from './folio/section-messages.ts';
import type { Clash, LaneGroup } from './lanes.ts';
import { checkedOutText, checkOutLines } from './leaving/messages.ts';
import type { RoomFit } from './moving.ts';
import {
  type BoardStay,
  type MaintenanceView,
  NO_ROOM_ASSIGNED,
  type ReservationView,
  type RoomStatusName,
  type TaskView,
} from './shapes.ts';
import type { ListName, Task } from './tasks.ts';

const say = textsOf('front-desk');

/** Names of today's tasks in the legend, the bars and the lists. */
export const taskMessages: Record<Task, string> = {
  overstay: say('Overstays'),
  'arrives-no-room': say('Arrives, no room'),
  'arrives-unready': say('Arrives, room not ready'),
  'arrives-unpaid': say('Arrives, not confirmed'),
  'arrives-ready': say('Arrives, room ready'),
  'leaves-owing': say('Leaves, has to pay'),
  leaves: say('Leaves today'),
  'in-house': say('In house, nothing to do'),
  later: say('Comes later'),
  left: say('Has left'),
};

/** Advice for each task in the drawer. */
export const taskAdvice: Partial<Record<Task, string>> = {
  overstay: say('Should have left. Check the guest out, or change the departure.'),
  'arrives-no-room': say('Give the stay a room.'),
  'arrives-unready': say('The room has to be cleaned first, or give the stay another one.'),
  'arrives-unpaid': say('The deposit is not paid yet: it cannot be checked in before.'),
  'arrives-ready': say('The room is ready: the guest can be checked in.'),
  'leaves-owing': say('There is a balance to be paid before the guest leaves.'),
  leaves: say('Everything is paid: the guest can be checked out.'),
};

export const roomStatusMessages: Record<RoomStatusName, string> = {
  AVAILABLE: say('Available'),
  OCCUPIED: say('Occupied'),
  DIRTY: say('Dirty'),
  CLEAN: say('Clean'),
  INSPECTED: say('Inspected'),
  OUT_OF_ORDER: say('Out of order'),
};

const maintenanceMessages: Record<MaintenanceView['kind'], string> = {
  OUT_OF_ORDER: say('Out of order'),
  OUT_OF_SERVICE: say('Out of service'),
};

const clashMessages: Record<Clash, string> = {
  taken: say('room taken'),
  'out-of-order': say('out of order'),
  'no-such-room': say('no such room'),
};

export const listMessages: Record<ListName, string> = {
  arrivals: say('Arrivals'),
  departures: say('Departures'),
  inHouse: say('In house'),
};

export const desk = {
  noShow: say('Mark no-show'),
  noShowOf: (name: string): string => say('Mark no-show: {name}', { name }),
  today: say('Today'),
  lists: say('Guests of today'),
  chart: say('Tape chart'),
  housekeeping: say('Housekeeping'),
  nobody: {
    arrivals: say('Nobody is expected today.'),
    departures: say('Nobody leaves today.'),
    inHouse: say('Nobody is in house.'),
  } satisfies Record<ListName, string>,
  progress: (name: ListName, of: number, total: number): string =>
    name === 'arrivals' ? say('{of} of {total} arrived', { of, total }) : say('{of} of {total} left', { of, total }),
  inHouse: (count: number): string => say('{count, plural, one {# stay} other {# stays}}', { count }),
  room: (number: string): string => say('Room {number}', { number }),
  legend: say('What has to be done today'),
  loading: say('Loading rooms and stays…'),
  noStays: say('This property has no rooms and no stays yet.'),
  gridHelp: say(
    'Rooms and stays by day. Arrow keys move, Enter opens a stay or a room, M picks a stay up: then the arrow keys choose a room, Enter puts it down, Escape puts it back.',
  ),
  keysShort: say('Arrows move · Enter opens · M moves a stay'),
  rooms: say('Rooms'),
  unassigned: say('No room yet'),
  overbooked: say('Overbooked'),
  over: (rooms: number): string => say('{rooms} over', { rooms }),
  overLong: (rooms: number, from: string): string =>
    say('Overbooked from {from} on: {rooms} {rooms, plural, one {stay} other {stays}} more than rooms', {
      from: longDay(from),
      rooms,
    }),
  clash: (room: string, why: Clash): string => `${room}: ${clashMessages[why]}`,
  maintenance: ({ kind, reason, from, to }: MaintenanceView): string =>
    `${maintenanceMessages[kind]} ${to === null ? say('from {from} on', { from: shortDay(from) }) : say('{from} to {to}', { from: shortDay(from), to: shortDay(to) })}: ${reason}`,
  free: (rooms: number, isNarrow = false): string => (isNarrow ? String(rooms) : say('{rooms} free', { rooms })),
  freeLong: (rooms: number, date: string): string =>
    `${shortDay(date)}: ${rooms < 0 ? say('{rooms} too many', { rooms: -rooms }) : say('{rooms} free', { rooms })}`,
  roomSet: (room: string, status: RoomStatusName): string =>
    say('Room {room} is {status}.', { room, status: roomStatusMessages[status].toLowerCase() }),
  roomWord: say('Room'),
  guestInIt: say('guest in house'),
  alarms: say('Alerts'),
  alarmOver: (roomType: string, rooms: number, from: string): string =>
    say('{roomType} overbooked on {from}, {rooms} too many', { roomType, from: mediumDay(from), rooms }),
  alarmClash: (name: string, room: string, why: Clash): string => `${name}, ${room}: ${clashMessages[why]}`,
};

export const DESK_KEYS: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: say('The tape chart'),
    lines: [
      { keys: ['← ↑ → ↓'], does: say('From stay to stay, and to the rooms') },
      { keys: ['Home', 'End'], does: say('The room, and its last stay') },
      { keys: ['Page Up', 'Page Down'], does: say('Eight rooms up and down') },
      { keys: ['Enter'], does: say('Opens a stay or a room') },
      { keys: ['m'], does: say('Picks a stay up: ↑ ↓ choose a room, Enter puts it down') },
      { keys: ['n'], does: say('New reservation, for the room that has the focus') },
      { keys: ['w'], does: say('Walk-in, for tonight') },
      { keys: ['o', say('Shift and drag')], does: say('Takes the room out of order, for these nights') },
      { keys: ['Esc'], does: say('Puts it back, gives a question up, closes what is open') },
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

/** A bar described in a sentence. @param zone of the property */
export function barLabel(stay: BoardStay, task: Task, zone?: string): string {
  const where =
    stay.roomNumber === undefined ? say('no room yet') : say('room {roomNumber}', { roomNumber: stay.roomNumber });
  const owes =
    stay.balance > 0 ? say(', balance {balance}', { balance: moneyText(stay.balance, stay.currency) }) : '';
  const held = stay.holdExpiresAt === undefined ? '' : `, ${holdText(stay.holdExpiresAt, zone)}`;
  return say('{name}, {task}{held}, {where}, {checkIn} to {checkOut}{owes}', {
    name: stay.name,
    task: taskMessages[task],
    held,
    where,
    checkIn: mediumDay(stay.checkIn),
    checkOut: mediumDay(stay.checkOut),
    owes,
  });
}

export const moving = {
  pickedUp: (name: string): string =>
    say('{name} picked up. Arrow keys choose a room, Enter puts down, Escape puts back.', { name }),
  putBack: (name: string): string => say('{name} stays where it was.', { name }),
  over: (fit: RoomFit): string =>
    say('Room {roomNumber}, {roomType}, {fit}.', {
      roomNumber: fit.room.roomNumber,
      roomType: fit.room.roomType,
      fit: fitMessages(fit),
    }),
  bar: (name: string): string => say('Moving {name}: choose a room with the arrow keys or a click.', { name }),
  putBackButton: say('Put back'),
  notNow: (name: string): string => say('The stay of {name} cannot be given a room now.', { name }),
};

/** How well a room suits a stay. */
export function fitMessages({ room, isFree, isReady, isOwnType }: RoomFit): string {
  if (room.status === 'OUT_OF_ORDER') return say('out of order');
  if (!isFree) return say('taken on these nights');
  const state = isReady
    ? say('ready')
    : room.status === 'OCCUPIED'
      ? say('still occupied')
      : roomStatusMessages[room.status];
  return `${isOwnType ? say('free') : say('free, another type')}, ${state.toLowerCase()}`;
}

export const taskTypeMessages: Record<TaskView['taskType'], string> = {
  DEPARTURE: say('Clean for the next guest'),
  STAY_OVER: say('Clean for the guest in house'),
  CLEANING: say('Clean'),
};

export const taskStatusMessages: Record<TaskView['status'], string> = {
  PENDING: say('To do'),
  IN_PROGRESS: say('In progress'),
  COMPLETED: say('Done'),
  INSPECTED: say('Inspected'),
  SKIPPED: say('Skipped'),
};

export const housekeeping = {
  title: say('Housekeeping task'),
  attendant: say('Attendant'),
  nobody: say('Nobody yet'),
  nextArrival: say('Next arrival'),
  notes: say('Notes'),
  steps: say('Record'),
  start: say('Start'),
  complete: say('Done'),
  pass: say('Inspection passed'),
  fail: say('Inspection failed'),
  give: say('Give to the attendant'),
  started: (room: string): string => say('The task of room {room} is in progress.', { room }),
  given: (room: string, attendant: string | null): string =>
    attendant === null
      ? say('Nobody has the task of room {room}.', { room })
      : say('{attendant} has the task of room {room}.', { attendant, room }),
};

export const maintenances = {
  title: say('Maintenance'),
  none: say('None planned.'),
  end: say('End'),
  endLong: ({ kind, from }: MaintenanceView): string =>
    say('End {kind}, {from}', { kind: maintenanceMessages[kind].toLowerCase(), from: shortDay(from) }),
  ended: (room: string): string => say('The maintenance of room {room} has ended.', { room }),
  changed: (room: string): string => say('The maintenance of room {room} is changed.', { room }),
  planned: (room: string): string => say('The maintenance of room {room} is planned.', { room }),
  short: (roomType: string, nights: number, first: string): string =>
    say('{roomType} is short of rooms on {nights} from {first} on.', {
      roomType,
      nights: nightsWord(nights),
      first: mediumDay(first),
    }),
};

export const drawer = {
  title: say('Stay'),
  close: say('Close'),
  number: say('Confirmation'),
  stay: say('Stay'),
  room: say('Room'),
  noRoom: say('Not assigned'),
  guests: say('Guests'),
  guestsOf: (adults: number, children: number): string =>
    say('{adults} {adults, plural, one {adult} other {adults}}', { adults }) +
    (children > 0 ? say(', {children} {children, plural, one {child} other {children}}', { children }) : ''),
  companions: say('With'),
  sharer: say('Shared with'),
  otherRooms: say('Other rooms of the booking'),
  contact: say('Contact'),
  member: say('Loyalty'),
  total: say('Total'),
  paid: say('Paid'),
  balance: say('Balance'),
  requests: say('Requests'),
  lookOnly: say('You may look at stays, and not change them.'),
  changedMeanwhile: say('Somebody else has just changed this stay. Look at it as it is now, then go on.'),
  loading: say('Loading…'),
  trying: say('Checking the change…'),
  what: say('What would happen'),
  checkIn: say('Check in'),
  checkOut: say('Check out'),
  assign: say('Assign room'),
  move: say('Move room'),
  dates: say('Change dates…'),
  cancel: say('Cancel…'),
  walk: say('Send to another hotel…'),
  walkTo: say('Other hotel'),
  compensation: say('Compensation'),
  giveUp: say('Not now'),
  keyCards: say('Key cards'),
  identified: say('ID checked'),
  needsId: say('Possible once the ID is checked.'),
  roomsLegend: say('Choose a room, here or in the chart'),
  inChart: say('Choose in the chart'),
  reason: say('Reason'),
  arrival: say('Arrival'),
  departure: say('Departure'),
  seePrice: say('See what it costs'),
  takeCash: (amount: string): string => say('Take {amount} in cash', { amount }),
  roomStatus: say('Housekeeping'),
  setStatus: say('Set the room to'),
  guestInRoom: say('In the room now'),
  openStay: say('Open the stay'),
  nextIn: say('Comes next'),
};

export const confirmMessages: Record<ConfirmRequest['kind'], string> = {
  'check-in': say('Check in now'),
  'check-out': say('Check out now'),
  cancel: say('Cancel the reservation'),
  walk: say('Send the guest there'),
  room: say('Give this room'),
  dates: say('Change the dates'),
};

export const cancelReasons: Record<string, string> = {
  GUEST_REQUEST: say('Requested by the guest'),
  PROPERTY_REQUEST: say('Requested by the property'),
  DUPLICATE: say('Booked twice'),
  FORCE_MAJEURE: say('Force majeure'),
  OTHER: say('Another reason'),
};

const POLICIES: Record<string, string> = {
  STANDARD: say('Standard policy'),
  FLEXIBLE: say('Flexible policy'),
  NON_REFUNDABLE: say('Non-refundable'),
};

/** A label and a text. */
type Line = [string, string];

/** Effects of an action, expected or done, as labelled lines; the first is the most important. */
export function outcomeLines(request: ConfirmRequest, reservation: ReservationView, zone?: string): Line[] {
  const { currency } = reservation.financial;
  const amount = (value: number): string => moneyText(value, currency);
  switch (request.kind) {
    case 'check-in':
      return checkInLines(request.answer!, amount, reservation);
    case 'check-out':
      return checkOutLines(request.answer!, amount, reservation);
    case 'cancel': {
      const { cancellationPolicy: policy, refund } = request.answer!;
      return [
        [say('Penalty'), amount(policy.penaltyAmount)],
        [say('Goes back to the guest'), amount(refund.refundAmount)],
        [POLICIES[policy.policyName] ?? policy.policyName, freeUntilText(policy.deadlineDate, zone)],
        [say('Rooms'), say('{reservation} are sold again', { reservation: nightsText(reservation) })],
      ];
    }
    case 'walk':
      return walkLines(request.answer!, amount, reservation);
    case 'room': {
      const { roomNumber, roomType, upgraded, previousRoomNumber } = request.answer!;
      const inHouse = reservation.status === 'CHECKED_IN' && previousRoomNumber !== null;
      return [
        [say('Room'), `${roomNumber}, ${roomType}`],
        ...(previousRoomNumber === null ? [] : [[say('Until now'), previousRoomNumber] as Line]),
        [say('Price'), upgraded ? say('As booked: an upgrade') : say('As booked')],
        ...(inHouse
          ? [[say('Guest'), say('Moves at once; {previousRoomNumber} becomes dirty', { previousRoomNumber })] as Line]
          : []),
      ];
    }
    case 'dates': {
      const { changes, additionalPayment, refund } = request.answer!;
      const total = changes.totalAmount;
      const price = total ? `${amount(Number(total.from))} → ${amount(Number(total.to))}` : say('As before');
      return [
        [say('Price'), price],
        [
          say('Stay'),
          say('{checkIn} to {checkOut}', {
            checkIn: mediumDay(request.checkIn),
            checkOut: mediumDay(request.checkOut),
          }),
        ],
        ...(additionalPayment.amount > 0
          ? [[say('Still to be paid'), amount(additionalPayment.amount)] as Line]
          : []),
        ...(refund.refundAmount > 0 ? [[say('Goes back to the guest'), amount(refund.refundAmount)] as Line] : []),
      ];
    }
  }
}

function checkInLines(answer: CheckedIn, amount: (value: number) => string, reservation: ReservationView): Line[] {
  const { roomNumber, roomType, upgraded } = answer.roomDetails;
  const other =
    reservation.stayDetails.roomNumber !== NO_ROOM_ASSIGNED && reservation.stayDetails.roomNumber !== roomNumber;
  const why = upgraded
    ? say('Ready; an upgrade, at the same price')
    : other
      ? say('Ready; {roomNumber} was assigned and is not', { roomNumber: reservation.stayDetails.roomNumber })
      : say('Ready');
  return [
    [say('Room'), `${roomNumber}, ${roomType}`],
    [say('Condition'), why],
    ...(reservation.financial.balanceDue > 0
      ? [[say('Balance'), amount(reservation.financial.balanceDue)] as Line]
      : []),
  ];
}

function walkLines(
  { walk, refund }: Walked,
  amount: (value: number) => string,
  reservation: ReservationView,
): Line[] {
  return [
    [say('Sent to'), walk.to ?? ''],
    [say('Goes back to the guest'), amount(refund.refundAmount)],
    [
      say('Compensation'),
      say('{compensation}, to be paid by the property', { compensation: amount(walk.compensation) }),
    ],
    [say('Rooms'), say('{reservation} are sold again', { reservation: nightsText(reservation) })],
  ];
}

function freeUntilText(deadline: string | null, timezone: string | undefined): string {
  if (deadline === null) return say('Never free of charge');
  const at = new Date(deadline).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timezone !== undefined && { timeZone: timezone }),
  });
  return say('Free until {at}', { at });
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
      return say('{name} is checked in, room {roomNumber}.', {
        name,
        roomNumber: request.answer!.roomDetails.roomNumber,
      });
    case 'check-out':
      return checkedOutText(request.answer!, name, amount);
    case 'cancel':
      return say('The reservation of {name} is cancelled, penalty {penaltyAmount}.', {
        name,
        penaltyAmount: amount(request.answer!.cancellationPolicy.penaltyAmount),
      });
    case 'walk':
      return say('{name} is sent to {to}.', { name, to: request.to });
    case 'room':
      return say('{name} has room {roomNumber}.', { name, roomNumber: request.answer!.roomNumber });
    case 'dates':
      return say('{name} stays from {checkIn} to {checkOut}.', {
        name,
        checkIn: mediumDay(request.checkIn),
        checkOut: mediumDay(request.checkOut),
      });
    case 'cash':
      return say('{amount} taken from {name}.', { amount: amount(request.amount), name });
  }
}

/** Stays that were never in house; a search by number finds them. */
const ENDED: Record<string, string> = { CANCELLED: say('Cancelled'), NO_SHOW: say('No-show') };

/** Room and departure of a stay in a list. */
export const listRoom = ({ roomNumber, roomType }: BoardStay): string => `${roomNumber ?? ''} ${roomType}`;
export function listLine(stay: BoardStay, task: Task, zone?: string): string {
  const { checkIn, checkOut, balance, currency, holdExpiresAt, status } = stay;
  const owes = balance > 0 ? `${moneyText(balance, currency)} · ` : '';
  const held = holdExpiresAt === undefined ? (ENDED[status] ?? taskMessages[task]) : holdText(holdExpiresAt, zone);
  // Dates that do not fit begin a line of their own, whole.
  return `${held} · ${owes}${dayRange(checkIn, checkOut).replaceAll(' ', '\u00a0')}`;
}
