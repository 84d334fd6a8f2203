/** The esbuild plugin that makes native addons loadable from inside the executable. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root, type Target } from './target.ts';

/** The packages' prebuilt addons for glibc, by the name `loadAddon` knows them under. */
function prebuilds(target: Target): Record<string, string> {
  return {
    'better-sqlite3': `better-sqlite3/prebuilds/${target}.node`,
    argon2: `argon2/prebuilds/${target}/argon2.${target === 'linux-arm64' ? 'armv8.' : ''}glibc.node`,
  };
}

/** Lays the addons out as `native/NAME.node` under a folder. */
export function copyAddons(target: Target, folder: string): void {
  mkdirSync(join(folder, 'native'), { recursive: true });
  for (const [name, prebuild] of Object.entries(prebuilds(target))) {
    copyFileSync(join(root, 'node_modules', prebuild), join(folder, 'native', `${name}.node`));
  }
}

/**
 * Each package has one small module that looks for its addon; these stand in for them. They load as soon as the
 * package is imported, so that the main thread has always done it before it starts a worker.
 */
const loaders = {
  'better-sqlite3': "const addon = loadAddon('better-sqlite3'); exports.getBinding = () => addon;",
  'node-gyp-build': "const addon = loadAddon('argon2'); module.exports = () => addon;",
};

export const nativeAddons: Plugin = {
  name: 'native-addons',
  setup(build) {
    const standIn = (text: string) => ({
      contents: `const { loadAddon } = require('./native-addon.ts');\n${text}`,
      resolveDir: import.meta.dirname,
    });
    build.onLoad({ filter: /\/better-sqlite3\/lib\/binding\.js$/ }, () => standIn(loaders['better-sqlite3']));
    build.onLoad({ filter: /\/node-gyp-build\/index\.js$/ }, () => standIn(loaders['node-gyp-build']));
  },
};
