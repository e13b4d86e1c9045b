import { inProcess, runParts } from '../parts.ts';
import { benchDesk } from './desk.ts';
import { benchList } from './list.ts';
import { benchSearch } from './search.ts';

/** `npm run bench:reservations`. Rooms of 500 arrivals in 2 s are promised; so far only the rule is measured. */
await runParts(
  'bench:reservations',
  'Figures of the reservation service: bookings, changes, check-ins, a search, rooms of 500 arrivals, a list of a million.',
  { desk: benchDesk, search: benchSearch, assignment: inProcess('rooms/main.ts'), list: benchList },
);
