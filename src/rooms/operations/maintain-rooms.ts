import { v7 as uuidv7 } from 'uuid';

import { pageOf } from '../../kernel/operations/cursor.ts';
import { existing } from '../../kernel/operations/existing.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { MaintenanceId } from '../../kernel/rules/ids.ts';
import type { MaintenanceBody, MaintenancesQuery } from '../contracts/maintenances.ts';
import type { Maintenance } from '../rules/maintenance.ts';

type Stored = Reply<CommandResults['OPEN_MAINTENANCE']>;

const maintenanceOf = (maintenanceId: MaintenanceId, { from, to, ...body }: MaintenanceBody) => ({
  maintenanceId,
  ...body,
  firstNight: from,
  ...(to !== undefined && { lastNight: to }),
});

/**
 * Plans the nights on which a room cannot be used (docs/reference/set-up.md#maintenances).
 * @throws DomainError those of the decision
 */
export function openMaintenance(
  services: Services,
  caller: Caller,
  to: Address,
  body: MaintenanceBody,
  key?: ClientKey,
): Promise<Stored> {
  const maintenance = maintenanceOf(uuidv7(), body);
  return send(services, caller, to, { type: 'OPEN_MAINTENANCE', maintenance }, claim(key));
}

/** Replaces a maintenance that is not over. @throws DomainError those of the decision */
export function changeMaintenance(
  services: Services,
  caller: Caller,
  to: Address,
  { id, body }: { id: MaintenanceId; body: MaintenanceBody },
  key?: ClientKey,
): Promise<Stored> {
  return send(services, caller, to, { type: 'CHANGE_MAINTENANCE', maintenance: maintenanceOf(id, body) }, claim(key));
}

/** Ends a maintenance: the room is on sale from tonight on. @throws DomainError MAINTENANCE_NOT_FOUND */
export function endMaintenance(
  services: Services,
  caller: Caller,
  to: Address,
  maintenanceId: MaintenanceId,
  key?: ClientKey,
): Promise<Reply<null>> {
  return send(services, caller, to, { type: 'END_MAINTENANCE', maintenanceId }, claim(key));
}

/** Lists maintenances that are not over, newest first. */
export async function listMaintenances(
  { properties, signed }: Pick<Services, 'properties' | 'signed'>,
  to: Address,
  query: MaintenancesQuery,
): Promise<{ items: Maintenance[]; nextCursor?: string; seq: number }> {
  const { setup, seq } = await properties.view(to);
  const wanted = setup.maintenances.filter(
    ({ roomNumber, kind }) => roomNumber === (query.roomNumber ?? roomNumber) && kind === (query.kind ?? kind),
  );
  return { ...pageOf(signed, wanted, ({ maintenanceId }) => maintenanceId, query), seq };
}

/** Reads a maintenance, also one that is over. @throws DomainError MAINTENANCE_NOT_FOUND */
export async function readMaintenance(
  { properties, maintenance }: Pick<Services, 'properties' | 'maintenance'>,
  to: Address,
  id: MaintenanceId,
): Promise<{ maintenance: Maintenance; seq: number }> {
  const { setup, seq } = await properties.view(to);
  const current = setup.maintenances.find(({ maintenanceId }) => maintenanceId === id);
  return { maintenance: existing(current ?? (await maintenance(to, id)), 'MAINTENANCE_NOT_FOUND'), seq };
}
