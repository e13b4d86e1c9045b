import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { program } from 'commander';
import { SCRIPT } from '../../test/blackbox/launched.ts';
import { benchQuote } from '../first/quote.ts';
import { benchPriceList } from './price-list.ts';
import { benchBeside } from './beside.ts';

const RUN = fileURLToPath(new URL('in-process.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url));

/** What needs no service, under the runtime that the service would have. */
function inProcess(): void {
  const [command, ...args] = SCRIPT === 'start' ? ['deno', 'run', '-A', RUN] : ['node', '--import', 'tsx', RUN];
  if (spawnSync(`${BIN}${command}`, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}

/** `npm run bench:rates`: prints figures and asserts nothing; INNKEEPER_SCRIPT chooses the runtime. */
const PARTS: Record<string, () => Promise<void> | void> = {
  'in-process': inProcess,
  quote: () => benchQuote({ empty: 35, constant: 70 }),
  'price-list': benchPriceList,
  beside: benchBeside,
};

program
  .name('bench:rates')
  .description('Figures of the rate service: quotes, calendar, price lists, optimizer, and quotes beside it.')
  .argument('[parts...]', `some of ${Object.keys(PARTS).join(', ')}; all when none is named`)
  .action(async (named: string[]) => {
    console.log(`npm run ${SCRIPT}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
    for (const [name, bench] of Object.entries(PARTS)) {
      if (named.length > 0 && !named.includes(name)) continue;
      console.log(name);
      await bench();
    }
  });

await program.parseAsync();
