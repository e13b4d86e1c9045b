import { runParts } from '../parts.ts';
import { benchBooking } from './booking.ts';
import { benchFresh } from './fresh.ts';
import { benchQuote } from './quote.ts';
import { benchReplay } from './replay-time.ts';
import { benchRuntimes } from './runtimes.ts';
import { benchStart } from './start.ts';

/** `npm run bench:first`. */
await runParts('bench:first', 'Figures of the first slice: start, quote, paid booking, fresh database, replay.', {
  start: benchStart,
  quote: () => benchQuote(),
  runtimes: benchRuntimes,
  booking: benchBooking,
  fresh: benchFresh,
  replay: benchReplay,
});
