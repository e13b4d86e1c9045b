import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
/** File of all recorded runs (docs/measurements/proofs.md#totals). */
export const PROOF_LEDGER = join(ROOT, 'docs/measurements/proof-totals.json');
const PROMISE = join(ROOT, 'PROMISE.md');
/** The part of PROMISE.md#totals that is written from the ledger. */
const GENERATED = /(<!-- totals -->\n)[\s\S]*?(<!-- end of totals -->)/;

export const proofRun = z.strictObject({
  proof: z.string().regex(/^(prove|nemesis|simulate|upgrade:check)( [a-z-]+)?$/),
  date: z.iso.date(),
  commit: z.string().regex(/^[0-9a-f]{7,40}\+?$/),
  held: z.boolean(),
  /** What the run did and found, by name: attempts, kills, seeds. */
  counts: z.record(z.string().regex(/^[a-z][a-z ]*$/), z.int().nonnegative()),
});

/** One run of a proof, as it was recorded. `commit` ends with + where the sources had changes. */
export type ProofRun = z.infer<typeof proofRun>;

/** All recorded runs. */
export const recordedProofs = (): ProofRun[] =>
  z.array(proofRun).parse(JSON.parse(readFileSync(PROOF_LEDGER, 'utf8')));

/** PROMISE.md#totals from the ledger, in its page. @throws Error when it has no place for them */
export function promisePage(
  runs: readonly ProofRun[] = recordedProofs(),
  page = readFileSync(PROMISE, 'utf8'),
): string {
  if (!GENERATED.test(page)) throw new Error('PROMISE.md has lost the marks between which its totals are written');
  return page.replace(GENERATED, (_all, begin: string, end: string) => `${begin}\n${tableOf(runs)}\n\n${end}`);
}

function tableOf(runs: readonly ProofRun[]): string {
  const rows = [...Map.groupBy(runs, ({ proof }) => proof)].map(([proof, some]) => {
    const sums = new Map<string, number>();
    for (const { counts } of some)
      for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
    const totals = [...sums].map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`).join(', ');
    const { date, commit } = some.at(-1)!;
    const held = some.filter((one) => one.held).length;
    return `| \`npm run ${proof.replace(/^(prove) /, '$1 -- ').replace(/^(simulate) /, '$1 -- --')}\` | ${held} of ${some.length} | ${totals} | ${date}, ${commit} |`;
  });
  return ['| Proof | Runs that held | Totals | Last run |', '|---|---|---|---|', ...rows].join('\n');
}
