import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bookings of the resort. They are not ours to ship: BOOKINGS says where the file is, or it is beside the checkout. */
export const RESORT_FILE =
  process.env.BOOKINGS ??
  fileURLToPath(new URL('../../../shared/data/hotel-bookings-resort.csv.gz', import.meta.url));

/** Why a test of it is skipped, which CI takes for a failure; false where it can run. */
export const RESORT_FILE_IS_MISSING = existsSync(RESORT_FILE)
  ? false
  : 'BOOKINGS names no file of the resort (docs/guide/testing.md#real-bookings)';
