import { batch, signal } from '@preact/signals';

import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { ApiError } from '../api.ts';
import type { Cancelled, CheckedIn, CheckOutAnswer, Modified, Roomed, Walked } from './api.ts';
import type { FrontDesk } from './front-desk.ts';
import { done, errorText } from './messages.ts';
import type { ReservationRead } from './shapes.ts';

/** An action awaiting confirmation, with the result of its dry run. */
export type ConfirmRequest =
  | { kind: 'check-in'; keyCards: number; answer?: CheckedIn }
  | { kind: 'check-out'; answer?: CheckOutAnswer }
  | { kind: 'cancel'; reason: string; answer?: Cancelled }
  | { kind: 'walk'; to: string; compensation: number; reason: string; answer?: Walked }
  | { kind: 'room'; roomNumber?: string; answer?: Roomed }
  | { kind: 'dates'; checkIn: string; checkOut: string; answer?: Modified };

/** What the drawer shows: a stay or a room. */
type Opened = { kind: 'stay'; id: string } | { kind: 'room'; roomNumber: string };

/**
 * A stay with all its actions. Every action is first a dry run, and runs after a confirmation; both with the displayed
 * version, so that nobody overwrites another change.
 */
export class Drawer {
  readonly opened = signal<Opened | undefined>(undefined);
  readonly read = signal<ReservationRead | undefined>(undefined);
  readonly confirming = signal<ConfirmRequest | undefined>(undefined);
  readonly busy = signal(false);
  readonly error = signal<{ code: string; text: string } | undefined>(undefined);
  readonly done = signal<string | undefined>(undefined);
  readonly #desk: FrontDesk;
  #opener: HTMLElement | undefined;
  /** Number of the latest request: answers to earlier ones are dropped. */
  #question = 0;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
  }

  async open(id: string): Promise<void> {
    this.#show({ kind: 'stay', id });
    await this.#reread(id);
  }

  openRoom(roomNumber: string): void {
    this.#show({ kind: 'room', roomNumber });
  }

  close(): void {
    if (!this.opened.peek()) return;
    batch(() => {
      this.#forget();
      this.opened.value = undefined;
      this.read.value = undefined;
    });
    const opener = this.#opener;
    this.#opener = undefined;
    // The bar may be another element by now, or in another lane.
    const key = opener?.dataset.stay;
    const again = key === undefined ? opener : document.querySelector<HTMLElement>(`[data-stay="${key}"]`);
    requestAnimationFrame(() => (opener?.isConnected ? opener : again)?.focus());
  }

  /** The open stay has changed. */
  followed(): void {
    const opened = this.opened.peek();
    const read = this.read.peek();
    if (opened?.kind !== 'stay' || !read || this.busy.peek()) return;
    const stay = this.#desk.screen.peek().stays.get(opened.id);
    if (stay && stay.updatedAt > read.reservation.updatedAt) void this.#reread(opened.id);
  }

  /** Starts an action: its dry run is sent as soon as there is input. */
  async ask(request: ConfirmRequest): Promise<void> {
    const read = this.read.peek();
    const question = ++this.#question;
    batch(() => {
      this.confirming.value = request;
      this.error.value = undefined;
      this.done.value = undefined;
    });
    if (!read || (request.kind === 'room' && request.roomNumber === undefined)) return;
    if (request.kind === 'walk' && (request.to === '' || request.reason === '')) return;
    const { checkIn, checkOut } = read.reservation.stayDetails;
    if (request.kind === 'dates' && request.checkIn === checkIn && request.checkOut === checkOut) return;
    this.busy.value = true;
    try {
      const reservation = await this.#carryOut(read, request, true);
      if (question === this.#question) this.confirming.value = { ...request, answer: reservation } as ConfirmRequest;
    } catch (error) {
      if (question === this.#question) this.#refuse(error);
    } finally {
      if (question === this.#question) this.busy.value = false;
    }
  }

  async askForRoom(id: string, roomNumber: string): Promise<void> {
    this.#show({ kind: 'stay', id });
    this.confirming.value = { kind: 'room', roomNumber };
    await this.#reread(id);
    await this.ask({ kind: 'room', roomNumber });
  }

  /** Somebody types: what was tried no longer says what the action would do. */
  doubt(): void {
    const request = this.confirming.peek();
    this.#question += 1;
    batch(() => {
      this.busy.value = false;
      if (request?.answer) this.confirming.value = { ...request, answer: undefined };
    });
  }

  /** Runs the confirmed action. */
  async confirm(): Promise<void> {
    const read = this.read.peek();
    const request = this.confirming.peek();
    if (!read || !request?.answer || this.busy.peek()) return;
    await this.#perform(read, async () => {
      const reservation = await this.#carryOut(read, request, false);
      return done({ ...request, answer: reservation } as ConfirmRequest, read.reservation);
    });
  }

  /** Takes the open balance in cash, and reloads the bill. */
  async takeCash(amount: WireAmount): Promise<void> {
    const read = this.read.peek();
    const request = this.confirming.peek();
    if (!read || this.busy.peek()) return;
    await this.#perform(read, async () => {
      await this.#desk.api.pay({ id: read.reservation.reservationId, etag: read.etag }, amount);
      return done({ kind: 'cash', amount }, read.reservation);
    });
    if (request?.kind === 'check-out' && !this.error.peek()) await this.ask({ kind: 'check-out' });
  }

  /** Cancels the confirmation. */
  giveUp(): void {
    batch(() => this.#forget());
  }

  #show(opened: Opened): void {
    const at = document.activeElement;
    if (!this.opened.peek() && at instanceof HTMLElement) this.#opener = at;
    batch(() => {
      this.#forget();
      if (this.read.value?.reservation.reservationId !== (opened.kind === 'stay' ? opened.id : ''))
        this.read.value = undefined;
      this.opened.value = opened;
    });
  }

  #forget(): void {
    this.#question += 1;
    this.confirming.value = undefined;
    this.error.value = undefined;
    this.done.value = undefined;
    this.busy.value = false;
  }

  async #reread(id: string): Promise<void> {
    try {
      const read = await this.#desk.api.get(id);
      const opened = this.opened.peek();
      if (opened?.kind === 'stay' && opened.id === id) this.read.value = read;
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #perform({ reservation: { reservationId } }: ReservationRead, work: () => Promise<string>): Promise<void> {
    this.busy.value = true;
    this.error.value = undefined;
    try {
      const said = await work();
      await this.#reread(reservationId);
      batch(() => {
        this.confirming.value = undefined;
        this.done.value = said;
        this.#desk.say(said);
      });
    } catch (error) {
      this.#refuse(error);
      if (error instanceof ApiError && error.code === 'STALE_VERSION') await this.#reread(reservationId);
    } finally {
      this.busy.value = false;
      this.#desk.refresh(reservationId);
    }
  }

  #carryOut(
    { reservation, etag }: ReservationRead,
    request: ConfirmRequest,
    dryRun: boolean,
  ): Promise<ConfirmRequest['answer']> {
    const { api } = this.#desk;
    const change = { id: reservation.reservationId, etag, dryRun };
    switch (request.kind) {
      case 'check-in':
        return api.checkIn(change, request.keyCards);
      case 'check-out':
        return api.checkOut(change);
      case 'cancel':
        return api.cancel(change, request.reason);
      case 'walk': {
        const { to, compensation, reason } = request;
        return api.walk(change, { to, compensation, reason });
      }
      case 'room':
        return api.room(change, request.roomNumber ?? '');
      case 'dates': {
        const { checkIn, checkOut } = request;
        return api.modify(change, checkIn === reservation.stayDetails.checkIn ? { checkOut } : { checkIn, checkOut });
      }
    }
  }

  #refuse(error: unknown): void {
    const text = errorText(error);
    this.error.value = { code: error instanceof ApiError ? error.code : '', text };
    this.#desk.say(text);
  }
}
