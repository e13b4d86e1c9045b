import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { DeskTasksQuery } from '../contracts/desk-tasks.ts';
import { type DeskTask, deskTaskOf } from '../rules/desk-task.ts';

/**
 * Lists open questions for the front desk, newest booking first: guests whose arrival day has passed and who are marked
 * neither as arrived nor as no-show (docs/reference/reservations.md#arrivals). Nothing is stored: a check-in, a no-show
 * or a cancel ends a task.
 * @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED
 */
export async function listDeskTasks(
  services: Services,
  { tenantId }: Caller,
  { propertyId, limit, cursor }: DeskTasksQuery,
): Promise<{ items: DeskTask[]; nextCursor?: string }> {
  const { clock, properties, reservations, signed } = services;
  const { businessDate, setup } = await properties.view({ tenantId, propertyId });
  const filter = { propertyId, status: 'CONFIRMED' as const, arrivalTo: businessDate - 1 };
  const { items, next } = await reservations.list(tenantId, filter, limit, positionOf(signed, cursor));
  const reading = { now: clock.now(), putForwardAt: clock.putForwardAt };
  const tasks = items.flatMap(
    (one) => deskTaskOf(one, { clock: clockOf(setup.property), reading, businessDate }) ?? [],
  );
  return { items: tasks, nextCursor: nextCursor(signed, next) };
}
