import { pageAt, START } from '../../../src/live/contracts/page-addresses.ts';
import { goToPage } from '../address.ts';
import { linkRefused, network } from '../live/network.ts';

/** Opens links to pages of this site in the open document. The browser keeps what means a new tab or a download. */
export function followLinks(): () => void {
  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isPlain(event, link)) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || (to.pathname !== START && pageAt(to.pathname) === undefined)) return;
    event.preventDefault();
    // Another page would have nothing to show, and what is shown would be gone.
    if (network.peek().kind === 'offline') linkRefused.value = true;
    else goToPage(to.pathname + to.search);
  };
  document.addEventListener('click', onClick);
  return () => document.removeEventListener('click', onClick);
}

function isPlain(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const isClick = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
  return isClick && link.href !== '' && link.target === '' && !link.hasAttribute('download') && link.hash === '';
}
