import { computed, effect, signal } from '@preact/signals';

import type { Intervention, Scenario } from '../scenario/scenario.ts';
import type { PlayedScenario, SimulationStep } from '../scenario/steps.ts';
import { linkTo, readLink } from './link.ts';
import { play } from './worker-client.ts';

/** The scenario that is wanted, its run, and the step that is shown. */
export const scenario = signal<Scenario>(readLink('').scenario);
export const played = signal<PlayedScenario | undefined>(undefined);
export const step = signal(0);
/** Why nothing can be shown. */
export const problem = signal<string | undefined>(undefined);
export const isPlaying = signal(true);

export const steps = computed<readonly SimulationStep[]>(() => played.value?.steps ?? []);
export const current = computed<SimulationStep | undefined>(() => steps.value[step.value]);

/** Steps worth a look: what was done to the cluster, and what came of it. */
const NOTABLE = new Set<SimulationStep['kind']>(['fault', 'fenced', 'unfenced', 'sold-twice']);

/** Shows another scenario at a step of it; `place` finds the step once it has been played. */
export async function showScenario(
  wanted: Scenario,
  place: (steps: readonly SimulationStep[]) => number = () => 0,
): Promise<void> {
  scenario.value = wanted;
  isPlaying.value = true;
  problem.value = undefined;
  try {
    const run = await play(wanted);
    if (!run) return;
    played.value = run;
    goToStep(place(run.steps));
  } catch (error) {
    problem.value = (error as Error).message;
  }
  isPlaying.value = false;
}

export function goToStep(wanted: number): void {
  step.value = Math.max(0, Math.min(steps.value.length - 1, wanted));
}

/** The next notable step, or the one before. */
export function goToNotable(direction: 1 | -1): void {
  const { value: all } = steps;
  for (let at = step.value + direction; at >= 0 && at < all.length; at += direction)
    if (NOTABLE.has(all[at]!.kind)) return goToStep(at);
}

export const hasNotable = (direction: 1 | -1): boolean =>
  direction === 1
    ? steps.value.slice(step.value + 1).some(({ kind }) => NOTABLE.has(kind))
    : steps.value.slice(0, step.value).some(({ kind }) => NOTABLE.has(kind));

/** Does something to the cluster at the time of the step that is shown: what came before stays as it was. */
export function intervene({ kind, node }: Pick<Intervention, 'kind' | 'node'>): void {
  const at = Math.floor(current.value?.at ?? 0);
  const here = step.value;
  const interventions = [...scenario.value.interventions, { kind, node, at }];
  void showScenario({ ...scenario.value, interventions }, (all) => {
    const seen = all.findIndex(({ at: time, text }, n) => n >= here && time >= at && text.startsWith('you: '));
    return seen < 0 ? here : seen;
  });
}

/** Shows what the address says. */
export function showAddress(): void {
  try {
    const { scenario: wanted, step: at } = readLink(location.hash);
    void showScenario(wanted, () => at);
  } catch (error) {
    problem.value = `The address says ${(error as Error).message}.`;
    isPlaying.value = false;
  }
}

/** Keeps the address at what is shown, so that it can be sent to somebody. */
export function keepAddress(): void {
  effect(() => {
    if (isPlaying.value || problem.value !== undefined) return;
    const link = linkTo({ scenario: scenario.value, step: step.value });
    if (link !== location.hash) history.replaceState(null, '', link);
  });
}
