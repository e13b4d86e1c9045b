const parentCheckMs = 500;

/**
 * Converts the first SIGTERM, SIGINT or SIGHUP into an abort whose reason is the signal to pass on. Later ones have no
 * effect: the handlers stay, so that a second Ctrl-C cannot leave the database running.
 * @returns {AbortSignal}
 */
export function stopSignal() {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // A closed terminal requests the same orderly end.
    const passedOn = signal === 'SIGHUP' ? 'SIGTERM' : signal;
    process.on(signal, () => stop.abort(passedOn));
  }
  if (process.env.npm_lifecycle_event) endWithParent(stop);
  return stop.signal;
}

/**
 * SIGTERM to npm ends npm and the shell in between, and neither passes it on, so the end of the parent counts. Without
 * npm the parent does not matter: a launcher in the background of a script outlives it.
 */
function endWithParent(stop) {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid !== parent) stop.abort('SIGTERM');
  };
  setInterval(check, parentCheckMs).unref();
}
