import { runParts } from '../parts.ts';
import { benchFlood } from './flood.ts';
import { benchManyTenants } from './many-tenants.ts';
import { benchOverhead } from './overhead.ts';

/** `npm run bench:auth`. */
await runParts('bench:auth', 'What identity costs: a known token, a flood of forged ones, 100,000 tenants.', {
  overhead: benchOverhead,
  flood: benchFlood,
  tenants: benchManyTenants,
});
