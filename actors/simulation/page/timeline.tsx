import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { NODES } from '../scenario/scenario.ts';
import type { SimulationStep } from '../scenario/steps.ts';
import { current, goToStep, goToNotable, hasNotable, step, steps } from './shown.ts';

type Kind = SimulationStep['kind'];

/** A shape for each kind: colour is never alone. Around 0, 0, in pixels. */
const MARKS: Record<Kind, { path: string; text: string }> = {
  commit: { path: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0', text: 'Commit' },
  answer: { path: 'M-1.5 -4h3v8h-3z', text: 'Answer to a clerk' },
  owner: { path: 'M0 -6L6 0L0 6L-6 0z', text: 'A node takes a property' },
  node: { path: 'M-5 -5h10v10h-10z', text: 'A node starts or stops' },
  fault: { path: 'M-6 -5h12L0 6z', text: 'Fault' },
  fenced: { path: 'M-6 -6h12v5q0 6 -6 8q-6 -2 -6 -8z', text: 'Refused by the fence' },
  unfenced: { path: 'M-6 -6L6 6M-6 6L6 -6', text: 'The fence would have refused it' },
  'sold-twice': {
    path: 'M0 -9L2.6 -3.2L9 -2.6L4.2 1.6L5.6 8L0 4.6L-5.6 8L-4.2 1.6L-9 -2.6L-2.6 -3.2z',
    text: 'A room is sold twice',
  },
};
const ORDER: readonly Kind[] = ['answer', 'commit', 'owner', 'node', 'fault', 'fenced', 'unfenced', 'sold-twice'];

const LANES = [...Array.from({ length: NODES }, (_, n) => `node-${n}`), 'clerks, clocks'];
const LANE_PX = 30;
const PLAY_MS = 350;

const isRunning = signal(false);

const laneOf = ({ node }: SimulationStep): number => {
  const lane = LANES.indexOf(node ?? '');
  return lane < 0 ? NODES : lane;
};
const percent = (nth: number): string => `${(((nth + 0.5) / Math.max(1, steps.value.length)) * 100).toFixed(3)}%`;
const middle = (lane: number): number => lane * LANE_PX + LANE_PX / 2;

export function Timeline() {
  const last = Math.max(0, steps.value.length - 1);
  return (
    <section class="sheet" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <div class="lanes">
        <div class="lane-names" aria-hidden="true">
          {LANES.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
        <Lanes />
      </div>
      <input
        class="slider"
        type="range"
        min="0"
        max={last}
        value={step.value}
        aria-label="Step"
        aria-valuetext={current.value ? `Step ${step.value + 1} of ${last + 1}: ${current.value.text}` : 'Loading'}
        onInput={({ currentTarget }) => goToStep(Number(currentTarget.value))}
      />
      <Buttons last={last} />
      <p class="now" aria-live={isRunning.value ? 'off' : 'polite'}>
        <strong>
          Step {step.value + 1} of {last + 1}
        </strong>
        , {((current.value?.at ?? 0) / 1_000).toFixed(3)} s:{' '}
        <span class={`kind-${current.value?.kind}`}>{current.value?.text}</span>
      </p>
      <ul class="legend">
        {ORDER.map((kind) => (
          <li key={kind}>
            <svg width="20" height="20" viewBox="-10 -10 20 20" aria-hidden="true">
              <path class={`mark mark-${kind}`} d={MARKS[kind].path} />
            </svg>{' '}
            {MARKS[kind].text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Buttons({ last }: { last: number }) {
  useEffect(() => {
    if (!isRunning.value) return;
    const timer = setInterval(() => {
      if (step.value >= steps.value.length - 1) isRunning.value = false;
      else goToStep(step.value + 1);
    }, PLAY_MS);
    return () => clearInterval(timer);
  }, [isRunning.value]);
  const at = step.value;
  return (
    <div class="row">
      <button type="button" disabled={at === 0} onClick={() => goToStep(at - 1)}>
        Back
      </button>
      <button type="button" disabled={at === last} onClick={() => goToStep(at + 1)}>
        Forward
      </button>
      <button type="button" aria-pressed={isRunning.value} onClick={() => (isRunning.value = !isRunning.value)}>
        {isRunning.value ? 'Stop' : 'Play'}
      </button>
      <button type="button" disabled={!hasNotable(-1)} onClick={() => goToNotable(-1)}>
        Previous fault
      </button>
      <button type="button" disabled={!hasNotable(1)} onClick={() => goToNotable(1)}>
        Next fault
      </button>
    </div>
  );
}

function Lanes() {
  const all = steps.value;
  const choose = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    goToStep(Math.floor(((clientX - left) / width) * all.length));
  };
  return (
    <svg
      class="marks"
      height={LANES.length * LANE_PX}
      role="img"
      aria-label={`${all.length} steps of three nodes. The slider below goes through them.`}
      onPointerDown={choose}
    >
      {LANES.map((name, lane) => (
        <line key={name} class="lane" x1="0" x2="100%" y1={middle(lane)} y2={middle(lane)} />
      ))}
      {LANES.slice(0, NODES).flatMap((_, lane) => spans(all, lane))}
      {ORDER.flatMap((kind) =>
        all.flatMap((one, nth) =>
          one.kind === kind ? (
            <svg key={nth} class="at" x={percent(nth)} y={middle(laneOf(one))}>
              <path class={`mark mark-${kind}`} d={MARKS[kind].path} />
            </svg>
          ) : (
            []
          ),
        ),
      )}
      <line class="cursor" x1={percent(step.value)} x2={percent(step.value)} y1="0" y2="100%" />
    </svg>
  );
}

/** Stretches of a lane in which its node is down, paused or cut off. */
function spans(all: readonly SimulationStep[], lane: number) {
  const stateOf = (one: SimulationStep): string => {
    const { state, cutFrom } = one.nodes[lane]!;
    return state === 'running' && cutFrom.length > 0 ? 'cut' : state;
  };
  const found: { state: string; from: number; to: number }[] = [];
  all.forEach((one, nth) => {
    const state = stateOf(one);
    const last = found.at(-1);
    if (last?.state === state) last.to = nth;
    else found.push({ state, from: nth, to: nth });
  });
  return found
    .filter(({ state }) => state !== 'running')
    .map(({ state, from, to }) => (
      <line
        key={`${lane} ${from}`}
        class={`span span-${state}`}
        x1={percent(from - 0.5)}
        x2={percent(to + 0.5)}
        y1={middle(lane)}
        y2={middle(lane)}
      />
    ));
}
