/** The captive portal: what the address says, what the appliance answers, and which view that makes. */
import type { Notice } from '../../src/contract/words.ts';
import { now } from '../shared/clock.ts';
import { inLanguage, read, remember } from './address.ts';
import { choose, setUpPaying } from './bundles.ts';
import { type ConnectResult, connect, greet, type NotYetOnline } from './connect.ts';
import { showDevices } from './devices.ts';
import { setUpFinding } from './find.ts';
import { fillPhone, notify, sharePhoneFields, valueOf, whileBusy } from './form.ts';
import { setUpOnline, showOnline } from './online.ts';
import { byId, type Gate, isShown, show } from './page.ts';
import { explainRouterError } from './problems.ts';
import { askForProof, setUpProof } from './proof.ts';
import { setUpVoucher } from './voucher.ts';
import { setUpWaiting, wait } from './waiting.ts';
import { explain, fill, moment, text, withTime } from './words.ts';

const ROUTER_RETRY_MS = 10_000;

const howItWorks = byId('lead').textContent || '';

let paidUntil = '';
let routerTimer = 0;

function showPrices(notice: Notice | null = null): void {
  notify('notice', notice === null || !byId('pay-form').hidden ? notice : [notice[0], text.vouchersOnly], true);
  const online = Date.parse(paidUntil) > now();
  const lead = online ? fill(text.addTimeLead, { time: moment(paidUntil) }) : howItWorks;
  show('buy', null, online ? text.addTime : text.getOnline, lead);
}

/** Each result has its own view, words and next step. */
function arrive(result: ConnectResult): void {
  switch (result.kind) {
    case 'online':
      paidUntil = result.until;
      remember({ phone: result.phone, order: null });
      if (result.phone) fillPhone(result.phone);
      return showOnline(result.until);
    case 'no-room':
      remember({ phone: result.phone, order: null });
      return void showDevices(result, arrive);
    case 'unproven':
      remember({ phone: result.phone, order: null });
      return askForProof(result, proof => connect(result.phone, proof));
    case 'router-down':
    case 'one-step':
      return waitForRouter(result);
    case 'payment-open':
      return follow(result.order);
    case 'expired':
      paidUntil = '';
      remember({ order: null });
      return showPrices(withTime(text.expired, moment(result.at)));
    case 'blocked':
      remember({ order: null });
      return showMessage(text.refusals.USER_BLOCKED as Notice, text.backToStart, showPrices);
    case 'unpaid':
      return showPrices(text.nothingFound);
    case 'unanswered':
      return showMessage(explain(result.problem), text.tryAgain, start);
  }
}

function showMessage(notice: Notice, label: string, act: () => void, gate: Gate = 'barred'): void {
  const button = byId<HTMLButtonElement>('message-action');
  button.textContent = label;
  button.onclick = () => act();
  show('message', gate, notice[0], notice[1]);
}

/** Paid for, but nobody opens the gate yet: keeps asking, so that the person does not have to. */
function waitForRouter({ kind, phone, until, proof }: NotYetOnline): void {
  const isAway = kind === 'router-down';
  const notice = withTime(isAway ? text.routerDownPaid : text.oneStep, moment(until));
  const again = async () => {
    clearTimeout(routerTimer);
    const result = await (phone ? connect(phone, proof) : greet());
    if (!isWaiting()) return;
    if (result === null || result.kind === kind || result.kind === 'unanswered') retryLater();
    else arrive(result);
  };
  // The button may have led elsewhere meanwhile, even to another message.
  const isWaiting = () => isShown('message') && document.title === notice[0];
  const retryLater = () => {
    routerTimer = window.setTimeout(() => isWaiting() && void again(), ROUTER_RETRY_MS);
  };
  remember({ phone, order: null });
  showMessage(notice, text.tryAgain, again, isAway ? 'barred' : 'waiting');
  retryLater();
}

function follow(order: string): void {
  remember({ order });
  wait(order);
}

/** What the address asks for. */
async function start(): Promise<void> {
  const order = read('order');
  const phone = read('phone');
  const error = read('error');
  if (order !== null) return follow(order);
  if (phone !== null) {
    fillPhone(phone);
    const result = await connect(phone);
    // A number that was only typed so far is nothing to complain about.
    if (result.kind === 'unpaid' || (result.kind === 'unanswered' && result.problem.status !== 0)) showPrices();
    else arrive(result);
    return;
  }
  if (error !== null) showPrices(explainRouterError(error));
  // Whoever brings a voucher came to use it.
  const known = read('code') === null ? await greet() : null;
  if (known !== null && isShown('buy')) arrive(known);
}

function setUpLanguages(): void {
  const menu = byId<HTMLDetailsElement>('language');
  menu.addEventListener('toggle', () => {
    const typed = { phone: valueOf('pay-phone'), code: valueOf('voucher-code') };
    for (const link of Array.from(menu.querySelectorAll('a'))) link.href = inLanguage(link.lang, typed);
  });
  document.addEventListener('click', event => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    (menu.querySelector('summary') as HTMLElement).focus();
  });
}

setUpLanguages();
sharePhoneFields();
setUpPaying({
  ordered(order, checkout) {
    follow(order);
    location.assign(checkout);
  },
  free: arrive,
  unproven: askForProof,
});
setUpVoucher(arrive);
setUpProof(arrive);
setUpFinding({ found: arrive, order: reference => follow(reference) });
setUpWaiting({
  pending(order) {
    fillPhone(order.phone_number);
    choose(order.bundle_id);
  },
  found: arrive,
  ended(notice) {
    remember({ order: null });
    showMessage(notice, text.backToStart, showPrices);
  },
  unknownOrder() {
    remember({ order: null });
    showPrices(text.orderUnknown);
  },
});
setUpOnline(() => {
  paidUntil = '';
  showPrices(text.timeEnded);
});
byId('again').textContent = text.tryAgain;
byId('again').addEventListener('click', () => whileBusy(byId('again'), text.checking, start));
byId('not-now').addEventListener('click', () => showPrices(text.timeKept));
byId('add-time').addEventListener('click', () => showPrices());
byId('choose-again').addEventListener('click', () => {
  remember({ order: null });
  showPrices();
});
void start();
