import type { Group, GroupContact, GroupTerms, ShoulderNights } from '../../../groups/rules/group.ts';
import type { Day } from '../dates.ts';
import type { GroupId } from '../ids.ts';
import type { Minor } from '../money.ts';

/** A group as a request has it. */
type GroupWish = {
  groupId: GroupId;
  name: string;
  cutoff: Day;
  agreed?: GroupTerms;
  shoulderNights?: ShoulderNights;
  contact?: GroupContact;
  blocks: { roomType: string; day: Day; rooms: number; rate: Minor }[];
};

export type GroupCommands = {
  /** Blocks rooms for a group until the end of its cut-off day (docs/reference/groups.md#groups). */
  CREATE_GROUP: { command: GroupWish; result: Group };
  /** Replaces a group: its blocks take and return rooms, all or none (docs/reference/groups.md#change). */
  CHANGE_GROUP: { command: GroupWish; result: Group };
  /** Returns all rooms that are not picked up (docs/reference/groups.md#delete). */
  DELETE_GROUP: { command: { groupId: GroupId }; result: null };
};
