/** Loaded into a measured server: collects all of its garbage when it is told to (SIGUSR2; needs `--expose-gc`). */
process.on('SIGUSR2', () => globalThis.gc?.());
