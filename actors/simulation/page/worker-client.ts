import type { Scenario } from '../scenario/scenario.ts';
import type { PlayedScenario } from '../scenario/steps.ts';

type Answer = { id: number; played: PlayedScenario };

let worker: Promise<Worker> | undefined;
let asked = 0;

/** Plays a scenario in a worker. @returns undefined when a later one is wanted meanwhile */
export async function play(scenario: Scenario): Promise<PlayedScenario | undefined> {
  const id = ++asked;
  const running = await (worker ??= start());
  const played = await new Promise<PlayedScenario>((resolve, reject) => {
    const done = new AbortController();
    const { signal } = done;
    running.addEventListener(
      'message',
      ({ data }: MessageEvent<Answer>) => {
        if (data.id !== id) return;
        done.abort();
        resolve(data.played);
      },
      { signal },
    );
    running.addEventListener('error', ({ message }) => (done.abort(), reject(new Error(message))), { signal });
    running.postMessage({ id, scenario }, { transfer: [] });
  });
  return id === asked ? played : undefined;
}

async function start(): Promise<Worker> {
  const bytes = Uint8Array.from(atob(SIMULATION), (letter) => letter.charCodeAt(0));
  const script = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const blob = new Blob([await new Response(script).text()], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(blob));
}
