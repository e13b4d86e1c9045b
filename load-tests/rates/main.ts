import { benchQuote } from '../first/quote.ts';
import { inProcess, runParts } from '../parts.ts';
import { benchBeside } from './beside.ts';
import { benchPriceList } from './price-list.ts';
import { benchResolved } from './resolved.ts';

/** `npm run bench:rates`. */
await runParts(
  'bench:rates',
  'Figures of the rate service: quotes, calendar, price lists, optimizer, and quotes beside it.',
  {
    'in-process': inProcess('rates/in-process.ts'),
    quote: () => benchQuote({ empty: 35, constant: 70 }),
    'price-list': benchPriceList,
    resolve: inProcess('rates/resolve.ts'),
    resolved: benchResolved,
    beside: benchBeside,
  },
);
