import { mayOpen, pageAt, PAGES } from '../../../src/live/contracts/page-addresses.ts';
import { THEMES } from '../../../src/tenants/rules/preferences.ts';
import { mayManage, signedInRole } from '../access/roles.ts';
import { pageUrl, currentPath, goToPage, parameter } from '../address.ts';
import { CHARTS, CHARTS_OF_ALL } from '../charts/chart-names.ts';
import { charts } from '../charts/messages.ts';
import { keysDialog } from '../keys-messages.ts';
import { choose } from '../theme.ts';
import type { PaletteCommand } from './commands.ts';
import { palette as words } from './messages.ts';

/** An address of a workspace: with what it shows already where it is open, for the same property where it is not. */
export function withProperty(path: string, changes: Readonly<Record<string, string | undefined>>): string {
  if (pageAt(currentPath()) !== pageAt(path)) return pageUrl(path, { property: parameter('property'), ...changes });
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return pageUrl(path, query);
}

/** Commands that work from every workspace; one that an open workspace offers by the same name comes before. */
export function commandsOfPage(): PaletteCommand[] {
  const role = signedInRole.value;
  const isStaff = mayOpen({ ...PAGES[0], least: 'STAFF' }, role);
  const booking = (kind: string): void => goToPage(withProperty('/desk', { new: kind }));
  return [
    ...(isStaff
      ? [
          { name: words.newReservation, words: 'book', run: () => booking('reservation') },
          { name: words.walkIn, words: 'book', run: () => booking('walk-in') },
        ]
      : []),
    ...(mayManage(role) ? CHARTS : CHARTS_OF_ALL).map((chart) => ({
      name: words.chart(charts.names[chart]),
      run: () => goToPage(withProperty('/revenue', { chart })),
    })),
    ...THEMES.map((theme) => ({
      name: words.theme(keysDialog.themes[theme].toLowerCase()),
      words: 'theme colours',
      run: () => choose(theme),
    })),
  ];
}
