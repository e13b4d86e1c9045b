/** How often or long a test repeats itself: less in CI and in `npm test`, in full length in `npm run check:nightly`. */
export function inCiOrNightly(inCi: number, nightly: number): number {
  return process.env['INNKEEPER_NIGHTLY'] === '1' ? nightly : inCi;
}
