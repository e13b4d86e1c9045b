let adminTexts: Promise<void> | undefined;

/** Loads the texts of administration and operations, which are there before their code says the first of them. */
export function loadAdminTexts(): Promise<void> {
  const script = globalThis.translations?.admin;
  if (script === undefined) return Promise.resolve();
  return (adminTexts ??= loaded(script).catch((error: unknown) => {
    adminTexts = undefined;
    throw error;
  }));
}

function loaded(script: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = `/${script}`;
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => reject(new Error(`${script} could not be loaded`)));
    document.head.append(element);
  });
}
