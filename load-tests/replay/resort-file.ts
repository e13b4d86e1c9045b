import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bookings of the resort. They are not ours to ship: the file lies beside the checkout. */
export const RESORT_FILE = fileURLToPath(
  new URL('../../../shared/data/hotel-bookings-resort.csv.gz', import.meta.url),
);

/** Why a test of it is skipped; false where it can run. */
export const RESORT_FILE_IS_MISSING = existsSync(RESORT_FILE) ? false : 'the file is not here';
