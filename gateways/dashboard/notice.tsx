import { access } from './access/messages.ts';
import { isTokenRefused } from './access/page-access.ts';
import type { RevenueStore } from './revenue/store.ts';

type Props = { desk: Pick<RevenueStore, 'connection' | 'notice'>; onSignOut: () => void };

/** A notice that the user can act on, such as signing in again. */
export function Notice({ desk, onSignOut }: Props) {
  const state = desk.connection.value;
  const signedOut = state.kind === 'signed-out';
  const refused = isTokenRefused.value ? access.expired : desk.notice.value;
  const text = signedOut ? (state.because === 'token' ? access.tokenOver : access.tenantOver) : refused;
  return <TroubleNotice trouble={text} isSignedOut={signedOut} onSignOut={onSignOut} />;
}

type TroubleProps = { trouble: string | undefined; isSignedOut?: boolean; onSignOut: () => void };

/** What went wrong on a page, with the sign-in where that is the way on. */
export function TroubleNotice({ trouble, isSignedOut = false, onSignOut }: TroubleProps) {
  return (
    <div class="notice" role="alert">
      {trouble !== undefined && (
        <p>
          {trouble}
          {(isSignedOut || trouble === access.expired) && (
            <button type="button" class="primary" onClick={onSignOut}>
              {access.signInAgain}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Shown instead of a workspace without data: the reason, and the next step. */
export function SignedOut({ because, onSignOut }: { because: 'token' | 'tenant'; onSignOut: () => void }) {
  return (
    <main class="centered">
      <h1>{access.signInAgain}</h1>
      <p role="alert">{because === 'token' ? access.tokenRefused : access.tenantRefused}</p>
      <button type="button" class="primary" onClick={onSignOut}>
        {access.signInAgain}
      </button>
    </main>
  );
}
