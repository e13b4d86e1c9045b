import { draftFor, type DraftOf, dropDraft, saveDraft } from '../access/draft.ts';
import type { SignedIn } from '../access/identity.ts';
import { pageAccess } from '../access/page-access.ts';
import { currentPath, parameter } from '../address.ts';

/**
 * Forms that are half filled when the page is left: a reload, or a session that ends. They are filled again when the
 * same person opens them at the same address in this tab. Forms with a draft of their own (`data-own-draft`), searches,
 * passwords and cards are left alone.
 */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** What a field had when somebody came into its form, by the name of the field. */
type Values = Readonly<Record<string, string>>;
type Left = { place: string; form: string; values: Values };

/** Parameters that name what a form is about. */
const SUBJECTS = ['property', 'stay', 'room', 'night'];
const MAX_FORMS = 10;
/** How long a field may take to appear. */
const FIELD_MS = 5_000;
/** After so long nobody goes on where he was. */
const REMEMBERED_MS = 600_000;

/** A form, or fields that belong together like one. */
const FORMS = 'form, [data-form]';

const begun = new Map<HTMLElement, Values>();
let watching: MutationObserver | undefined;

/** Notes forms from the moment when somebody enters them. */
export function followForms(): void {
  document.addEventListener('focusin', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLElement>(FORMS) : null;
    if (!form || begun.has(form) || form.matches('[role=search], [data-own-draft]')) return;
    for (const one of begun.keys()) if (!one.isConnected) begun.delete(one);
    begun.set(form, valuesOf(form));
  });
  addEventListener('pagehide', () => {
    const user = pageAccess.peek()?.user;
    if (user) leaveForms(user);
  });
}

/** Stores what was typed into the forms that are still open. */
export function leaveForms(user: SignedIn): void {
  const left = [...begun].flatMap(([form, before]): Left[] => {
    if (!form.isConnected) return [];
    const values = Object.fromEntries(
      Object.entries(valuesOf(form)).filter(([name, value]) => value !== (before[name] ?? '')),
    );
    return Object.keys(values).length === 0 ? [] : [{ place: placeNow(), form: nameOf(form), values }];
  });
  const draft = draftOf(user);
  if (left.length > 0) saveDraft(draft, left.slice(-MAX_FORMS));
}

/** Fills the forms again as they open. Forms of somebody else are forgotten. */
export function fillForms(user: SignedIn): void {
  const draft = draftOf(user);
  const left = (draftFor(draft) as Left[] | undefined) ?? [];
  dropDraft(draft.name);
  if (left.length === 0) return;
  watching?.disconnect();
  const fill = (): void => {
    for (const form of document.querySelectorAll<HTMLElement>(FORMS)) {
      const at = left.findIndex((one) => one.place === placeNow() && one.form === nameOf(form));
      const found = at < 0 ? undefined : left.splice(at, 1)[0];
      if (found) void fillForm(form, found.values);
    }
    if (left.length === 0) watching?.disconnect();
  };
  watching = new MutationObserver(fill);
  watching.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watching?.disconnect(), REMEMBERED_MS);
  fill();
}

/** Field after field: what one of them decides may show the next, and what a label names may still be loading. */
async function fillForm(form: HTMLElement, values: Values): Promise<void> {
  begun.set(form, valuesOf(form));
  for (const [name, value] of Object.entries(values)) {
    const field = await fieldOf(form, name);
    if (!field || valueOf(field) === value) continue;
    if (isSwitch(field)) field.checked = value === 'on';
    else field.value = value;
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

async function fieldOf(form: HTMLElement, name: string): Promise<Field | undefined> {
  const end = performance.now() + FIELD_MS;
  while (form.isConnected && performance.now() < end) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const field = fieldsOf(form).find(([one]) => one === name)?.[1];
    if (field) return field;
  }
  return undefined;
}

const draftOf = (user: SignedIn): DraftOf => ({ name: 'forms', user, propertyId: '' });

const placeNow = (): string => [currentPath(), ...SUBJECTS.map((name) => parameter(name) ?? '')].join(' ');

/** The name of a form, or of the panel in which it stands. */
function nameOf(form: HTMLElement): string {
  const named = form.closest('[aria-label], [aria-labelledby]');
  const by = named?.getAttribute('aria-labelledby');
  const text = by ? document.getElementById(by)?.textContent : named?.getAttribute('aria-label');
  return `${text ?? ''} ${form.className}`;
}

function fieldsOf(form: HTMLElement): [string, Field][] {
  const counts = new Map<string, number>();
  return [...form.querySelectorAll('input, select, textarea')].flatMap((field): [string, Field][] => {
    if (!isTyped(field)) return [];
    const label = field.getAttribute('aria-label') ?? field.labels?.[0]?.firstChild?.textContent ?? field.name;
    // Those of one group have one label or name.
    const name = `${label.trim()} ${field.name} ${isSwitch(field) ? field.value : ''}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [[`${name} ${count}`, field]];
  });
}

function isTyped(field: Element): field is Field {
  if (field instanceof HTMLInputElement)
    return !['hidden', 'password', 'file', 'submit', 'button'].includes(field.type) && !isOfCard(field);
  return field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
}

const isOfCard = (field: Element): boolean => field.closest('[data-card]') !== null;

const isSwitch = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type);

const valueOf = (field: Field): string => (isSwitch(field) ? (field.checked ? 'on' : '') : field.value);

const valuesOf = (form: HTMLElement): Values =>
  Object.fromEntries(fieldsOf(form).map(([name, field]) => [name, valueOf(field)]));
