import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Icon } from '../icons.tsx';
import { linksThatFit } from './links-that-fit.ts';

const ID = 'more-pages';
/** As wide as `shell/more-pages.css` draws it. */
const MENU_PX = 220;
const MARGIN_PX = 8;

/**
 * Which links of a navigation fit into it, measured anew whenever its room changes.
 *
 * @param key names the links: other ones are measured too
 * @returns their places; `undefined` before the first measurement
 */
export function useLinksThatFit(nav: RefObject<HTMLElement | null>, key: string): readonly number[] | undefined {
  const fitting = useSignal<readonly number[] | undefined>(undefined);
  useLayoutEffect(() => {
    const element = nav.current;
    if (!element) return undefined;
    const fit = (): void => {
      const next = measured(element);
      if (String(next) !== String(fitting.peek())) fitting.value = next;
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    // Words are as wide as the font that has come.
    void document.fonts.ready.then(fit);
    return () => observer.disconnect();
  }, [key]);
  return fitting.value;
}

/** Measures all links side by side, as they are without a menu. */
function measured(nav: HTMLElement): number[] {
  nav.dataset['measured'] = '';
  const gap = Number.parseFloat(getComputedStyle(nav).columnGap) || 0;
  const widthOf = (part: Element): number => part.getBoundingClientRect().width + gap;
  const links = [...nav.querySelectorAll(':scope > a')];
  const widths = links.map(widthOf);
  const menu = nav.querySelector(':scope > button');
  const more = menu ? widthOf(menu) : 0;
  delete nav.dataset['measured'];
  const all = widths.reduce((total, width) => total + width, 0);
  nav.style.setProperty('--all-links', `${Math.ceil(all - gap)}px`);
  const here = links.findIndex((link) => link.hasAttribute('aria-current'));
  // Half a pixel is lost to rounding.
  return linksThatFit({ widths, here, more, room: nav.clientWidth + gap + 0.5 });
}

/** The menu of the links for which there is no room; Escape and a click beside it close it. */
export function MorePages({
  name,
  hidden,
  children,
}: {
  name: string;
  hidden: boolean;
  children: ComponentChildren;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={button} type="button" class="more-pages-button" popovertarget={ID} hidden={hidden}>
        {name}
        <Icon name="down" />
      </button>
      <div
        ref={menu}
        id={ID}
        class="more-pages"
        popover="auto"
        onBeforeToggle={() => place(menu.current, button.current)}
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

/** Below the button, within the screen. */
function place(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button) return;
  const { left, bottom } = button.getBoundingClientRect();
  menu.style.top = `${bottom + MARGIN_PX / 2}px`;
  menu.style.left = `${Math.max(MARGIN_PX, Math.min(left, innerWidth - MENU_PX - MARGIN_PX))}px`;
}
