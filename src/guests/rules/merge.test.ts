import t from 'tap';

import { joinProfiles } from './merge.ts';

const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

t.test('the surviving profile keeps what it has and takes what it lacks', async (t) => {
  const surviving = { ...ada, phone: '1', preferences: { bedType: 'KING' } };
  const other = {
    ...ada,
    email: 'old@example.com',
    phone: '2',
    preferences: { bedType: 'TWIN', floorPreference: 'LOW' },
  };
  const { taken, lines } = joinProfiles(surviving, other);
  t.strictSame(taken, { preferences: { bedType: 'KING', floorPreference: 'LOW' } });
  t.same(
    lines.filter(({ takes }) => takes === 'OTHER'),
    [{ field: 'floorPreference', surviving: undefined, other: 'LOW', takes: 'OTHER' }],
  );
  t.strictSame(joinProfiles(surviving, ada).taken, {});
  t.strictSame(joinProfiles(ada, surviving).taken, { phone: '1', preferences: { bedType: 'KING' } });
  const german = { ...ada, language: 'de' } as const;
  t.strictSame(joinProfiles(ada, german).taken, { language: 'de' });
  t.strictSame(joinProfiles(german, { ...ada, language: 'fr' }).taken, {});
});

t.test('of consent the latest decision stands, and a no of the same moment', async (t) => {
  const said = (marketingByMail: boolean, at: number) => ({ ...ada, consent: { marketingByMail, at, by: 'eve' } });
  t.match(joinProfiles(said(true, 1), said(false, 2)).taken, { consent: { marketingByMail: false } });
  t.strictSame(joinProfiles(said(false, 2), said(true, 1)).taken, {});
  t.match(joinProfiles(said(true, 1), said(false, 1)).taken, { consent: { marketingByMail: false } });
  t.strictSame(joinProfiles(said(false, 1), said(true, 1)).taken, {});
  t.match(joinProfiles(ada, said(true, 1)).taken, { consent: { marketingByMail: true } });
});
