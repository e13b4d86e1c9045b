import { type SignedIn, tokenSubject } from './identity.ts';

/**
 * What is typed into a form survives a reload and a session that ends, in this tab. Card data are never part of it.
 */
export type DraftOf = { name: string; user: SignedIn; propertyId: string };

/** Whose draft it is: nobody else who signs in at this tab gets it. */
type Draft = { tenantId: string; subject: string; propertyId: string; value: unknown };

const keyOf = (name: string): string => `innkeeper.draft.${name}`;

/** Stores a draft; the one before goes. */
export function saveDraft({ name, user, propertyId }: DraftOf, value: unknown): void {
  const draft: Draft = { tenantId: user.tenantId, subject: tokenSubject(user), propertyId, value };
  sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}

/** The draft of this user for this property; that of another user is removed. */
export function draftFor({ name, user, propertyId }: DraftOf): unknown {
  const text = sessionStorage.getItem(keyOf(name));
  if (text === null) return undefined;
  try {
    const draft = JSON.parse(text) as Draft;
    if (draft.tenantId === user.tenantId && draft.subject === tokenSubject(user))
      return draft.propertyId === propertyId ? draft.value : undefined;
  } catch {
    // Not ours, or of another release.
  }
  dropDraft(name);
  return undefined;
}
