import { resolve } from 'node:path';

import { type RetentionServices, applyRetention } from '../history/operations/keep-journal.ts';
import type { StoredJournal } from '../history/storage/journal-archive.ts';
import { databaseRetention } from '../history/storage/retention.ts';
import { ImportRunner, IMPORTS_MS } from '../imports/jobs/import-runner.ts';
import { ItemRunner } from '../kernel/operations/item-runner.ts';
import { SealedText } from '../kernel/operations/sealed-text.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { AdvisoryLock, Log } from '../kernel/ports.ts';
import { hasActors, hasJobs, type NodeRole } from '../kernel/rules/placement.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import { repeatRefunds } from '../money/operations/send-refunds.ts';
import type { Config } from '../platform/config/config.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import type { Database } from '../platform/database/database.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { databaseLocks } from '../platform/database/node-locks.ts';
import { regularly } from '../platform/jobs/regularly.ts';
import { finishErasures } from '../privacy/operations/erase-guest.ts';
import { KeyForgetting } from '../privacy/operations/forget-keys.ts';
import { databaseExpiredKeys } from '../privacy/storage/expired-keys.ts';
import { QuoteCountStore } from '../rates/operations/store-quote-counts.ts';
import { writeContingency } from '../revenue/operations/write-contingency.ts';
import { ContingencyFiles } from '../revenue/partners/contingency-folder.ts';
import { reconcileAttempts } from '../stay/operations/reconcile-attempts.ts';
import { reconcilePayments } from '../stay/operations/reconcile-payments.ts';
import { releaseUnclaimed } from '../stay/operations/release-unclaimed.ts';
import { signHeads } from '../tenants/operations/sign-heads.ts';
import { databaseHeads } from '../tenants/storage/audit-heads.ts';
import { StoredTenants } from '../tenants/storage/tenants.ts';

/** Interval of looking for unfinished holds and payments. */
const SWEEP_MS = 5_000;

/** Interval of repeating unconfirmed refunds and interrupted erasures. */
const RESUME_MS = 60_000;

/** Interval of signing heads of journals (docs/concepts/audit-trail.md#chains-and-signed-heads). */
const SIGN_MS = 3_600_000;

/** Interval of looking for due contingency packs, and the age at which one is (docs/guide/backup.md#contingency-pack). */
const PACKS_MS = 60_000;
const PACK_DUE_MS = 870_000;

/** Interval of storing counted quotes. */
const COUNTS_MS = 60_000;

/** Interval of deleting expired idempotency records. */
const KEYS_MS = 60_000;

/** Interval of creating and dropping monthly partitions of the journal; a locked one is retried in the next round. */
const JOURNAL_MS = 3_600_000;

/**
 * Registers rounds and runs them until the stack is disposed of; items of one fail alone.
 * @returns a function that runs a round
 */
export function eachRound(stack: AsyncDisposableStack, rounds: Rounds, log: Log) {
  return (
    name: string,
    everyMs: number,
    work: (each: ItemRunner) => Promise<void>,
    first?: 'at once',
  ): ItemRunner => {
    const round = rounds.register(name, everyMs);
    const each = new ItemRunner(round, log);
    stack.use(regularly(round, log, () => work(each), first));
    return each;
  };
}

/**
 * Resumes interrupted operations and signs heads of journals, until the stack is disposed of.
 * @returns functions that do so now
 */
export function goOnRegularly(
  stack: AsyncDisposableStack,
  role: NodeRole,
  services: Services,
  { database, lease, rounds }: { database: Database; lease: NodeLease; rounds: Rounds },
): { sign(): Promise<void>; reconcile(): Promise<void> } {
  const alone = databaseLocks(() => lease.client());
  const tenants = new StoredTenants(() => lease.client());
  const sign = (each?: ItemRunner): Promise<void> =>
    signHeads({ ...services, tenants, keepHeads: databaseHeads(database) }, each);
  const round = eachRound(stack, rounds, services.log);
  countRegularly(stack, round, services);
  if (hasActors(role)) {
    round('open-payments', SWEEP_MS, (each) => reconcilePayments(services, each));
    round('payment-attempts', SWEEP_MS, (each) => reconcileAttempts(services, each));
    round('release-hours', RESUME_MS, (each) => releaseUnclaimed(services, each));
    round('refunds', RESUME_MS, (each) => repeatRefunds(services, each));
  }
  if (hasJobs(role)) {
    const imports = stack.use(new ImportRunner(() => services));
    round('imports', IMPORTS_MS, (each) => imports.look(each));
    round('erasures', RESUME_MS, (each) => resumeErasures(services, { tenants, alone, each }));
    round('audit-heads', SIGN_MS, sign, 'at once');
  }
  return { sign: () => sign(), reconcile: () => reconcilePayments(services) };
}

/** Stores counted quotes on each node, and once more at its end. */
function countRegularly(stack: AsyncDisposableStack, round: ReturnType<typeof eachRound>, services: Services): void {
  const counts = new QuoteCountStore(services);
  // Without a database the last minute is lost.
  stack.defer(() => counts.store(ItemRunner.uncounted(services.log)).catch(() => undefined));
  round('quote-counts', COUNTS_MS, (each) => counts.store(each));
}

/** Writes contingency packs, where a folder is configured: on each node that has one. */
export function packRegularly(
  stack: AsyncDisposableStack,
  { CONTINGENCY_DIR: dir, CONTINGENCY_KEYS: keys = [], NODE_ROLE }: Config,
  services: Services,
  { lease, rounds }: { lease: NodeLease; rounds: Rounds },
): void {
  if (dir === undefined || !hasJobs(NODE_ROLE)) return;
  const folder = new ContingencyFiles(resolve(dir));
  const packKeys = new SealedText(keys.map(({ id, key }) => ({ id, secret: key })));
  const tenants = new StoredTenants(() => lease.client());
  let dueMs: number | undefined;
  const write = async (each: ItemRunner): Promise<void> => {
    await writeContingency({ ...services, folder, packKeys }, await tenants.running(), each, dueMs);
    dueMs = PACK_DUE_MS;
  };
  eachRound(stack, rounds, services.log)('contingency', PACKS_MS, write, 'at once');
}

/** Resumes interrupted erasures of every tenant. */
async function resumeErasures(
  services: Services,
  { tenants, alone, each }: { tenants: StoredTenants; alone: AdvisoryLock; each: ItemRunner },
): Promise<void> {
  for (const tenantId of await tenants.running())
    await each.one(tenantId, () => alone(`erasures ${tenantId}`, () => finishErasures(services, tenantId, each)));
}

type PurgeRound = Pick<RetentionServices, 'computer' | 'log'> & {
  archive: StoredJournal;
  databaseUrl: string;
  connections: Connections;
  lease: NodeLease;
  rounds: Rounds;
};

/**
 * Maintains monthly partitions of the journal and idempotency records, until the stack is disposed of.
 * @returns functions that do so now
 */
export function keepRegularly(
  stack: AsyncDisposableStack,
  role: NodeRole,
  { databaseUrl, connections, lease, rounds, ...parts }: PurgeRound,
): { keep(): Promise<void>; keys: KeyForgetting } {
  const retention = databaseRetention(databaseUrl, connections.Client);
  let stopping = false;
  const ended = (): boolean => stopping || !lease.held;
  const journal: RetentionServices = { ...parts, checkpoints: parts.archive, retention, ended };
  const expired = databaseExpiredKeys(databaseUrl, connections.Client);
  const keys = new KeyForgetting({ keys: expired, log: parts.log, ended });
  const round = eachRound(stack, rounds, parts.log);
  if (hasJobs(role)) {
    round(
      'retention',
      JOURNAL_MS,
      async (each) => void (lease.held && (await applyRetention(journal, each))),
      'at once',
    );
    round('expired-keys', KEYS_MS, async (each) => void (lease.held && (await keys.run(each))), 'at once');
  }
  stack.defer(() => void (stopping = true));
  const keep = async (): Promise<void> => {
    await applyRetention(journal);
    await keys.run();
  };
  return { keep, keys };
}
