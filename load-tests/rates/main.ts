import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SCRIPT } from '../../test/blackbox/launched.ts';
import { benchQuote } from '../first/quote.ts';
import { runParts } from '../parts.ts';
import { benchBeside } from './beside.ts';
import { benchPriceList } from './price-list.ts';

const RUN = fileURLToPath(new URL('in-process.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url));

/** What needs no service, under the runtime that the service would have. */
function inProcess(): void {
  const [command, ...args] = SCRIPT === 'start' ? ['deno', 'run', '-A', RUN] : ['node', '--import', 'tsx', RUN];
  if (spawnSync(`${BIN}${command}`, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}

/** `npm run bench:rates`. */
await runParts(
  'bench:rates',
  'Figures of the rate service: quotes, calendar, price lists, optimizer, and quotes beside it.',
  {
    'in-process': inProcess,
    quote: () => benchQuote({ empty: 35, constant: 70 }),
    'price-list': benchPriceList,
    beside: benchBeside,
  },
);
