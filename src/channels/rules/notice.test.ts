import t from 'tap';

import { type ChannelNotice, isCancelledBy, isUnclear } from './notice.ts';

const notice = (more: Partial<ChannelNotice> = {}): ChannelNotice => ({
  channelId: 'c',
  externalId: 'x',
  kind: 'CANCELLED',
  at: 200,
  ...more,
});

t.test('a cancellation that came first counts for what was said before it, and for nothing newer', async (t) => {
  t.ok(isCancelledBy(notice(), 100));
  t.ok(isCancelledBy(notice(), 200));
  t.notOk(isCancelledBy(notice(), 201));
  t.notOk(isCancelledBy(notice({ kind: 'NOT_TAKEN' }), 100));
});

t.test('without a time of both nobody knows which is newer', async (t) => {
  t.notOk(isUnclear(notice(), 100));
  const { at: _, ...timeless } = notice();
  for (const [one, bookedAt] of [
    [timeless, 100],
    [notice(), undefined],
  ] as const) {
    t.ok(isUnclear(one, bookedAt));
    t.notOk(isCancelledBy(one, bookedAt));
  }
  t.notOk(isUnclear({ ...timeless, kind: 'NOT_TAKEN' }, 100));
});
