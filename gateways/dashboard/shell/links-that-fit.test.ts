import t from 'tap';

import { linksThatFit } from './links-that-fit.ts';

const widths = [50, 80, 60, 110];

t.test('a navigation shows all pages where there is room, and no word is cut where there is not', async (t) => {
  const fit = (room: number, here = 0): number[] => linksThatFit({ widths, here, room, more: 40 });
  t.strictSame(fit(300), [0, 1, 2, 3], 'without a menu there is no place for one');
  t.strictSame(fit(299), [0, 1, 2]);
  t.strictSame(fit(229), [0, 1]);
  t.strictSame(fit(229, 3), [0, 3], 'the open page is shown, in its place');
  t.strictSame(fit(169, -1), [0], 'the page of somebody who is on none of them');
  t.strictSame(fit(90), [0]);
  t.strictSame(fit(89), [], 'the menu has them all');
});
