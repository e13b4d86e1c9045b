/** The mark of the product. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 24V13.5L16 8l8 5.5V24M16 18v6" />
      <circle cx="16" cy="17" r="2.6" />
    </svg>
  );
}

const PATHS = {
  good: 'M4 10.5l4 4 8-9',
  bad: 'M5 5l10 10M15 5L5 15',
  change: 'M4 7h10l-3-3M16 13H6l3 3',
  waiting: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6.5V10l2.5 1.5',
  back: 'M12 4l-6 6 6 6',
  forward: 'M8 4l6 6-6 6',
  down: 'M5 8l5 5 5-5',
  play: 'M6 4l10 6-10 6z',
  edit: 'M4 16l1-4 8-8 3 3-8 8z',
  pause: 'M7 4v12M13 4v12',
  person: 'M10 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 17c.4-3.2 2.9-5 6-5s5.6 1.8 6 5',
  bell: 'M5 14h10l-1.3-2V8.5a3.7 3.7 0 0 0-7.4 0V12zM8.5 16.5h3',
  find: 'M8.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10M12.2 12.2L17 17',
};

/** A line icon; always beside a word or a label, never alone. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
