import { textsOf } from '../language/texts.ts';

const say = textsOf('admin');
/** Texts of the administration. */
export const admin = {
  title: say('Administration'),
  sections: say('Sections'),
  setUp: say('Set-up'),
  search: say('Search'),
  loading: say('Loading'),
  failed: say('The service cannot be reached at the moment.'),
  shown: (shown: number, all: number): string => (shown === all ? `${all}` : say('{shown} of {all}', { shown, all })),
  cut: (count: number): string => say('The first {count}. Search to find others.', { count }),
  notFound: say('Nothing on this list has this in it.'),
  noProperty: say('There is no property yet. Add the first one.'),
  noSection: say('There is no such section here.'),
  askOwner: (role: string): string =>
    say('This needs the role {role}. An owner can change your role.', { role: role.toLowerCase() }),
  actions: say('Actions'),
  list: (name: string): string => say('List: {name}', { name }),
  checklist: {
    title: (name: string): string => say('What is set up at {name}', { name }),
    open: (count: number): string =>
      say('{count, plural, one {# thing is missing.} other {# things are missing.}}', { count }),
    complete: say('Nothing is missing. This property can be booked.'),
    done: say('Done'),
    missing: say('Missing'),
    unknown: say('Not known'),
    newProperty: say('New property'),
    firstHotel: say('Set up a property step by step'),
  },
};

/** What a person reads of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : admin.failed;
}
