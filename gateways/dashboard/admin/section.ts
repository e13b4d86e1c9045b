import type { FunctionComponent } from 'preact';

import type { Role } from '../../../src/kernel/rules/caller.ts';
import type { Service, SignedAccess, PropertySummary } from '../api.ts';
import type { AdminStore } from './admin.ts';
import type { FormField, FormValues } from './form/fields.ts';

/** Where a section reads and writes. */
export type Place = {
  access: SignedAccess;
  tenantPath: string;
  property: PropertySummary | undefined;
  /** Path of the property; of the tenant's properties where none is chosen. */
  propertyPath: string;
  today: string;
};

/** A write of a form. */
export type Request = {
  service: Service;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  ifMatch?: string;
  /** Where in the body the fields stand: what the service says of it is shown beside them. */
  pointer?: string;
};

type ListColumn<Row> = { label: string; text(row: Row): string; isAmount?: boolean };

/** What a list has read. */
export type LoadedList<Row> = {
  rows: readonly Row[];
  /** There are more than are read at once. */
  isCut?: boolean;
  /** A sentence about all of them. */
  note?: string;
  /** Addresses that belong to the sentence. */
  links?: readonly { text: string; href: string }[];
  /** A text that can be copied. */
  copied?: { name: string; text: string };
  /** Something is under way: the list is read again soon. */
  isSettling?: boolean;
};

/** A form beside a list: for a new row, or for the chosen one. */
export type Form<Row> = {
  /** In the address: `?form=new`. */
  id: string;
  /** Accessible name of its button, and its heading. */
  name: string;
  /** Whether it is about the chosen row. */
  of: 'list' | 'row';
  /** Text of the button that sends it. */
  action?: string;
  /** What sending it does, in one line, with what is typed. */
  line?(values: FormValues, row: Row | undefined, loaded: LoadedList<Row>): string;
  fields(place: Place, row: Row | undefined, loaded: LoadedList<Row>): FormField[];
  values?(row: Row | undefined, place: Place): FormValues;
  requests(values: FormValues, row: Row | undefined, place: Place, loaded: LoadedList<Row>): Request[];
  /** What takes it back; the row is as it was before. */
  undo?(values: FormValues, row: Row | undefined, place: Place, answer: unknown, loaded: LoadedList<Row>): Request[];
  /** A dry run: what would follow, as lines. */
  preview?(values: FormValues, row: Row | undefined, place: Place): Promise<readonly string[]>;
  /** Why the service would refuse it, whatever is typed; it cannot be sent then. */
  refused?(row: Row | undefined, loaded: LoadedList<Row>): string | undefined;
  /** What has to be typed before it can be sent. */
  confirm?(row: Row | undefined, place: Place): string | undefined;
  isOffered?(row: Row | undefined): boolean;
  done?(values: FormValues, row: Row | undefined, answer: unknown): string;
  /** A text of the answer that is not shown again, with the name of the button that copies it. */
  shownOnce?(answer: unknown): { name: string; text: string };
  /** Where the page goes on when this one may not be open any more. */
  leadsTo?(row: Row | undefined): string | undefined;
  /** Codes of problems, explained with the way on. */
  explained?: Readonly<Record<string, string>>;
};

/** A list with its forms. */
export type ListOf<Row> = {
  read(place: Place): Promise<LoadedList<Row>>;
  key(row: Row): string;
  columns: readonly ListColumn<Row>[];
  forms: readonly Form<Row>[];
  none: string;
};

/** What the navigation says of a section of the administration, at `/admin/{id}`. */
export type SectionEntry = {
  id: string;
  /** Its name in the navigation, and its heading. */
  name: string;
  of: 'tenant' | 'property';
  /** ADMIN, unless it needs more. */
  least?: Role;
  /** The code of the section. */
  load(): Promise<Section>;
};

/**
 * What a section shows: a list with forms beside it, or a view of its own. A new one is a file in `sections/` and an
 * entry in `sections.ts`.
 */
export type Section<Row = object> = {
  /** What it is for, in a sentence. */
  lead: string;
  list?: ListOf<Row>;
  /** Its changes change which properties there are. */
  setsProperties?: boolean;
  /** Shown instead of the list, whose forms it may open. */
  View?: FunctionComponent<{ admin: AdminStore }>;
};
