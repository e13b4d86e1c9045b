import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';

import {
  FIRST_HOTEL,
  mayOpen,
  pageAt,
  START,
  startOf,
  type WorkspaceName,
} from '../../src/live/contracts/page-addresses.ts';
import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import { knownOf, sessionUser, signedIn, SignInError, signOut, type SignedIn } from './access/identity.ts';
import { access, signInMessages } from './access/messages.ts';
import { sendUnsaved, unsavedOf } from './access/own-preferences.ts';
import { isTokenRefused, pageAccess } from './access/page-access.ts';
import { signedInRole } from './access/roles.ts';
import { SignInView } from './access/sign-in-view.tsx';
import { pageUrl, type AddressMove, currentAddress, currentPath, followMoves } from './address.ts';
import { hasProperties, type SignedAccess } from './api.ts';
import { onNetwork, onNetworkBack } from './live/network.ts';
import { forgetNotices } from './live/notices.ts';
import { PaletteHost } from './palette/palette-button.tsx';
import { ServiceButton } from './service-button.tsx';
import { fillForms, followForms, leaveForms } from './shell/half-filled.ts';
import { followLinks } from './shell/links.ts';
import { NoPage } from './shell/no-page.tsx';
import { noteScroll, restoreScroll } from './shell/scroll-places.ts';
import { takeOver } from './theme.ts';
import { workspaceNames, workspaces } from './workspace-messages.ts';
import { openOperationsPage, OPENERS, rememberAddress, type Workspace } from './workspace.ts';

type Screen =
  | { kind: 'loading' }
  | { kind: 'broken'; message: string }
  | { kind: 'sign-in'; config: PageConfig; message?: string }
  | { kind: 'missing'; config: PageConfig; path: string; workspace?: WorkspaceName }
  | { kind: 'open'; config: PageConfig; name: WorkspaceName; workspace: Workspace };

const screen = signal<Screen>({ kind: 'loading' });
/** The signed-in user, for workspaces that are opened later. */
let user: SignedIn | undefined;
/** The session, requested as the page starts. */
let session: Promise<SignedIn | undefined> | undefined;
/** Number of the latest move: what an earlier one still loads is not shown. */
let moves = 0;

/** The whole page: sign-in, then the workspace that the address names, and moving between them. */
export function App() {
  useEffect(() => void start(), []);
  return (
    <>
      <ShownScreen />
      <PaletteHost />
    </>
  );
}

function ShownScreen() {
  useEffect(
    () =>
      onNetworkBack(() => {
        if (screen.peek().kind === 'broken') location.reload();
        else if (user) void sendUnsaved(user);
      }),
    [],
  );
  const shown = screen.value;
  switch (shown.kind) {
    case 'loading':
      // The same as the document before this script has loaded, so that nothing flickers.
      return (
        <main class="first-paint">
          <strong>{signInMessages.product}</strong>
          <p role="status">{access.loading}</p>
        </main>
      );
    case 'broken':
      return (
        <main class="centered">
          <h1>{signInMessages.product}</h1>
          <p role="alert">{shown.message}</p>
          <ServiceButton desk={onNetwork} reads class="primary" onClick={() => location.reload()}>
            {access.tryAgain}
          </ServiceButton>
        </main>
      );
    case 'sign-in':
      return (
        <SignInView
          config={shown.config}
          message={shown.message}
          onSignedIn={(signed) => {
            user = signed;
            void enter(shown.config);
          }}
        />
      );
    case 'missing':
      return (
        <NoPage path={shown.path} workspace={shown.workspace} user={user} onSignOut={() => leave(shown.config)} />
      );
    case 'open':
      return <Fragment key={shown.name}>{shown.workspace.view(() => leave(shown.config, shown.workspace))}</Fragment>;
  }
}

async function start(): Promise<void> {
  rememberAddress();
  history.scrollRestoration = 'manual';
  // At the same time as the configuration: both are needed, and neither needs the other.
  if (!signedIn() && pageAt(currentPath())?.workspace !== 'operations') {
    session = sessionUser();
    session.catch(() => undefined);
  }
  const config = await loadConfig();
  if (!config) {
    screen.value = { kind: 'broken', message: access.noService };
    return;
  }
  followLinks();
  followForms();
  followMoves((move) => void moved(config, move));
  await enter(config);
}

/** Opens what the address names, after the sign-in that it needs. */
async function enter(config: PageConfig): Promise<void> {
  const page = pageAt(currentPath());
  if (!page && currentPath() !== START) return show({ kind: 'missing', config, path: currentPath() });
  if (page?.workspace === 'operations') return open(config, page.workspace, () => openOperationsPage(config));
  try {
    user ??= signedIn() ?? (await (session ?? sessionUser()));
  } catch (error) {
    session = undefined;
    const message = error instanceof SignInError ? error.message : access.signInFailed;
    return show({ kind: 'sign-in', config, message });
  }
  session = undefined;
  const signed = user;
  if (!signed) return show({ kind: 'sign-in', config });
  isTokenRefused.value = false;
  if (await isReloading(signed)) return;
  pageAccess.value = { config, user: signed };
  const role = signedInRole.value;
  const wanted = page ?? pageAt(await startFor({ config, user: signed }, role));
  if (!wanted || wanted.workspace === 'operations') return;
  if (role !== '' && !mayOpen(wanted, role))
    return show({ kind: 'missing', config, path: currentPath(), workspace: wanted.workspace });
  if (!page) history.replaceState(null, '', pageUrl(wanted.paths[0], new URLSearchParams(location.search)));
  await open(config, wanted.workspace, () => OPENERS[wanted.workspace](config, signed));
  fillForms(signed);
}

/**
 * Learns the role of who has just signed in, and what he has chosen in any browser; what he chose in this one and the
 * service does not know yet comes first.
 *
 * @returns whether the document is loaded again, in his language and with his clock
 */
async function isReloading(signed: SignedIn): Promise<boolean> {
  if (signedInRole.peek() !== '') return false;
  const { role = '', preferences } = signed.role === undefined ? await knownOf(signed) : signed;
  signedInRole.value = role;
  const unsaved = Object.entries(unsavedOf(signed)).filter(([, value]) => value !== null);
  void sendUnsaved(signed);
  if (!takeOver({ ...preferences, ...Object.fromEntries(unsaved) })) return false;
  location.reload();
  return true;
}

/** Where the day of a role begins; for those who set a tenant up it is that, as long as there is no property. */
async function startFor(signed: SignedAccess, role: string): Promise<string> {
  if (!mayOpen(FIRST_HOTEL, role)) return startOf(role);
  const has = await hasProperties(signed).catch(() => true);
  return has ? startOf(role) : FIRST_HOTEL.paths[0];
}

/** The address has moved: within the open workspace, which follows it itself, or to another one. */
async function moved(config: PageConfig, { by, from }: AddressMove): Promise<void> {
  noteScroll(from);
  const shown = screen.peek();
  if (shown.kind === 'sign-in') return;
  if (shown.kind === 'open' && pageAt(currentPath())?.workspace === shown.name) moves += 1;
  else await enter(config);
  if (by === 'back') restoreScroll(currentAddress());
}

async function open(config: PageConfig, name: WorkspaceName, load: () => Promise<Workspace>): Promise<void> {
  const move = ++moves;
  try {
    const workspace = await load();
    if (move === moves) show({ kind: 'open', config, name, workspace });
    else workspace.close();
  } catch {
    // The workspace's script could not be loaded.
    if (move === moves) show({ kind: 'broken', message: access.noService });
  }
}

/** Shows a screen from its top. After a move, the focus is where the new page begins. */
function show(next: Screen): void {
  const before = screen.peek();
  if (before.kind === 'open') before.workspace.close();
  if (next.kind !== 'open') moves += 1;
  screen.value = next;
  document.title = titleOf(next);
  scrollTo(0, 0);
  if (before.kind === 'open' || before.kind === 'missing') requestAnimationFrame(focusMain);
}

function titleOf(shown: Screen): string {
  if (shown.kind === 'open') return workspaces.titled(workspaceNames[shown.name]);
  return shown.kind === 'missing' ? workspaces.titled(workspaces.missing) : signInMessages.product;
}

function focusMain(): void {
  const main = document.querySelector<HTMLElement>('#page main');
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

function leave(config: PageConfig, workspace?: Workspace): void {
  if (user) leaveForms(user);
  workspace?.close();
  user = undefined;
  pageAccess.value = undefined;
  signedInRole.value = '';
  forgetNotices();
  void signOut();
  show({ kind: 'sign-in', config });
}

async function loadConfig(): Promise<PageConfig | undefined> {
  try {
    const given = document.getElementById('config')?.textContent;
    if (given) return JSON.parse(given) as PageConfig;
    const response = await fetch('/config.json');
    return response.ok ? ((await response.json()) as PageConfig) : undefined;
  } catch {
    return undefined;
  }
}
