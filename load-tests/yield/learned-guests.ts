import { isWeekend } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { DEMAND, type LearnedDemand } from '../../src/rates/rules/demand-model.ts';
import { leadBucket, LONGEST_STAY, marketBucket, ratioBucket } from '../../src/rates/rules/quote-cells.ts';
import { learnDemand } from '../../src/revenue/rules/demand-learning/learn-demand.ts';
import type { DemandBelief } from './demand-belief.ts';
import { marketRate } from './demand-scenario.ts';
import { meanRate, type SimulatedStay } from './demand-simulator.ts';

type Counted = { group: string; lead: number; weekend: boolean; ratio: number; market: number; n: [number, number] };

/** The demand model of the product, from the quotes of a simulated property. */
export class LearnedGuests {
  readonly #belief: DemandBelief;
  readonly #cells = new Map<string, Counted>();
  readonly #lengths = DEMAND.elasticity.map(() => DEMAND.lengthOfStay.map(() => 0));

  constructor(belief: DemandBelief) {
    this.#belief = belief;
  }

  count(stay: SimulatedStay, quoted: Minor, booked: boolean): void {
    const { scenario } = this.#belief;
    const lead = leadBucket(stay.arrival - stay.day);
    const nights = Math.min(LONGEST_STAY, stay.nights);
    const usual = meanRate(stay, (night) => this.#belief.usual(stay.type, night));
    const base = meanRate(stay, (night) => this.#belief.base(stay.type, night));
    const ratio = ratioBucket(quoted / usual);
    const market = marketBucket(meanRate(stay, (night) => marketRate(scenario, stay.type, night)) / base);
    const group = `${stay.arrival} ${stay.type} ${lead} ${nights}`;
    const key = `${group} ${ratio} ${market}`;
    let cell = this.#cells.get(key);
    if (!cell) {
      const weekend = isWeekend(scenario.today + stay.arrival);
      this.#cells.set(key, (cell = { group, lead, weekend, ratio, market, n: [0, 0] }));
    }
    cell.n[0] += 1;
    if (!booked) return;
    cell.n[1] += 1;
    const row = DEMAND.elasticity.findLastIndex(({ fromDays }) => stay.arrival - stay.day >= fromDays);
    if (stay.rooms === 1) this.#lengths[Math.max(0, row)]![nights - 1]! += 1;
  }

  learn(): LearnedDemand {
    const groups = [...Map.groupBy(this.#cells.values(), ({ group }) => group).values()];
    const counted = groups
      .filter((cells) => cells.length > 1 && cells.some(({ n }) => n[1] > 0))
      .flatMap((cells, group) =>
        cells.flatMap(({ lead, weekend, ratio, market, n }) => [group, lead, Number(weekend), ratio, market, ...n]),
      );
    const data = { counted: Int32Array.from(counted), totals: [], lengths: this.#lengths, others: [] };
    return learnDemand(data).model.demand;
  }
}
