import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-danger');

/** Texts of exports, of the deletion of a property, and of access for programs. */
export const danger = {
  lead: say('Take the data along, or give a property up.'),
  exports: say('Exports'),
  exportsLead: say(
    'What leaves the service, and by which request. Files have personal data: keep them as you keep your papers.',
  ),
  whole: say('Everything of the tenant'),
  wholeText: say(
    'All tables as files, of one moment. The operator of the installation runs this command; no request does it.',
  ),
  trail: say('Audit trail'),
  trailText: say(
    'Who changed what, and when, as CSV: up to 1,000 entries an answer. The header X-Next-Cursor leads to the next ones.',
  ),
  reservations: say('Reservations'),
  reservationsText: say('All reservations of the property, in pages of 200. The header Link leads to the next page.'),
  day: say('Lists of a day'),
  dayText: say('Arrivals of today as CSV. Reports have a button for this and for the other lists.'),
  setUp: say('Set-up of the property'),
  setUpText: say('Name, address, taxes and policies. Room types, rooms and extras are below the same path.'),
  guest: say('A guest'),
  guestText: say('Everything that is stored about a person. The profile of the guest has a button for it.'),
  deletion: (property: string): string => say('Delete {property}', { property }),
  goes: say('What ends'),
  goneLines: [
    say('Nothing of the property is sold, listed or shown any more, and its booking page is gone.'),
    say('Requests on the waitlist and open inquiries are closed.'),
  ],
  stays: say('What stays'),
  stayLines: [
    say('Past reservations, bills, invoices, payments and the audit trail, as the law wants them.'),
    say('Guests and companies: they belong to the tenant. A guest is erased in the profile.'),
    say('The property itself: it can be restored as it was.'),
  ],
  refused: say(
    'It is refused while there are reservations that are not finished, open holds or payments under way: check them out, cancel or release them first.',
  ),
  begin: say('Delete property'),
  noProperty: say('There is no property that could be deleted.'),
};

/** Texts about programs that use the service. */
export const clients = {
  lead: say('How a program, such as a channel manager or an accounting system, uses this tenant.'),
  how: say(
    'The service has no keys of its own: a program gets an access token from the sign-in service, with client credentials that its administrator makes there. ' +
      'Then add the subject of the program, which is mostly its client id, as a user with the lowest role that is enough.',
  ),
  addUser: say('Add its subject as a user'),
  onlyOwner: say('An owner of the tenant adds its subject as a user.'),
  token: say('1. Get an access token'),
  tokenText: say('With the id and the secret of the client in CLIENT_ID and CLIENT_SECRET.'),
  first: say('2. Read something'),
  firstText: say('The properties that the program may see. It answers 403 until the subject has a role.'),
  documents: say('Description of all requests'),
};
