import t from 'tap';

import { untilTime } from '../../src/testing/fake-clock.ts';
import { TimeTravel } from '../dashboard/history/time-travel.ts';

const NOW = 1_000_000;
const SOON_S = 0.001;

/** Time travel whose questions a test answers. */
function travelling() {
  const asked: number[] = [];
  let isLive = true;
  const travel = new TimeTravel({
    seek: (asOf) => void asked.push(asOf),
    live: () => void (isLive = true),
    now: () => NOW,
    began: () => 0,
    isCalm: () => false,
  });
  const repeated = (times: number): Promise<void> => untilTime(() => asked.length >= times, `request ${times}`);
  return { travel, asked, repeated, isLive: () => isLive };
}

t.test('a refused look back is retried at the current place of the slider', async (t) => {
  const { travel, asked, repeated } = travelling();
  travel.seek(500);
  t.notOk(travel.refused('Too many.', SOON_S));
  t.equal(travel.waits.value, `Too many. Again in ${SOON_S} s.`);
  travel.seek(400);
  t.same(asked, [500], 'not before its time');
  await repeated(2);
  t.same(asked, [500, 400]);
  travel.arrived();
  t.equal(travel.waits.value, undefined);
  t.equal(travel.shown.value, 400);
});

t.test('it is given up after several refused attempts, and the former state stays', async (t) => {
  const { travel, asked, repeated } = travelling();
  travel.seek(500);
  travel.arrived();
  travel.seek(300);
  let errors = 1;
  while (errors < 20 && !travel.refused('Too many.', SOON_S)) await repeated(2 + errors++);
  t.equal(errors, 11);
  t.equal(travel.wanted.value, 500);
  t.equal(travel.waits.value, undefined);
  t.equal(asked.length, 12);
  travel.seek(200);
  t.equal(asked.at(-1), 200, 'and the next place is requested');
});

t.test('one that will never be shown is not requested again, nor an obsolete one', async (t) => {
  const { travel, asked, isLive } = travelling();
  travel.seek(500);
  t.ok(travel.refused('The journal begins later.', undefined));
  t.notOk(travel.isPast.value);
  travel.seek(400);
  travel.refused('Too many.', SOON_S);
  travel.back();
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.same(asked, [500, 400]);
  t.equal(travel.waits.value, undefined);
  t.ok(isLive());
});
