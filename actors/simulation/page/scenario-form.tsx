import { FAULTS, type Fault } from '../faults.ts';
import { type Intervention, MAX_SEED, readSeed } from '../scenario/scenario.ts';
import { problem, scenario, showScenario } from './shown.ts';

const SPLIT = 'do=cut-redis:0@100,cut-redis:1@200,cut-redis:2@300';

/** Scenarios to begin with. */
const EXAMPLES: readonly { link: string; text: string }[] = [
  { link: '#seed=7', text: 'All faults that seed 7 draws' },
  { link: `#seed=55&faults=none&${SPLIT}`, text: 'Redis is lost: two owners, and the fence' },
  { link: `#seed=55&faults=none&${SPLIT}&fence=off`, text: 'The same without the fence: a room sold twice' },
  { link: '#seed=4&faults=none&do=kill:0@300', text: 'A node is killed' },
  { link: '#seed=4&faults=none&do=cut-database:0@300', text: 'A node loses the database' },
];

export const INTERVENTION_TEXTS: Record<Intervention['kind'], string> = {
  kill: 'Kill',
  pause: 'Pause',
  'cut-redis': 'Cut from Redis',
  'cut-database': 'Cut from database',
  'lose-answer': 'Lose next answer',
  jump: 'All clocks jump 30 s',
};

const faultText = (fault: Fault): string => {
  const words = fault.replaceAll('-', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
};

export function ScenarioForm() {
  const { seed, faults, fence } = scenario.value;
  const choose = (changed: Partial<typeof scenario.value>): void =>
    void showScenario({ ...scenario.value, ...changed });
  return (
    <section class="sheet" aria-labelledby="scenario">
      <h2 id="scenario">Scenario</h2>
      <div class="row">
        <label>
          Seed{' '}
          <input
            type="number"
            min="0"
            max={MAX_SEED}
            value={seed}
            onChange={({ currentTarget }) => {
              try {
                choose({ seed: readSeed(currentTarget.value) });
              } catch (error) {
                problem.value = `The field says ${(error as Error).message}. Seeds are 0 to ${MAX_SEED}.`;
              }
            }}
          />
        </label>
        <button type="button" disabled={seed >= MAX_SEED} onClick={() => choose({ seed: seed + 1 })}>
          Next seed
        </button>
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={fence}
            onChange={({ currentTarget }) => choose({ fence: currentTarget.checked })}
          />{' '}
          Fence
        </label>
        <span class={fence ? 'muted' : 'bad'}>
          {fence ? 'The database refuses a late or second owner.' : 'Broken: the database takes every commit.'}
        </span>
      </div>
      <Faults faults={faults} onChoose={(chosen) => choose({ faults: chosen })} />
      <Interventions onChoose={(interventions) => choose({ interventions })} />
      <nav aria-label="Examples">
        <h3>Examples</h3>
        <ul class="row">
          {EXAMPLES.map(({ link, text }) => (
            <li key={link}>
              <a href={link}>{text}</a>
            </li>
          ))}
        </ul>
      </nav>
    </section>
  );
}

function Faults({ faults, onChoose }: { faults: readonly Fault[]; onChoose: (chosen: readonly Fault[]) => void }) {
  const flip = (fault: Fault): void =>
    onChoose(FAULTS.filter((one) => (one === fault ? !faults.includes(one) : faults.includes(one))));
  return (
    <details>
      <summary>
        Faults that the seed draws: {faults.length} of {FAULTS.length}
      </summary>
      <div class="row">
        <button type="button" onClick={() => onChoose(FAULTS)}>
          All
        </button>
        <button type="button" onClick={() => onChoose([])}>
          None
        </button>
      </div>
      <fieldset class="faults">
        <legend class="visually-hidden">Faults</legend>
        {FAULTS.map((fault) => (
          <label key={fault}>
            <input type="checkbox" checked={faults.includes(fault)} onChange={() => flip(fault)} /> {faultText(fault)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function Interventions({ onChoose }: { onChoose: (chosen: readonly Intervention[]) => void }) {
  const { interventions } = scenario.value;
  if (interventions.length === 0)
    return <p class="muted">Your own faults: none yet. Go to a step, then use the buttons of a node.</p>;
  return (
    <div>
      <h3>Your own faults</h3>
      <ul class="row">
        {interventions.map(({ kind, node, at }, nth) => {
          const text = `${INTERVENTION_TEXTS[kind]}${kind === 'jump' ? '' : `, node-${node}`} at ${at} ms`;
          return (
            <li key={`${nth} ${text}`} class="chip">
              {text}{' '}
              <button
                type="button"
                class="quiet"
                aria-label={`Remove: ${text}`}
                onClick={() => onChoose(interventions.filter((_, other) => other !== nth))}
              >
                Remove
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
