/** Children up to an age, inclusive, as prices know them (docs/reference/set-up.md#age-bands). */
export type AgeBand = { code: string; toAge: number };

/** The youngest band that a child fits in; `undefined` for one that is older than all bands. */
export function bandOf(age: number, bands: readonly AgeBand[]): string | undefined {
  return bands.filter(({ toAge }) => age <= toAge).sort((a, b) => a.toAge - b.toAge)[0]?.code;
}
