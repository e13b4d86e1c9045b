import { type Scheduler, THREAD_SCHEDULER } from '../../kernel/ports.ts';

/** Awaits work for a limited time; the timer keeps no process alive. */
export async function endsWithin(
  ms: number,
  work: Promise<unknown>,
  scheduler: Scheduler = THREAD_SCHEDULER,
): Promise<void> {
  let stop: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    const timer = scheduler.after(ms, resolve);
    stop = () => timer.cancel();
  });
  await Promise.race([work, late]).finally(stop);
}
