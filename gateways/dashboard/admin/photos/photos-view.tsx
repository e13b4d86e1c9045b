import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { MAX_PHOTOS, PHOTO_TYPES } from '../../../../src/properties/rules/photo.ts';
import { network } from '../../live/network.ts';
import { needsService, ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { AdminStore } from '../admin.ts';
import { CommandBox } from '../form/form-parts.tsx';
import { admin as adminWords } from '../messages.ts';
import { photos as words } from './messages.ts';
import { PhotoList, type PhotoView } from './photo-list.ts';

type Props = { list: PhotoList };
const DESK = { connection: network };

/** Photos of the chosen property. */
export function PhotosView({ admin }: { admin: AdminStore }) {
  const property = admin.property.value?.propertyId;
  const list = useMemo(() => new PhotoList(admin), [admin, property]);
  return property === undefined ? null : <PhotoForms key={property} list={list} />;
}

/** Photos with what is said of each, and the place where others are added. */
export function PhotoForms({ list }: Props) {
  useEffect(() => void list.load(), [list]);
  const items = list.items.value;
  return (
    <div class="photos">
      <AddPhotos list={list} />
      <p role="alert" class="admin-trouble">
        {list.trouble.value}
      </p>
      <p role="status">{list.done.value ?? (items ? words.count(items.length, MAX_PHOTOS) : adminWords.loading)}</p>
      {items?.length === 0 && <p>{words.none}</p>}
      <ul class="photos-list">
        {items?.map((photo, index) => (
          <OnePhoto key={photo.photoId} list={list} photo={photo} index={index} last={items.length - 1} />
        ))}
      </ul>
      <WhyDisabled desk={DESK} />
    </div>
  );
}

function AddPhotos({ list }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const add = (): void => {
    const files = [...(input.current?.files ?? [])];
    if (input.current) input.current.value = '';
    if (files.length > 0) void list.add(files);
  };
  return (
    <div class="admin-field">
      <label for="photos-add">{words.add}</label>
      <input
        {...needsService(DESK, { disabled: list.busy.value })}
        ref={input}
        id="photos-add"
        type="file"
        multiple
        accept={PHOTO_TYPES.join()}
        aria-describedby="photos-hint"
        onChange={add}
      />
      <small id="photos-hint">{words.addHint(MAX_PHOTOS)}</small>
      <CommandBox text={() => list.addCommand()} />
    </div>
  );
}

function OnePhoto({ list, photo, index, last }: Props & { photo: PhotoView; index: number; last: number }) {
  const alt = useSignal(photo.alt);
  const type = useSignal(photo.roomType ?? '');
  const name = words.photo(index + 1);
  const id = `photo-${photo.photoId}`;
  const change = () => ({ alt: alt.value, roomType: type.value === '' ? null : type.value });
  const isChanged = alt.value !== photo.alt || type.value !== (photo.roomType ?? '');
  // In the set-up step by step, Enter would leave the step.
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (isChanged) void list.change(photo, change());
  };
  const verb = (label: string, onClick: () => void, disabled = false) => (
    <ServiceButton
      desk={DESK}
      aria-label={words.verb(label, name)}
      disabled={disabled || list.busy.value}
      onClick={onClick}
    >
      {label}
    </ServiceButton>
  );
  return (
    <li>
      <img src={photo.url} alt={photo.alt || name} width={photo.width} height={photo.height} loading="lazy" />
      <div class="admin-field">
        <label for={`${id}-alt`}>{words.alt}</label>
        <input
          id={`${id}-alt`}
          value={alt.value}
          maxLength={300}
          autocomplete="off"
          aria-describedby={`${id}-hint`}
          onInput={(event) => (alt.value = event.currentTarget.value)}
          onKeyDown={onEnter}
        />
        <small id={`${id}-hint`}>{words.altHint}</small>
      </div>
      <div class="admin-field">
        <label for={`${id}-type`}>{words.of}</label>
        <select id={`${id}-type`} value={type.value} onChange={(event) => (type.value = event.currentTarget.value)}>
          <option value="">{words.ofProperty}</option>
          {list.types.value.map(({ roomType, name: typeName }) => (
            <option key={roomType} value={roomType}>
              {typeName}
            </option>
          ))}
        </select>
      </div>
      <div class="verbs">
        {verb(words.save, () => void list.change(photo, change()), !isChanged)}
        {verb(words.earlier, () => void list.move(photo, -1), index === 0)}
        {verb(words.later, () => void list.move(photo, 1), index === last)}
        {verb(words.delete, () => void list.remove(photo))}
      </div>
      <CommandBox of={name} text={() => list.changeCommand(photo, change())} />
    </li>
  );
}
