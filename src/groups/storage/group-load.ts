import { daySql, here } from '../../platform/database/load-sql.ts';
import { presentMembers } from '../../platform/database/row-values.ts';
import { GROUP_BLOCKS_TABLE, GROUPS_TABLE } from '../../platform/database/tables/sales.ts';
import { membersOf, readsOf, selectOf } from '../../platform/database/tables/table.ts';
import type { Group } from '../rules/group.ts';

/** A group as its statement returns it: absent members are null. */
export type LoadedGroup = { [K in keyof Group]: undefined extends Group[K] ? Group[K] | null : Group[K] };

/** Null has a meaning within terms, so only members of the group itself are left out. */
export function groupOf(row: LoadedGroup): Group {
  return presentMembers(row);
}

/** All groups of the property, deleted ones too: their reservations may be changed. */
export const EVERY_GROUP = `
  select ${selectOf(GROUPS_TABLE, ['agreed'])}, coalesce(agreed, '{}') as agreed, (select coalesce(json_object_agg(${daySql('b.date')} || ' ' || room_type,
      json_strip_nulls(json_build_object(${membersOf(readsOf(GROUP_BLOCKS_TABLE, ['groupId']))}))), '{}')
      from group_blocks b where b.tenant_id = g.tenant_id and b.group_id = g.id) as blocks
  from reservation_groups g where ${here}`;

/** Groups with nights to come (`isGroupOver`). */
export const GROUP_ROWS = `${EVERY_GROUP} and exists (select from group_blocks b
    where b.tenant_id = g.tenant_id and b.group_id = g.id and b.date >= a.business_date) order by created_at, id`;
