import { signal } from '@preact/signals';

import { type AddressStep, followAddress, parameter, writeParameters } from '../../address.ts';
import { addDays } from '../../grid/days.ts';
import type { FrontDesk } from '../front-desk.ts';
import type { BookingKind, Prefill } from './shapes.ts';

/** Parameter of the address that names the open form. */
const PARAMETER = 'new';
/** The form that a tab had open last: it opens again after a reload, and after a sign-in. */
const OPEN_KEY = 'innkeeper.booking-open';

const kindOf = (text: string | null | undefined): BookingKind | undefined =>
  text === 'reservation' || text === 'walk-in' ? text : undefined;

/** Nights that are marked in the chart: the days between which the pointer was dragged along a room. */
type Marked = { roomNumber: string; from: number; to: number };

/** The small part of new reservations that is always loaded: what is open, and what is marked in the chart. */
export class BookingHost {
  readonly opened = signal<Prefill | undefined>(undefined);
  readonly marked = signal<Marked | undefined>(undefined);
  readonly #desk: FrontDesk;
  readonly #stop: () => void;
  #opener: HTMLElement | undefined;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
    const kind = kindOf(parameter(PARAMETER)) ?? kindOf(sessionStorage.getItem(OPEN_KEY));
    if (kind) this.opened.value = { kind };
    this.#stop = followAddress(() => {
      const named = kindOf(parameter(PARAMETER));
      if (named !== this.opened.peek()?.kind) this.opened.value = named && { kind: named };
    });
  }

  open(prefill: Prefill): void {
    if (!this.#desk.mayAct || !this.#desk.property.peek()) return;
    const at = document.activeElement;
    if (!this.opened.peek() && at instanceof HTMLElement) this.#opener = at;
    this.#desk.drawer.close();
    // The same form goes on: once its booking is done it is checked whether it is still open.
    if (JSON.stringify(this.opened.peek()) !== JSON.stringify(prefill)) this.opened.value = prefill;
    sessionStorage.setItem(OPEN_KEY, prefill.kind);
    writeParameters({ [PARAMETER]: prefill.kind }, 'push');
  }

  /** Opens the form for the room that has the focus, if one has. */
  openHere(kind: BookingKind): void {
    const roomNumber = document.activeElement?.closest<HTMLElement>('[data-room]')?.dataset.room;
    const room = this.#desk.screen.peek().rooms.get(roomNumber ?? '');
    this.open({ kind, ...(room && { roomNumber, roomType: room.roomType }) });
  }

  /** Opens the form for nights of a room that were marked. */
  openMarked({ roomNumber, from, to }: Marked): void {
    const days = this.#desk.days.peek();
    const room = this.#desk.screen.peek().rooms.get(roomNumber);
    const start = days[from]?.date;
    if (!room || start === undefined) return;
    const checkIn = start < this.#desk.today.peek() ? this.#desk.today.peek() : start;
    const last = addDays(start, to - from);
    const checkOut = last > checkIn ? last : addDays(checkIn, 1);
    this.open({ kind: 'reservation', checkIn, checkOut, roomType: room.roomType, roomNumber });
  }

  /** What is typed becomes a draft. @param step `replace` after a booking: Back opens no empty form */
  close(step: AddressStep = 'push'): void {
    if (!this.opened.peek()) return;
    this.opened.value = undefined;
    sessionStorage.removeItem(OPEN_KEY);
    writeParameters({ [PARAMETER]: undefined }, step);
    const opener = this.#opener;
    this.#opener = undefined;
    requestAnimationFrame(() => opener?.isConnected && opener.focus());
  }

  /** The workspace is left: nothing follows the address any more. */
  leave(): void {
    this.#stop();
  }
}
