import { textsOf } from './language/texts.ts';

const say = textsOf('pages');

const FIELDS: Record<string, string> = {
  checkIn: say('Arrival'),
  checkOut: say('Departure'),
  startDate: say('First day'),
  endDate: say('Last day'),
  cutoffDate: say('Cut-off'),
  firstName: say('First name'),
  lastName: say('Last name'),
  email: say('E-mail'),
  phone: say('Phone'),
  name: say('Name'),
  amount: say('Amount'),
  rate: say('Price'),
  roomType: say('Room type'),
  roomNumber: say('Room number'),
  reason: say('Reason'),
  description: say('Description'),
  quantity: say('Quantity'),
  adults: say('Adults'),
  children: say('Children'),
};

const whole = (code: string): string | undefined => {
  switch (code) {
    case 'ZERO_NIGHTS':
    case 'REVERSED':
      return say('The departure must be after the arrival.');
    case 'TOO_MANY_NIGHTS':
      return say('That is longer than a stay may be. Choose fewer nights.');
    default:
      return undefined;
  }
};

/** What is wrong with a field, and what to do; faults without a sentence here have the service's own. */
export function fieldProblem(field: string, code: string | undefined, detail: string): string {
  const name = FIELDS[field] ?? spaced(field);
  switch (code) {
    case 'MISSING':
    case 'INVISIBLE':
      return say('{name} is empty. Fill it in.', { name });
    case 'IN_THE_PAST':
      return say('{name}: this day is over. Choose today or a later one.', { name });
    case 'BEYOND_HORIZON':
      return say('{name}: nights are not on sale so far ahead. Choose an earlier day.', { name });
    case 'NO_SUCH_DATE':
      return say('{name}: there is no such day.', { name });
    case 'TOO_SMALL':
      return say('{name}: this is too little or too short.', { name });
    case 'TOO_BIG':
      return say('{name}: this is too much or too long.', { name });
    case 'BAD_FORMAT':
    case 'WRONG_TYPE':
      return say('{name}: this cannot be read. Check what is typed.', { name });
    case undefined:
    default:
      return whole(code ?? '') ?? `${name} ${detail}.`;
  }
}

/** `cutoffDate` as `Cutoff date`. */
function spaced(field: string): string {
  const words = field.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
