import { hash, randomBytes } from 'node:crypto';

import type { PropertyView } from '../property-actors.ts';

/** Unique over all processes and restarts. */
const run = randomBytes(9).toString('base64url');
const tags = new WeakMap<PropertyView, string>();
let states = 0;

/**
 * Name of a committed state of a property in this process: of two answers with equal tags to equal questions, neither
 * shows anything that the other does not. Its `seq` would not do: a restore begins another history with the same ones.
 */
function stateTag(view: PropertyView): string {
  let tag = tags.get(view);
  if (tag === undefined) tags.set(view, (tag = `${run}-${(states++).toString(36)}`));
  return tag;
}

/** Of a hash in a tag: 96 bits. Hexadecimal, which Deno has in two thirds of the time of base64url. */
const HASH_DIGITS = 24;

/** Name of what a committed state answers to a question. */
export const answerTag = (view: PropertyView, question: string): string =>
  `${stateTag(view)}-${hash('sha256', question).slice(0, HASH_DIGITS)}`;
