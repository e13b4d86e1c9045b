import { runParts } from '../parts.ts';
import { benchFrames } from './frames.ts';
import { benchMemory, benchReconnect } from './many.ts';

/** `npm run bench:live`. */
await runParts('bench:live', 'Figures of the live stream: commit to frame, memory of sockets, all back at once.', {
  frames: benchFrames,
  memory: benchMemory,
  reconnect: benchReconnect,
});
