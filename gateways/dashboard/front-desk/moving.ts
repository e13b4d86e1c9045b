import { signal } from '@preact/signals';

import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { FrontDesk } from './front-desk.ts';
import { isClosed } from './lanes.ts';
import { moving as words } from './messages.ts';
import { type BoardStay, takenUntil } from './shapes.ts';
import { isRoomReady } from './tasks.ts';

/** A stay being moved, and the room under it. */
type Picked = { stay: BoardStay; over: string | undefined };

/** What a stay, or one that is not booked yet, needs of a room. */
type WantedStay = Pick<BoardStay, 'reservationId' | 'checkIn' | 'checkOut' | 'dayUse' | 'roomType'>;

/** How well a room suits a stay: a hint, the server decides. */
export type RoomFit = { room: RoomItem; isFree: boolean; isReady: boolean; isOwnType: boolean };

/** Moving a stay by keyboard, click or drag: one state, which ends in the drawer's confirmation. */
export class Moving {
  readonly picked = signal<Picked | undefined>(undefined);
  readonly #desk: FrontDesk;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
  }

  /** Whether a stay can be moved at all. */
  canMove(stay: BoardStay): boolean {
    return this.#desk.mayAct && (stay.status === 'CONFIRMED' || stay.status === 'CHECKED_IN');
  }

  pickUp(stay: BoardStay): void {
    if (!this.canMove(stay)) return;
    this.picked.value = { stay, over: stay.roomNumber };
    this.#desk.say(words.pickedUp(stay.name));
  }

  /** Moves to the next room up or down the chart. */
  step(by: 1 | -1): void {
    const picked = this.picked.value;
    if (!picked) return;
    const shown = new Set(this.#desk.chart.shown.value.groups.flatMap(({ lanes }) => lanes.map(({ key }) => key)));
    const fits = this.fits(picked.stay).filter(({ room }) => shown.has(room.roomNumber));
    const now = fits.findIndex(({ room }) => room.roomNumber === picked.over);
    const first = fits.findIndex(({ isOwnType }) => isOwnType);
    const next = now < 0 ? Math.max(0, first) : Math.max(0, Math.min(fits.length - 1, now + by));
    const fit = fits[next];
    if (!fit) return;
    this.over(fit.room.roomNumber);
    this.#desk.say(words.over(fit));
  }

  over(roomNumber: string | undefined): void {
    const picked = this.picked.value;
    if (picked && picked.over !== roomNumber) this.picked.value = { ...picked, over: roomNumber };
  }

  /** Requests a dry run of the move; nothing changes before the user confirms. */
  drop(roomNumber = this.picked.value?.over): void {
    const picked = this.picked.value;
    if (!picked) return;
    this.picked.value = undefined;
    const { stay } = picked;
    if (roomNumber === undefined || roomNumber === stay.roomNumber) this.#desk.say(words.putBack(stay.name));
    else void this.#desk.drawer.askForRoom(stay.reservationId, roomNumber);
  }

  putBack(): void {
    const picked = this.picked.value;
    if (!picked) return;
    this.picked.value = undefined;
    this.#desk.say(words.putBack(picked.stay.name));
  }

  /** All rooms in chart order. */
  fits(stay: WantedStay): RoomFit[] {
    const { stays, maintenances } = this.#desk.screen.value;
    const { value: today } = this.#desk.today;
    const nights = { from: stay.checkIn > today ? stay.checkIn : today, to: takenUntil(stay) };
    const others = [...stays.values()].filter((one) => isInTheWay(one, stay, today));
    const taken = new Set(others.map(({ roomNumber }) => roomNumber));
    return this.#desk.groups.value.flatMap(({ lanes }) =>
      lanes.flatMap((lane) =>
        lane.kind !== 'room'
          ? []
          : [
              {
                room: lane.room,
                isFree: !taken.has(lane.room.roomNumber) && !isClosed(lane.room, maintenances, nights),
                isReady: isRoomReady(lane.room, this.#desk.inspectsRooms),
                isOwnType: lane.room.roomType === stay.roomType,
              },
            ],
      ),
    );
  }
}

/** Whether another stay has its room on a remaining night of a stay. */
function isInTheWay(other: BoardStay, stay: WantedStay, today: string): boolean {
  if (other.reservationId === stay.reservationId || other.roomNumber === undefined) return false;
  if (other.status !== 'CONFIRMED' && other.status !== 'CHECKED_IN') return false;
  const from = stay.checkIn > today ? stay.checkIn : today;
  const isHere = other.status === 'CHECKED_IN' && other.checkOut < today && from === today;
  return isHere || (other.checkIn < takenUntil(stay) && takenUntil(other) > from);
}
