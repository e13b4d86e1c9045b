/**
 * The script of the guests' pages: it counts down, sends a form once for a double click, and shows the card form of the provider. Without
 * it everything up to the payment works, and in development the payment too.
 */
type Settings = {
  /** Until the hold of the rooms ends. */
  leftMs?: number;
  texts?: { minutes: string; over: string };
  stripe?: { key: string; amount: number; currency: string; language: string };
};

/** What is used of Stripe.js (https://docs.stripe.com/js). */
type StripeElements = {
  create(kind: 'payment'): { mount(into: Element): void };
  submit(): Promise<{ error?: { message?: string } }>;
};
type Stripe = {
  elements(options: object): StripeElements;
  createPaymentMethod(options: object): Promise<{ error?: { message?: string }; paymentMethod?: { id: string } }>;
};
type WithStripe = Window & { Stripe?: (key: string) => Stripe };

const MINUTE_MS = 60_000;
/** A second click within this time is none of its own. */
const DOUBLE_CLICK_MS = 1_000;

const settings = JSON.parse(document.querySelector('#for-script')?.textContent ?? '{}') as Settings;

countDown(settings);
for (const form of document.querySelectorAll<HTMLFormElement>('form[method=post]')) sendOnce(form);
if (settings.stripe) showCardForm(settings.stripe);
offerPrint();
// A page that comes back from the cache of the browser may be of before the payment.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

function countDown({ leftMs, texts }: Settings): void {
  const left = document.querySelector('#left');
  if (!left || leftMs === undefined || !texts) return;
  const end = performance.now() + leftMs;
  const show = (): void => {
    const minutes = Math.ceil((end - performance.now()) / MINUTE_MS);
    left.textContent = minutes > 0 ? texts.minutes.replace('{count}', String(minutes)) : texts.over;
    if (minutes <= 0) location.reload();
    else setTimeout(show, Math.max(1_000, (end - performance.now()) % MINUTE_MS));
  };
  show();
}

function offerPrint(): void {
  const button = document.querySelector<HTMLButtonElement>('#print');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => print());
}

/**
 * A double click sends once. Later the form can be sent again: no browser says that loading was stopped, and the service
 * does the work of a form once, however often it comes.
 */
function sendOnce(form: HTMLFormElement): void {
  let sentAt = -Infinity;
  form.addEventListener('submit', (event) => {
    const now = performance.now();
    if (now - sentAt < DOUBLE_CLICK_MS) event.preventDefault();
    else sentAt = now;
  });
}

function showCardForm({ key, amount, currency, language }: NonNullable<Settings['stripe']>): void {
  const place = document.querySelector('[data-card=stripe]');
  const form = place?.closest('form');
  const fault = document.querySelector('#card-fault');
  const token = form?.querySelector<HTMLInputElement>('input[name=cardToken]');
  if (!place || !form || !fault || !token) return;
  const begin = (): void => {
    const stripe = (window as WithStripe).Stripe?.(key);
    if (!stripe) return;
    const mode = amount > 0 ? { mode: 'payment', amount } : { mode: 'setup' };
    const elements = stripe.elements({
      ...mode,
      currency: currency.toLowerCase(),
      locale: language,
      paymentMethodCreation: 'manual',
      paymentMethodTypes: ['card'],
    });
    elements.create('payment').mount(place);
    form.addEventListener(
      'submit',
      (event) => {
        if (token.value !== '') return;
        event.preventDefault();
        event.stopImmediatePropagation();
        void sendToken(form, token, fault, () => tokenOf(stripe, elements));
      },
      { capture: true },
    );
  };
  if ((window as WithStripe).Stripe) begin();
  else document.querySelector('script[src*="js.stripe.com"]')?.addEventListener('load', begin);
}

/** Sends the form with a token of the provider, or says why there is none. */
async function sendToken(
  form: HTMLFormElement,
  token: HTMLInputElement,
  fault: Element,
  create: () => ReturnType<typeof tokenOf>,
): Promise<void> {
  const { id, error } = await create();
  fault.textContent = error ?? '';
  if (id === undefined) return;
  token.value = id;
  form.requestSubmit();
}

async function tokenOf(stripe: Stripe, elements: StripeElements): Promise<{ id?: string; error?: string }> {
  const checked = await elements.submit();
  if (checked.error) return { error: checked.error.message ?? '' };
  const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
  return { ...(paymentMethod && { id: paymentMethod.id }), ...(error && { error: error.message ?? '' }) };
}
