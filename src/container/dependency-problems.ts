import { describeToken, type InjectionToken, type Type } from '../contracts/type';
import { isDeclaredProvider, ownRecord } from '../decorators/metadata';
import type { SetupCode } from '../errors/setup-codes';
import type { SetupProblem } from '../errors/setup-error';
import type { Dependency } from './dependency';
import type { ModuleGraph } from './module-graph';
import type { ModuleNode, ProviderNode } from './module-node';
import { parameterNames } from './parameter-names';
import { describePath } from './scope-problems';

// What the compiler writes for an interface, a type alias, a primitive, a union or a type-only import.
const ERASED: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array, Function, Promise, Symbol, BigInt]);

/** A dependency that nothing visible provides, with the reason that is most likely. */
export function badDependency(node: ProviderNode, dependency: Dependency, graph: ModuleGraph): SetupProblem {
  const { code, because, fix } = diagnose(node, dependency, graph);
  const problem = `Cannot resolve dependencies of the ${signature(node, dependency)}. Please make sure that ${subject(node, dependency)} is available in the ${node.module.name} module.`;
  return { code, problem: because === '' ? problem : `${problem} ${because}`, where: place(node, dependency), fix: fix.join('\n') };
}

/** A constructor of which nothing says what it takes. */
export function missingMetadata(node: ProviderNode, untyped: readonly Dependency[]): SetupProblem {
  const [first, ...others] = untyped as readonly [Dependency, ...Dependency[]];
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const undecorated = !isDecorated(ownerOf(node));
  const inject = `Name the dependency, which needs no metadata: constructor(@Inject(SomeService) ${nameOf(node, first) || 'some'}: SomeService) {}`;
  const compiler = [
    inject,
    'Compile with tsc or SWC and "experimentalDecorators" and "emitDecoratorMetadata" enabled in tsconfig.json (SWC: "legacyDecorator" and "decoratorMetadata"). tsx and esbuild do not emit it.',
  ];
  return {
    code: 'MCP_METADATA_MISSING',
    problem: `The ${node.name} has no decorator metadata, so nothing says what to inject as ${parameter(node, first)}${rest}.`,
    where: place(node, first),
    fix: (undecorated
      ? [`Add @Injectable() to ${node.name}: only for a decorated class does the compiler write what its constructor takes.`, inject]
      : compiler
    ).join('\n'),
  };
}

/** `useExisting` that leads back to itself. */
export function aliasCycle(path: readonly ProviderNode[], back: ProviderNode): SetupProblem {
  const circle = [...path.slice(path.indexOf(back)), back].map((each) => describeToken(each.token));
  return {
    code: 'MCP_DEPENDENCY_CYCLE',
    problem: `A circular dependency has been detected: ${describePath(circle)}. Every one of them is only another name for the next.`,
    where: `the "providers" of ${back.module.name}`,
    fix: 'Let one of them use "useClass", "useValue" or "useFactory".',
  };
}

interface Diagnosis {
  readonly code: SetupCode;
  readonly because: string;
  readonly fix: readonly string[];
}

function diagnose(node: ProviderNode, dependency: Dependency, graph: ModuleGraph): Diagnosis {
  const { token, flaw } = dependency;
  if (flaw === 'unsupported') return unsupported();
  if (token === undefined) return undefinedDependency();
  if (ERASED.has(token)) return erased(token, dependency);
  const holders = graph.all(token).filter((each) => each.module !== node.module);
  if (holders.length > 0) return notExported(node.module, token, holders);
  const name = describeToken(token);
  const isDecoratedClass = typeof token === 'function' && isDeclaredProvider(token as Type);
  return {
    code: isDecoratedClass ? 'MCP_PROVIDER_UNREACHED' : 'MCP_DEPENDENCY_UNRESOLVED',
    because: isDecoratedClass ? 'No module provides it.' : '',
    fix: [
      `If ${name} is a provider, add it to the "providers" of ${node.module.name}.`,
      `If ${name} is exported from a separate @Module, import that module within ${node.module.name}: @Module({ imports: [ /* the Module containing ${name} */ ] })`,
      'If it may be missing, mark it with @Optional().',
    ],
  };
}

function notExported(asking: ModuleNode, token: InjectionToken, holders: readonly ProviderNode[]): Diagnosis {
  const name = describeToken(token);
  const exporting = holders.find((each) => each.module.exported.has(token))?.module;
  const code = 'MCP_DEPENDENCY_NOT_EXPORTED';
  if (exporting !== undefined) {
    const because = `${exporting.name} provides and exports it, but ${asking.name} does not import ${exporting.name}.`;
    return { code, because, fix: [`Add ${exporting.name} to the "imports" of ${asking.name}.`] };
  }
  const holder = (holders.find((each) => asking.imports.has(each.module)) ?? holders[0])?.module.name ?? '';
  const imports = holders.some((each) => asking.imports.has(each.module)) ? [] : [`Add ${holder} to the "imports" of ${asking.name}.`];
  return {
    code,
    because: `${holder} provides it, but does not export it.`,
    fix: [`Add ${name} to the "exports" of ${holder}.`, ...imports],
  };
}

function undefinedDependency(): Diagnosis {
  return {
    code: 'MCP_DEPENDENCY_UNDEFINED',
    because: 'It appears to be undefined at run time.',
    fix: [
      'If two files import each other, wrap the class: @Inject(forwardRef(() => SomeService)). Moving what both need into a third file is better.',
      "If the class is imported with 'import type', change it: import { SomeService } from './some.service';",
    ],
  };
}

function erased(token: InjectionToken, dependency: Dependency): Diagnosis {
  const at = dependency.property === undefined ? 'parameter' : 'property';
  return {
    code: 'MCP_DEPENDENCY_ERASED',
    because: `The type of the ${at} is ${describeToken(token)} at run time, because an interface, a type alias, a primitive or a type-only import leaves nothing else.`,
    fix: [
      `Name what to inject: @Inject(SOME_TOKEN), with { provide: SOME_TOKEN, … } in "providers".`,
      "If it is a class, import it without 'type': import { SomeService } from './some.service';",
      'If nothing is to be injected, mark it with @Optional(), and it is undefined.',
    ],
  };
}

function unsupported(): Diagnosis {
  return {
    code: 'MCP_DEPENDENCY_UNSUPPORTED',
    because: "tsyringe's @injectAll() and the forms with a transform have no meaning among modules.",
    fix: ['Provide the list or the transformed value with a factory: { provide: LIST, inject: [A, B], useFactory: (...all) => all }'],
  };
}

function signature(node: ProviderNode, dependency: Dependency): string {
  const { recipe } = node;
  if (recipe.kind === 'alias') return `${describeToken(node.token)} (useExisting: ?)`;
  if (dependency.index === undefined || (recipe.kind !== 'class' && recipe.kind !== 'factory')) return node.name;
  const parameters = recipe.dependencies.filter((each) => each.index !== undefined);
  const names = parameters.map((each) => (each.index === dependency.index ? '?' : each.token === undefined ? '+' : bare(each.token)));
  return `${node.name} (${names.join(', ')})`;
}

function subject(node: ProviderNode, dependency: Dependency): string {
  if (dependency.property !== undefined) return `the "${String(dependency.property)}" property`;
  if (dependency.index === undefined) return dependency.token === undefined ? 'its target' : describeToken(dependency.token);
  return parameter(node, dependency);
}

function parameter(node: ProviderNode, dependency: Dependency): string {
  const token = dependency.token === undefined ? '' : ` ${describeToken(dependency.token)}`;
  const name = nameOf(node, dependency);
  return `the argument${token} at index [${dependency.index ?? 0}]${name === '' ? '' : ` (${name})`}`;
}

function place(node: ProviderNode, dependency: Dependency): string {
  const provider = `${node.name} in ${node.module.name}`;
  if (dependency.property !== undefined) return `${provider}, property "${String(dependency.property)}"`;
  if (dependency.index === undefined) return `${provider}, useExisting`;
  if (node.recipe.kind === 'factory') return `${provider}, "inject" at index [${dependency.index}]`;
  const name = nameOf(node, dependency);
  return `${provider}, constructor parameter [${dependency.index}]${name === '' ? '' : ` (${name})`}`;
}

function nameOf(node: ProviderNode, dependency: Dependency): string {
  return node.recipe.kind === 'class' ? (parameterNames(node.recipe.constructorOwner)[dependency.index ?? -1] ?? '') : '';
}

function ownerOf(node: ProviderNode): Type | undefined {
  return node.recipe.kind === 'class' ? (node.recipe.constructorOwner as Type) : undefined;
}

// With decorators on its methods only, the compiler writes types for those methods and none for the constructor.
function isDecorated(owner: Type | undefined): boolean {
  if (owner === undefined) return true;
  const own = ownRecord(owner);
  if (own.injectable !== undefined || own.module !== undefined) return true;
  return own.handlers?.some((each) => each.isOfClass && !hasMethodTypes(owner, each.method)) ?? false;
}

function hasMethodTypes(owner: Type, method: PropertyKey): boolean {
  return Reflect.hasOwnMetadata('design:paramtypes', owner.prototype as object, method as string | symbol);
}

function bare(token: InjectionToken): string {
  return typeof token === 'string' ? token : describeToken(token);
}
