import fc from 'fast-check';
import {
  dependencyOf,
  type ClassSpec,
  type DependencySpec,
  type GraphSpec,
  type ImportSpec,
  type ModuleSpec,
  type ProviderSpec,
  type ScopeName,
} from './graph-spec';
import { isForwardingFactory, tokenOf } from './read-spec';

// In this order, each mostly asks for earlier ones.
const TOKENS = ['t0', 'A', 't1', 'B', '#t2', 'C', 't3', 'D', 't4', 'E'];
const CLASSES = TOKENS.filter((each) => /^[A-Z]$/.test(each));
const MODULES = 5;

const rarely = (times: number): fc.Arbitrary<boolean> => fc.nat({ max: times }).map((each) => each === 0);

const scope: fc.Arbitrary<ScopeName> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<ScopeName>('DEFAULT') },
  { weight: 1, arbitrary: fc.constant<ScopeName>('TRANSIENT') },
  { weight: 1, arbitrary: fc.constant<ScopeName>('REQUEST') },
);

function dependenciesOf(token: string): fc.Arbitrary<DependencySpec[]> {
  const earlier = TOKENS.slice(0, TOKENS.indexOf(token));
  const any = fc.record({ token: fc.constantFrom(...TOKENS), isForward: fc.boolean() });
  const usual = earlier.length === 0 ? any : fc.record({ token: fc.constantFrom(...earlier), isForward: rarely(9) });
  const one = fc.tuple(fc.oneof({ weight: 10, arbitrary: usual }, { weight: 1, arbitrary: any }), rarely(2));
  return fc
    .uniqueArray(one, { maxLength: 3, selector: ([each]) => each.token })
    .map((all) => all.map(([each, isOptional]) => ({ ...each, isOptional })))
    .filter((all) => earlier.length > 0 || all.every((each) => each.isOptional));
}

function classOf(name: string): fc.Arbitrary<ClassSpec> {
  return fc
    .record({ deps: dependenciesOf(name), scope, ticks: fc.integer({ min: 1, max: 3 }), isHandler: rarely(2) })
    .map(({ isHandler, ...spec }) => ({
      ...spec,
      // A transient handler is built for the one registry that asks for it, which NestJS has none of.
      ...(isHandler && spec.scope !== 'TRANSIENT' ? { isHandler: true } : {}),
    }));
}

function providerOf(token: string): fc.Arbitrary<ProviderSpec> {
  if (CLASSES.includes(token)) return fc.constant(token);
  const factory = fc.record({
    useFactory: fc.constantFrom('sync' as const, 'async' as const),
    scope,
    deps: dependenciesOf(token),
    ticks: fc.integer({ min: 1, max: 3 }),
  });
  // What depends on such a factory is given null by NestJS.
  const waited = factory.filter((each) => !isForwardingFactory({ provide: token, ...each }));
  return fc.oneof(
    { weight: 4, arbitrary: waited.map((each): ProviderSpec => ({ provide: token, ...each })) },
    { weight: 1, arbitrary: fc.constantFrom('v', 'w').map((useValue): ProviderSpec => ({ provide: token, useValue, isQuiet: true })) },
    { weight: 1, arbitrary: fc.constantFrom(...CLASSES).map((useClass): ProviderSpec => ({ provide: token, useClass })) },
  );
}

const provider = fc.constantFrom(...TOKENS).chain(providerOf);
const alias = fc.constantFrom(...TOKENS).map((useExisting) => ({ provide: 'alias', useExisting }));

const modules = fc.array(
  fc.record({
    isDynamic: fc.boolean(),
    importsInClass: rarely(2),
    isGlobal: rarely(4),
    providers: fc.uniqueArray(provider, {
      minLength: 1,
      maxLength: 7,
      selector: tokenOf,
    }),
    alias: fc.option(alias, { freq: 6 }),
    keeps: fc.array(fc.constantFrom(...TOKENS), { maxLength: 1 }),
    imports: fc.uniqueArray(fc.record({ module: fc.nat({ max: MODULES - 1 }), how: fc.constantFrom('itself', 'forward', 'promise') }), {
      maxLength: 4,
      selector: (each) => each.module,
    }),
    reexports: fc.boolean(),
  }),
  { minLength: 1, maxLength: MODULES },
);

/** Graphs of up to five modules, most of which boot. */
export const generatedGraph: fc.Arbitrary<GraphSpec> = fc
  .record({
    classes: fc.record(Object.fromEntries(CLASSES.map((name) => [name, classOf(name)]))),
    modules,
    isLenient: fc.nat({ max: 5 }).map((each) => each > 0),
    hasTransient: fc.boolean(),
  })
  .map(({ classes, modules: drafts, ...temper }) => ({
    classes: Object.fromEntries(Object.entries(classes).map(([name, each]) => [name, tempered(each, temper)])),
    modules: drafts.map((draft, index): ModuleSpec => {
      // Each module imports the next, so that the root reaches them all.
      const all = [...draft.imports.filter(({ module }) => module !== index + 1), { module: index + 1, how: 'itself' }];
      const imported = all.filter(({ module }) => module < drafts.length && module !== index);
      const own = draft.providers.map((each) => (typeof each !== 'string' && 'useFactory' in each ? tempered(each, temper) : each));
      const isAliased = (token: string): boolean => !temper.isLenient || own.some((each) => tokenOf(each) === token);
      const providers = [...own, ...(draft.alias !== null && isAliased(draft.alias.useExisting) ? [draft.alias] : [])];
      const exported = providers.flatMap((each) => tokenOf(each) ?? []);
      return {
        ...(draft.isDynamic ? { dynamic: true as const } : {}),
        ...(draft.isDynamic && draft.importsInClass ? { importsInClass: true as const } : {}),
        isGlobal: draft.isGlobal,
        imports: imported.map(({ module, how }): ImportSpec => {
          // NestJS follows promises that lead round in a circle for ever.
          if (how === 'promise' && module > index && drafts[module]?.isDynamic === true) return { promise: module };
          return how === 'forward' ? { forward: module } : module;
        }),
        providers,
        exports: [
          ...exported.filter((each) => !draft.keeps.includes(each)),
          ...(draft.reexports ? imported.map(({ module }) => ({ module })) : []),
        ],
      };
    }),
  }));

interface Temper {
  /** Most graphs would be refused for a dependency that nobody provides; in a lenient one it is undefined instead. */
  readonly isLenient: boolean;
  /** Circles are not shown to NestJS where there are transient providers. */
  readonly hasTransient: boolean;
}

function tempered<T extends ClassSpec>(spec: T, { isLenient, hasTransient }: Temper): T {
  const deps = (spec.deps ?? []).map((each) => ({ ...dependencyOf(each), ...(isLenient ? { isOptional: true } : {}) }));
  return { ...spec, deps, ...(spec.scope === 'TRANSIENT' && !hasTransient ? { scope: 'DEFAULT' } : {}) };
}
