/** A run that was asked for and may be called off. */
export interface ScheduledRun {
  cancel(): void;
  /** It keeps no process alive. */
  unref(): void;
}

/** Monotonic time of one thread, and what is to run at it. Whatever waits with it can be played in simulated time. */
export interface Scheduler {
  /** Milliseconds that only go forward, from whenever: those of two threads cannot be compared. */
  now(): number;
  /** Runs something once, no sooner than so many milliseconds from now. */
  after(delayMs: number, run: () => void): ScheduledRun;
  /** Runs something again and again; what a thread that stood still has missed is run once. */
  every(periodMs: number, run: () => void): ScheduledRun;
}

/** The time of this thread. */
export const THREAD_SCHEDULER: Scheduler = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref?.() };
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    return { cancel: () => clearInterval(timer), unref: () => void timer.unref?.() };
  },
};

/** Resolves after so many milliseconds, and keeps the process alive until then. */
export function delay(scheduler: Scheduler, delayMs: number): Promise<void> {
  return new Promise((resolve) => scheduler.after(delayMs, resolve));
}
