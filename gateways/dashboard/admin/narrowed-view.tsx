import type { ComponentChildren, TargetedEvent } from 'preact';

import { admin as words } from './messages.ts';
import type { NarrowedList } from './narrowed-list.ts';

/** The fields that narrow a list. */
export function FiltersForm({
  list,
  name,
  find,
  children,
}: {
  list: { narrow(typed: FormData): Promise<void> };
  name: string;
  /** Name of the button. */
  find: string;
  children: ComponentChildren;
}) {
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void list.narrow(new FormData(event.currentTarget));
  };
  return (
    <form class="trail-filters" role="search" aria-label={name} onSubmit={submit}>
      {children}
      <button class="primary">{find}</button>
    </form>
  );
}

/** What a narrowed list has, or why there is nothing of it, and its next page. */
export function NarrowedItems<Item, F extends string>({
  list,
  reason,
  none,
  more,
  status,
  children,
}: {
  list: NarrowedList<Item, F>;
  /** Why nothing can be read now. */
  reason: string | undefined;
  none: string;
  /** Name of the button of the next page. */
  more: string;
  status?: ComponentChildren;
  children: (items: readonly Item[]) => ComponentChildren;
}) {
  const items = list.items.value;
  return (
    <>
      <p role="alert" class="admin-trouble">
        {list.trouble.value}
      </p>
      {status}
      {items === undefined ? (
        <p role="status" class="muted">
          {list.trouble.value === undefined && words.loading}
        </p>
      ) : items.length === 0 ? (
        <p role="status">{none}</p>
      ) : (
        children(items)
      )}
      {list.nextCursor.value !== null && (
        <button
          type="button"
          class="trail-more"
          disabled={list.busy.value || reason !== undefined}
          title={reason}
          onClick={() => void list.more()}
        >
          {more}
        </button>
      )}
    </>
  );
}
