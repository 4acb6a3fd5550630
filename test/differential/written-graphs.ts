import type { DifferenceName } from './differences';
import type { ClassSpec, GraphSpec, ModuleSpec, ProviderSpec } from './graph-spec';
import type { Kind } from './observe';

/** A graph written by hand, and what is to be seen of it. */
export interface WrittenGraph {
  readonly behaviour: string;
  readonly graph: GraphSpec;
  /** Why both sides refuse it; a graph without is booted by NestJS. */
  readonly refused?: Kind;
  /** Why a start hook fails. */
  readonly initFails?: true;
  readonly shows?: readonly DifferenceName[];
}

const ONE: Readonly<Record<string, ClassSpec>> = { A: {} };
const CHAIN: Readonly<Record<string, ClassSpec>> = { A: {}, B: { deps: ['A'] }, C: { deps: ['B', 'A'] } };
const REQUEST: ClassSpec = { scope: 'REQUEST' };
const TRANSIENT: ClassSpec = { scope: 'TRANSIENT' };

const optional = (token: string) => ({ token, isOptional: true });
const forward = (token: string) => ({ token, isForward: true });
const classes = (all: Readonly<Record<string, ClassSpec>>, ...modules: ModuleSpec[]): GraphSpec => ({ classes: all, modules });
const noting = (provide: string, ...deps: string[]): ProviderSpec => ({ provide, useFactory: 'sync', deps, ticks: 2 });
const exporting = (token: string, extra: Partial<ModuleSpec> = {}): ModuleSpec => ({ providers: [token], exports: [token], ...extra });

const MODULES: readonly WrittenGraph[] = [
  { behaviour: 'a module without anything boots', graph: { modules: [{}] } },
  {
    behaviour: 'a static module imported twice is one module',
    graph: classes(
      CHAIN,
      { imports: [1, 2], providers: ['C'] },
      exporting('A', { imports: [2], providers: ['A', 'B'], exports: ['A', 'B', { module: 2 }] }),
      { providers: [] },
    ),
  },
  {
    behaviour: 'a diamond shares the module at its foot',
    graph: classes(
      { A: {}, B: { deps: ['A'] }, C: { deps: ['A'] }, D: { deps: ['B', 'C'] } },
      { imports: [1, 2], providers: ['D'] },
      exporting('B', { imports: [3] }),
      exporting('C', { imports: [3] }),
      exporting('A'),
    ),
  },
  {
    behaviour: 'one dynamic module object is one module',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['C'] }, exporting('B', { imports: [2] }), exporting('A', { dynamic: true })),
  },
  {
    behaviour: 'two equal dynamic module objects are two modules',
    graph: classes(
      CHAIN,
      { imports: [2, 1], providers: ['C'] },
      exporting('B', { imports: [3] }),
      exporting('A', { dynamic: true }),
      exporting('A', { dynamic: 2 }),
    ),
  },
  {
    behaviour: 'a static and a dynamic module of one class are two modules',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['B'] }, exporting('A'), {
      dynamic: 1,
      providers: [{ provide: 'x', useValue: 'x' }],
      exports: ['x'],
    }),
  },
  {
    behaviour: 'promises of dynamic modules are awaited',
    graph: classes(
      CHAIN,
      { imports: [{ promise: 1 }, { promise: 2 }], providers: ['C'] },
      exporting('A', { dynamic: true }),
      exporting('B', { dynamic: true, imports: [{ promise: 1 }] }),
    ),
  },
  {
    behaviour: 'two modules may import each other',
    graph: classes(
      { A: { deps: ['x'] }, B: { deps: ['y'] } },
      { imports: [1] },
      { imports: [{ forward: 2 }], providers: ['A', { provide: 'y', useValue: 'y' }], exports: ['y'] },
      { imports: [{ forward: 1 }], providers: ['B', { provide: 'x', useValue: 'x' }], exports: ['x'] },
    ),
    shows: ['dependency first'],
  },
  {
    behaviour: 'dynamic modules may import each other as promises',
    graph: { modules: [{ imports: [1] }, { dynamic: true, imports: [{ promise: 2 }] }, { dynamic: true, imports: [{ promise: 1 }] }] },
    refused: 'never ends',
    shows: ['promises in a circle'],
  },
  {
    behaviour: 'a module hands on what it imports by exporting the module',
    graph: classes(
      CHAIN,
      { imports: [1], providers: ['B'] },
      { imports: [2], exports: [{ module: 2 }] },
      { imports: [3], exports: [{ module: 3 }] },
      exporting('A'),
    ),
  },
  {
    behaviour: 'a dynamic module is handed on by its object',
    graph: classes(
      CHAIN,
      { imports: [1], providers: ['B'] },
      { imports: [2], exports: [{ module: 2 }] },
      exporting('A', { dynamic: true }),
    ),
  },
  {
    behaviour: 'what is imported is not handed on by itself',
    graph: classes(CHAIN, { imports: [1], providers: ['B'] }, { imports: [2] }, exporting('A')),
    refused: 'unknown dependency',
  },
  {
    behaviour: 'a global module is visible without an import',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['C'] }, exporting('A', { isGlobal: true }), exporting('B')),
  },
  {
    behaviour: 'a dynamic module may be global',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['C'] }, exporting('A', { dynamic: true, isGlobal: true }), exporting('B')),
  },
  {
    behaviour: 'a global module keeps what it does not export',
    graph: classes(CHAIN, { imports: [1], providers: ['B'] }, { providers: ['A'], isGlobal: true }),
    refused: 'unknown dependency',
  },
  {
    behaviour: 'own providers come before those of imports and globals',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['A', 'B'] }, exporting('A'), exporting('A', { isGlobal: true })),
  },
  {
    behaviour: 'the first import that exports a token wins',
    graph: {
      modules: [
        { imports: [2, 1], providers: [noting('taker', 't')] },
        { providers: [noting('t')], exports: ['t'] },
        { providers: [noting('t')], exports: ['t'] },
      ],
    },
  },
  {
    behaviour: 'an import comes before a global module',
    graph: {
      modules: [
        { imports: [1, 2], providers: [noting('taker', 't')] },
        { isGlobal: true, providers: [noting('t')], exports: ['t'] },
        { providers: [noting('t')], exports: ['t'] },
      ],
    },
  },
  {
    behaviour: 'what an earlier import hands on comes before what a later import provides',
    graph: {
      modules: [
        { imports: [1, 2], providers: [noting('taker', 't')] },
        { imports: [3], exports: [{ module: 3 }] },
        { providers: [noting('t')], exports: ['t'] },
        { providers: [noting('t')], exports: ['t'] },
      ],
    },
  },
  {
    behaviour: 'the class of a module can be injected inside it, and may ask for its providers',
    graph: classes({ A: {}, B: { deps: ['module:0'] } }, { providers: ['B', 'A'], itself: { deps: ['A'] } }),
    shows: ['dependency first'],
  },
  {
    behaviour: 'each module has its own instance of a class that several provide',
    graph: classes(CHAIN, { imports: [1, 2], providers: ['A', 'B', 'C'] }, { providers: ['A', 'B'] }, { providers: ['A'] }),
  },
  { behaviour: 'an undefined import is refused', graph: { modules: [{ imports: [{ bad: 'undefined' }] }] }, refused: 'undefined entry' },
  { behaviour: 'an import that is null is refused', graph: { modules: [{ imports: [{ bad: 'null' }] }] }, refused: 'not a module' },
  {
    behaviour: 'a provider among the imports is refused',
    graph: classes(ONE, { imports: [1, { provider: 'A' }] }, { providers: ['A'] }),
    refused: 'not a module',
  },
  {
    behaviour: 'a class without @Module() among the imports is refused here',
    graph: { modules: [{ imports: [{ bad: 'undecorated' }] }] },
    shows: ['undecorated import'],
  },
  { behaviour: 'an unknown export is refused', graph: classes(ONE, { imports: [1] }, { exports: ['nothing'] }), refused: 'unknown export' },
  {
    behaviour: 'the export of a class that nobody provides is refused',
    graph: classes(ONE, { imports: [1] }, { exports: ['A'] }),
    refused: 'unknown export',
  },
  {
    behaviour: 'an export of what an import provides is refused',
    graph: classes(ONE, { imports: [1] }, { imports: [2], exports: ['A'] }, exporting('A')),
    refused: 'unknown export',
  },
  { behaviour: 'an undefined export is refused', graph: { modules: [{ exports: [{ bad: 'undefined' }] }] }, refused: 'undefined entry' },
];

const PROVIDERS: readonly WrittenGraph[] = [
  { behaviour: 'constructor parameters are found by type', graph: classes(CHAIN, { providers: ['C', 'B', 'A'] }) },
  {
    behaviour: 'useClass builds a class under another token',
    graph: classes(CHAIN, { providers: [{ provide: 'b', useClass: 'B' }, 'A', { provide: 'A2', useClass: 'A' }] }),
  },
  {
    behaviour: 'useValue gives the value, one object under two tokens too',
    graph: {
      modules: [
        {
          providers: [
            { provide: 'a', useValue: 'v', isQuiet: true },
            { provide: 'b', useValue: 'v', isQuiet: true },
            noting('c', 'a', 'b'),
          ],
        },
      ],
    },
  },
  {
    behaviour: 'useFactory gets what it asks for',
    graph: classes(CHAIN, { providers: ['A', 'B', noting('f', 'A', 'B', '#s'), { provide: '#s', useValue: 's' }] }),
  },
  {
    behaviour: 'asynchronous factories are awaited before what depends on them',
    graph: classes(CHAIN, {
      providers: ['C', 'B', { provide: 'A', useFactory: 'async', deps: ['x'] }, { provide: 'x', useFactory: 'async' }],
    }),
  },
  {
    behaviour: 'useExisting is the same instance, through several names',
    graph: classes(ONE, {
      providers: [{ provide: 'c', useExisting: 'b' }, { provide: 'b', useExisting: 'A' }, 'A', noting('taker', 'A', 'b', 'c')],
    }),
  },
  {
    behaviour: 'useExisting may stand for what an import exports',
    graph: classes(
      ONE,
      { imports: [1], providers: [noting('taker', 'c')] },
      { imports: [2], providers: [{ provide: 'c', useExisting: 'A' }], exports: ['c'] },
      exporting('A'),
    ),
  },
  {
    behaviour: 'an optional dependency that is missing is undefined',
    graph: classes(
      { A: { deps: [optional('x')] }, B: { deps: [optional('A'), optional('y')] } },
      { providers: ['B', 'A', { provide: 'f', useFactory: 'sync', deps: [optional('z'), 'A'] }] },
    ),
  },
  {
    behaviour: 'properties are injected',
    graph: classes(
      { A: {}, B: { properties: { a: 'A', x: 'x', none: optional('none') } } },
      { providers: ['B', 'A', { provide: 'x', useValue: 'x' }] },
    ),
  },
  {
    behaviour: 'a subclass without a constructor is given what its parent asks for',
    graph: classes(
      { A: {}, B: { deps: ['A'], properties: { x: 'x' } }, C: { extends: 'B' } },
      { providers: ['C', 'A', { provide: 'x', useValue: 'x' }] },
    ),
  },
  {
    behaviour: 'forwardRef on both sides lets two classes have each other',
    graph: classes({ A: { deps: [forward('B')] }, B: { deps: [forward('A')] } }, { providers: ['A', 'B'] }),
  },
  {
    behaviour: 'forwardRef works across modules that import each other',
    graph: classes(
      { A: { deps: [forward('B')] }, B: { deps: [forward('A')] } },
      { imports: [1] },
      exporting('A', { imports: [{ forward: 2 }] }),
      exporting('B', { imports: [{ forward: 1 }] }),
    ),
    shows: ['circle order'],
  },
  {
    behaviour: 'forwardRef on properties lets two classes have each other',
    graph: classes({ A: { properties: { b: forward('B') } }, B: { properties: { a: forward('A') } } }, { providers: ['A', 'B'] }),
  },
  {
    behaviour: 'forwardRef on the side that is built first is enough',
    graph: classes({ A: { deps: [forward('B')] }, B: { deps: ['A'] } }, { providers: ['A', 'B'] }),
    shows: ['dependency first'],
  },
  {
    behaviour: 'forwardRef on the side that is built second is enough',
    graph: classes({ A: { deps: ['B'] }, B: { deps: [forward('A')] } }, { providers: ['A', 'B'] }),
    shows: ['dependency first'],
  },
  {
    behaviour: 'forwardRef in the inject list of a factory without a circle is followed',
    graph: classes(ONE, { providers: [{ provide: 'f', useFactory: 'sync', deps: [forward('A')] }, 'A'] }),
  },
  {
    behaviour: 'what depends on an asynchronous factory with a forwardRef waits for it here',
    graph: classes(ONE, {
      providers: ['A', { provide: 'f', useFactory: 'async', deps: [forward('A')] }, { provide: 'g', useExisting: 'f' }],
    }),
    shows: ['forwardRef in a factory'],
  },
  {
    behaviour: 'a dependency that nobody provides is refused',
    graph: { modules: [{ providers: [noting('a', 'missing')] }] },
    refused: 'unknown dependency',
  },
  { behaviour: 'a class that nobody provides is refused', graph: classes(CHAIN, { providers: ['B'] }), refused: 'unknown dependency' },
  {
    behaviour: 'a property that nobody provides is refused',
    graph: classes({ A: { properties: { x: 'missing' } } }, { providers: ['A'] }),
    refused: 'unknown dependency',
  },
  {
    behaviour: 'a dependency that its module does not export is refused',
    graph: classes(CHAIN, { imports: [1], providers: ['B'] }, { providers: ['A'] }),
    refused: 'unknown dependency',
  },
  {
    behaviour: 'a parameter type that left nothing at run time is refused',
    graph: classes({ A: { deps: ['@object'] } }, { providers: ['A'] }),
    refused: 'unknown dependency',
  },
  {
    behaviour: 'an undefined parameter type is refused',
    graph: classes({ A: { deps: ['@undefined'] } }, { providers: ['A'] }),
    refused: 'undefined dependency',
  },
  {
    behaviour: 'a useExisting that leads nowhere is refused',
    graph: { modules: [{ providers: [{ provide: 'a', useExisting: 'missing' }] }] },
    refused: 'unknown dependency',
  },
  {
    behaviour: 'a circle of classes is refused',
    graph: classes({ A: { deps: ['B'] }, B: { deps: ['C'] }, C: { deps: ['A'] } }, { providers: ['A', 'B', 'C'] }),
    refused: 'circle',
  },
  {
    behaviour: 'a circle of properties is refused',
    graph: classes({ A: { properties: { b: 'B' } }, B: { properties: { a: 'A' } } }, { providers: ['A', 'B'] }),
    refused: 'circle',
  },
  {
    behaviour: 'a circle of factories is refused',
    graph: { modules: [{ providers: [noting('a', 'b'), noting('b', 'a')] }] },
    refused: 'circle',
  },
  {
    behaviour: 'a class that asks for itself is refused',
    graph: classes({ A: { deps: ['A'] } }, { providers: ['A'] }),
    refused: 'unknown dependency',
    shows: ['self is a circle'],
  },
  {
    behaviour: 'a circle without forwardRef is refused here, also beside another that has it',
    graph: classes({ A: { deps: ['B', forward('C')] }, B: { deps: ['A'] }, C: { deps: [forward('A')] } }, { providers: ['A', 'B', 'C'] }),
    shows: ['circle beside a forwardRef'],
  },
  {
    behaviour: 'a circle through an optional dependency is refused here',
    graph: classes({ A: { deps: [optional('B')] }, B: { deps: ['A'] } }, { providers: ['B', 'A'] }),
    shows: ['circle through an optional dependency'],
  },
  {
    behaviour: 'an entry without any of the four forms is refused',
    graph: { modules: [{ providers: [{ provide: 'z', bad: 'nothing' }] }] },
    refused: 'not a provider',
  },
  {
    behaviour: 'an undefined provider is refused',
    graph: { modules: [{ providers: [{ bad: 'undefined' }] }] },
    refused: 'undefined entry',
  },
  {
    behaviour: 'a constructor that throws stops the boot',
    graph: classes({ A: { fails: ['construct'] } }, { providers: ['A'] }),
    refused: 'failed',
  },
  {
    behaviour: 'an asynchronous factory that rejects stops the boot',
    graph: { modules: [{ providers: [{ provide: 'a', useFactory: 'async', fails: ['construct'] }, noting('b', 'a')] }] },
    refused: 'failed',
  },
  {
    behaviour: 'one token twice in one module is refused here',
    graph: classes({ ...CHAIN, A2: {} }, { providers: ['A', 'B', { provide: 'A', useClass: 'A2' }] }),
    shows: ['duplicate token'],
  },
  {
    behaviour: 'several mistakes are refused',
    graph: classes(
      { ...CHAIN, X: { deps: ['X'] } },
      { imports: [{ bad: 'undefined' }], providers: ['B', 'X', { provide: 'z', bad: 'nothing' }] },
    ),
    refused: 'undefined entry',
  },
];

const SCOPES: readonly WrittenGraph[] = [
  {
    behaviour: 'each consumer has its own transient instance, also through another transient',
    graph: classes(
      { T: TRANSIENT, U: { ...TRANSIENT, deps: ['T'] }, A: { deps: ['T', 'U'] }, B: { deps: ['U', 'T'] } },
      { providers: ['A', 'B', 'T', 'U'] },
    ),
    shows: ['transient ties'],
  },
  {
    behaviour: 'a transient provider of another module is new for each consumer',
    graph: classes({ T: TRANSIENT, A: { deps: ['T'] }, B: { deps: ['T'] } }, { imports: [1], providers: ['A', 'B'] }, exporting('T')),
  },
  {
    behaviour: 'a transient factory runs for each consumer',
    graph: classes(
      { A: { deps: ['t'] }, B: { deps: ['t'] } },
      { providers: ['A', 'B', { provide: 't', useFactory: 'sync', scope: 'TRANSIENT' }] },
    ),
  },
  {
    behaviour: 'each consumer of an alias of a transient provider has its own instance',
    graph: classes(
      { T: TRANSIENT, A: { deps: ['t'] }, B: { deps: ['t'] } },
      { providers: ['A', 'B', 'T', { provide: 't', useExisting: 'T' }] },
    ),
    shows: ['alias of a transient'],
  },
  {
    behaviour: 'INQUIRER tells a transient provider for whom it is',
    graph: classes({ T: { ...TRANSIENT, deps: ['@inquirer'] }, A: { deps: ['T'] }, B: { deps: ['T'] } }, { providers: ['A', 'B', 'T'] }),
    shows: ['inquirer is the consumer'],
  },
  {
    behaviour: 'a request-scoped instance is one for each operation and shares the singletons',
    graph: classes(
      { A: {}, R: { ...REQUEST, deps: ['A', '@operation'] }, S: { ...REQUEST, deps: ['R', 'A'] } },
      { providers: ['A', 'S', 'R'] },
    ),
  },
  {
    behaviour: 'one operation has one instance across modules',
    graph: classes(
      { R: REQUEST, S: { ...REQUEST, deps: ['R'] }, Q: { ...REQUEST, deps: ['R', 'S'] } },
      { imports: [1, 2], providers: ['Q'] },
      exporting('R'),
      exporting('S', { imports: [1] }),
    ),
  },
  {
    behaviour: 'a handler that needs request scope becomes request-scoped',
    graph: classes(
      { A: {}, R: { ...REQUEST, deps: ['@operation'] }, H: { deps: ['A', 'R'], isHandler: true }, Plain: { deps: ['A'], isHandler: true } },
      { providers: ['H', 'Plain', 'A', 'R'] },
    ),
  },
  {
    behaviour: 'a transient provider that needs request scope becomes request-scoped, and with it its handler',
    graph: classes(
      { R: REQUEST, T: { ...TRANSIENT, deps: ['R'] }, H: { deps: ['T', 'R'], isHandler: true } },
      { providers: ['H', 'T', 'R'] },
    ),
  },
  {
    behaviour: 'a request-scoped instance has transient instances of its own',
    graph: classes({ T: TRANSIENT, R: { ...REQUEST, deps: ['T'] }, S: { ...REQUEST, deps: ['T', 'R'] } }, { providers: ['T', 'R', 'S'] }),
  },
  {
    behaviour: 'a request-scoped factory runs once for each operation',
    graph: classes(
      { S: { ...REQUEST, deps: ['f'] } },
      { providers: ['S', { provide: 'f', useFactory: 'async', scope: 'REQUEST', deps: ['@operation'] }] },
    ),
  },
  {
    behaviour: 'useExisting of a request-scoped provider gives the instance of the operation',
    graph: classes({ R: REQUEST, S: { ...REQUEST, deps: ['r', 'R'] } }, { providers: ['S', 'R', { provide: 'r', useExisting: 'R' }] }),
  },
  {
    behaviour: 'forwardRef lets two request-scoped classes have each other',
    graph: classes({ R: { ...REQUEST, deps: [forward('S')] }, S: { ...REQUEST, deps: [forward('R')] } }, { providers: ['R', 'S'] }),
  },
  {
    behaviour: 'a circle among request-scoped providers is refused here',
    graph: classes({ R: { ...REQUEST, deps: ['S'] }, S: { ...REQUEST, deps: ['R'] } }, { providers: ['R', 'S'] }),
    shows: ['circle in request scope'],
  },
  {
    behaviour: 'forwardRef on one side of a circle in request scope is enough here',
    graph: classes({ R: { ...REQUEST, deps: ['S'] }, S: { ...REQUEST, deps: [forward('R')] } }, { providers: ['R', 'S'] }),
    shows: ['one forwardRef in request scope'],
  },
  {
    behaviour: 'a singleton that depends on request scope is refused here',
    graph: classes({ R: REQUEST, A: { deps: ['R'] }, B: { deps: ['A'] } }, { providers: ['A', 'B', 'R'] }),
    shows: ['captive dependency'],
  },
  {
    behaviour: 'a circle of transient providers is refused',
    graph: classes(
      { T: { ...TRANSIENT, deps: ['U'] }, U: { ...TRANSIENT, deps: ['T'] }, A: { deps: ['T'] } },
      { providers: ['A', 'T', 'U'] },
    ),
    refused: 'never ends',
    shows: ['circle that hangs'],
  },
];

const HOOKS: readonly WrittenGraph[] = [
  {
    behaviour: 'hooks of one level run side by side, level by level, the module class last',
    graph: { modules: [{ providers: [noting('top', 'x', 'y'), noting('x'), noting('y'), noting('z')], itself: { ticks: 1 } }] },
  },
  {
    behaviour: 'the deepest module starts first, by its longest import path',
    graph: {
      modules: [
        { imports: [1, 3, 2] },
        { imports: [2], providers: [noting('a')] },
        { imports: [4], providers: [noting('b')] },
        { providers: [noting('c')] },
        { providers: [noting('d')] },
      ],
    },
  },
  {
    behaviour: 'modules of one depth start in the order in which they were met',
    graph: { modules: [{ imports: [1, 2, 3] }, { imports: [4] }, { imports: [4] }, { imports: [5] }, {}, {}] },
  },
  {
    behaviour: 'global modules start before all others',
    graph: {
      modules: [
        { imports: [1, 2], providers: [noting('root')] },
        { imports: [3], providers: [noting('a')] },
        { isGlobal: true, providers: [noting('g')], exports: ['g'] },
        { providers: [noting('b')] },
      ],
    },
  },
  {
    behaviour: 'two modules that import each other start by their depth',
    graph: { modules: [{ imports: [1, 3] }, { imports: [{ forward: 2 }] }, { imports: [{ forward: 1 }, 3] }, { imports: [4] }, {}] },
  },
  {
    behaviour: 'a module starts after the one it depends on, global or not',
    graph: {
      modules: [
        { imports: [1, 2] },
        { providers: [noting('plain')], exports: ['plain'] },
        { isGlobal: true, imports: [1], providers: [noting('g', 'plain')], exports: ['g'] },
      ],
    },
    shows: ['dependency first'],
  },
  { behaviour: 'values have their hooks called', graph: { modules: [{ providers: [noting('a', 'v'), { provide: 'v', useValue: 'v' }] }] } },
  {
    behaviour: 'one value under two tokens has its hooks called once here',
    graph: {
      modules: [
        { imports: [1], providers: [] },
        {
          providers: [
            { provide: 'v', useValue: 'v' },
            { provide: 'w', useValue: 'v' },
          ],
        },
      ],
    },
    shows: ['one call for one object'],
  },
  {
    behaviour: 'transient instances that were built at boot have their hooks called',
    graph: classes({ T: { ...TRANSIENT, ticks: 1 }, A: { deps: ['T'] }, B: { deps: ['T', 'A'] } }, { providers: ['B', 'A', 'T'] }),
    shows: ['transient ties'],
  },
  {
    behaviour: 'property dependencies count for the level',
    graph: classes({ A: { ticks: 1 }, B: { properties: { a: 'A' }, ticks: 1 } }, { providers: ['B', 'A'] }),
  },
  {
    behaviour: 'what depends on both sides of a circle starts after them',
    graph: classes({ A: { deps: [forward('B')] }, B: { deps: [forward('A')] }, C: { deps: ['A', 'B'] } }, { providers: ['C', 'A', 'B'] }),
    shows: ['dependency first'],
  },
  {
    behaviour: 'what depends on a class with a forwardRef is on a level above it',
    graph: classes(
      { A: { deps: [forward('x')] }, B: { deps: ['A'], ticks: 1 } },
      { imports: [1], providers: ['B', noting('other')] },
      { isGlobal: true, imports: [], providers: ['A', noting('x')], exports: ['A'] },
    ),
    shows: ['level behind forwardRef'],
  },
  {
    behaviour: 'a hook that rejects at the end stops no other',
    graph: classes(
      { A: { fails: ['onModuleDestroy', 'onApplicationShutdown'] }, B: { deps: ['A'], fails: ['beforeApplicationShutdown'] } },
      { imports: [1], providers: ['B', 'A'] },
      { providers: [noting('x')], itself: { fails: ['onModuleDestroy'] } },
    ),
  },
  {
    behaviour: 'a hook that rejects at the start stops the start, and everything is ended',
    graph: classes(
      { A: { fails: ['onModuleInit'] }, B: { deps: ['A'] } },
      { imports: [1], providers: ['B', 'A'] },
      { providers: [noting('x')] },
    ),
    initFails: true,
    shows: ['failed start is ended'],
  },
  {
    behaviour: 'a bootstrap hook that rejects stops the start, and everything is ended',
    graph: classes(
      { A: { fails: ['onApplicationBootstrap'] }, B: { deps: ['A'] } },
      { imports: [1], providers: ['B', 'A'] },
      { providers: [noting('x')] },
    ),
    initFails: true,
    shows: ['failed start is ended'],
  },
];

/** A global module with a provider of the token that several of them export. */
const offering = (extra: Partial<ModuleSpec> = {}): ModuleSpec => ({ isGlobal: true, providers: [noting('t')], exports: ['t'], ...extra });
const taking = (...imports: number[]): ModuleSpec => ({ imports, providers: [noting('taker', 't')] });

/** Several global modules export one token: the first that NestJS registers is the one whose provider is injected. */
const GLOBALS: readonly WrittenGraph[] = [
  {
    behaviour: 'the modules that a dynamic module object imports come before those which they import',
    graph: {
      modules: [taking(1), { dynamic: true, imports: [2, 4] }, { imports: [3] }, offering(), offering()],
    },
  },
  {
    behaviour: 'a global dynamic module comes after the global ones that its object imports, and before those of its class',
    graph: {
      modules: [
        taking(1),
        { imports: [2] },
        offering({ dynamic: true, imports: [3] }),
        offering({ dynamic: true, imports: [4], importsInClass: true }),
        offering(),
      ],
    },
  },
  {
    behaviour: 'a global dynamic module in static imports comes before the global ones of its class',
    graph: {
      modules: [taking(1), { imports: [2] }, offering({ dynamic: true, imports: [3], importsInClass: true }), offering()],
    },
  },
  {
    behaviour: 'of two global modules side by side in a dynamic module object, the one without imports of its own comes first',
    graph: {
      modules: [
        taking(1),
        { dynamic: true, imports: [2, 3] },
        offering({ dynamic: true, imports: [4] }),
        offering({ dynamic: true }),
        { dynamic: true, imports: [{ promise: 5 }] },
        { dynamic: true },
      ],
    },
  },
  {
    behaviour: 'a forward reference in a dynamic module object takes a turn longer than what stands beside it',
    graph: {
      modules: [taking(1), { dynamic: true, imports: [{ forward: 2 }, 3] }, offering(), offering()],
    },
  },
  {
    behaviour: 'a second forward reference to a module leads on from there before the walk is back at the first',
    graph: {
      modules: [taking(1), { imports: [{ forward: 2 }, 3] }, { imports: [{ forward: 1 }, 4] }, offering(), offering()],
    },
  },
];

const SHARED: readonly WrittenGraph[] = [
  {
    behaviour: 'one consumer that asks twice for a transient provider has one instance of it',
    graph: classes({ T: TRANSIENT, A: { deps: ['T', 'T'] } }, { providers: ['A', 'T'] }),
  },
  {
    behaviour: 'aliases have no hooks of their own, and add nothing to the level',
    graph: classes(ONE, {
      providers: [{ provide: 'c', useExisting: 'b' }, { provide: 'b', useExisting: 'A' }, 'A', noting('far', 'c'), noting('near', 'A')],
    }),
  },
  {
    behaviour: 'a value that two modules provide is started before what depends on it in either',
    graph: {
      modules: [
        { imports: [1], providers: [{ provide: 'v', useValue: 'v' }] },
        { providers: [{ provide: 'v', useValue: 'v' }, noting('taker', 'v')] },
      ],
    },
    shows: ['one call for one object'],
  },
];

export const WRITTEN_GRAPHS: readonly WrittenGraph[] = [...MODULES, ...GLOBALS, ...PROVIDERS, ...SCOPES, ...HOOKS, ...SHARED];
