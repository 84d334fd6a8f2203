/** What every command of the command line has in common. */

/** The file of a command, `commands/NAME.ts`. It is loaded only when the command is asked for. */
export interface CommandModule {
  /**
   * @param args what follows the command's name, without `--env-file FILE`, which is already in the environment
   * @throws UsageError the program ends with 2; any other error ends it with 1
   */
  run(args: readonly string[]): Promise<void>;
}

/** Wrong arguments or a wrong configuration. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  /** All of them at once, one sentence each, naming the argument or variable, and the fix. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** @param usage what to say when that is not all there is @throws UsageError */
export function onlyArgument(args: readonly string[], usage: readonly string[]): string {
  const [argument, ...more] = args;
  if (argument === undefined || more.length > 0) throw new UsageError(usage);
  return argument;
}

/** @throws UsageError when there are any arguments. */
export function takesNoArguments(args: readonly string[]): void {
  if (args.length > 0) throw new UsageError([`Unexpected argument: ${args.join(' ')}`]);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
