import t from 'tap';

import { PARTY_MEMBERS, stayKey } from './stay.ts';

void t.test('stays of different parties or days have different keys', async (t) => {
  const days = { checkIn: 20_000, checkOut: 20_002 };
  const nightsOf = { ...days, adults: 2, children: 1 };
  const keys = [
    nightsOf,
    { ...nightsOf, checkOut: 20_003 },
    { ...nightsOf, adults: 1 },
    { ...nightsOf, children: 2 },
    { ...nightsOf, checkOut: 20_001 },
    { ...nightsOf, checkOut: 20_001, dayUse: true as const },
    { ...nightsOf, childAges: [5] },
    { ...nightsOf, childAges: [6] },
  ].map(stayKey);
  t.equal(new Set(keys).size, keys.length);
});

void t.test('a member that may be absent is in the key with its name', async (t) => {
  const stay = { checkIn: 20_000, checkOut: 20_002, adults: 2, children: 1 };
  t.equal(stayKey(stay), '20000 20002 2 1', 'tokens of release 0.1.0 are bound to this text');
  for (const member of PARTY_MEMBERS.filter((name) => !Object.hasOwn(stay, name)))
    t.match(stayKey({ ...stay, [member]: [7] }), ` ${member} 7`, member);
});
