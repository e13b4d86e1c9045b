import type { Day } from '../../kernel/rules/dates.ts';
import type { Stay } from '../../rates/rules/stay.ts';

/** Whether the last night of a stay has ended: nobody can arrive any more. */
export function nightsAreOver({ checkOut }: Pick<Stay, 'checkOut'>, today: Day): boolean {
  return today >= checkOut;
}
