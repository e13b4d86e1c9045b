import t from 'tap';

import { amountNo, dayNo, momentNo, readMembers, sentMembers } from './members.ts';

const FILLED = {
  total: amountNo(1),
  paid: amountNo(2),
  day: dayNo(1),
  at: momentNo(1),
  count: 3,
  isOpen: false,
  isPaid: true,
  items: ['a', 'b'],
};
const RIGHT = {
  ...FILLED,
  total: 10_001.01,
  paid: '10002.02',
  day: '2026-06-02',
  at: '2026-06-01T10:00:01.001Z',
};

/** What is seen of an answer with these members in place of the right ones. */
const seen = (wrong: (of: typeof FILLED) => object) =>
  sentMembers(FILLED, (of) => ({ ...RIGHT, isOpen: of.isOpen, isPaid: of.isPaid, ...wrong(of) }));

t.test('a member that was dropped, exchanged, moved or put in another unit is seen', async (t) => {
  t.strictSame(await seen(() => ({})), {});
  t.strictSame(await seen(() => ({ count: undefined })), { dropped: ['count'] });
  t.strictSame(await seen(() => ({ count: null })), { computed: { count: null }, dropped: ['count'] });
  t.strictSame(await seen(() => ({ total: RIGHT.paid, paid: RIGHT.total })), {
    renamed: { total: 'paid', paid: 'total' },
  });
  t.strictSame(await seen(({ isOpen, isPaid }) => ({ isOpen: isPaid, isPaid: isOpen })), {
    renamed: { isPaid: 'isOpen', isOpen: 'isPaid' },
  });
  t.strictSame(await seen(({ isOpen }) => ({ isOpen: !isOpen })), { computed: { isOpen: true } });
  t.strictSame(await seen(() => ({ items: ['b', 'a'] })), {
    renamed: { 'items.0': 'items.1', 'items.1': 'items.0' },
  });
  for (const wrong of [{ total: FILLED.total }, { day: '2026-06-03' }, { at: Math.floor(FILLED.at / 1_000) }])
    t.strictSame(await seen(() => wrong), { computed: wrong, dropped: Object.keys(wrong) });
});

t.test('a member of another name, alone or with all that is in it, is listed once', async (t) => {
  const list = { lines: [{ net: amountNo(1) }, { net: amountNo(2) }], day: dayNo(1) };
  t.strictSame(
    await sentMembers(list, () => ({ items: [{ net: 10_001.01 }, { net: 10_002.02 }], date: '2026-06-02' })),
    {
      renamed: { items: 'lines', date: 'day' },
    },
  );
});

t.test('a body is read in the units of the domain', async (t) => {
  const { total, day, at } = RIGHT;
  t.strictSame(
    await readMembers({ total, day, at }, () => ({ total: FILLED.total, day: FILLED.day, at: FILLED.at })),
    {},
  );
  t.strictSame(await readMembers({ total }, () => ({ total })), { computed: { total }, dropped: ['total'] });
});
