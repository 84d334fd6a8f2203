/**
 * What a language file must hold. `page` is written into the HTML when the pages are built, so it is readable
 * before any script runs; `live` travels in the same document as JSON and is used by the script.
 * Texts are plain: `{name}` is a place to fill, nothing else is special.
 */

/** Forms by CLDR plural category; `other` always, the rest where the language tells them apart. `{n}` is the number. */
export interface Forms {
  readonly other: string;
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
}

/** What happened, and what to do next. */
export type Notice = readonly [happened: string, next: string];

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
  readonly noScript: string;
  readonly chooseBundle: string;
  readonly loading: string;
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
  readonly timeLeft: string;
  readonly addTime: string;
  readonly needHelp: string;
  readonly terms: string;
}

export interface LiveText {
  /** A BCP 47 tag for Intl: prices, dates and plural rules. */
  readonly locale: string;

  readonly seconds: Forms;
  readonly minutes: Forms;
  readonly hours: Forms;
  readonly days: Forms;
  readonly lessThanAMinute: string;

  readonly getOnline: string;
  readonly pay: string;
  readonly payAmount: string;
  readonly openingCheckout: string;
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
  readonly help: string;
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
  readonly device: string;
  readonly lastSeen: string;
  readonly useThisPhone: string;

  readonly proofTitle: string;
  readonly proofLead: string;
  readonly proofWrong: string;

  readonly needBundle: string;
  readonly needPhone: string;
  readonly needCode: string;
  readonly needPhoneOrOrder: string;

  readonly offline: Notice;
  readonly serverError: Notice;
  /** `{time}`: how long to wait. */
  readonly tooMany: Notice;
  readonly routerDown: Notice;
  /** `{time}`: until when the time is paid. */
  readonly routerDownPaid: Notice;
  readonly routerRefused: Notice;
  readonly providerDown: Notice;
  readonly paymentRefused: Notice;
  readonly paymentFailed: Notice;
  readonly paymentCancelled: Notice;
  readonly bundleGone: Notice;
  readonly noBundles: Notice;
  readonly noPrices: Notice;
  readonly blocked: Notice;
  /** `{time}`: when the time ended. */
  readonly expired: Notice;
  readonly timeEnded: Notice;
  readonly nothingFound: Notice;
  readonly orderUnknown: Notice;
  readonly voucherInvalid: Notice;
  readonly voucherUsed: Notice;
  readonly voucherExpired: Notice;
  readonly voucherRevoked: Notice;
  readonly phoneUnknownToWifi: Notice;
  readonly swapFailed: Notice;
  readonly codeSent: Notice;
  readonly noSms: Notice;
}
