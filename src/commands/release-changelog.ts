const UNRELEASED = '## [Unreleased]';

/**
 * The changelog with what is unreleased under a version and its date, and an empty part for what comes next.
 * @param date `YYYY-MM-DD`
 * @throws Error when nothing is unreleased, or the version is there already
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  const [before, after, ...more] = text.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`the changelog needs one "${UNRELEASED}"`);
  if (after.includes(`## [${version}]`)) throw new Error(`the changelog has ${version} already`);
  const next = after.indexOf('\n## [');
  if ((next === -1 ? after : after.slice(0, next)).trim() === '') throw new Error('nothing is unreleased');
  return `${before}${UNRELEASED}\n\n## [${version}] - ${date}\n${after}`;
}
