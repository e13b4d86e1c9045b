import { computed, signal } from '@preact/signals';

import { SPEEDS, travel as words } from './messages.ts';

/** Dependencies of time travel: the live connection, the server's clock, the start of the journal, and the device. */
type Vehicle = {
  seek(asOf: number): void;
  live(): void;
  now(): number;
  began(): number;
  /** Whether the user prefers reduced motion. */
  isCalm(): boolean;
};

const MINUTE_MS = 60_000;
/** Repeats of a temporarily refused request: other users may take all slots. */
const MAX_REPEATS = 10;
/** Interval of played frames; with reduced motion once a second. */
const FRAME_MS = 250;
const CALM_FRAME_MS = 1_000;

/**
 * Position of the page in the journal. One request is under way at a time: while the slider moves, only the newest
 * position is requested after the previous answer.
 */
export class TimeTravel {
  readonly open = signal(false);
  /** The requested instant; `undefined` is the present. */
  readonly wanted = signal<number | undefined>(undefined);
  /** The shown instant; `undefined` is the present, also while the first answer is under way. */
  readonly shown = signal<number | undefined>(undefined);
  readonly playing = signal(false);
  /** Why the requested instant is not shown yet, and when it is requested again. */
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

  /** The earliest instant available. */
  get began(): number {
    return this.#vehicle.began();
  }

  /** Goes to an instant; one that is not past is the present. */
  seek(instant: number): void {
    if (instant >= this.#vehicle.now()) {
      this.back();
      return;
    }
    this.wanted.value = Math.max(instant, this.began);
    this.#ask();
  }

  /** Moves by a step from the requested instant. */
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

  /** Returns to the present, when the page shows another property. */
  forget(): void {
    this.stop();
    this.wanted.value = undefined;
    this.shown.value = undefined;
    this.#answered();
  }

  /** The snapshot of the requested instant has arrived. */
  arrived(): void {
    if (this.#underWay === undefined) return;
    this.shown.value = this.#underWay;
    this.#answered();
    if (this.wanted.peek() !== this.shown.peek()) this.#ask();
  }

  /**
   * The requested instant was refused: the previous data stays. A temporary refusal (`again`, seconds) repeats the
   * request then, or the newer position of the slider.
   * @returns whether it is given up
   */
  refused(why: string, again: number | undefined): boolean {
    if (again !== undefined && this.#repeats < MAX_REPEATS) {
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

  /** Requests the instant again: the window has changed. */
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
