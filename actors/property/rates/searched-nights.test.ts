import t from 'tap';

import { Random } from '../../../src/kernel/rules/random.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { LEAST_PARTIES, partyClassOf } from '../../../src/revenue/rules/chain-search/party-class.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, DAY, freshId, NOW, plan, restrict } from '../../../src/testing/property-world.ts';

const AGE_BANDS = [{ code: 'KID', toAge: 11 }];

/** A plan with any rules, cheap and dear ones. */
function somePlan(random: Random, code: string, parentCode?: string): Partial<RatePlan> {
  const percent = (): number => random.between(-40, 40);
  const some = <T>(make: () => T): T | undefined => (random.chance(0.4) ? make() : undefined);
  const own: Partial<RatePlan> = {
    strategy: random.pick(['FIXED', 'FIXED', 'LASTMINUTE', 'EARLYBIRD', 'WEEKEND', 'DYNAMIC']),
    lengthOfStayRules: some(() => [
      { minNights: 2, percent: percent() },
      { minNights: 5, percent: percent() },
    ]),
    advanceRules: some(() => [
      { maxDays: 5, percent: percent() },
      { minDays: 9, maxDays: 20, percent: percent() },
    ]),
    occupancyPricing: some(() => [
      {
        included: random.between(1, 2),
        extraAdult: random.between(0, 3_000),
        single: random.between(-2_000, 1_000),
        bands: { KID: random.between(0, 1_500) },
      },
    ]),
    minRatePercent: random.pick([0, 60]),
    maxRatePercent: random.pick([110, 10_000]),
  };
  const rules = parentCode === undefined ? own : { parentCode };
  const priced = { ...rules, adjustmentPercent: percent(), adjustmentAmount: random.between(-1_500, 1_500) };
  return { id: freshId(), code, ...JSON.parse(JSON.stringify(priced)) };
}

void t.test('no stay costs less than its nights at their least, and all of them are free and sold', (t) => {
  let [quoted, exact] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(seed);
    const scene = Scene.property({ policies: { paymentRequired: false, ageBands: AGE_BANDS } });
    for (const code of ['A', 'B', 'C']) {
      const changed = somePlan(random, code, code === 'C' ? 'A' : undefined);
      scene.accept({ type: 'PUT_RATE_PLAN', plan: plan(changed), mode: 'create' });
    }
    scene.accept(restrict({ stopSell: true }, { start: DAY + 8, end: DAY + 9 }));
    for (let n = 0; n < 6; n++) {
      const checkIn = DAY + random.between(0, 20);
      const stay = { roomType: 'DLX', checkIn, checkOut: checkIn + 2 };
      // The third of a night is one too many.
      try {
        scene.accept(bookCommand({ stay }));
      } catch {}
    }
    const types = scene.view.searchedNights(DAY, DAY + 30, LEAST_PARTIES);
    for (let n = 0; n < 60; n++) {
      const checkIn = DAY + random.between(0, 22);
      const children = random.pick([0, 0, 1]);
      const party = {
        adults: random.between(1, 2),
        children,
        ...(children && { childAges: [random.between(0, 15)] }),
      };
      const stay = { checkIn, checkOut: checkIn + random.between(1, 7), ...party };
      for (const rateCode of scene.state.plans.keys())
        for (const rate of scene.view.quote({ ...stay, rateCode }, NOW).rates) {
          if (!rate.bookable) continue;
          const { nights, first } = types.find(({ roomType }) => roomType === rate.roomType)!;
          const ofStay = nights.slice(stay.checkIn - first, stay.checkOut - first);
          const bound = ofStay.reduce((sum, { least }) => sum + (least?.[partyClassOf(party)] ?? Infinity), 0);
          const isRight = ofStay.every(({ isFree }) => isFree) && bound <= rate.total;
          quoted += 1;
          if (bound === rate.total) exact += 1;
          if (!isRight) t.fail(`seed ${seed}, ${rateCode}: ${rate.total} is below ${bound}`);
        }
    }
  }
  t.ok(quoted > 2_000 && exact > 100, `${quoted} quotes, ${exact} at their bound`);
  t.end();
});

void t.test('a night is not sold where sales are stopped under every plan, and not free when it is full', (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const nights = () => scene.view.searchedNights(DAY + 3, DAY + 5, LEAST_PARTIES);
  const std = () => nights().find(({ roomType }) => roomType === 'STD')!;
  // The cheapest of BAR, FLEX and NRF.
  t.same(
    std().nights.map(({ least }) => least?.[1]),
    [9_000, 9_000, 9_000],
  );
  scene.accept(restrict({ stopSell: true }, { start: DAY + 3, end: DAY + 3, rateCode: 'NRF', roomType: 'STD' }));
  t.same(
    std().nights.map(({ least }) => least?.[1]),
    [10_000, 9_000, 9_000],
  );
  scene.accept(restrict({ stopSell: true }, { start: DAY + 4, end: DAY + 4, rateCode: undefined, roomType: 'STD' }));
  t.same(
    std().nights.map(({ least }) => least?.[1]),
    [10_000, undefined, 9_000],
  );
  for (let n = 0; n < 3; n++)
    scene.accept(bookCommand({ stay: { roomType: 'STD', checkIn: DAY + 5, checkOut: DAY + 6 } }));
  t.same(
    std().nights.map(({ isFree }) => isFree),
    [true, true, false],
  );
  t.end();
});
