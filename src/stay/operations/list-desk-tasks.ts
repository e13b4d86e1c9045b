import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { DeskTasksQuery } from '../contracts/desk-tasks.ts';
import { type ChannelTask, type DeskTask, deskTaskOf } from '../rules/desk-task.ts';

/** Before the newest reservation. */
const NEWEST = { createdAt: Date.UTC(9999, 0), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
/** Pages of reservations that are looked through for one page of tasks. */
const MAX_PAGES = 20;

/**
 * Lists tasks of the front desk, newest booking first (docs/reference/reservations.md#desk-tasks): guests whose arrival
 * day has passed and who are marked neither as arrived nor as no-show, overstays that could not be posted, chargebacks
 * that nobody has closed, and stays that a channel sold though the night was sold out. Nothing of them is stored: a task ends with its reason.
 * What a channel has sold and could not be taken comes first.
 * @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED
 */
export async function listDeskTasks(
  services: Services,
  { tenantId }: Caller,
  { propertyId, limit, cursor }: DeskTasksQuery,
): Promise<{ items: (DeskTask | ChannelTask)[]; nextCursor?: string }> {
  const { clock, properties, reservations, signed } = services;
  const view = await properties.view({ tenantId, propertyId });
  const { businessDate, setup } = view;
  const filter = { propertyId, deskTasksOn: businessDate };
  const reading = { now: clock.now(), putForwardAt: clock.putForwardAt };
  const { metadata } = setup.property;
  const isOversold = view.isOversold.bind(view);
  const today = { metadata, clock: clockOf(setup.property), reading, businessDate, isOversold };
  const tasks: (DeskTask | ChannelTask)[] = [];
  let after = positionOf(signed, cursor);
  if (!after) {
    const notices = await services.channelNotices.waiting({ tenantId, propertyId }, businessDate, limit);
    tasks.push(...notices.map((notice) => ({ ...notice, kind: 'CHANNEL_BOOKING' as const })));
    if (tasks.length === limit) return { items: tasks, nextCursor: nextCursor(signed, NEWEST) };
  }
  // Of many that may give a task few do: an empty page would look like the end.
  for (let page = 0; page < MAX_PAGES && tasks.length < limit; page++) {
    const { items, next } = await reservations.list(tenantId, filter, limit, after);
    for (const [index, one] of items.entries()) {
      const task = deskTaskOf(one, today);
      if (task) tasks.push(task);
      const isLast = index === items.length - 1;
      if (tasks.length === limit && !isLast)
        return { items: tasks, nextCursor: nextCursor(signed, { createdAt: one.createdAt, id: one.id }) };
    }
    after = next;
    if (!next) break;
  }
  return { items: tasks, nextCursor: nextCursor(signed, after) };
}
