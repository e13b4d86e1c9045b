import { isBusy, problemIn } from './problem.ts';

/** How often and how long a request is repeated. A member that is absent or no number is the usual one. */
export type Patience = {
  /** Attempts, the first included. */
  tries: number;
  /** Before the second attempt, milliseconds; twice as long before each further one. */
  firstPauseMs: number;
  /** A service that wants a longer pause is not waited for. */
  maxPauseMs: number;
  /** Time limit of each attempt, from its begin to the end of its answer; `Infinity` for none. */
  timeoutMs: number;
};

const PATIENCE: Patience = { tries: 4, firstPauseMs: 300, maxPauseMs: 10_000, timeoutMs: 60_000 };

/** Longest time of a timer, in milliseconds; a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends a request until it is answered by more than "not now". What is sent must be safe to repeat: a read, or a write
 * with an idempotency key.
 * @param send sends it once; its signal ends the attempt
 * @param signal ends everything, the pauses too
 * @throws what `send` threw last when no attempt was answered, and the reason of `signal`
 */
export async function sendPatiently(
  send: (signal: AbortSignal | undefined) => Promise<Response>,
  patience: Partial<Patience> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const { tries, firstPauseMs, maxPauseMs, timeoutMs } = patienceOf(patience);
  for (let attempt = 1; ; attempt++) {
    const own = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    let response: Response | undefined;
    signal?.throwIfAborted();
    try {
      response = await send(limited(timeoutMs, signal));
    } catch (error) {
      if (attempt >= tries || signal?.aborted === true) throw error;
    }
    const wanted = response && (await pauseWanted(response));
    if (response && (wanted === undefined || attempt >= tries || wanted > maxPauseMs)) return response;
    if (response) await leaveUnread(response);
    await pause(Math.min(maxPauseMs, Math.max(own, wanted ?? 0)), signal);
  }
}

/** Gives back the connection of an answer that nobody reads. */
export async function leaveUnread(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

function patienceOf(given: Partial<Patience>): Patience {
  const member = (name: keyof Patience): number => {
    const value = given[name];
    return typeof value === 'number' && !Number.isNaN(value) ? value : PATIENCE[name];
  };
  return {
    tries: member('tries'),
    firstPauseMs: member('firstPauseMs'),
    maxPauseMs: member('maxPauseMs'),
    timeoutMs: member('timeoutMs'),
  };
}

/** A signal that ends an attempt after its time, and with everything. */
function limited(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (timeoutMs > MAX_TIMER_MS) return signal;
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
  return signal ? AbortSignal.any([signal, late]) : late;
}

/** @throws the reason of the signal, as soon as it has one */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const go = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(go, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Milliseconds that the sender of an answer wants to be left alone; nothing when a repeat would not help. */
async function pauseWanted(response: Response): Promise<number | undefined> {
  if (response.ok) return undefined;
  const problem = await problemIn(response);
  if (!(problem?.retryable ?? isBusy(response.status))) return undefined;
  return retryAfterMs(response.headers);
}

/** `Retry-After` as seconds or as a date, which is read by the clock of its sender where that says the time. */
function retryAfterMs(headers: Headers): number {
  const wanted = headers.get('retry-after') ?? '';
  const seconds = Number(wanted);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1_000);
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Date.parse(wanted) - (Number.isNaN(now) ? Date.now() : now)) || 0;
}

/**
 * A key for one write: its repeats have one effect. `crypto.randomUUID` exists in secure contexts only, and a page on a
 * local network is none.
 */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
