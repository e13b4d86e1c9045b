import { textsOf } from './language/texts.ts';

const say = textsOf('pages');

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Who did something, by name where one is known; of a user without one, an id says nothing to anybody. */
export const whoText = (by: string, name: string | null | undefined): string =>
  name ?? (ID.test(by) ? say('a colleague') : by);
