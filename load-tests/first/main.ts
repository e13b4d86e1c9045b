import { cpus } from 'node:os';
import { program } from 'commander';
import { SCRIPT } from '../../test/blackbox/launched.ts';
import { benchBooking } from './booking.ts';
import { benchFresh } from './fresh.ts';
import { benchQuote } from './quote.ts';
import { benchReplay } from './replay-time.ts';
import { benchStart } from './start.ts';

/** `npm run bench:first`: prints figures and asserts nothing; INNKEEPER_SCRIPT chooses the runtime. */
const PARTS = {
  start: benchStart,
  quote: () => benchQuote(),
  booking: benchBooking,
  fresh: benchFresh,
  replay: benchReplay,
};

program
  .name('bench:first')
  .description('Figures of the first slice: start, quote, paid booking, fresh database, replay.')
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
