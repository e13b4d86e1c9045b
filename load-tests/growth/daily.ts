import { advanceClock, must } from '../../test/blackbox/property.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type IdleCost, idleCost, operationCost } from './measured.ts';
import type { GrowthPlan } from './plan.ts';
import type { GrowthWorld } from './world.ts';

/** Milliseconds of CPU that the daily jobs of one property take where nothing happened. */
export type DailyWork = { properties: number; service: number; postgres: number };

const DONE_WITHIN_MS = 90_000;
const LOOK_MS = 500;
const MS = 1_000;

/** Adds properties whose daily jobs are still to be done, has them done, and counts what that takes. */
export async function dailyWork(
  world: GrowthWorld,
  { daily: properties, idleSeconds }: Pick<GrowthPlan, 'daily' | 'idleSeconds'>,
): Promise<DailyWork> {
  const before = world.properties.length;
  await world.growTo(before + properties, { hasDailyWork: true });
  const added = world.properties.splice(before);
  const idle: IdleCost = await idleCost(world.measured, idleSeconds);
  const run = async () => {
    // Moving the clock by a second runs what is due; it would otherwise be noticed within a minute.
    must(await advanceClock(world.service, 1), 200);
    const admin = await world.admin();
    for (const until = performance.now() + DONE_WITHIN_MS; performance.now() < until;) {
      const { rows } = await admin.query<{ done: number }>(
        "select count(*)::int as done from daily_jobs where property_id = any($1) and job = 'CHARGE_DUES'",
        [added],
      );
      if (rows[0]!.done === properties) return { count: properties, perSecond: 0, p50: 0, p99: 0, problems: [] };
      await pause(LOOK_MS);
    }
    throw new Error(`the daily jobs of ${properties} properties were not done in ${DONE_WITHIN_MS} ms`);
  };
  const cost = await operationCost(world.measured, { what: 'daily work', run }, idle, { rounds: 1, seconds: 0 });
  return { properties, service: cost.service / MS, postgres: cost.postgres / MS };
}
