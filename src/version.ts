import manifest from '../package.json' with { type: 'json' };

/** The package's semantic version. */
export const VERSION: string = manifest.version;
