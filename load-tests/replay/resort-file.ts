import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bookings of the resort. The file cannot be distributed: it is expected beside the checkout. */
export const RESORT_FILE = fileURLToPath(
  new URL('../../../shared/data/hotel-bookings-resort.csv.gz', import.meta.url),
);

/** Reason to skip its tests; false when they can run. */
export const RESORT_FILE_IS_MISSING = existsSync(RESORT_FILE) ? false : 'the file is not here';
