import type { Mutant } from './mutants.ts';

const LEASE = 'src/platform/coordination/node-lease.ts';
const KEEPER = 'src/platform/coordination/lease-keeper.ts';
const REPEATED = 'src/platform/jobs/repeated-jobs.ts';

/** No node starts an overdue round. */
const NO_WATCH = {
  file: REPEATED,
  text: 'if (works) for (const job of this.#jobs) if (job.isOverdue) await job.rescue(this.#ending.signal);',
  becomes: '',
};

/** Faults that ended a service for good, or would: each was found in operation, or resembles one that was. */
export const LIVENESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'main thread sends its clock only as an answer',
    file: LEASE,
    text: 'options.clockEveryMs ?? CLOCK_EVERY_MS, () => this.#sendClock());',
    becomes: 'options.clockEveryMs ?? CLOCK_EVERY_MS, () => undefined);',
    also: [
      {
        file: LEASE,
        text: 'return renewed(message.time);',
        becomes: 'this.#sendClock(); return renewed(message.time);',
      },
    ],
  },
  {
    name: 'wait for a job longer than its socket may be silent, no watch',
    file: 'src/platform/jobs/redis-backend.ts',
    text: 'return longestWaitSeconds * 1_000 + WAITING_SLACK_MS;',
    becomes: 'return 8_000;',
    also: [
      NO_WATCH,
      { file: 'src/platform/jobs/named-queue.ts', text: 'if (!scheduler || isOff)', becomes: 'if (!scheduler)' },
    ],
  },
  { name: 'overdue round left to its queue', ...NO_WATCH },
  {
    name: 'connections kept over a lease',
    file: 'src/platform/coordination/abandon-on-loss.ts',
    text: 'connections.cutAll();',
    becomes: '',
  },
  {
    name: 'lock of a lost session held for ever',
    file: KEEPER,
    text: `idle_session_timeout: '6s', `,
    becomes: '',
  },
  {
    name: 'question on the connection of a lease without a limit',
    file: KEEPER,
    text: 'answerWithinMs: 3_000,',
    becomes: 'answerWithinMs: 0,',
    first: 74,
  },
  {
    name: 'lease counted from its answer',
    file: 'src/platform/coordination/lease.ts',
    text: 'validUntil: began + LEASE_MS',
    becomes: 'validUntil: Math.max(began, scheduler.now()) + LEASE_MS',
    first: 127,
  },
  {
    name: 'lease thread that hangs never replaced',
    file: LEASE,
    text: 'if (this.#unanswered > MAX_UNANSWERED) this.#replaceThread();',
    becomes: '',
  },
  {
    name: 'start waits for ever for a lease thread that hangs',
    file: LEASE,
    text: 'if (this.#unanswered > MAX_UNANSWERED) this.#replaceThread();',
    becomes: 'if (this.#unanswered > MAX_UNANSWERED && !this.#taken) this.#replaceThread();',
    first: 7_272,
  },
  {
    name: 'overdue commit does not fence',
    file: 'src/property-store/storage/property-store.ts',
    text: 'options.onOverdue?.(',
    becomes: 'void (',
  },
];
