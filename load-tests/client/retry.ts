import type { Answer, Call, HttpClient } from './http.ts';

/** Limits of repeating a call before its answer counts. */
const MAX_ATTEMPTS = 20;
const LONGEST_WAIT_MS = 10_000;
const SHORTEST_WAIT_MS = 50;

/**
 * Repeats a call until it is decided: 429, 503 and a first request still in progress (409 with `Retry-After`) are
 * repeated after `Retry-After`, a broken connection at once. Repeating is safe only with an `Idempotency-Key`, so one
 * is required.
 * @param repeated called with the reason, once per repetition
 * @param attempts including the first
 * @returns the last answer, which may still be undecided
 * @throws Error when the connection broke every time
 */
export async function callUntilDecided(
  client: HttpClient,
  call: Call & { headers: Record<'idempotency-key', string> },
  repeated: (reason: string) => void,
  attempts = MAX_ATTEMPTS,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.call(call).catch((error: unknown) => {
      if (attempt >= attempts) throw error;
      return undefined;
    });
    if (answer && (!isLater(answer) || attempt >= attempts)) return answer;
    repeated(answer ? String(answer.status) : 'connection');
    await pause(waitOf(answer));
  }
}

function isLater({ status, headers }: Answer): boolean {
  return status === 429 || status === 503 || (status === 409 && headers['retry-after'] !== undefined);
}

function waitOf(answer: Answer | undefined): number {
  const seconds = Number(answer?.headers['retry-after'] ?? 0);
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, Number.isFinite(seconds) ? seconds * 1000 : 0));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
