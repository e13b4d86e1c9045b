const parentCheckMs = 500;

/**
 * Turns the first SIGTERM, SIGINT or SIGHUP into an abort whose reason is the signal to pass on. Later ones change
 * nothing: the handlers stay, so that no second Ctrl-C can leave the database behind.
 * @returns {AbortSignal}
 */
export function stopSignal() {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // A closed terminal asks for the same orderly end.
    const passedOn = signal === 'SIGHUP' ? 'SIGTERM' : signal;
    process.on(signal, () => stop.abort(passedOn));
  }
  if (process.env.npm_lifecycle_event) endWithParent(stop);
  return stop.signal;
}

/**
 * SIGTERM to npm alone ends npm and the shell between us, and neither passes it on. Without npm the parent does not
 * matter: a launcher that a script puts into the background outlives it.
 */
function endWithParent(stop) {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid !== parent) stop.abort('SIGTERM');
  };
  setInterval(check, parentCheckMs).unref();
}
