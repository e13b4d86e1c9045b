import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-property');
/** Rooms that one form adds at most. */
const MAX_ROOMS_AT_ONCE = 500;

type Ranges = { rooms: readonly string[] } | { problem: string };

/** One number, or two with a hyphen: letters, digits, and letters again, such as `A101` or `12b`. */
const PART = /^([A-Za-z]*)(\d+)([A-Za-z]*)(?:\s*[-–]\s*([A-Za-z]*)(\d+)([A-Za-z]*))?$/;

/** Room numbers as people write them: `101-120, 201-220, 305`. Zeros before a number stay: `01-09`. */
export function readRanges(text: string): Ranges {
  const rooms: string[] = [];
  for (const part of text.split(/[,;\n]/).map((one) => one.trim())) {
    if (part === '') continue;
    const read = readPart(part);
    if ('problem' in read) return read;
    rooms.push(...read.rooms);
    if (rooms.length > MAX_ROOMS_AT_ONCE)
      return { problem: say('At most {rooms} rooms at once.', { rooms: MAX_ROOMS_AT_ONCE }) };
  }
  const twice = rooms.find((room, index) => rooms.indexOf(room) < index);
  if (twice !== undefined) return { problem: say('{room} is there twice.', { room: twice }) };
  return rooms.length === 0 ? { problem: say('Type room numbers, such as 101-120, 201-220.') } : { rooms };
}

function readPart(part: string): Ranges {
  const [, before = '', first = '', after = '', lastBefore, last, lastAfter] = PART.exec(part) ?? [];
  if (first === '') return { problem: say('{part} is no room number and no range of them.', { part }) };
  if (last === undefined) return { rooms: [before + first + after] };
  const from = Number(first);
  const to = Number(last);
  const isOneSeries = (lastBefore === '' || lastBefore === before) && (lastAfter === '' || lastAfter === after);
  if (!isOneSeries || to < from)
    return { problem: say('{part} does not lead from one number to a later one.', { part }) };
  if (to - from >= MAX_ROOMS_AT_ONCE)
    return { problem: say('At most {rooms} rooms at once.', { rooms: MAX_ROOMS_AT_ONCE }) };
  const numbers = Array.from({ length: to - from + 1 }, (_, index) =>
    String(from + index).padStart(first.length, '0'),
  );
  return { rooms: numbers.map((number) => before + number + after) };
}

/** The floor that a number usually says: 101 is on the first, 1204 on the twelfth, 7 on the ground floor. */
export function floorOf(roomNumber: string): number {
  const digits = /\d+/.exec(roomNumber)?.[0] ?? '';
  const floor = digits.length < 3 ? 0 : Number(digits.slice(0, -2));
  return floor > 200 ? 0 : floor;
}
