import { LRUCache } from 'lru-cache';

import type { Services } from '../../../kernel/operations/services.ts';
import type { PropertyView } from '../../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { DemandData, DemandModel, DemandSummary } from '../../rules/demand-learning/learn-demand.ts';

const MAX_PROPERTIES = 1_000;

/** Days for which counted quotes are retained after the arrival that they are about. */
const COUNTS_DAYS = 400;

type Learned = { model: DemandModel; summary: DemandSummary };

/** Demand models of properties on this node, each learned once a business day. */
export class DemandModels {
  readonly #models = new LRUCache<string, { today: Day; learned: Promise<Learned> }>({ max: MAX_PROPERTIES });

  /** What was learned today, or is by `learn`; what has failed is not cached. */
  on(to: Address, { generation }: PropertyView, today: Day, learn: () => Promise<Learned>): Promise<Learned> {
    const key = `${addressKey(to)} ${generation}`;
    const known = this.#models.get(key);
    if (known?.today === today) return known.learned;
    const learned = learn();
    this.#models.set(key, { today, learned });
    learned.catch(() => this.#models.delete(key));
    return learned;
  }
}

export type Learning = Pick<Services, 'computer' | 'demandModels' | 'demandRecords'>;

/** What a property has learned about its guests until its business date. */
export async function demandModel(services: Learning, to: Address, view: PropertyView): Promise<DemandModel> {
  return (await learnedOn(services, to, view)).model;
}

/** Learns for a day, for the other properties of the tenant, too, and forgets counts of which the arrivals are long past. */
export async function learnDaily(
  services: Learning & Pick<Services, 'properties'>,
  to: Address,
  date: Day,
): Promise<void> {
  const { summary } = await learnedOn(services, to, await services.properties.view(to));
  await services.demandRecords.store(to, date, summary);
  await services.demandRecords.forget(to, date - COUNTS_DAYS);
}

function learnedOn(
  { computer, demandModels, demandRecords }: Learning,
  to: Address,
  view: PropertyView,
): Promise<Learned> {
  const today = view.businessDate;
  return demandModels.on(to, view, today, async () => {
    const { timezone } = view.setup.property.metadata;
    const data: DemandData = await demandRecords.read(to, { timezone, from: today - COUNTS_DAYS, today });
    return computer.run('learnDemand', data);
  });
}
