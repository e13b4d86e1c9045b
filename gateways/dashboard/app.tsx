import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { PageConfig } from '../../src/live/contracts/page-config.ts';
import { sessionUser, signedIn, SignInError, signOut, type SignedIn } from './access/identity.ts';
import { access, signInMessages } from './access/messages.ts';
import { SignInView } from './access/sign-in-view.tsx';
import {
  isOperationsHere,
  openOperationsPage,
  openWorkspace,
  rememberWorkspace,
  type Workspace,
} from './workspace.ts';

type Screen =
  | { kind: 'loading' }
  | { kind: 'broken'; message: string }
  | { kind: 'sign-in'; config: PageConfig; message?: string }
  | { kind: 'open'; config: PageConfig; workspace: Workspace };

const screen = signal<Screen>({ kind: 'loading' });

/** The whole page: sign-in, then the workspace that the address names. */
export function App() {
  useEffect(() => void start(), []);
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
          <button type="button" class="primary" onClick={() => location.reload()}>
            {access.tryAgain}
          </button>
        </main>
      );
    case 'sign-in':
      return (
        <SignInView
          config={shown.config}
          message={shown.message}
          onSignedIn={(user) => void open(shown.config, user)}
        />
      );
    case 'open':
      return <>{shown.workspace.view(() => leave(shown.config, shown.workspace))}</>;
  }
}

async function start(): Promise<void> {
  rememberWorkspace();
  const config = await loadConfig();
  if (!config) {
    screen.value = { kind: 'broken', message: access.noService };
    return;
  }
  if (isOperationsHere()) {
    await show(config, () => openOperationsPage(config));
    return;
  }
  try {
    const user = signedIn() ?? (await sessionUser());
    if (user) await open(config, user);
    else screen.value = { kind: 'sign-in', config };
  } catch (error) {
    const message = error instanceof SignInError ? error.message : access.signInFailed;
    screen.value = { kind: 'sign-in', config, message };
  }
}

function open(config: PageConfig, user: SignedIn): Promise<void> {
  return show(config, () => openWorkspace(config, user));
}

async function show(config: PageConfig, load: () => Promise<Workspace>): Promise<void> {
  try {
    screen.value = { kind: 'open', config, workspace: await load() };
  } catch {
    // The workspace's script could not be loaded.
    screen.value = { kind: 'broken', message: access.noService };
  }
  // The scroll position of the sign-in page does not apply to the next page.
  scrollTo(0, 0);
}

function leave(config: PageConfig, workspace: Workspace): void {
  workspace.close();
  void signOut();
  screen.value = { kind: 'sign-in', config };
}

async function loadConfig(): Promise<PageConfig | undefined> {
  try {
    const response = await fetch('/config.json');
    return response.ok ? ((await response.json()) as PageConfig) : undefined;
  } catch {
    return undefined;
  }
}
