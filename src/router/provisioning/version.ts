/** `7.16 (stable)`, `7.18beta2`; one that cannot be read passes, because the router itself will say no. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const match = /^(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const [have, haveMinor] = [Number(match[1]), Number(match[2])];
  return have > major || (have === major && haveMinor >= minor);
}
