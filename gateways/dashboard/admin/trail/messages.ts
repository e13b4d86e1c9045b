import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin');
/** Texts of the audit trail. */
export const trail = {
  name: say('Audit trail'),
  lead: say('Every change, by whom and when, newest first.'),
  property: say('Property'),
  allProperties: say('All properties'),
  entity: say('Entity'),
  entityHint: say('A kind, such as reservation, or an id'),
  who: say('Who'),
  whoHint: say('The id of a user, or system'),
  action: say('Action'),
  actionHint: say('Such as CANCEL'),
  from: say('From'),
  to: say('To'),
  find: say('Search'),
  when: say('When'),
  what: say('What'),
  list: say('Changes'),
  none: say('No change has all of this.'),
  more: say('Older changes'),
  before: say('Before'),
  after: say('After'),
  nothing: say('nothing'),
  details: (what: string): string => say('Show before and after: {what}', { what }),
  show: say('Show'),
  request: (id: string): string => say('Request {id}', { id }),
};
