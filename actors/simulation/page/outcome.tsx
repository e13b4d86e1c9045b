import { signal } from '@preact/signals';

import { commandOf } from '../scenario/scenario.ts';
import { linkTo } from './link.ts';
import { goToStep, isPlaying, played, scenario, step, steps } from './shown.ts';

/** Violations that are listed; a broken fence leaves more than one wants to read. */
const MAX_LISTED = 6;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What came of the run, for everybody and for the command line. */
export function RunOutcome() {
  const run = played.value;
  if (!run && !isPlaying.value) return null;
  const command = commandOf(scenario.value);
  return (
    <section class="sheet" aria-labelledby="outcome" aria-busy={isPlaying.value}>
      <h2 id="outcome">Outcome</h2>
      <p role="status" class="outcome">
        {isPlaying.value || !run ? `Loading seed ${scenario.value.seed}` : <Sentence />}
      </p>
      {run && !isPlaying.value && (
        <>
          <dl class="figures">
            <Figure name="Commands answered" value={String(run.commands)} />
            <Figure name="Rows committed" value={String(run.committed)} />
            <Figure name="Commits refused by the fence" value={String(countOf('fenced'))} />
            <Figure name="Commits that it would have refused" value={String(countOf('unfenced'))} />
            <Figure name="Fingerprint" value={run.fingerprint} />
          </dl>
          <p class="row">
            <code>{command}</code>
            <CopyButton what="command" text={() => command} />
            <CopyButton what="link" text={linkHere} />
          </p>
          <Violations />
        </>
      )}
    </section>
  );
}

/** The address of what is shown, which is that of the page a moment later. */
const linkHere = (): string => new URL(linkTo({ scenario: scenario.value, step: step.value }), location.href).href;

/** What was copied last, word for word: another command or link has not been. */
const copied = signal('');

function CopyButton({ what, text }: { what: string; text: () => string }) {
  const copy = async (): Promise<void> => {
    const content = text();
    await navigator.clipboard.writeText(content);
    copied.value = content;
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {copied.value === text() ? 'Copied' : `Copy ${what}`}
    </button>
  );
}

function Sentence() {
  const { oversold, violations } = played.value!;
  const isGood = violations.length === 0;
  const sold = steps.value.filter(({ kind }) => kind === 'sold-twice');
  // One that is booked says more than one that is held and may lapse.
  const first = sold.find(({ oversold: night }) => night && night.booked > night.rooms) ?? sold[0];
  return (
    <>
      <strong class={isGood ? 'good' : 'bad'}>{isGood ? '✓ Every promise held' : '✗ Promises are broken'}</strong>:{' '}
      {counted(oversold.length, 'room sold twice', 'rooms sold twice')},{' '}
      {counted(violations.length, 'violation', 'violations')}.{' '}
      {first && (
        <button type="button" class="primary" onClick={() => goToStep(steps.value.indexOf(first))}>
          Show the room that is sold twice
        </button>
      )}
    </>
  );
}

function Violations() {
  const { violations } = played.value!;
  if (violations.length === 0) return null;
  const isRooms = (text: string): boolean => text.startsWith('I1: ');
  const ordered = violations.toSorted((a, b) => Number(isRooms(b)) - Number(isRooms(a)));
  return (
    <details>
      <summary>What the checker found</summary>
      <ul class="list">
        {ordered.slice(0, MAX_LISTED).map((text, nth) => (
          <li key={nth}>{text}</li>
        ))}
        {violations.length > MAX_LISTED && <li>and {violations.length - MAX_LISTED} more</li>}
      </ul>
    </details>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function countOf(kind: string): number {
  return steps.value.filter((step) => step.kind === kind).length;
}
