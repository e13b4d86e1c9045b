import { code } from './code.ts';

export const guestErrors = {
  GUEST_NOT_FOUND: code('missing', 'No such guest', 'The tenant has no guest with this id.', 'Search the guests.'),
  GUEST_IN_USE: code(
    'conflict',
    'The guest has stays or money that are not over',
    'A reservation of the guest is pending, confirmed or in house, or a payment or a refund is open.',
    'End or cancel the stays in `reservations` and settle their money, then repeat.',
  ),
  GUEST_MERGED: code(
    'conflict',
    'The profile was merged into another one',
    'A profile of a merge is part of another profile by now.',
    'Read both guests again: `guestId` names the profiles that survive.',
  ),
};
