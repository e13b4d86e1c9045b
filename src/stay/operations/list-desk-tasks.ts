import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { DeskTasksQuery } from '../contracts/desk-tasks.ts';
import { type DeskTask, deskTaskOf } from '../rules/desk-task.ts';

/**
 * Lists tasks of the front desk, newest booking first (docs/reference/reservations.md#desk-tasks): guests whose arrival
 * day has passed and who are marked neither as arrived nor as no-show, and overstays that could not be posted. Nothing
 * is stored: a task ends with its reason.
 * @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED
 */
export async function listDeskTasks(
  services: Services,
  { tenantId }: Caller,
  { propertyId, limit, cursor }: DeskTasksQuery,
): Promise<{ items: DeskTask[]; nextCursor?: string }> {
  const { clock, properties, reservations, signed } = services;
  const { businessDate, setup } = await properties.view({ tenantId, propertyId });
  const filter = { propertyId, deskTasksOn: businessDate };
  const { items, next } = await reservations.list(tenantId, filter, limit, positionOf(signed, cursor));
  const reading = { now: clock.now(), putForwardAt: clock.putForwardAt };
  const tasks = items.flatMap(
    (one) => deskTaskOf(one, { clock: clockOf(setup.property), reading, businessDate }) ?? [],
  );
  return { items: tasks, nextCursor: nextCursor(signed, next) };
}
