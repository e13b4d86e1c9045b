import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { StockQuery } from '../contracts/extras.ts';
import { type ExtraStock, stockOf } from '../rules/extra.ts';
import { getExtra } from './set-up-extras.ts';

/** Pieces of an extra on a night: stock and what is left of it are null where it is not counted. */
type NightStock = { date: Day; stock: number | null; taken: number; left: number | null };

/** Reads the stock of the price list, for commands that may take pieces of extras. */
export async function readExtraStock({ extras }: Pick<Services, 'extras'>, to: Address): Promise<ExtraStock> {
  return stockOf(await extras.list(to));
}

/**
 * Reads how many pieces of an extra are taken and left on each night (docs/reference/set-up.md#extras).
 * @throws DomainError PROPERTY_NOT_FOUND, SERVICE_NOT_FOUND, VALIDATION_FAILED for nights that are over
 */
export async function readStockByNight(
  services: Pick<Services, 'extras' | 'properties'>,
  of: Address,
  code: string,
  { from, to }: StockQuery,
): Promise<{ code: string; items: NightStock[]; seq: number }> {
  const { extra } = await getExtra(services, of, code);
  const view = await services.properties.view(of);
  if (from < view.businessDate) {
    const detail = `is before the business date ${formatDay(view.businessDate)}`;
    const errors = [{ parameter: 'from', code: 'IN_THE_PAST', detail }];
    throw new DomainError('VALIDATION_FAILED', 'The stock of nights that are over is not stored.', { errors });
  }
  const { stockPerNight: stock = null } = extra;
  const items = Array.from({ length: to - from + 1 }, (_, nth): NightStock => {
    const taken = view.extrasTaken(code, from + nth);
    return { date: from + nth, stock, taken, left: stock === null ? null : Math.max(0, stock - taken) };
  });
  return { code, items, seq: view.seq };
}
