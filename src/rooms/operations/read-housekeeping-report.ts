import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { HousekeepingReportQuery } from '../contracts/housekeeping-report.ts';
import { minutesPerRoom, type MinutesPerRoom, type RoomsDone } from '../rules/housekeeping-minutes.ts';
import { HOUSEKEEPING_TASK_TYPES, type HousekeepingTaskType } from '../rules/housekeeping.ts';

const MAX_LINES = 1_000;

/** Minutes per room of business dates. */
export type HousekeepingReport = {
  propertyId: PropertyId;
  from: Day;
  to: Day;
  businessDate: Day;
  createdAt: Instant;
  totals: MinutesPerRoom;
  byTaskType: (MinutesPerRoom & { taskType: HousekeepingTaskType })[];
  items: (MinutesPerRoom & Pick<RoomsDone, 'attendant' | 'taskType'>)[];
  seq: number;
};

/**
 * Reads how many minutes rooms have taken, by attendant and type of task, over business dates.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readHousekeepingReport(
  { properties, housekeeping, clock }: Pick<Services, 'properties' | 'housekeeping' | 'clock'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { propertyId, from: wished, to: last }: Pick<HousekeepingReportQuery, 'propertyId' | 'from' | 'to'>,
): Promise<HousekeepingReport> {
  const address = { tenantId, propertyId };
  const { businessDate, seq } = await properties.view(address);
  const from = wished ?? businessDate;
  const to = last ?? from;
  const lines = await housekeeping.done(address, from, to, MAX_LINES);
  const byTaskType = HOUSEKEEPING_TASK_TYPES.flatMap((taskType) => {
    const own = lines.filter((line) => line.taskType === taskType);
    return own.length === 0 ? [] : [{ taskType, ...minutesPerRoom(own) }];
  });
  const items = lines.map((line) => ({ ...line, ...minutesPerRoom([line]) }));
  const dated = { propertyId, from, to, businessDate, createdAt: clock.now() };
  return { ...dated, totals: minutesPerRoom(lines), byTaskType, items, seq };
}
