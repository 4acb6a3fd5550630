import { readdirSync, readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// test/architecture.test.ts holds the same rules, and those that a linter cannot see.
const { packages: PACKAGE_RULES } = JSON.parse(readFileSync(new URL('./test/support/rooms.json', import.meta.url), 'utf8'));

const TSYRINGE_GLOBALS = ['container', 'singleton', 'scoped', 'registry'];

function importRulesFor(room) {
  const patterns = PACKAGE_RULES.filter((rule) => !rule.rooms.includes(room)).map(({ packages, rooms, typesAnywhere }) => ({
    group: packages.flatMap((name) => [name, `${name}/**`]),
    allowTypeImports: typesAnywhere,
    message: `Only ${rooms.map((each) => `src/${each}`).join(', ')} may import this package${typesAnywhere ? ' at run time' : ''}.`,
  }));
  patterns.push({ group: ['perch-mcp', 'perch-mcp/**'], message: 'Inside src, import the file.' });
  const message = "tsyringe's global container is shared by the whole process; only src/container may touch tsyringe containers.";
  const paths = room === 'decorators' ? [{ name: 'tsyringe', importNames: TSYRINGE_GLOBALS, message }] : [];
  return { '@typescript-eslint/no-restricted-imports': ['error', { paths, patterns }] };
}

const rooms = readdirSync(new URL('./src', import.meta.url), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map((each) => each.name);

export default defineConfig(
  globalIgnores(['dist/', '.dist-*/', '.build/', 'coverage/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    name: 'typescript',
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // `return refuse(response)` ends a function early, one that returns a promise of nothing included.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // A module is an empty class under a decorator, an empty class stands in for one that fails, and McpFactory is only static.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true, allowStaticOnly: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An async function without await turns a throw into a rejection, which is what its callers expect.
      '@typescript-eslint/require-await': 'off',
      // Authors may write plain JavaScript, and guards narrow `unknown` through a cast: checks the types call needless are needed.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-boolean-literal-compare': 'off',
      // `get<T>(token): T`, and the decorator types that turn a wrong class into `never`.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    name: 'sizes of src',
    files: ['src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: false, skipComments: false, IIFEs: true }],
      'max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: "CallExpression[callee.object.name='console']", message: 'stdout may carry the protocol: use the logger.' },
      ],
      ...importRulesFor(undefined),
    },
  },
  ...rooms.map((room) => ({ name: `imports of src/${room}`, files: [`src/${room}/**/*.ts`], rules: importRulesFor(room) })),
  {
    name: 'where any is the only type that fits',
    // A constructor's parameters, a factory's and a run-time tool's input are known to their author and to nobody who holds them.
    files: ['src/contracts/{type,provider,tool,prompt}.ts', 'src/container/configurable-module.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    name: 'decorators for any class',
    // A static method is decorated through its class, and the type of any class at all is Function.
    files: ['src/decorators/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-function-type': 'off' },
  },
  {
    name: 'packages that are loaded when they are first needed',
    files: ['src/schema/**/*.ts', 'src/testing/**/*.ts', 'src/policy/guards/rate-limit-guard.ts'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    name: 'rooms that serve the legacy era',
    // The SDK marks what only the 2025 revisions have as deprecated; serving those revisions is the point.
    files: ['src/protocol/**/*.ts', 'src/transport/**/*.ts', 'src/testing/**/*.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    name: 'names that are kept for those who come from elsewhere',
    files: ['src/index.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    name: 'a method that may answer nothing',
    // An author whose check() has no return statement has written one of type void.
    files: ['src/contracts/health-indicator.ts'],
    rules: { '@typescript-eslint/no-invalid-void-type': 'off' },
  },
  {
    name: 'tests and samples',
    files: ['test/**/*.ts', 'samples/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // Answers from the wire are looked into as they are, and fixtures are wrong on purpose.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  {
    name: 'scripts',
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        TextDecoder: 'readonly',
      },
    },
  },
);
