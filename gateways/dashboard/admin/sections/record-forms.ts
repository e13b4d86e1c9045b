import { type FormField, type FormValues, formBody, valuesOf } from '../form/fields.ts';
import { reservationRequest } from '../form/reservation-request.ts';
import type { Form, LoadedList, Place } from '../section.ts';
import { common } from './texts.ts';

/** A kind of record that is added, changed and deleted by the same four requests. */
type RecordKind<Row> = {
  /** Name of the button that adds one. */
  newName: string;
  addName: string;
  fields(loaded: LoadedList<Row>): readonly FormField[];
  /** What stands in the fields of a new one. */
  usual?: FormValues;
  /** Members of a row that the form does not show, and a replacement keeps. */
  unshown?(row: Row): object;
  nameOf(row: Row): string;
  /** Path of the list, and of one record. */
  list(place: Place): string;
  one(place: Place, row: Row): string;
  /** What has no restore cannot be undone after a delete. */
  isRestorable: boolean;
  line?: Partial<Record<'new' | 'edit' | 'delete', (values: FormValues, row: Row | undefined) => string>>;
  explained?: Readonly<Record<string, string>>;
};

/** The forms of a kind of record of the reservation service. */
export function recordForms<Row>(kind: RecordKind<Row>): Form<Row>[] {
  const { newName, addName, nameOf, list, one, isRestorable, line = {}, explained } = kind;
  const changed = (loaded: LoadedList<Row>): FormField[] =>
    kind.fields(loaded).filter(({ isFixed }) => isFixed !== true);
  return [
    {
      id: 'new',
      name: newName,
      of: 'list',
      action: addName,
      line: (values) => line.new?.(values, undefined) ?? '',
      fields: (_place, _row, loaded) => [...kind.fields(loaded)],
      values: () => kind.usual ?? {},
      requests: (values, _row, place, loaded) => [
        reservationRequest('POST', list(place), formBody(kind.fields(loaded), values)),
      ],
      undo: (_values, _row, place, answer) => [reservationRequest('DELETE', one(place, answer as Row))],
      done: () => common.added,
      explained,
    },
    {
      id: 'edit',
      name: common.edit,
      of: 'row',
      line: (values, row) => line.edit?.(values, row) ?? '',
      fields: (_place, _row, loaded) => [...kind.fields(loaded)],
      requests: (values, row, place, loaded) => [
        reservationRequest('PUT', one(place, row!), formBody(changed(loaded), values, kind.unshown?.(row!))),
      ],
      undo: (_values, row, place, _answer, loaded) => {
        const fields = changed(loaded);
        return [
          reservationRequest(
            'PUT',
            one(place, row!),
            formBody(fields, valuesOf(fields, row as object), kind.unshown?.(row!)),
          ),
        ];
      },
      done: (_values, row) => common.saved(nameOf(row!)),
      explained,
    },
    {
      id: 'delete',
      name: common.delete,
      of: 'row',
      action: common.delete,
      line: (values, row) => line.delete?.(values, row) ?? '',
      fields: () => [],
      values: () => ({}),
      requests: (_values, row, place) => [reservationRequest('DELETE', one(place, row!))],
      ...(isRestorable && {
        undo: (_values: FormValues, row: Row | undefined, place: Place) => [
          reservationRequest('POST', `${one(place, row!)}/restore`),
        ],
      }),
      done: (_values, row) => common.deleted(nameOf(row!)),
      explained,
    },
  ];
}
