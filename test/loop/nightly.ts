/** Whether this is a run of `npm run check:nightly`. */
export function isNightly(): boolean {
  return process.env['INNKEEPER_NIGHTLY'] === '1';
}

/** How often or long a test repeats itself: less in CI and in `npm test`, in full length in `npm run check:nightly`. */
export function inCiOrNightly(inCi: number, nightly: number): number {
  return isNightly() ? nightly : inCi;
}
