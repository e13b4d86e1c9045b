import { useRef } from 'preact/hooks';

/** Whether an answer may be shown: an older read that is answered after a newer one would take back what that has shown. */
type Newest = { begin(): () => boolean };

/** Numbers the reads of a list. */
export function useNewest(): Newest {
  const reads = useRef(0);
  return {
    begin() {
      reads.current += 1;
      const own = reads.current;
      return () => own === reads.current;
    },
  };
}
