/** Lines that are shown from a failure on. */
const SHOWN_LINES = 30;
/** Lines of its first failed assertion that a failed test says. */
const DETAIL_LINES = 16;

/** What a run of tap has come to. */
export type Counts = { files: number; passed: number; failed: number; skipped: number };

/**
 * Counts tests in the output of `tap --reporter=tap`, line by line. A test is a named `t.test` with no other inside, or
 * a file with none. Assertions are not counted: a loop over a thousand of them is one test. A group or file that fails
 * although all tests inside it pass is one failed test.
 */
export class Tally {
  readonly counts: Counts = { files: 0, passed: 0, failed: 0, skipped: 0 };
  /** Of how many files; undefined until tap has said so. */
  planned: number | undefined;
  /** File and name of what failed, and of what was left out, with the reason. */
  readonly failures: string[] = [];
  /** Of each failure, how its first failed assertion began: a log is long, and often only its end is at hand. */
  readonly details: string[][] = [];
  readonly skips: string[] = [];
  /** By depth: what has ended there since the subtest around it began. */
  readonly #ended: { tests: number; failed: number }[] = [];
  #named = { failures: 0, skips: 0 };
  #showing = 0;
  #detail: string[] = [];

  /** @returns whether the line says that something failed or was left out */
  add(line: string): boolean {
    this.planned ??= /^1\.\.(\d+)/.exec(line) ? Number(line.slice(3).split(' ')[0]) : undefined;
    const match = /^( *)(not ok|ok) \d+(?: - )?(.*)$/.exec(line);
    if (!match) return false;
    const [, { length: indent } = '', outcome, text = ''] = match;
    const depth = indent / 4;
    const isSkip = /# (SKIP|TODO)\b/i.test(text);
    const name = text.replace(/ # (time=|SKIP|TODO).*$/i, '');
    const [, why] = / # (?:SKIP|TODO) (.+)$/i.exec(text) ?? [];
    if (isSkip) this.#skip(depth, why === undefined ? name : `${name} (${why})`);
    // The line that closes a subtest has its time; one that closes a file has none when tap had to end it.
    else if (depth === 0 || / # time=/.test(text)) this.#end(depth, name, outcome === 'ok');
    if (depth === 0) this.#endFile(name);
    return isSkip || outcome !== 'ok';
  }

  /** Counts a line. @returns whether to show it: from each failure on some, of what passes none */
  shows(line: string): boolean {
    const isTrouble = this.add(line);
    if (isTrouble) this.#showing = SHOWN_LINES;
    const isDetail = this.#detail.length > 0 || (isTrouble && !/ # (time=|SKIP|TODO)/.test(line));
    if (isDetail && this.#detail.length < DETAIL_LINES) this.#detail.push(line.trim());
    return this.#showing-- > 0;
  }

  /** Ends with the exit code of tap, or of a check that prints no TAP and is one test. */
  close(code: number, isTap: boolean): void {
    if (!isTap && code === 0) this.counts.passed += 1;
    // Nothing may go wrong unseen: no failure was counted, or nothing ran.
    else if (this.counts.failed === 0 && (code !== 0 || this.counts.passed === 0)) this.#fail(`exit code ${code}`);
  }

  #fail(name: string): void {
    this.counts.failed += 1;
    this.failures.push(name);
    this.details.push(this.#detail);
    this.#detail = [];
  }

  #at(depth: number): { tests: number; failed: number } {
    return (this.#ended[depth] ??= { tests: 0, failed: 0 });
  }

  #skip(depth: number, name: string): void {
    this.counts.skipped += 1;
    this.skips.push(name);
    this.#at(depth).tests += 1;
  }

  #end(depth: number, name: string, isOk: boolean): void {
    const inside = this.#at(depth + 1);
    this.#ended.length = depth + 1;
    if (isOk && inside.tests === 0) this.counts.passed += 1;
    if (!isOk && inside.failed === 0) this.#fail(name);
    const around = this.#at(depth);
    around.tests += 1;
    if (!isOk) around.failed += 1;
  }

  /** Lines of a file come before its name. */
  #endFile(file: string): void {
    this.counts.files += 1;
    const named = (name: string): string => (name === file ? file : `${file}: ${name}`);
    for (let i = this.#named.failures; i < this.failures.length; i += 1) this.failures[i] = named(this.failures[i]!);
    for (let i = this.#named.skips; i < this.skips.length; i += 1) this.skips[i] = named(this.skips[i]!);
    this.#named = { failures: this.failures.length, skips: this.skips.length };
  }
}
