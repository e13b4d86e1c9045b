import { computed, signal } from '@preact/signals';

import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import type { MaintenanceView } from '../shapes.ts';
import { closing as words } from './messages.ts';
import { type ClosedNights, type ClosingEffects, effectsOf } from './what-follows.ts';

/** What somebody has entered about a room that is taken out of order, or about a maintenance that is changed. */
export class ClosingDraft {
  readonly roomNumber: string;
  /** The maintenance that is changed; without one, a new one is planned. */
  readonly maintenance: MaintenanceView | undefined;
  readonly kind = signal<MaintenanceView['kind']>('OUT_OF_ORDER');
  readonly from = signal('');
  /** Last night; empty without an end. */
  readonly to = signal('');
  /** A word to start with: the reason is required, and often it is this. */
  readonly reason = signal<string>(words.usual);
  readonly busy = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly isWhole = computed(
    () => this.from.value !== '' && (this.to.value === '' || this.to.value >= this.from.value),
  );
  readonly #desk: FrontDesk;
  /** The version that the user has seen; with a newer one the first press only shows it. */
  #seen: string | undefined;

  constructor(desk: FrontDesk, roomNumber: string, begin: { nights?: ClosedNights; maintenance?: MaintenanceView }) {
    const { nights, maintenance } = begin;
    const today = desk.today.peek();
    this.#desk = desk;
    this.roomNumber = roomNumber;
    this.maintenance = maintenance;
    this.#seen = maintenance?.updatedAt;
    this.from.value = maintenance?.from ?? nights?.from ?? today;
    this.to.value = maintenance ? (maintenance.to ?? '') : (nights?.to ?? today);
    if (!maintenance) return;
    this.kind.value = maintenance.kind;
    this.reason.value = maintenance.reason;
  }

  get nights(): ClosedNights {
    return { from: this.from.value, ...(this.to.value !== '' && { to: this.to.value }) };
  }

  /** First night that can be entered: one that has begun stays. */
  get earliest(): string {
    const { value: today } = this.#desk.today;
    return this.maintenance && this.maintenance.from < today ? this.maintenance.from : today;
  }

  /** What follows, as far as the front desk has read; `undefined` while the nights make no sense. */
  readonly effects = computed((): ClosingEffects | undefined => {
    const { rooms, stays, maintenances } = this.#desk.screen.value;
    const room = rooms.get(this.roomNumber);
    if (!room || !this.isWhole.value) return undefined;
    const others = maintenances.filter(({ maintenanceId }) => maintenanceId !== this.maintenance?.maintenanceId);
    const days = this.#desk.days.value.map(({ date }) => date);
    const about = { room, stays: stays.values(), maintenances: others, groups: this.#desk.groups.value, days };
    return effectsOf(this.nights, this.kind.value, about);
  });

  /** Stores it. What is entered stays where it fails. @returns whether it is stored */
  async send(): Promise<boolean> {
    if (this.busy.peek() || !this.isWhole.peek() || this.#isOutdated()) return false;
    this.busy.value = true;
    this.error.value = undefined;
    try {
      const { kind, reason, roomNumber, nights } = this;
      const plan = { roomNumber, kind: kind.value, reason: reason.value.trim(), ...nights };
      await this.#desk.planMaintenance(plan, this.maintenance?.maintenanceId);
      return true;
    } catch (error) {
      this.error.value = errorText(error);
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  /** Whether somebody has changed or ended the maintenance meanwhile; that is shown then, once. */
  #isOutdated(): boolean {
    if (!this.maintenance) return false;
    const { maintenanceId } = this.maintenance;
    const now = this.#desk.screen.peek().maintenances.find((one) => one.maintenanceId === maintenanceId);
    if (now?.updatedAt === this.#seen) return false;
    this.error.value = now ? words.changedMeanwhile(now) : words.gone;
    if (now) this.#seen = now.updatedAt;
    return true;
  }
}
