import { check } from 'k6';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { WebSocket } from 'k6/websockets';

import { closeHotels, day, openHotels, wish } from './hotels.js';
import { arrivals, rateOr, SECONDS } from './load.js';
import { call, isSoldOut, LIVE, liveUser, RESERVATIONS, told } from './service.js';
import { TARGETS, thresholds } from './targets.js';

/** Watchers of one property; every second one over socket.io. */
const WATCHERS = Number(__ENV.WATCHERS || 1_000);
/** Bookings a second, each of two commits: held rooms, and their payment. */
const BOOKINGS = rateOr(5);
const NIGHTS = 30;
const STAY_NIGHTS = 2;
/** Watchers connect one after the other, before anything changes. */
const COMING_SECONDS = Math.ceil(WATCHERS / 100) + 1;
const SETTLING_SECONDS = 3;
const FROM_SECONDS = COMING_SECONDS + SETTLING_SECONDS;
/** Time for the last change to arrive. */
const LAST_SECONDS = 2;

/** Time from the commit of a change to its frame, by transport. */
const commitToFrame = new Trend('live_commit_to_frame', true);
/** Gaps in the sequence, and repeated frames. */
const broken = new Counter('live_broken_sequence');
/** Error frames, and connections closed by the service. */
const refused = new Counter('live_refused');
const frames = new Counter('live_frames');

/** A property is booked, and every watcher gets each change, once and in order. */
export const options = {
  scenarios: {
    watching: {
      executor: 'per-vu-iterations',
      exec: 'watch',
      vus: WATCHERS,
      iterations: 1,
      maxDuration: `${FROM_SECONDS + SECONDS + LAST_SECONDS + 30}s`,
    },
    booking: arrivals('book', BOOKINGS, { startTime: `${FROM_SECONDS}s` }),
  },
  thresholds: {
    ...thresholds(['create']),
    'live_commit_to_frame{transport:ws}': [`p(95)<${TARGETS.live}`],
    'live_commit_to_frame{transport:socketio}': [`p(95)<${TARGETS.live}`],
    live_broken_sequence: ['count<1'],
    live_refused: ['count<1'],
    live_frames: [`count>${WATCHERS}`],
  },
};

export function setup() {
  return openHotels(1);
}

export const teardown = closeHotels;

export function book({ ids, today }) {
  const n = exec.scenario.iterationInTest;
  const from = n % (NIGHTS - STAY_NIGHTS);
  const stay = { checkIn: day(today, from), checkOut: day(today, from + STAY_NIGHTS) };
  const answer = call(
    'create',
    'POST',
    RESERVATIONS,
    wish({ propertyId: ids[0], roomType: 'STD', ...stay }, n),
    [201, 409],
  );
  if (!isSoldOut(answer)) check(answer, { 'a booking is confirmed': (got) => told(got, 'status') === 'CONFIRMED' });
}

/** One watcher: connects, gets a snapshot, follows the changes, and disconnects at the end. */
export function watch({ ids, today }) {
  const user = exec.vu.idInTest;
  const end = exec.scenario.startTime + (FROM_SECONDS + SECONDS + LAST_SECONDS) * 1_000;
  setTimeout(
    () => connect(user % 2 === 0 ? SOCKET_IO : PLAIN, { ids, today, end }),
    Math.random() * COMING_SECONDS * 1_000,
  );
}

/** Frames are JSON texts. */
const PLAIN = {
  transport: 'ws',
  path: '/ws/v1',
  wrap: (frame) => JSON.stringify(frame),
  greeting: () => undefined,
};

/** Frames of the live protocol within socket.io within Engine.IO 4, for which k6 has no client. */
const PREFIX = '42/live,["m",';
const SOCKET_IO = {
  transport: 'socketio',
  path: '/socket.io/?EIO=4&transport=websocket',
  wrap: (frame) => `${PREFIX}${JSON.stringify(frame)}]`,
  /** Engine.IO opens, then the client requests the namespace; Engine.IO pings need pongs. */
  greeting: (text) => (text[0] === '0' ? '40/live,' : text === '2' ? '3' : undefined),
};

/** One connection, from opening to closing. */
function connect({ transport, path, wrap, greeting }, { ids, today, end }) {
  const socket = new WebSocket(LIVE.replace(/^http/, 'ws') + path);
  // Read once: k6 creates this object at each access, which took a sixth of its work.
  const user = exec.vu.idInTest;
  const state = { seq: undefined, frames: 0, broken: 0, leaving: false, untilTimed: user % TIMED_EVERY };
  const tags = { transport };
  const say = (frame) => socket.send(wrap(frame));
  const heard = {
    hello: () => {
      const window = { start: day(today, 0), days: NIGHTS };
      say({ t: 'auth', ...liveUser(user) });
      say({ t: 'subscribe', propertyId: ids[0], topics: ['grid', 'kpi', 'feed'], window });
    },
    snapshot: (text) => (state.seq = numberAfter('"seq":', text)),
    delta: (text) => takeDelta(text, state, tags),
    error: () => refused.add(1, tags),
  };
  socket.addEventListener('message', ({ data }) => {
    const reply = greeting(data);
    if (reply !== undefined) socket.send(reply);
    heard[kindOf(data)]?.(data);
  });
  socket.addEventListener('close', () => {
    if (!state.leaving) refused.add(1, tags);
    frames.add(state.frames, tags);
    broken.add(state.broken, tags);
    check(state, { 'a watcher has seen the property': ({ seq }) => seq !== undefined });
  });
  socket.addEventListener('error', () => refused.add(1, tags));
  setTimeout(
    () => {
      state.leaving = true;
      socket.close();
    },
    Math.max(0, end - Date.now()),
  );
}

/** One in so many frames of a watcher is timed, starting at a different one for each. */
const TIMED_EVERY = 5;

/** Every delta must begin where the one before it ended. */
function takeDelta(text, state, tags) {
  if (numberAfter('"from":', text) !== state.seq + 1) state.broken += 1;
  state.seq = numberAfter('"to":', text);
  state.frames += 1;
  state.untilTimed -= 1;
  if (state.untilTimed > 0) return;
  state.untilTimed = TIMED_EVERY;
  commitToFrame.add(Math.max(0, Date.now() - numberAfter('"ts":', text)), tags);
}

const KIND = '"t":"';

/**
 * The kind and the numbers of a frame are at its beginning, before any text of a guest or a hotel. They are searched
 * for and not parsed: k6 shares the machine with the service, and parsing every frame would be most of its work, so
 * that k6 would be measured.
 */
function kindOf(text) {
  const from = text.indexOf(KIND);
  return from < 0 ? undefined : text.slice(from + KIND.length, text.indexOf('"', from + KIND.length));
}

function numberAfter(name, text) {
  const from = text.indexOf(name);
  return from < 0 ? NaN : parseInt(text.substr(from + name.length, LONGEST_NUMBER), 10);
}

/** Digits of a time in milliseconds, with some margin. */
const LONGEST_NUMBER = 16;
