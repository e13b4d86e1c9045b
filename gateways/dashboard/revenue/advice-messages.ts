import { textsOf } from '../language/texts.ts';
import { moneyText, nightsWord, inTenths } from '../messages.ts';
import type { Advice, OptimizationView } from './shapes.ts';

const say = textsOf('revenue');

type CameOf = { over: number; revenueExpected: Amount; revenueActual: Amount };
type Amount = NonNullable<Advice['revenueBefore']>;

/** Words of the list of recommendations, beside those that it shares with the grid. */
export const advising = {
  leftOut: (nights: number): string =>
    say('{nights, plural, one {# night} other {# nights}} would lose by these figures and stay as they are.', {
      nights,
    }),
  roomType: say('Room type'),
  allTypes: say('All room types'),
  choose: (what: string): string => say('Choose {what}', { what }),
  acceptChosen: (nights: number): string => say('Accept chosen, {nights}', { nights: nightsWord(nights) }),
  upTo: say('Moves up to, %'),
  acceptUpTo: (percent: number): string => say('Accept up to {percent} %', { percent }),
  upToCount: (nights: number): string =>
    nights === 0
      ? say('No night moves by so little.')
      : say('{nights, plural, one {# night moves} other {# nights move}} by at most that.', { nights }),
  noPercent: say('Write a percentage from 1 to 100.'),
  automatically: (percent: number): string => say('Accept up to {percent} % automatically', { percent }),
  limit: say('Automatic limit, %'),
  change: (percent: number): string => say('Change to {percent} %', { percent }),
  ruleOn: (roomTypes: readonly string[] | null): string =>
    say(
      '{roomTypes}, whenever rates are recommended, at least once a day. Locked nights and moves that lose revenue stay with you.',
      { roomTypes: roomTypes ? roomTypes.join(', ') : say('All room types') },
    ),
  fromDays: (days: number, percent: number): string =>
    say('From {days, plural, one {# day} other {# days}} ahead up to {percent} %.', { days, percent }),
  cameOf: ({ over, revenueExpected, revenueActual }: CameOf, currency: string): string =>
    say(
      'Of the last 30 nights {over, plural, one {# rate was} other {# rates were}} accepted: {actual} came in, {expected} were expected.',
      { over, actual: moneyText(revenueActual, currency), expected: moneyText(revenueExpected, currency) },
    ),
  ruleOff: say('Every recommendation waits for you.'),
  ruleBy: (by: string, at: string): string => say('Set by {by}, {at}.', { by, at }),
  ruleFailed: say('The rule is not saved. Try again.'),
  byRule: (nights: number, percent: number): string =>
    say('{nights} accepted by rule, up to {percent} %.', { nights: nightsWord(nights), percent }),
  takeBack: say('Take back'),
  takenBack: (nights: number): string =>
    say('{nights, plural, one {# night has its} other {# nights have their}} earlier rate again.', { nights }),
  sure: (confidence: number): string => say('{confidence} % sure', { confidence: Math.round(confidence * 100) }),
};

/** What ends a change. */
export function limitText(limit: NonNullable<Advice['limitedBy']>): string {
  switch (limit) {
    case 'MAX_RATE_INCREASE':
      return say('A day allows no greater rise.');
    case 'MAX_RATE_DECREASE':
      return say('A day allows no greater fall.');
    case 'PLAN_BOUNDS':
      return say('The bounds of the rate plan end here.');
    case 'MARKET':
      return say('Not above competitors while rooms are left.');
    case 'NO_MARKET':
      return say('Not again while rooms are left and no competitor is known.');
    case 'PRICE_POINTS':
      return say('There is no further price point.');
    case 'COST_OF_ROOM':
      return say('A room costs as much as that.');
  }
}

/** What recommended rates have been limited to, for all nights. */
export function settingsText(settings: NonNullable<OptimizationView['settings']>, currency: string): string {
  const { maxRateIncrease: rise, maxRateDecrease: fall, minGainPercent: gain, sameByWeekday } = settings;
  const { minOccupancy, costPerOccupiedRoom: cost, pricePoints } = settings;
  const texts = [
    say('Rates rise by at most {rise, number} % and fall by at most {fall, number} % a day.', { rise, fall }),
    say('Changes that bring less than {gain, number} % of a night are left out.', { gain }),
  ];
  if (pricePoints) {
    const rates = pricePoints.map((rate) => moneyText(rate, currency)).join('; ');
    texts.push(say('Only price points: {rates}.', { rates }));
  }
  if (sameByWeekday) texts.push(say('One change for all nights of a weekday in a month.'));
  if (minOccupancy !== null) texts.push(say('At least {minOccupancy, number} % occupancy.', { minOccupancy }));
  if (cost !== null) texts.push(say('An occupied room costs {cost} a night.', { cost: moneyText(cost, currency) }));
  return texts.join(' ');
}

type Reason = NonNullable<Advice['reasons']>[number];

/** Why a rate is to rise or fall; plans of earlier releases have English sentences alone. */
export function reasonText(reason: Reason, rises: boolean, currency: string): string {
  const { kind, text, roomsLeft, roomsSold, usualRooms, expectedRooms, market, lowest, highest } = reason;
  const amount = (value: Reason['market']): string => moneyText(value!, currency);
  switch (kind) {
    case 'BOUNDS':
      if (lowest === undefined) return text;
      return say('The rate is outside of its bounds of {lowest} to {highest}', {
        lowest: amount(lowest),
        highest: amount(highest),
      });
    case 'MARKET':
      return market === undefined ? text : say('Competitors ask {market}', { market: amount(market) });
    case 'PICKUP': {
      if (roomsSold === undefined || usualRooms === undefined) return text;
      const values = { roomsSold, usualRooms: inTenths(usualRooms) };
      return rises
        ? say(
            '{roomsSold, plural, one {# room was} other {# rooms were}} sold in a week, usual are {usualRooms}',
            values,
          )
        : say(
            'Only {roomsSold, plural, one {# room was} other {# rooms were}} sold in a week, usual are {usualRooms}',
            values,
          );
    }
    case 'LENGTH_OF_STAY':
      return rises
        ? say('Guests stay over the nights beside it and see a mean of the rates')
        : say('Guests stay over the nights beside it too');
    case 'INVENTORY':
      if (rises && roomsLeft !== undefined)
        return say('Only {roomsLeft, plural, one {# room is} other {# rooms are}} left', { roomsLeft });
      return rises
        ? say('Guests of these nights mind the rate less than the rooms are worth')
        : say('The period would miss the occupancy that it should reach');
    case 'DEMAND': {
      if (roomsLeft === undefined || expectedRooms === undefined) return text;
      const values = { roomsLeft, expectedRooms: inTenths(expectedRooms) };
      return rises
        ? say(
            '{roomsLeft, plural, one {# room is} other {# rooms are}} left, {expectedRooms} are likely to be wanted',
            values,
          )
        : say(
            '{roomsLeft, plural, one {# room is} other {# rooms are}} left, only {expectedRooms} are likely to sell',
            values,
          );
    }
  }
}

/** What a change is expected to bring, with the revenue before and after it. */
export function gainText({ before, after }: { before: number; after: number }, currency: string): string {
  const gain = after - before;
  const sign = gain < 0 ? '\u2212' : '+';
  const text = (amount: number): string => moneyText(amount, currency);
  return say('{gain} expected, {before} → {after}', {
    gain: `${sign}${text(Math.abs(gain))}`,
    before: text(before),
    after: text(after),
  });
}
