import t from 'tap';

import type { PropertyView } from '../../kernel/property-actors.ts';
import type { EnsembleNights } from '../rules/forecast/demand-forecast.ts';
import { PropertyForecasts } from './property-forecast.ts';

const TO = { tenantId: 'demo', propertyId: 'inn' };
const VIEW = { generation: 1, seq: 5 } as unknown as PropertyView;
const nightsOf = (first: number): EnsembleNights => ({
  first,
  shift: Float64Array.of(2),
  deviation: Float64Array.of(3),
  reach: Float64Array.of(4),
});

void t.test('the ensemble of a day is computed once, behind the first answer', async (t) => {
  const forecasts = new PropertyForecasts();
  let made = 0;
  const make = async (): Promise<EnsembleNights> => nightsOf((made += 1));
  t.equal(forecasts.ensemble(TO, VIEW, '100', make), undefined);
  t.equal(forecasts.ensemble(TO, VIEW, '100', make), undefined, 'it is under way');
  await forecasts.ensembleUnderWay(TO, VIEW);
  t.equal(forecasts.ensembleUnderWay(TO, VIEW), undefined);
  t.equal(forecasts.ensemble(TO, VIEW, '100', make)?.first, 1);
  t.equal(made, 1);
  t.equal(forecasts.ensemble(TO, VIEW, '101', make), undefined, 'the next day');
  await forecasts.ensembleUnderWay(TO, VIEW);
  t.equal(forecasts.ensemble(TO, VIEW, '101', make)?.first, 2);
});

void t.test('a forecast that was made without it is made again', async (t) => {
  const forecasts = new PropertyForecasts();
  let made = 0;
  const forecast = () =>
    forecasts.at(TO, VIEW, '100', async () => {
      made += 1;
      return { nights: [], usual: made, capacity: 10 };
    });
  forecasts.ensemble(TO, VIEW, '100', async () => nightsOf(100));
  await forecast();
  await forecast();
  t.equal(made, 1);
  await forecasts.ensembleUnderWay(TO, VIEW);
  t.equal((await forecast()).usual, 2);
});

void t.test('where it fails the regressions stay, and other properties have theirs', async (t) => {
  const forecasts = new PropertyForecasts();
  const failing = async (): Promise<never> => {
    throw new Error('no thread');
  };
  forecasts.ensemble(TO, VIEW, '100', failing);
  const other = { ...TO, propertyId: 'lodge' };
  forecasts.ensemble(other, VIEW, '100', async () => nightsOf(100));
  await forecasts.ensembleUnderWay(other, VIEW);
  t.equal(forecasts.ensemble(TO, VIEW, '100', failing), undefined);
  t.equal(forecasts.ensembleUnderWay(TO, VIEW), undefined, 'not again on this day');
  t.equal(forecasts.ensemble(other, VIEW, '100', failing)?.first, 100);
});
