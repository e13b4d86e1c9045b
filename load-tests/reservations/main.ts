import { inProcess, runParts } from '../parts.ts';
import { benchAssignment } from './assignment.ts';
import { benchDesk } from './desk.ts';
import { benchList } from './list.ts';
import { benchSearch } from './search.ts';

/** `npm run bench:reservations`. */
await runParts(
  'bench:reservations',
  'Figures of the reservation service: bookings, changes, check-ins, a search, rooms of 500 arrivals, a list of a million.',
  {
    desk: benchDesk,
    search: benchSearch,
    assignment: benchAssignment,
    list: benchList,
    'assignment-rule': inProcess('rooms/main.ts'),
  },
);
