import {
  faultsText,
  interventionsText,
  readFaults,
  readInterventions,
  readSeed,
  type Scenario,
  scenarioOf,
} from '../scenario/scenario.ts';

/** What a link shows: a scenario, at one of its steps. */
export type Shown = { scenario: Scenario; step: number };

/** Where the page begins. */
const FIRST_SEED = 7;

/** Reads the fragment of an address. @throws RangeError when it says what no scenario can be */
export function readLink(fragment: string): Shown {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const usual = scenarioOf(readSeed(given.get('seed') ?? String(FIRST_SEED)));
  const scenario: Scenario = {
    ...usual,
    faults: readFaults(given.get('faults') ?? 'all'),
    interventions: readInterventions(given.get('do') ?? ''),
    fence: readFence(given.get('fence') ?? 'on'),
  };
  return { scenario, step: Number(/^\d{1,6}$/.exec(given.get('step') ?? '')?.[0] ?? 0) };
}

/** @throws RangeError for another word, which would show the fence that somebody meant to break */
function readFence(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new RangeError(`no fence: ${text}`);
  return text === 'on';
}

export function linkTo({ scenario, step }: Shown): string {
  const { seed, faults, interventions, fence } = scenario;
  const parts = [
    `seed=${seed}`,
    `faults=${faultsText(faults)}`,
    interventions.length > 0 && `do=${interventionsText(interventions)}`,
    `fence=${fence ? 'on' : 'off'}`,
    step > 0 && `step=${step}`,
  ];
  return `#${parts.filter(Boolean).join('&')}`;
}
