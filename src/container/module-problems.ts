import { describeToken } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import type { ModuleFlaw } from './read-module';
import type { ProviderFlaw } from './read-provider';

/** An entry of one of the lists of a module. */
export interface ListEntry {
  readonly list: 'imports' | 'providers' | 'exports';
  readonly index: number;
  /** The name of the module whose list it is. */
  readonly module: string;
}

/** An entry of `imports` that is no module. */
export function badImport(place: ListEntry, flaw: ModuleFlaw, entry: unknown): SetupProblem {
  if (flaw === 'undefined') return undefinedEntry(place);
  if (flaw === 'provider') return providerInImports(place, entry);
  return {
    code: 'MCP_MODULE_INVALID',
    problem: `Cannot create the ${place.module} module: the entry at index [${place.index}] of its "imports" array is not a module: ${describe(entry)}.`,
    where: describePlace(place),
    fix: `If it is your class, decorate it with @Module().\nIf it is a provider, move it to the "providers" array of ${place.module}.`,
  };
}

/** A class with `@Injectable()` in `imports`, which some module provides. */
function providerInImports(place: ListEntry, entry: unknown): SetupProblem {
  const name = describeToken(entry);
  return {
    code: 'MCP_MODULE_INVALID',
    problem: `"${name}" is decorated as a provider and cannot appear in the "imports" array of a module.`,
    where: describePlace(place),
    fix: `Move "${name}" to the "providers" array of ${place.module}, or import the module that provides it.`,
  };
}

/** An entry of `imports`, `providers` or `exports` that is `undefined`. */
export function undefinedEntry(place: ListEntry): SetupProblem {
  const what = { imports: 'module', providers: 'provider', exports: 'export' }[place.list];
  const forward = place.list === 'providers' ? [] : ['If two modules import each other, wrap one in forwardRef(() => X).'];
  return {
    code: 'MCP_MODULE_UNDEFINED',
    problem: `Cannot create the ${place.module} module: the ${what} at index [${place.index}] of its "${place.list}" array is undefined.`,
    where: describePlace(place),
    fix: ['Two files may import each other; move what both need into a third file.', ...forward, 'Check the spelling of the import.'].join(
      '\n',
    ),
  };
}

/** The root is not a module. */
export function badRoot(flaw: ModuleFlaw, entry: unknown): SetupProblem {
  const what = flaw === 'provider' ? `${describeToken(entry)} is a provider` : `${describe(entry)} is not a module`;
  return {
    code: flaw === 'undefined' ? 'MCP_MODULE_UNDEFINED' : 'MCP_MODULE_INVALID',
    problem: `The root of the application is not a module: ${what}.`,
    where: 'the first argument of McpFactory.create()',
    fix: 'Give a class with @Module(), or a dynamic module { module: SomeModule, … }.',
  };
}

/** A promise in `imports` that was rejected. */
export function rejectedImport(place: ListEntry, cause: unknown): SetupProblem {
  return {
    code: 'MCP_MODULE_INVALID',
    problem: `Cannot create the ${place.module} module: the promise at index [${place.index}] of its "imports" array was rejected.`,
    where: describePlace(place),
    fix: 'Look at the cause in the log; the function that makes the dynamic module failed.',
    cause,
  };
}

/** An entry of `providers` that is none. */
export function badProvider(place: ListEntry, flaw: ProviderFlaw, entry: unknown): SetupProblem {
  if (flaw === 'undefined') return undefinedEntry(place);
  return { code: 'MCP_PROVIDER_INVALID', where: describePlace(place), ...providerFlaw(place, flaw, entry) };
}

function providerFlaw(place: ListEntry, flaw: ProviderFlaw, entry: unknown): Pick<SetupProblem, 'problem' | 'fix'> {
  const named = `The provider ${describe((entry as { provide?: unknown } | null)?.provide ?? entry)} in the ${place.module} "providers" array`;
  if (flaw === 'token') {
    const problem = `The provider at index [${place.index}] of the ${place.module} "providers" array has no usable token: its "provide" is ${describe((entry as { provide: unknown }).provide)}.`;
    return { problem, fix: 'Give a class, a string or a symbol as "provide".\nIf it is undefined, two files may import each other.' };
  }
  if (flaw === 'inject')
    return { problem: `${named} has an "inject" that is not an array.`, fix: 'List what the factory takes: inject: [First, Second].' };
  return {
    problem: `${named} does not define a valid "useClass", "useValue", "useFactory" or "useExisting" property.`,
    fix: 'Give one of the four.\nIf the value is a variable, it may be undefined because two files import each other.',
  };
}

/** One token twice in one module. */
export function duplicateProvider(place: ListEntry, token: unknown, first: number): SetupProblem {
  const name = describeToken(token);
  return {
    code: 'MCP_PROVIDER_DUPLICATE',
    problem: `${place.module} provides ${name} twice, at index [${first}] and at index [${place.index}] of its "providers" array.`,
    where: describePlace(place),
    fix: `Remove one of the two.\nIf both are needed, give one another token.`,
  };
}

/** An export of what the module neither provides nor imports. */
export function unknownExport(place: ListEntry, token: unknown): SetupProblem {
  const name = describeToken(token);
  return {
    code: 'MCP_EXPORT_UNKNOWN',
    problem: `Cannot export a provider or module that is not a part of the currently processed module (${place.module}): ${name}.`,
    where: describePlace(place),
    fix: `If ${name} is a provider, add it to the "providers" of ${place.module}.\nIf another module provides it, import that module and export the module.`,
  };
}

/** A decorated class that stands in `imports` or `exports`, and that no module provides. */
export function unreached(place: ListEntry, type: unknown): SetupProblem {
  const name = describeToken(type);
  return {
    code: 'MCP_PROVIDER_UNREACHED',
    problem: `${name} stands in the "${place.list}" of ${place.module}, but no module provides it.`,
    where: describePlace(place),
    fix: `Add ${name} to the "providers" of ${place.module}${place.list === 'imports' ? ', and remove it from its "imports"' : ''}.`,
  };
}

function describePlace(place: ListEntry): string {
  return `the "${place.list}" of ${place.module}, index [${place.index}]`;
}

function describe(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'string' || typeof value === 'symbol') return describeToken(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no properties'}`;
}
