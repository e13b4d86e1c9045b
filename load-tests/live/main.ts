import { runParts } from '../parts.ts';
import { benchBookingPage } from './booking-page.ts';
import { benchFirstView } from './first-view.ts';
import { benchFrames } from './frames.ts';
import { type Goal, liveGoalsText } from './goals.ts';
import { benchMemory } from './memory.ts';
import { benchPage } from './page.ts';
import { benchPainted } from './painted.ts';
import { benchReconnect } from './reconnect.ts';
import { benchScrolling } from './scrolling.ts';

const all: Goal[] = [];
const saved = (bench: () => Promise<Goal[]>) => async () => {
  all.push(...(await bench()));
};

/** `npm run bench:live`. */
await runParts('bench:live', 'Figures of the live stream and of the page that shows it, against their goals.', {
  painted: saved(benchPainted),
  frames: saved(benchFrames),
  memory: saved(benchMemory),
  reconnect: saved(benchReconnect),
  page: saved(benchPage),
  scrolling: saved(benchScrolling),
  'first-view': saved(benchFirstView),
  'booking-page': saved(benchBookingPage),
});
console.log('goals');
liveGoalsText(all);
