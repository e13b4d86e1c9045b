import type { components } from './generated/reservation.ts';

/** Why a service refused a request, as it says it (RFC 9457). Some codes add members of their own. */
export type Problem = components['schemas']['Problem'] & Record<string, unknown>;

/** A request that a service refused, or that something before it did; or an answer that is none of a service. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** The code of the service, such as `ROOM_NOT_AVAILABLE`; empty where somebody else answered, such as a proxy. */
  readonly code: string;
  /** The same request can succeed later. */
  readonly isRetryable: boolean;
  /** What the service said, where it answered with a problem. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined, otherwise = `the answer has the status ${status}`) {
    super(problem?.detail ?? otherwise);
    this.status = status;
    this.code = problem?.code ?? '';
    this.isRetryable = problem?.retryable ?? isBusy(status);
    this.problem = problem;
  }
}

/** Statuses of a service or a proxy that is not available now. */
export const isBusy = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** The problem in an answer, whose body stays unread; nothing where it is none. */
export async function problemIn(response: Response): Promise<Problem | undefined> {
  if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true) return undefined;
  return (await response
    .clone()
    .json()
    .catch(() => undefined)) as Problem | undefined;
}
