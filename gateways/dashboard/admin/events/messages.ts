import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin');

/** Texts of the list of events. */
export const eventTexts = {
  name: say('Events'),
  lead: say('What other systems get of each change, newest first. Topics of Kafka, whether one is connected or not.'),
  topic: say('Topic'),
  allTopics: say('All topics'),
  text: say('Text'),
  textHint: say('An id, a room type or a date'),
  find: say('Search'),
  list: say('List of events'),
  none: say('None of the newest changes has such an event.'),
  more: say('Older events'),
  when: say('When'),
  what: say('What'),
  number: say('Number'),
  broken: say('Cannot be sent'),
  show: say('Show'),
  details: (what: string): string => say('Show the event: {what}', { what }),
};
