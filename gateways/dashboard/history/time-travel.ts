import { computed, signal } from '@preact/signals';

import { SPEEDS, travel as words } from './messages.ts';

/** What time travel works with: the live connection, the server's clock, where the journal begins, and the device. */
export type Vehicle = {
  seek(asOf: number): void;
  live(): void;
  now(): number;
  began(): number;
  /** Whether whoever looks wants less motion. */
  isCalm(): boolean;
};

const MINUTE_MS = 60_000;
/** A question that was refused for now is repeated so often: somebody else may take all the turns. */
const MOST_REPEATS = 10;
/** Played time moves so often; with reduced motion once a second. */
const FRAME_MS = 250;
const CALM_FRAME_MS = 1_000;

/**
 * Where in the journal the page is. One question is under way at a time: whoever drags a slider asks for the newest
 * place only when the answer to the one before has come.
 */
export class TimeTravel {
  readonly open = signal(false);
  /** The instant that is asked for; `undefined` is the present. */
  readonly wanted = signal<number | undefined>(undefined);
  /** The instant that is shown; `undefined` is the present, also while the first answer is under way. */
  readonly shown = signal<number | undefined>(undefined);
  readonly playing = signal(false);
  /** Why the instant that is asked for is not shown yet, and when it is asked for again. */
  readonly waits = signal<string | undefined>(undefined);
  readonly speed = signal<number>(SPEEDS[1].ms);
  readonly isPast = computed(() => this.wanted.value !== undefined);
  readonly #vehicle: Vehicle;
  #underWay: number | undefined;
  #repeats = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(vehicle: Vehicle) {
    this.#vehicle = vehicle;
  }

  /** The first instant that can be looked at. */
  get began(): number {
    return this.#vehicle.began();
  }

  /** Goes to an instant; one that is not past yet is the present. */
  seek(instant: number): void {
    if (instant >= this.#vehicle.now()) {
      this.back();
      return;
    }
    this.wanted.value = Math.max(instant, this.began);
    this.#ask();
  }

  /** Goes on from where it stands. */
  step(ms: number): void {
    const now = this.#vehicle.now();
    this.seek((this.wanted.peek() ?? Math.floor(now / MINUTE_MS) * MINUTE_MS) + ms);
  }

  play(): void {
    if (this.playing.peek()) return;
    if (!this.isPast.peek()) this.seek(this.began);
    this.playing.value = true;
    const frame = this.#vehicle.isCalm() ? CALM_FRAME_MS : FRAME_MS;
    this.#timer = setInterval(() => this.step((this.speed.peek() * frame) / 1_000), frame);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.playing.value = false;
  }

  back(): void {
    if (!this.isPast.peek()) return;
    this.forget();
    this.#vehicle.live();
  }

  /** The page looks at something else: at its present. */
  forget(): void {
    this.stop();
    this.wanted.value = undefined;
    this.shown.value = undefined;
    this.#answered();
  }

  /** The snapshot of the instant that was asked for has come. */
  arrived(): void {
    if (this.#underWay === undefined) return;
    this.shown.value = this.#underWay;
    this.#answered();
    if (this.wanted.peek() !== this.shown.peek()) this.#ask();
  }

  /**
   * It cannot be shown: what was shown before is shown on. Refused for now only (`again`, seconds), it is asked for
   * again then, or the place where the hand has gone meanwhile.
   * @returns whether it is given up
   */
  refused(why: string, again: number | undefined): boolean {
    if (again !== undefined && this.#repeats < MOST_REPEATS) {
      this.#repeats += 1;
      this.waits.value = words.waits(why, again);
      setTimeout(() => this.askAgain(), again * 1_000);
      return false;
    }
    this.stop();
    this.#answered();
    const before = this.shown.peek();
    if (before === undefined) this.back();
    else this.wanted.value = before;
    return true;
  }

  /** Asks again where it stands: the window that is looked at is another one. */
  askAgain(): void {
    if (!this.isPast.peek()) return;
    this.#underWay = undefined;
    this.#ask();
  }

  #answered(): void {
    this.#underWay = undefined;
    this.#repeats = 0;
    this.waits.value = undefined;
  }

  #ask(): void {
    const wanted = this.wanted.peek();
    if (this.#underWay !== undefined || wanted === undefined) return;
    this.#underWay = wanted;
    this.#vehicle.seek(wanted);
  }
}
