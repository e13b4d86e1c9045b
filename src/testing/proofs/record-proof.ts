import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { PROOF_LEDGER, type ProofRun, proofRun, recordedProofs } from '../../commands/promise-page.ts';

/**
 * Appends a run to docs/measurements/proof-totals.json, with the date and the commit of the sources: what the page of
 * promises counts is written by the proofs themselves (docs/measurements/proofs.md#totals). A run that found a broken
 * promise is recorded too.
 */
export function recordProof(run: Pick<ProofRun, 'proof' | 'held' | 'counts'>): void {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':/', ':!/docs', ':!/*.md') !== '';
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`;
  const runs = [...recordedProofs(), proofRun.parse({ ...run, date: new Date().toISOString().slice(0, 10), commit })];
  writeFileSync(PROOF_LEDGER, `[\n${runs.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
  console.log(`recorded; npm run docs:generate writes the totals into PROMISE.md`);
}
