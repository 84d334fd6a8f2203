/**
 * What a language file must hold. `page` is written into the HTML when the pages are built, so it is readable
 * before any script runs; `live` travels in the same document as JSON and is used by the script, and by the appliance
 * for those who have none.
 * Texts are plain: `{name}` is a place to fill, nothing else is special.
 */

import type { Forms, Notice, Words } from '../../src/contract/words.ts';

export interface Language {
  /** Its own name, as its readers write it. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly page: PageText;
  readonly live: LiveText;
}

export interface PageText {
  readonly language: string;
  readonly sandbox: string;
  readonly getOnline: string;
  readonly howItWorks: string;
  readonly chooseBundle: string;
  readonly free: string;
  readonly closed: string;
  readonly closedNext: string;
  readonly nothingForSale: string;
  readonly useVoucherInstead: string;
  readonly tryAgain: string;
  readonly vouchersOnly: string;
  readonly phone: string;
  readonly phoneHint: string;
  readonly pay: string;
  readonly payHint: string;
  readonly haveVoucher: string;
  readonly voucherCode: string;
  readonly voucherHint: string;
  readonly useVoucher: string;
  readonly alreadyPaid: string;
  readonly phoneOrOrder: string;
  readonly findHint: string;
  readonly find: string;
  readonly stepOrder: string;
  readonly stepPayment: string;
  readonly stepInternet: string;
  readonly doNotPayTwice: string;
  readonly orderNumber: string;
  readonly checkNow: string;
  readonly openCheckout: string;
  readonly didNotPay: string;
  readonly proof: string;
  readonly orderHint: string;
  readonly transaction: string;
  readonly transactionHint: string;
  readonly sendCode: string;
  readonly askStaff: string;
  readonly notNow: string;
  readonly timeLeft: string;
  readonly addTime: string;
  readonly needHelp: string;
  /** `{phone}` is filled in by the appliance, as all places of a page's texts. */
  readonly call: string;
  readonly terms: string;
}

export interface LiveText extends Words {
  readonly lessThanAMinute: string;

  readonly getOnline: string;
  readonly pay: string;
  readonly payAmount: string;
  readonly takeFree: string;
  readonly checking: string;
  readonly onlineUntil: string;
  readonly continueTo: string;
  readonly closePage: string;
  /** The button that has the phone look again whether it is online, and what follows on Apple's and on other systems. */
  readonly finish: string;
  readonly finishApple: string;
  readonly finishOther: string;
  readonly addTime: string;
  readonly addTimeLead: string;
  readonly vouchersOnly: string;
  readonly tryAgain: string;
  readonly backToStart: string;

  readonly waitingTitle: string;
  readonly waitingLead: string;
  readonly waitingSlow: string;
  readonly waitingNoAnswer: string;
  readonly nextCheck: string;
  readonly paymentReceived: string;

  readonly devicesTitle: string;
  /** How many devices the number may use at a time. */
  readonly devicesLead: Forms;
  readonly thisPhone: string;
  /** One without a name of its own. */
  readonly anotherPhone: string;
  readonly lastSeen: string;
  readonly useThisPhone: string;

  readonly proofTitle: string;
  readonly proofLead: string;
  readonly proofWrong: string;

  readonly needBundle: string;
  readonly needPhone: string;
  readonly needCode: string;
  readonly needPhoneOrOrder: string;

  /** `{time}`: until when the time is paid. */
  readonly routerDownPaid: Notice;
  /** `{time}`: until when the time is paid. */
  readonly oneStep: Notice;
  /** After "Not now". */
  readonly timeKept: Notice;
  readonly routerRefused: Notice;
  readonly paymentFailed: Notice;
  readonly paymentCancelled: Notice;
  /** Given back in full, and no other time is left. */
  readonly paymentReturned: Notice;
  /** `{time}`: when the time ended. */
  readonly expired: Notice;
  readonly timeEnded: Notice;
  readonly nothingFound: Notice;
  readonly orderUnknown: Notice;
  /** Of a form without scripts, of which the appliance cannot tell whose page it was sent from. */
  readonly sendAgain: Notice;
  readonly swapFailed: Notice;
  readonly codeSent: Notice;
}
