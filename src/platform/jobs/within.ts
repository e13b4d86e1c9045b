import { type Scheduler, THREAD_SCHEDULER } from '../../kernel/ports.ts';

/** Waits for work, but no longer than this; its timer keeps nobody waiting afterwards. */
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
