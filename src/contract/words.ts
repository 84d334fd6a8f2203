/** Durations and refusals in the words of a language, the same from the appliance and in the page. */

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

/** What a language must have for this. Texts are plain: `{name}` is a place to fill, nothing else is special. */
export interface Words {
  /** A BCP 47 tag for Intl: prices, dates and plural rules. */
  readonly locale: string;
  readonly seconds: Forms;
  readonly minutes: Forms;
  readonly hours: Forms;
  readonly days: Forms;
  readonly offline: Notice;
  readonly serverError: Notice;
  /** `{time}`: how long to wait. */
  readonly tooMany: Notice;
  /** What the API's codes mean to a person. */
  readonly refusals: Readonly<Record<string, Notice>>;
}

/** Why a call brought nothing: no answer at all, or an answer that says no. */
export interface Problem {
  /** 0: no answer. */
  status: number;
  code: string;
  /** The fields that the server would not take. */
  fields: readonly string[];
  /** Seconds until the same call may be made again; 0 when it did not say. */
  retryAfter: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Long enough for a limit per minute, when the server does not say. */
const USUAL_WAIT_SECONDS = 60;

export interface InWords {
  /** `12 hours`, in the form that the number asks for. */
  count(n: number, forms: Forms): string;
  /**
   * The two largest units, never rounded up: `1 day 3 hours`, `45 minutes`.
   * One day is said as 24 hours, because it does not end at midnight.
   */
  duration(seconds: number): string;
  fill(pattern: string, values: Record<string, string>): string;
  withTime(notice: Notice, time: string): Notice;
  /** Says what happened and what to do. See docs/interface.md: Errors. */
  explain(problem: Problem): Notice;
}

/** @param isRightToLeft such text would turn a phone number around; isolated, each value keeps its own order */
export function inWords(words: Words, isRightToLeft: boolean): InWords {
  const [isolate, end] = isRightToLeft ? ['\u2068', '\u2069'] : ['', ''];
  // Intl's objects are slow to make on a cheap phone, and old ones do not have this: one of each is enough.
  const plurals = 'PluralRules' in Intl ? new Intl.PluralRules(words.locale) : null;

  function count(n: number, forms: Forms): string {
    const category = plurals === null ? 'other' : plurals.select(n);
    return (forms[category as keyof Forms] || forms.other).replace('{n}', String(n));
  }

  function duration(seconds: number): string {
    if (seconds < MINUTE) return count(seconds, words.seconds);
    if (seconds < HOUR) return count(Math.floor(seconds / MINUTE), words.minutes);
    const [unit, forms, rest, restForms] =
      seconds < 2 * DAY && seconds !== DAY * 1.5
        ? ([HOUR, words.hours, MINUTE, words.minutes] as const)
        : ([DAY, words.days, HOUR, words.hours] as const);
    const large = count(Math.floor(seconds / unit), forms);
    const small = Math.floor((seconds % unit) / rest);
    return small === 0 ? large : `${large} ${count(small, restForms)}`;
  }

  function fill(pattern: string, values: Record<string, string>): string {
    return pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
      name in values ? `${isolate}${values[name]}${end}` : whole,
    );
  }

  const withTime = (notice: Notice, time: string): Notice => [fill(notice[0], { time }), fill(notice[1], { time })];

  function explain({ code, status, retryAfter }: Problem): Notice {
    const byCode = words.refusals[code];
    if (byCode !== undefined) return byCode;
    switch (status) {
      case 0:
        return words.offline;
      case 403:
        return words.refusals['USER_BLOCKED'] as Notice;
      case 429:
        return withTime(words.tooMany, duration(wholeWait(retryAfter || USUAL_WAIT_SECONDS)));
      case 503:
        return words.refusals['ROUTER_UNAVAILABLE'] as Notice;
      default:
        return words.serverError;
    }
  }

  return { count, duration, fill, withTime, explain };
}

/** Rounded up to the unit shown, because a retry that is too early is refused again. */
function wholeWait(seconds: number): number {
  return seconds < MINUTE ? seconds : Math.ceil(seconds / MINUTE) * MINUTE;
}
