import { program } from 'commander';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { readBookings } from '../../replay/bookings.ts';
import { fitHotel } from './fit.ts';
import { PARTS } from './parts.ts';

const FITTED = fileURLToPath(new URL('fitted.json', import.meta.url));

program
  .name('yield:fit')
  .description('Counts the hotels of yield:simulate anew in real bookings.')
  .requiredOption('--file <path>', 'bookings in the columns of "Hotel booking demand datasets", packed or not')
  .parse();

const { file } = program.opts<{ file: string }>();
const bookings = await readBookings(file);
await writeFile(
  FITTED,
  `${JSON.stringify(
    PARTS.map((part) => fitHotel(part, bookings)),
    null,
    2,
  )}\n`,
);
