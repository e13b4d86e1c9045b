import type { Group, GroupTerms } from '../../../groups/rules/group.ts';
import type { Day } from '../dates.ts';
import type { GroupId } from '../ids.ts';
import type { Minor } from '../money.ts';

export type GroupCommands = {
  /** Blocks rooms for a group until the end of its cut-off day (docs/reference/reservations.md#groups). */
  CREATE_GROUP: {
    command: {
      groupId: GroupId;
      name: string;
      cutoff: Day;
      agreed?: GroupTerms;
      blocks: { roomType: string; day: Day; rooms: number; rate: Minor }[];
    };
    result: Group;
  };
};
