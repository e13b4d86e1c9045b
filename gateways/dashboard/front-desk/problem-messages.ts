import { ApiError } from '../api.ts';
import { textsOf } from '../language/texts.ts';
import { UNREACHABLE } from '../messages.ts';

const say = textsOf('front-desk');

/** Messages for errors of the service, with the next step. */
const ERROR_TEXTS: Record<string, string> = {
  NO_ROOM_READY: say('No room is ready for this guest. Have one cleaned, set it to clean, and try again.'),
  ROOM_TAKEN: say('Another stay has this room on one of the nights. Choose another room, or move that stay first.'),
  ROOM_OUT_OF_ORDER: say('This room is out of order. Choose another room.'),
  ROOM_OCCUPIED: say('A guest is in this room. Move the guest first.'),
  ROOM_UNSUITABLE: say(
    'This room does not have what the stay requires. Choose another room, or change its wishes first.',
  ),
  WRONG_ROOM_TYPE: say('This room is not of the type that was booked, nor of a better one. Choose another room.'),
  ROOM_NOT_AVAILABLE: say('No room of this type is left on one of the nights. Choose other nights or another room.'),
  TOO_EARLY: say('The day of arrival has not come yet. Change the dates first, if the guest comes earlier.'),
  STALE_VERSION: say(
    'Somebody else has just changed this stay. It is shown as it is now: look once more and try again.',
  ),
  PAYMENT_METHOD_REQUIRED: say('There is a balance and no card on file. Take the money first, then check out.'),
  PAYMENT_DECLINED: say('The card was declined. Take the money another way, then try again.'),
  ROLE_TOO_LOW: say('Your role may not do this. Ask a colleague who may.'),
  UNAUTHENTICATED: say('Your sign-in has expired. Sign in again.'),
  NOT_EXECUTED: say('The service is too busy; nothing was done. Try again.'),
  OUTCOME_UNKNOWN: say('It is not known whether it was done. Look at the stay before you try again.'),
};

/** Said of the states of stays and tasks; the service says more of other states. */
const NOT_IN_STATE = /^A \w+ that is \w+ cannot /;
const CHANGED = say('This is not possible as the stay or the task is now. It has changed meanwhile: look once more.');

/** The message of an error; without one here, the service's own. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'INVALID_STATE' && NOT_IN_STATE.test(error.message)) return CHANGED;
    return ERROR_TEXTS[error.code] ?? error.message;
  }
  return error instanceof Error ? error.message : UNREACHABLE;
}
