import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { ROLES, type Role } from '../../../../src/kernel/rules/caller.ts';
import { LANGUAGE_NAMES, languageOf, LANGUAGES } from '../../../../src/kernel/rules/languages.ts';
import type { associationAnswer, invitationAnswer, userAnswer } from '../../../../src/tenants/contracts/tenants.ts';
import { tokenSubject } from '../../access/identity.ts';
import { ROLE_NAMES } from '../../access/messages.ts';
import { read, readPages } from '../../api.ts';
import { locale, textsOf } from '../../language/texts.ts';
import { type FormField, formBody, type FormValues } from '../form/fields.ts';
import { reservationRequest } from '../form/reservation-request.ts';
import type { Form, LoadedList, Place, Request, Section } from '../section.ts';
import { MAX_PAGES } from '../sections/property-body.ts';

const say = textsOf('admin-users');

type User = WireOf<typeof userAnswer>;
type Association = WireOf<typeof associationAnswer>;
type Invitation = WireOf<typeof invitationAnswer>;

/** A user of the tenant, or who is invited to become one. */
type Member = {
  id: string;
  name: string | null;
  email: string | null;
  subject?: string;
  role?: Role;
  /** The signed-in user. */
  isOneself?: boolean;
  /** Of an invitation. */
  invited?: Pick<Invitation, 'expiresAt' | 'status' | 'letter'>;
};

const ROLE_HINTS: Record<Role, string> = {
  VIEWER: say('Sees rooms, prices and reservations, without contact data of guests and without revenue.'),
  STAFF: say('Works at the desk: books, checks in and out, takes payments, changes guests.'),
  MANAGER: say('Also sets prices, sees revenue, gives refunds and lifts penalties.'),
  ADMIN: say('Also sets up properties and reads the audit trail.'),
  OWNER: say('Also sets up the tenant, its users and their roles.'),
};

const isRole = (value: string): value is Role => ROLES.some((role) => role === value);

const ROLE_FIELD: FormField = {
  name: 'role',
  label: say('Role'),
  type: 'choice',
  required: true,
  options: ROLES.map((role) => ({ value: role, text: ROLE_NAMES[role] })),
  hint: (role) => (isRole(role) ? ROLE_HINTS[role] : ''),
};
const NAME_FIELD: FormField = { name: 'name', label: say('Name'), type: 'text', maxLength: 200 };
const EMAIL_FIELD: FormField = { name: 'email', label: say('E-mail'), type: 'email', maxLength: 254 };

const INVITED_FIELDS: readonly FormField[] = [
  {
    ...EMAIL_FIELD,
    required: true,
    hint: say('The address that the person has at the sign-in service of this installation.'),
  },
  NAME_FIELD,
  ROLE_FIELD,
];

/** Of the letter that the service sends. */
const LANGUAGE_FIELD: FormField = {
  name: 'language',
  label: say('Letter'),
  type: 'choice',
  options: [
    ...LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] })),
    { value: '', text: say('No letter') },
  ],
  hint: (language) =>
    language === ''
      ? say('Nothing is sent: pass on the link of the sign-in yourself.')
      : say('The service sends it, where it has a mail server. The list says what has happened.'),
};
/** The own language is the first guess. */
const shownLanguage = (): string => languageOf(locale) ?? LANGUAGES[0];

const SUBJECT_FIELDS: readonly FormField[] = [
  {
    name: 'subject',
    label: say('Subject'),
    type: 'text',
    required: true,
    maxLength: 255,
    hint: say('The value of sub in the access tokens of this person or program.'),
  },
  {
    name: 'issuer',
    label: say('Issuer'),
    type: 'text',
    maxLength: 500,
    hint: say('The value of iss in the access tokens; that of this installation when it is left empty.'),
  },
  NAME_FIELD,
  EMAIL_FIELD,
  ROLE_FIELD,
];

const nameOf = ({ name, email, subject }: Member): string => name ?? email ?? subject ?? '';

const dayOf = (moment: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(moment));

function stateOf({ invited, role }: Member): string {
  if (invited?.status === 'OPEN') return say('Invited until {day}', { day: dayOf(invited.expiresAt) });
  if (invited) return say('The invitation has expired');
  return role === undefined ? say('May do nothing yet') : say('Active');
}

/** What became of the letter of an invitation. */
function letterOf({ invited }: Member): string {
  if (!invited) return '';
  const { letter } = invited;
  if (!letter) return say('None was sent: pass on the link');
  const reason = letter.reason ?? '';
  switch (letter.status) {
    case 'WAITING':
      return letter.reason === null
        ? say('Being sent')
        : say('Not sent yet, it is tried again: {reason}', { reason });
    case 'SENT':
      return say('Sent {at}', { at: momentOf(letter.sentAt ?? letter.orderedAt) });
    case 'FAILED':
      return say('Not sent: {reason}', { reason });
    case 'UNKNOWN':
      return say('May not have arrived: {reason}', { reason });
  }
}

const momentOf = (at: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(at));

/** Somebody has to be able to give roles: the service refuses to let the last owner go. */
function lastOwner(row: Member | undefined, { rows }: LoadedList<Member>): string | undefined {
  const owners = rows.filter(({ role, invited }) => role === 'OWNER' && !invited);
  if (row?.role !== 'OWNER' || owners.length > 1) return undefined;
  return say(
    'This is the only owner of the tenant, who cannot be removed or get another role. Make somebody else an owner first.',
  );
}

async function readMembers({ access, tenantPath }: Place): Promise<LoadedList<Member>> {
  const all = <Row>(kind: string): Promise<Row[]> =>
    readPages(MAX_PAGES, (query) =>
      read<{ items: Row[]; nextCursor: string | null }>(access, 'reservation', `${tenantPath}/${kind}`, query),
    );
  const [users, associations, invitations] = await Promise.all([
    all<User>('users'),
    all<Association>('associations'),
    all<Invitation>('invitations'),
  ]);
  const oneself = tokenSubject(access.user);
  const roles = new Map(associations.map(({ userId, role }) => [userId, role]));
  const rows: Member[] = [
    ...invitations.map(({ invitationId: id, name, email, role, ...invited }) => {
      return { id, name, email, role, invited };
    }),
    ...users.map(({ userId: id, name, email, subject }) => {
      const role = roles.get(id);
      return { id, name, email, subject, isOneself: subject === oneself, ...(role && { role }) };
    }),
  ];
  const isSettling = invitations.some(
    ({ status, letter }) => status === 'OPEN' && letter?.status === 'WAITING' && letter.reason === null,
  );
  return { rows, isSettling, ...(invitations.length > 0 && signInLines(access.user.tenantId, rows)) };
}

/** How invited colleagues come in: where they sign in, and a mail to each who gets no letter of the service. */
function signInLines(tenant: string, rows: readonly Member[]): Pick<LoadedList<Member>, 'note' | 'links' | 'copied'> {
  const address = `${location.origin}/auth/sign-in?tenant=${encodeURIComponent(tenant)}`;
  const open = rows.filter(({ invited }) => invited?.status === 'OPEN' && !invited.letter);
  return {
    note: say('Who is invited signs in at {address}, with the mail address of the invitation.', { address }),
    copied: { name: say('Copy link'), text: address },
    links: open.map((member) => ({
      text: say('Write to {email}', { email: member.email ?? '' }),
      href: mailTo(member, address, tenant),
    })),
  };
}

function mailTo({ email, role, invited }: Member, address: string, tenant: string): string {
  const subject = say('Your access to {tenant}', { tenant });
  const body = say('Please sign in at {address} with this mail address by {day}. Your role is {role}.', {
    address,
    day: dayOf(invited?.expiresAt ?? ''),
    role: role ? ROLE_NAMES[role] : '',
  });
  const parameters = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return `mailto:${encodeURIComponent(email ?? '')}?${parameters}`;
}

const userPath = ({ tenantPath }: Place, id: string): string => `${tenantPath}/users/${id}`;
const invitationPath = ({ tenantPath }: Place, id: string): string => `${tenantPath}/invitations/${id}`;

/** A role is changed where there is one, and given where there is none. */
function setRole({ tenantPath }: Place, { id, role: before }: Member, role: string): Request {
  const path = `${tenantPath}/associations`;
  return before === undefined
    ? reservationRequest('POST', path, { userId: id, role })
    : reservationRequest('PUT', `${path}/${id}`, { role });
}

/** Who gives away his own role writes his name first, and sees his own settings after it: they are open to everybody. */
const ownName = (row: Member | undefined): string | undefined => (row?.isOneself ? nameOf(row) : undefined);
const afterOwn = (row: Member | undefined): string | undefined => (row?.isOneself ? '/me' : undefined);
const isUser = (row: Member | undefined): boolean => row !== undefined && row.invited === undefined;
const isInvited = (row: Member | undefined): boolean => row?.invited !== undefined;

const LETTERS_SPENT = say('Too many letters were sent today. Choose "No letter", or send it tomorrow.');

const inviteForm: Form<Member> = {
  id: 'new',
  name: say('Invite user'),
  of: 'list',
  action: say('Invite'),
  fields: () => [...INVITED_FIELDS, LANGUAGE_FIELD],
  values: () => ({ role: 'STAFF', language: shownLanguage() }),
  line: () =>
    say(
      'The invitation can be used once, within seven days, by who signs in with this address, verified by the sign-in service.',
    ),
  requests: (values, _row, { tenantPath }) => [
    reservationRequest('POST', `${tenantPath}/invitations`, formBody([...INVITED_FIELDS, LANGUAGE_FIELD], values)),
  ],
  undo: (_values, _row, place, answer) => [
    reservationRequest('DELETE', invitationPath(place, (answer as Invitation).invitationId)),
  ],
  done: ({ email = '' }) => say('{email} is invited.', { email }),
  explained: {
    ALREADY_EXISTS: say('A user with this address has a role here. Change that one.'),
    QUOTA_EXCEEDED: LETTERS_SPENT,
  },
};

const subjectForm: Form<Member> = {
  id: 'subject',
  name: say('Add by subject'),
  of: 'list',
  action: say('Add user'),
  fields: () => [...SUBJECT_FIELDS],
  values: () => ({ role: 'STAFF' }),
  line: () => say('For a person or a program whose subject at the sign-in service is known. The role holds at once.'),
  requests: (values, _row, { tenantPath }) => [
    reservationRequest('POST', `${tenantPath}/users`, formBody(SUBJECT_FIELDS, values)),
  ],
  undo: (_values, _row, place, answer) => [reservationRequest('DELETE', userPath(place, (answer as User).userId))],
  done: ({ name, subject = '' }) => say('{name} is added.', { name: name || subject }),
  explained: {
    ALREADY_EXISTS: say(
      'The tenant has, or had, a user with this subject. Look for the user, or restore the removed one.',
    ),
  },
};

const roleForm: Form<Member> = {
  id: 'role',
  name: say('Change role'),
  of: 'row',
  action: say('Change role'),
  isOffered: isUser,
  fields: () => [ROLE_FIELD],
  line: ({ role = '' }, row) =>
    row?.isOneself && role !== 'OWNER'
      ? say(
          'This is you. You cannot open this page any more then, and only another owner can make you an owner again.',
        )
      : say('It holds within 30 seconds, also on open pages.'),
  refused: lastOwner,
  confirm: ownName,
  leadsTo: afterOwn,
  requests: ({ role = '' }, row, place) => [setRole(place, row!, role)],
  undo: ({ role = '' }, row, place) => [
    row!.role === undefined
      ? reservationRequest('DELETE', `${place.tenantPath}/associations/${row!.id}`)
      : setRole(place, { ...row!, role: role as Role }, row!.role),
  ],
  done: ({ role = '' }, row) =>
    say('{name} has the role {role}.', { name: nameOf(row!), role: isRole(role) ? ROLE_NAMES[role] : role }),
};

const editForm: Form<Member> = {
  id: 'edit',
  name: say('Edit'),
  of: 'row',
  isOffered: isUser,
  fields: () => [NAME_FIELD, EMAIL_FIELD],
  requests: (values, row, place) => [
    reservationRequest('PUT', userPath(place, row!.id), formBody([NAME_FIELD, EMAIL_FIELD], values)),
  ],
  undo: (_values, row, place) => [
    reservationRequest('PUT', userPath(place, row!.id), { name: row!.name ?? '', email: row!.email ?? '' }),
  ],
  done: (_values, row) => say('{name} is saved.', { name: nameOf(row!) }),
};

const removeForm: Form<Member> = {
  id: 'remove',
  name: say('Remove'),
  of: 'row',
  action: say('Remove user'),
  isOffered: isUser,
  fields: () => [],
  values: () => ({}),
  line: (_values, row) =>
    row?.isOneself
      ? say(
          'This is you. You cannot open anything of this tenant any more then, and only another owner can let you in.',
        )
      : say(
          'The person cannot open anything of this tenant any more, within 30 seconds. What the person did stays in the audit trail.',
        ),
  refused: lastOwner,
  confirm: ownName,
  leadsTo: afterOwn,
  requests: (_values, row, place) => [reservationRequest('DELETE', userPath(place, row!.id))],
  undo: (_values, row, place) => [reservationRequest('POST', `${userPath(place, row!.id)}/restore`)],
  done: (_values, row) => say('{name} is removed.', { name: nameOf(row!) }),
};

/** The body that invites again with the values that an invitation has. */
const again = ({ email, name, role }: Member): object => ({ email, ...(name !== null && { name }), role });

/** A letter that did not arrive. */
const isLost = (row: Member | undefined): boolean =>
  row?.invited?.letter?.status === 'FAILED' || row?.invited?.letter?.status === 'UNKNOWN';

/** Invites once more, which sends another letter; one that waits is replaced by it. */
const againForm: Form<Member> = {
  id: 'again',
  name: say('Invite again'),
  of: 'row',
  action: say('Invite again'),
  isOffered: (row) => isInvited(row) && !isLost(row),
  fields: () => [LANGUAGE_FIELD],
  values: (row) => ({ language: row?.invited?.letter?.language ?? shownLanguage() }),
  line: () => say('The invitation can be used for seven days from now on.'),
  requests: (values: FormValues, row, { tenantPath }) => [
    reservationRequest('POST', `${tenantPath}/invitations`, {
      ...again(row!),
      ...formBody([LANGUAGE_FIELD], values),
    }),
  ],
  done: (_values, row) => say('{email} is invited.', { email: row!.email ?? '' }),
  explained: { QUOTA_EXCEEDED: LETTERS_SPENT },
};

const sendAgainForm: Form<Member> = {
  ...againForm,
  id: 'send-again',
  name: say('Send again'),
  action: say('Send again'),
  isOffered: isLost,
};

const revokeForm: Form<Member> = {
  id: 'revoke',
  name: say('Revoke'),
  of: 'row',
  action: say('Revoke invitation'),
  isOffered: isInvited,
  fields: () => [],
  values: () => ({}),
  line: () => say('Nobody becomes a user by it any more. A letter that has not left is not sent.'),
  requests: (_values, row, place) => [reservationRequest('DELETE', invitationPath(place, row!.id))],
  undo: (_values, row, { tenantPath }) => [reservationRequest('POST', `${tenantPath}/invitations`, again(row!))],
  done: (_values, row) => say('The invitation of {email} is revoked.', { email: row!.email ?? '' }),
};

/** Users of the tenant with their roles, and who is invited. */
export const usersSection: Section<Member> = {
  lead: say(
    'Who may do what in this tenant. People sign in at the sign-in service of the installation; here they get their role.',
  ),
  list: {
    none: say('There is no user yet.'),
    read: readMembers,
    key: ({ id }) => id,
    columns: [
      { label: say('Name'), text: nameOf },
      { label: say('E-mail'), text: ({ email }) => email ?? '' },
      { label: say('Role'), text: ({ role }) => (role ? ROLE_NAMES[role] : '') },
      { label: say('State'), text: stateOf },
      { label: say('Letter'), text: letterOf },
      { label: say('Subject'), text: ({ subject }) => subject ?? '' },
    ],
    forms: [inviteForm, subjectForm, roleForm, editForm, removeForm, againForm, sendAgainForm, revokeForm],
  },
};
