import { batch, signal } from '@preact/signals';

import { addDays } from '../../grid/days.ts';
import type { AssignedAll } from '../api.ts';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { type BoardStay, stayOf } from '../shapes.ts';
import { assigning as words } from './messages.ts';

/** Stays beyond the loaded ones that are read one by one for their names; they only make room. */
const MAX_SINGLY = 30;

type Answer = { done: boolean; answer: AssignedAll; stays: ReadonlyMap<string, BoardStay> };

/** Rooms for all arrivals: first who would get which, then the same for good. */
export class AssignAll {
  /** Last day of arrival. */
  readonly until: { value: string; peek(): string };
  readonly shown = signal<Answer | undefined>(undefined);
  readonly busy = signal(false);
  readonly error = signal<string | undefined>(undefined);
  /** Stays that got another room than was said before. */
  readonly otherwise = signal<ReadonlySet<string>>(new Set());
  readonly #until = signal('');
  readonly #desk: FrontDesk;
  /** Answers to earlier questions are dropped. */
  #question = 0;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
    this.#until.value = desk.today.peek();
    this.until = this.#until;
  }

  /** Plans: who would get which room. */
  async plan(until: string): Promise<void> {
    this.#until.value = until;
    await this.#run(true);
  }

  /** Assigns; only after a preview, and once. */
  async assign(): Promise<void> {
    const before = this.shown.peek();
    if (this.busy.peek() || !before || before.done) return;
    await this.#run(false);
    const { answer, done } = this.shown.peek() ?? before;
    if (!done) return;
    const said = new Map(before.answer.assigned.map((one) => [one.reservationId, one.roomNumber]));
    const others = answer.assigned.filter(({ reservationId, roomNumber }) => said.get(reservationId) !== roomNumber);
    this.otherwise.value = new Set(others.map(({ reservationId }) => reservationId));
    this.#desk.refresh(...answer.assigned.map(({ reservationId }) => reservationId));
    this.#desk.say(words.done(answer));
  }

  async #run(dryRun: boolean): Promise<void> {
    const question = ++this.#question;
    const { api } = this.#desk;
    batch(() => {
      this.busy.value = true;
      this.error.value = undefined;
      if (dryRun) this.shown.value = undefined;
    });
    try {
      const answer = await api.assignAll(this.#until.peek(), dryRun);
      const stays = await this.#named(answer);
      if (question === this.#question) this.shown.value = { done: !dryRun, answer, stays };
    } catch (error) {
      if (question === this.#question) this.error.value = errorText(error);
    } finally {
      if (question === this.#question) this.busy.value = false;
    }
  }

  async #named({ assigned, unassigned, until }: AssignedAll): Promise<Map<string, BoardStay>> {
    const { api, screen } = this.#desk;
    const stays = new Map(screen.peek().stays);
    const ids = [...assigned, ...unassigned].map(({ reservationId }) => reservationId);
    const missing = (): string[] => ids.filter((id) => !stays.has(id));
    if (missing().length > 0) {
      const due = await api.list({ status: 'CONFIRMED', arrivalFrom: addDays(until, -31), arrivalTo: until });
      for (const one of due) stays.set(one.reservationId, stayOf(one));
    }
    const singly = await Promise.all(
      missing()
        .slice(0, MAX_SINGLY)
        .map((id) => api.get(id)),
    );
    for (const { reservation } of singly) stays.set(reservation.reservationId, stayOf(reservation));
    return stays;
  }
}
