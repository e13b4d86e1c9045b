import type { WorkspaceName } from '../../src/live/contracts/page-addresses.ts';
import { textsOf } from './language/texts.ts';

const say = textsOf('pages');

/** Names of the workspaces; separate from the texts of each, which the others need not load. */
export const workspaceNames: Record<WorkspaceName, string> = {
  revenue: say('Revenue'),
  experiments: say('Price experiments'),
  fleet: say('All properties'),
  desk: say('Front desk'),
  housekeeping: say('Housekeeping'),
  groups: say('Groups'),
  guests: say('Guests'),
  reports: say('Reports'),
  'first-hotel': say('Administration'),
  admin: say('Administration'),
  operations: say('Operations'),
  me: say('Your settings'),
};

/** Texts around the workspaces: the navigation, and addresses without a page. */
export const workspaces = {
  label: say('Workspaces'),
  more: say('More'),
  pages: say('Pages'),
  titled: (name: string): string => say('{name} · Innkeeper', { name }),
  missing: say('Page not found'),
  noPage: (path: string): string => say('There is no page at {path}.', { path }),
  notYours: (name: string): string => say('{name} needs another role', { name }),
  askForRole: (role: string): string =>
    say('Your role here is {role}. An administrator can change it.', { role: role.toLowerCase() }),
  goTo: say('Go to'),
  start: say('Start page'),
};
