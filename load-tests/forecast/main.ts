import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError, program } from 'commander';

import { type Day, parseDay } from '../../src/kernel/rules/dates.ts';
import { readBookings, type RealBooking } from '../replay/bookings.ts';
import { derivedHotels } from './derived.ts';
import { evaluate, firstJudged, SPARSE, type Thoroughness } from './evaluation.ts';
import { judgeEvents } from './events.ts';
import { staysOf } from './stays.ts';
import { eventTable, jsonLine, moneyTable, table } from './table.ts';

type Options = { file: string; from?: Day; json: boolean; derived: boolean; events: boolean };

const date = (text: string): Day => {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('a date as 2016-09-01');
  return day;
};

program
  .name('forecast:evaluate')
  .description(
    'Forecasts rooms, revenue and mean rates of a year of real nights from what was known before each, and reports the error.',
  )
  .requiredOption('--file <path>', 'bookings in the columns of "Hotel booking demand datasets", packed or not')
  .option('--from <date>', 'first of 365 nights that are judged; without it the last 365', date)
  .option('--json', 'for a machine: one line, in percent', false)
  .option('--events', 'nights of feasts and invented fairs too, with and without them in the calendar', false)
  .option('--derived', 'twelve hotels made of parts of the file, every third night', false)
  .parse();

const { file, from, json, derived, events } = program.opts<Options>();
const bar = new SingleBar({ format: 'nights {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);

function judge(bookings: readonly RealBooking[], name?: string, thoroughness?: Thoroughness): void {
  const stays = staysOf(bookings);
  const first = from ?? firstJudged(stays);
  const onNight = (done: number, nights: number): void => {
    if (!process.stderr.isTTY) return;
    if (done === 1) bar.start(nights, 0);
    bar.update(done);
  };
  const evaluation = evaluate(stays, first, onNight, thoroughness);
  bar.stop();
  const ofEvents = events ? judgeEvents(bookings, onNight) : [];
  bar.stop();
  if (name !== undefined && !json) console.log(`\n${name}`);
  if (json) console.log(jsonLine(evaluation, ofEvents));
  else console.log([table(evaluation), moneyTable(evaluation), ...(events ? [eventTable(ofEvents)] : [])].join('\n'));
}

try {
  const bookings = await readBookings(file);
  if (derived) for (const hotel of derivedHotels(bookings)) judge(hotel.bookings, hotel.name, SPARSE);
  else judge(bookings);
} catch (error) {
  bar.stop();
  console.error(`forecast:evaluate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
