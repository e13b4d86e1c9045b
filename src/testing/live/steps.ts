import type { LiveTopic } from '../../../packages/client/src/live/live-limits.ts';
import { Replica } from '../../../packages/client/src/live/replica.ts';
import type { Role } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { Position, SnapshotFrame } from '../../live/contracts/live.ts';
import type { TestClient } from './client.ts';
import { FIRST_NIGHT } from './scripted-property.ts';

export const STEPS_PROPERTY = 'harbor-hotel';

/** Authenticates as a user of tenant `demo`. */
export async function signIn(client: TestClient, role: Role = 'MANAGER', seconds = 3600): Promise<void> {
  client.send({ t: 'auth', token: `demo:${role}:${seconds}`, tenantId: 'demo' });
  await client.take('hello');
  await client.take('ready');
}

type WantedStep = { topics?: LiveTopic[]; offset?: number; days?: number; from?: Position };

/** The frame that follows the scripted property from `offset` days after its first night. */
export function subscribeStep({
  topics = ['grid', 'feed', 'kpi', 'rooms'],
  offset = 0,
  days = 30,
  from,
}: WantedStep = {}) {
  const window = { start: formatDay(FIRST_NIGHT + offset), days };
  return { t: 'subscribe' as const, propertyId: STEPS_PROPERTY, topics, window, ...(from && { from }) };
}

/** Follows the scripted property and waits for the snapshot. */
export async function follow(client: TestClient, wanted: WantedStep = {}): Promise<SnapshotFrame> {
  client.send(subscribeStep(wanted));
  return client.take('snapshot');
}

/** A replica that applies the client's frames up to `seq`; throws on a gap. */
export async function replay(client: TestClient, replica: Replica, seq: number): Promise<Replica> {
  while (replica.position?.seq !== seq) {
    const frame = await client.next();
    if (frame.t === 'snapshot') replica.applySnapshot(frame);
    if (frame.t !== 'delta') continue;
    const outcome = replica.applyDelta(frame);
    if (outcome.kind === 'gap') throw new Error(`gap before ${JSON.stringify(frame)}`);
  }
  return replica;
}

/** Content of a replica, for comparisons. */
export function contentOf({ grid, kpi, rooms, feed, position }: Replica): unknown {
  const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => a.localeCompare(b));
  return { grid: sorted(grid), kpi: sorted(kpi), rooms: sorted(rooms), feed, position };
}

/** Content for a client that connects now. */
export async function fresh(client: TestClient, wanted: WantedStep = {}): Promise<unknown> {
  const replica = new Replica(STEPS_PROPERTY);
  replica.applySnapshot(await follow(client, wanted));
  return contentOf(replica);
}
