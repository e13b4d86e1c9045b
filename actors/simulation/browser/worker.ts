// First: what the simulation finds in Node when it is loaded.
import './immediate.ts';
import { Recorder } from '../scenario/recorder.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { PlayedScenario } from '../scenario/steps.ts';
import { simulate } from '../simulate.ts';

/** A scenario that a page wants to see, under a number of its own. */
type Wanted = { id: number; scenario: Scenario };

/** The thread of a browser, of which Node's types say nothing. */
const thread = globalThis as unknown as {
  addEventListener(type: 'message', listener: (message: { data: Wanted }) => void): void;
  postMessage(answer: { id: number; played: PlayedScenario }, options: { transfer: [] }): void;
};

/** One after the other: a simulation replaces the timers of its thread. */
let last = Promise.resolve();

thread.addEventListener('message', ({ data }) => {
  last = last.then(() => play(data));
});

async function play({ id, scenario }: Wanted): Promise<void> {
  const recorder = new Recorder();
  const { trace: _, fired: _all, violations, ...run } = await simulate(scenario.seed, scenario, recorder);
  // The first line: the others say where in the code, and there is one file here.
  const lines = violations.map((text) => text.split('\n', 1)[0]!);
  thread.postMessage({ id, played: { ...run, violations: lines, steps: recorder.steps } }, { transfer: [] });
}
