import type { Instant } from '../domain/property-time.ts';

/** Where the next page starts: the last item of the page before, newest first. */
export type PagePosition = { createdAt: Instant; id: string };

export type Page<T> = { items: T[]; next?: PagePosition };
