import { batch, signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { ApiError } from '../api.ts';
import { UNREACHABLE } from '../messages.ts';
import type { Cancelled, CheckedIn, CheckOutAnswer, Modified, Roomed, Walked } from './api.ts';
import type { FrontDesk } from './front-desk.ts';
import { done } from './messages.ts';
import { errorText } from './problem-messages.ts';
import type { ReservationRead } from './shapes.ts';

/** An action awaiting confirmation, with the result of its dry run. */
export type ConfirmRequest =
  | { kind: 'check-in'; keyCards: number; answer?: CheckedIn }
  | { kind: 'check-out'; answer?: CheckOutAnswer }
  | { kind: 'cancel'; reason: string; answer?: Cancelled }
  | { kind: 'walk'; to: string; compensation: number; reason: string; answer?: Walked }
  | { kind: 'room'; roomNumber?: string; answer?: Roomed }
  | { kind: 'dates'; checkIn: string; checkOut: string; answer?: Modified };

/** A panel of its own: `id` tells it from others, so that what was typed stays while it is open. */
type Panel = { id: string; title: string; view: FunctionComponent<{ desk: FrontDesk }> };

/** What the drawer shows: a stay, a room, or a panel that is loaded when it is opened. */
type Opened = { kind: 'stay'; id: string } | { kind: 'room'; roomNumber: string } | ({ kind: 'panel' } & Panel);

/**
 * A stay with all its actions. Every action is first a dry run, and runs after a confirmation; both with the displayed
 * version, so that nobody overwrites another change.
 */
export class Drawer {
  readonly opened = signal<Opened | undefined>(undefined);
  readonly read = signal<ReservationRead | undefined>(undefined);
  readonly confirming = signal<ConfirmRequest | undefined>(undefined);
  /** A further verb whose form is open (stay/verbs.ts). */
  readonly verb = signal<string | undefined>(undefined);
  /** Somebody else has changed the stay while an action was being prepared. */
  readonly changedMeanwhile = signal(false);
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

  /** The connection is back: reads what could not be read without it. */
  async cameBack(): Promise<void> {
    const opened = this.opened.peek();
    if (opened?.kind !== 'stay') return;
    this.error.value = undefined;
    await this.#reread(opened.id);
  }

  /** Opens a stay with the form of a further verb. */
  async openVerb(id: string, verb: string): Promise<void> {
    batch(() => {
      this.#show({ kind: 'stay', id });
      this.verb.value = verb;
    });
    await this.#reread(id);
  }

  openRoom(roomNumber: string): void {
    this.#show({ kind: 'room', roomNumber });
  }

  /** Opens a panel whose script is loaded now; what the user opens meanwhile stays. */
  async openPanel(load: () => Promise<Panel>): Promise<void> {
    const before = this.opened.peek();
    try {
      const panel = await load();
      if (this.opened.peek() === before) this.#show({ kind: 'panel', ...panel });
    } catch {
      this.#desk.notice.value = UNREACHABLE;
    }
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
    if (stay && stay.updatedAt > read.reservation.updatedAt) void this.#followChange(opened.id, read.etag);
  }

  /** Shows what somebody else did before an action that was tried on the former version is confirmed. */
  async #followChange(id: string, etag: string): Promise<void> {
    await this.#reread(id);
    const request = this.confirming.peek();
    const read = this.read.peek();
    if (!read || read.reservation.reservationId !== id || read.etag === etag) return;
    if (!request && this.verb.peek() === undefined) return;
    this.changedMeanwhile.value = true;
    if (request?.answer) await this.ask({ ...request, answer: undefined });
  }

  /** Opens the form of a further verb. */
  choose(verb: string): void {
    batch(() => {
      this.#forget();
      this.verb.value = verb;
    });
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
      if (question !== this.#question) return;
      if (isStale(error) && (await this.catchUp(read))) await this.ask(request);
      else this.#refuse(error);
    } finally {
      if (question === this.#question) this.busy.value = false;
    }
  }

  /** Reads the stay again, as after a change that no feed names. @returns whether it is another version */
  async catchUp({ reservation, etag }: ReservationRead): Promise<boolean> {
    await this.#reread(reservation.reservationId);
    const now = this.read.peek();
    return now?.reservation.reservationId === reservation.reservationId && now.etag !== etag;
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
    await this.perform(read, async () => {
      const reservation = await this.#carryOut(read, request, false);
      return done({ ...request, answer: reservation } as ConfirmRequest, read.reservation);
    });
  }

  /** Takes the open balance in cash, and reloads the bill. */
  async takeCash(amount: WireAmount): Promise<void> {
    const read = this.read.peek();
    const request = this.confirming.peek();
    if (!read || this.busy.peek()) return;
    await this.perform(read, async () => {
      await this.#desk.api.pay({ id: read.reservation.reservationId, etag: read.etag }, amount);
      return done({ kind: 'cash', amount }, read.reservation);
    });
    if (request?.kind === 'check-out' && !this.error.peek()) await this.ask({ kind: 'check-out' });
  }

  /** Closes the open form; the focus goes back to the button that opens it. */
  giveUp(): void {
    const form = this.confirming.peek()?.kind ?? this.verb.peek();
    batch(() => this.#forget());
    requestAnimationFrame(() => {
      const button = document.querySelector<HTMLElement>(`.drawer [data-opens="${form}"]:enabled`);
      (button ?? document.querySelector<HTMLElement>('#drawer-title'))?.focus();
    });
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
    this.verb.value = undefined;
    this.changedMeanwhile.value = false;
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

  /** Runs a change of the open stay: says what was done and shows the stay as it is then, or says why not. */
  async perform({ reservation: { reservationId } }: ReservationRead, work: () => Promise<string>): Promise<void> {
    this.busy.value = true;
    this.error.value = undefined;
    try {
      const said = await work();
      await this.#reread(reservationId);
      batch(() => {
        this.confirming.value = undefined;
        this.verb.value = undefined;
        this.changedMeanwhile.value = false;
        this.done.value = said;
        this.#desk.say(said);
      });
    } catch (error) {
      this.#refuse(error);
      if (isStale(error)) await this.#reread(reservationId);
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

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'STALE_VERSION';
