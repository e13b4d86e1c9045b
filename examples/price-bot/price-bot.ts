import { connect, dataOf, ProblemError } from '../../packages/client/src/innkeeper-client.ts';

const { TOKEN = '', TENANT = 'demo', PROPERTY = 'harbor-hotel' } = process.env;
const { RATE_URL = 'http://127.0.0.1:8083', RESERVATION_URL = 'http://127.0.0.1:8084' } = process.env;
/** Bounds of what the program accepts by itself; people decide on the rest. */
const {
  MAX_CHANGE_PERCENT = '10',
  LEAST_RATE = '0',
  HIGHEST_RATE = '1000000',
  LEAST_CONFIDENCE = '0.2',
} = process.env;
const { FROM_DAY = '1', DAYS = '30' } = process.env;

/** Times that rates are asked for again because somebody has changed them meanwhile, and waits for a long run. */
const MAX_TRIES = 3;
const MAX_WAITS = 60;
const WAIT_MS = 1_000;

type Recommended = { date: string; roomType: string; currentRate: number; optimizedRate: number; confidence: number };

const { rates } = connect({ rateUrl: RATE_URL, reservationUrl: RESERVATION_URL, tenantId: TENANT, token: TOKEN });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const period = { startDate: dayIn(Number(FROM_DAY)), endDate: dayIn(Number(FROM_DAY) + Number(DAYS) - 1) };

/** Says how full the nights are expected to be, which is what the recommendations follow from. */
async function sayForecast(): Promise<void> {
  const query = { propertyId: PROPERTY, ...period };
  const { nights, model } = await dataOf(rates.GET('/api/v1/rates/forecast', { params: { query } }));
  const sum = (of: 'booked' | 'expected' | 'capacity'): number => nights.reduce((all, night) => all + night[of], 0);
  const expected = Math.round((sum('expected') * 100) / Math.max(1, sum('capacity')));
  say(`forecast: ${sum('booked')} room nights are booked, ${expected} % are expected (${model ?? 'no model'})`);
}

/** Asks for rates, and waits for those of a long period. @throws Error when they cannot be computed */
async function recommended() {
  const limit = Number(MAX_CHANGE_PERCENT);
  const constraints = { maxRateIncrease: limit, maxRateDecrease: limit };
  const objectives = { primary: 'MAXIMIZE_REVENUE' as const, constraints };
  const body = { propertyId: PROPERTY, optimizationPeriod: period, objectives, strategy: 'DYNAMIC' as const };
  let found = await dataOf(rates.POST('/api/v1/rates/yield-optimization', { body }));
  for (let waits = 0; found.status === 'RUNNING' && waits < MAX_WAITS; waits++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    const path = { optimizationId: found.optimizationId };
    found = await dataOf(rates.GET('/api/v1/rates/optimizations/{optimizationId}', { params: { path } }));
  }
  if (found.status !== 'COMPLETED') throw new Error(`the optimization is ${found.status}`);
  return found;
}

/** Whether the program may accept it. */
function isWithinBounds({ currentRate, optimizedRate, confidence }: Recommended): boolean {
  const change = (Math.abs(optimizedRate - currentRate) * 100) / currentRate;
  const isInRange = optimizedRate >= Number(LEAST_RATE) && optimizedRate <= Number(HIGHEST_RATE);
  return isInRange && change <= Number(MAX_CHANGE_PERCENT) && confidence >= Number(LEAST_CONFIDENCE);
}

/** Accepts what is within the bounds. Rates that somebody has changed meanwhile are asked for again. */
async function accept(): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { optimizationId, recommendations, results } = await recommended();
    const accepted = recommendations.filter(isWithinBounds);
    const gain = results?.revenueIncrease ?? 0;
    say(`advice: ${recommendations.length} nights for ${gain.toFixed(2)} % more revenue`);
    say(`accepted: ${accepted.length}, left to people: ${recommendations.length - accepted.length}`);
    if (accepted.length === 0) return;
    const body = { nights: accepted.map(({ roomType, date }) => ({ roomType, date })) };
    try {
      const path = { optimizationId };
      await rates.POST('/api/v1/rates/{optimizationId}/implement', { params: { path }, body });
      for (const { date, roomType, currentRate, optimizedRate } of accepted)
        say(`${date} ${roomType}: ${currentRate.toFixed(2)} -> ${optimizedRate.toFixed(2)}`);
      return;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'RATES_MOVED' || tries === MAX_TRIES) throw error;
    }
  }
}

await sayForecast();
await accept();
