import { computed, signal } from '@preact/signals';
import { SPEEDS } from './words-travel.ts';

/** What time travel works with: the live connection, the server's clock, and where the journal begins. */
export type Vehicle = {
  seek(asOf: number): void;
  live(): void;
  now(): number;
  began(): number;
};

const MINUTE_MS = 60_000;
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
  readonly speed = signal<number>(SPEEDS[1].ms);
  readonly isPast = computed(() => this.wanted.value !== undefined);
  readonly #vehicle: Vehicle;
  #underWay: number | undefined;
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
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const frame = isCalm ? CALM_FRAME_MS : FRAME_MS;
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
    this.#underWay = undefined;
    this.wanted.value = undefined;
    this.shown.value = undefined;
  }

  /** The snapshot of the instant that was asked for has come. */
  arrived(): void {
    if (this.#underWay === undefined) return;
    this.shown.value = this.#underWay;
    this.#underWay = undefined;
    if (this.wanted.peek() !== this.shown.peek()) this.#ask();
  }

  /** It cannot be shown. */
  refused(): void {
    this.stop();
    this.#underWay = undefined;
    const before = this.shown.peek();
    if (before === undefined) this.back();
    else this.wanted.value = before;
  }

  /** Asks again where it stands: the window that is looked at is another one. */
  askAgain(): void {
    if (!this.isPast.peek()) return;
    this.#underWay = undefined;
    this.#ask();
  }

  #ask(): void {
    const wanted = this.wanted.peek();
    if (this.#underWay !== undefined || wanted === undefined) return;
    this.#underWay = wanted;
    this.#vehicle.seek(wanted);
  }
}
