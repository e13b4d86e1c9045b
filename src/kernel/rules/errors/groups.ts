import { code } from './code.ts';

export const groupErrors = {
  GROUP_NOT_FOUND: code('missing', 'No such group', 'The property has no group with this id.', 'Check the id.'),
  OUTSIDE_GROUP_BLOCK: code(
    'rule',
    'Outside of the blocks of the group',
    'A night of the stay is not blocked for the group in this room type, or its cut-off has passed.',
    'Book within the blocks of the group, or without it.',
  ),
  ROOMING_LIST_REJECTED: code(
    'rule',
    'Lines of the rooming list do not fit',
    'One or more lines cannot be booked; nothing is booked.',
    'Correct the lines that `lines` names, and send the whole list again.',
  ),
};
