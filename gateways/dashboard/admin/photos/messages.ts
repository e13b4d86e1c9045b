import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-photos');

/** Texts about photos of a property and its room types. */
export const photos = {
  name: say('Photos'),
  lead: say('What guests see of the property and its room types on the booking page, in this order.'),
  stepLead: say('What guests see on the booking page. You can add photos later, too.'),
  add: say('Add photos'),
  addHint: (most: number): string =>
    say(
      'JPEG, PNG, WebP or AVIF, up to 3 MB each; at most {most} photos. What the camera wrote into them is removed.',
      {
        most,
      },
    ),
  adding: (done: number, all: number): string => say('Adding {done} of {all}', { done, all }),
  added: (count: number): string =>
    say('{count, plural, one {# photo is added.} other {# photos are added.}}', { count }),
  none: say('There is no photo yet.'),
  count: (count: number, most: number): string => say('{count} of {most} photos', { count, most }),
  alt: say('What it shows'),
  altHint: say('For guests who cannot see it.'),
  of: say('Of'),
  ofProperty: say('the property'),
  save: say('Save'),
  saved: say('The photo is saved.'),
  earlier: say('Earlier'),
  later: say('Later'),
  delete: say('Delete'),
  deleted: say('The photo is deleted.'),
  photo: (index: number): string => say('Photo {index}', { index }),
  verb: (verb: string, photo: string): string => say('{verb}: {photo}', { verb, photo }),
  notAdded: (file: string, why: string): string => say('{file} was not added: {why}', { file, why }),
  tooLarge: say('It has more than 3 MB.'),
  wrongType: say('It is no photo in JPEG, PNG, WebP or AVIF.'),
};
