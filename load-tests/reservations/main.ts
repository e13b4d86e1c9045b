import { inProcess, runParts } from '../parts.ts';
import { benchAssignment } from './assignment.ts';
import { benchChainSearch } from './chain-search.ts';
import { benchDesk } from './desk.ts';
import { benchFirstSearch } from './first-search.ts';
import { benchFolio } from './folio.ts';
import { benchList } from './list.ts';
import { benchMaintenance } from './maintenance.ts';
import { benchMoney } from './money.ts';
import { benchSearch } from './search.ts';
import { benchSeveralRooms } from './several-rooms.ts';

/** `npm run bench:reservations`. */
await runParts(
  'bench:reservations',
  'Figures of the reservation service: bookings, changes, check-ins, a search, a search over 200 properties, the first one after a start over 1,000, rooms of 500 arrivals, a list of a million, money of 20,000, a folio of 200 postings, several rooms in one booking, a maintenance of a year.',
  {
    desk: benchDesk,
    search: benchSearch,
    'chain-search': benchChainSearch,
    'first-search': benchFirstSearch,
    assignment: benchAssignment,
    list: benchList,
    money: benchMoney,
    folio: benchFolio,
    rooms: benchSeveralRooms,
    maintenance: benchMaintenance,
    'assignment-rule': inProcess('rooms/main.ts'),
  },
);
