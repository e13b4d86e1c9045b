import type { EntityManager } from '@mikro-orm/postgresql';
import { setTimeout as pause } from 'node:timers/promises';

import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { TenantBatches } from '../../platform/database/batch-loader.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LeasedCursor } from '../../subscriptions/ports.ts';
import type { ChannelOutcome, RecordedLine } from '../ports.ts';
import type { KnownLine } from '../rules/channel-values.ts';
import { storedRuns } from './stored-values.ts';

/** Outcomes within this time go together: a message has two, and its pace is seconds. */
const GATHER_MS = 20;
const MAX_AT_ONCE = 64;

const PUT_LINE = `
  insert into channel_lines (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate, taken, rejected)
  values (?, ?, ?, ?, ?, ?, ?::json, ?::json)
  on conflict (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate) do update
  set taken = excluded.taken, rejected = excluded.rejected`;
/** Parameters: outcomes, lines (migrations/sql/channels.v1.sql). A function, whose plan is made once. */
const RECORD = 'select n from record_channel_outcomes_v1(?::json, ?::json) as n';

type Recorded = { cursor: LeasedCursor; outcome: ChannelOutcome };

/**
 * Records what channels were sent and have answered, each if its cursor is still under the epoch in which it was sent: a
 * node that was taken over overwrites nothing. Outcomes of a tenant that come together are one statement.
 */
export class ChannelOutcomes {
  readonly #database: Database;
  readonly #batches = new TenantBatches<Recorded, boolean>(MAX_AT_ONCE, async (tenantId, all) => {
    await pause(GATHER_MS);
    return this.#write(tenantId, all);
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns false when the cursor is not this node's any more: nothing is recorded */
  record(cursor: LeasedCursor, outcome: ChannelOutcome): Promise<boolean> {
    return this.#batches.ask(cursor.of.tenantId, { cursor, outcome });
  }

  /** Writes all at once; when one of them makes that fail, one by one, so that no channel waits for another's. */
  async #write(tenantId: TenantId, all: readonly Recorded[]): Promise<boolean[]> {
    const outcomes = all.map(({ cursor, outcome }, n) => storedOutcome(n, cursor, outcome));
    const lines = all.flatMap(({ outcome }, n) => storedLines(n, outcome));
    const values = [JSON.stringify(outcomes), JSON.stringify(lines)];
    try {
      const [rows = []] = await this.#database.writeAtOnce(tenantId, [RECORD, ...values]);
      const mine = new Set((rows as { n: number }[]).map(({ n }) => n));
      return all.map((_, n) => mine.has(n));
    } catch (error) {
      if (all.length === 1 || isDatabaseUnavailable(error)) throw error;
    }
    const each: boolean[] = [];
    for (const one of all) each.push(...(await this.#write(tenantId, [one])));
    return each;
  }
}

function storedOutcome(n: number, { of, epoch }: LeasedCursor, outcome: ChannelOutcome): object {
  const { pace, takenAt, error, atRisk, audit } = outcome;
  return {
    n,
    id: of.subscriptionId,
    property: of.propertyId,
    epoch,
    pace_free: pace?.free,
    pace_at: pace?.at,
    taken_at: takenAt,
    error: error?.why,
    error_at: error?.at,
    at_risk: atRisk,
    ...(audit && { audited_day: formatDay(audit.day), audited_at: audit.at, drift: audit.drift }),
  };
}

const storedLines = (n: number, { lines = [], forgotten = [] }: ChannelOutcome): object[] => [
  ...lines.map((line) => {
    const taken = line.taken && storedRuns(line.taken);
    return { n, kind: taken ? 'PUT' : 'DOUBT', ...keysOf(line), taken, rejected: notTaken(line) };
  }),
  ...forgotten.map((line) => ({ n, kind: 'FORGET', ...keysOf(line) })),
];

/** Stores what a channel has of a line. @param of tenant and channel */
export async function putLine(em: EntityManager, of: readonly string[], line: KnownLine): Promise<void> {
  const values = [JSON.stringify(storedRuns(line.taken)), JSON.stringify(notTaken(line))];
  await em.execute(PUT_LINE, [...of, ...Object.values(keysOf(line)), ...values]);
}

const notTaken = ({ rejected, doubtful }: Pick<KnownLine, 'rejected' | 'doubtful'>) => [
  ...storedRuns(rejected),
  ...storedRuns(doubtful),
];

const keysOf = ({ roomType, ratePlan, externalRoom, externalRate }: RecordedLine) => ({
  room_type: roomType,
  rate_plan: ratePlan,
  external_room: externalRoom,
  external_rate: externalRate,
});
