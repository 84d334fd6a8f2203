/**
 * What a program that a test starts is to inherit, and nothing else: no `LANGO_` variable of the person who runs the
 * tests. A false time of day (`scripts/soak-tests at`) holds for the whole family.
 */
const INHERITED = ['PATH', 'TZ', 'LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'FAKETIME_DONT_FAKE_MONOTONIC'];

export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  INHERITED.flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
