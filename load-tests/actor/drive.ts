import { percentiles } from '../client/latencies.ts';

/** Results of closed-loop callers. */
export type Driven = { perSecond: number; p50: number; p99: number };

/** Runs calls in a closed loop, each with its number. */
export async function drive(
  callers: number,
  seconds: number,
  once: (n: number) => Promise<unknown>,
): Promise<Driven> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  let n = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < until) {
      const started = performance.now();
      await once(n++);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return figuresOf(times, (performance.now() - began) / 1000);
}

/** Runs calls at a steady rate, whether or not earlier ones were answered (open loop). */
export async function pace(rate: number, seconds: number, once: (n: number) => Promise<unknown>): Promise<Driven> {
  const times: number[] = [];
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < rate * seconds;) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) / 1000) * rate) + 1);
    for (; n < due; n++) {
      const number = n;
      const started = began + (n / rate) * 1000;
      under.push(once(number).then(() => void times.push(performance.now() - started)));
    }
    await new Promise((later) => setTimeout(later, 1));
  }
  await Promise.all(under);
  return figuresOf(times, (performance.now() - began) / 1000);
}

function figuresOf(times: number[], seconds: number): Driven {
  const { p50, p99 } = percentiles(times);
  return { perSecond: Math.round(times.length / seconds), p50, p99 };
}
