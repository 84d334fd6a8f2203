/** Lint rules, and the layers of ARCHITECTURE.md made law. */

/** The folders of `src/` that may know only the domain (and themselves), and what of `src/` they must not name. */
const folders = [
  'domain',
  'contract',
  'outbound',
  'store',
  'router',
  'payment',
  'sms',
  'sandbox',
  'http',
  'jobs',
  'commands',
];
const rootFiles = ['main', 'app', 'config', 'assets', 'version'];
const domainOnly = ['domain', 'contract', 'outbound', 'store', 'router', 'payment', 'sms', 'sandbox', 'http', 'jobs'];
/** What the product is made and tested with: the product knows nothing of it. */
const workshop = ['build', 'scripts', 'test'];
/** What a layer may know besides. */
const alsoKnown: Record<string, string[]> = {
  payment: ['outbound'],
  sms: ['outbound'],
  sandbox: ['outbound'],
  http: ['contract'],
};

/** Packages that one place contains, and that place. */
const contained: Record<string, string[]> = {
  'node-routeros': ['src/router/corrections.ts', 'src/router/connection.ts'],
  'better-sqlite3': ['src/store/**'],
};

function restrictedImports(forbiddenFolders: string[], forbiddenFiles: string[], packages: string[]) {
  const patterns = [];
  if (forbiddenFolders.length > 0) {
    patterns.push({
      regex: `^(\\.\\./)+(${forbiddenFolders.join('|')})/`,
      message: 'This layer may not know that one.',
    });
  }
  if (forbiddenFiles.length > 0) {
    patterns.push({ regex: `^(\\.\\./)+(${forbiddenFiles.join('|')})\\.ts$`, message: 'A layer gets what it needs.' });
  }
  const paths = packages.map(name => ({ name, message: `Only ${contained[name]?.join(' and ')} may use it.` }));
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

const othersOf = (layer: string) => [...folders, ...workshop].filter(folder => folder !== layer && folder !== 'domain');

const everyContained = Object.keys(contained);

/** Later overrides replace earlier ones, so each holds the whole list for its files. */
const layers = [
  { files: ['src/**', 'static/**'], rules: restrictedImports(workshop, [], everyContained) },
  // It is the other side of the wire, and must not agree with the adapter by sharing its code.
  { files: ['test/simulator/**'], rules: restrictedImports(['src/router'], [], everyContained) },
  ...domainOnly.map(layer => ({
    files: [`src/${layer}/**`],
    rules: restrictedImports(
      othersOf(layer).filter(folder => !alsoKnown[layer]?.includes(folder)),
      rootFiles,
      everyContained.filter(name => !contained[name]?.includes(`src/${layer}/**`)),
    ),
  })),
  // Both ends of the wire are made from it, the pages too, which know nothing of the domain.
  {
    files: ['src/contract/**'],
    rules: restrictedImports(
      [...folders.filter(folder => folder !== 'contract'), ...workshop],
      rootFiles,
      everyContained,
    ),
  },
  {
    files: contained['node-routeros'],
    rules: restrictedImports(
      othersOf('router'),
      rootFiles,
      everyContained.filter(name => name !== 'node-routeros'),
    ),
  },
];

export default {
  plugins: ['eslint', 'import', 'node', 'oxc', 'promise', 'typescript', 'unicorn'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { builtin: true, node: true },
  ignorePatterns: ['build/out/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    // Tests are started, not awaited.
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'suite', 'describe', 'it'] }],
      },
    ],
    // Branded types (Instant, Phone, Mac) are made by assertion, in their own files.
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'typescript/consistent-return': 'off',
    // Our ports are objects of functions, made by closures; none of them has a `this`.
    'typescript/unbound-method': 'off',
    'promise/always-return': 'off',
    // The compiler says so already, and knows which of them a library calls.
    'eslint/no-unused-private-class-members': 'off',
    // Codes and texts are spread into their characters on purpose.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    'unicorn/consistent-function-scoping': 'off',
    // It takes `other.size` inside `get size()` for recursion.
    'unicorn/no-accessor-recursion': 'off',
    // Worker threads have no origins.
    'unicorn/require-post-message-target-origin': 'off',
  },
  overrides: [
    {
      files: ['src/**'],
      rules: { 'no-restricted-globals': ['error', { name: 'Date', message: 'Take a Clock, or use domain/time.' }] },
    },
    { files: ['src/domain/time.ts'], rules: { 'no-restricted-globals': 'off' } },
    {
      files: ['static/**'],
      env: { browser: true, node: false },
      rules: {
        // An asynchronous listener that fails cannot end a page as it would end the server.
        'typescript/no-misused-promises': 'off',
        'unicorn/prefer-add-event-listener': 'off',
        'unicorn/require-module-specifiers': 'off',
        // `byId<HTMLInputElement>('phone')` says what the document holds.
        'typescript/no-unnecessary-type-parameters': 'off',
      },
    },
    // Old phones have neither toSorted nor toReversed.
    { files: ['static/portal/**'], rules: { 'unicorn/no-array-sort': 'off', 'unicorn/no-array-reverse': 'off' } },
    {
      files: ['test/**'],
      rules: { 'typescript/no-misused-promises': 'off', 'eslint/no-unmodified-loop-condition': 'off' },
    },
    ...layers,
  ],
};
