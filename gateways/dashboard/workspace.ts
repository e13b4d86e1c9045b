/** Where the front desk is; everything else is the revenue workspace. */
const DESK = '/desk';
const RETURN_KEY = 'innkeeper.return';

export function workspace(): 'desk' | 'revenue' {
  return location.pathname === DESK ? 'desk' : 'revenue';
}

/** Signing in ends at `/`, wherever it began: the place is kept until then. */
export function returnHere(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname);
}

/** Goes back to the workspace in which signing in began. */
export function rememberWorkspace(): void {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  if (path === DESK && location.pathname === '/') history.replaceState(null, '', DESK + location.search);
}
