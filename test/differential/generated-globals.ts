import fc from 'fast-check';
import type { GraphSpec, ImportSpec, ModuleSpec } from './graph-spec';

/** The root asks for what the global ones export, and imports one that exports nothing. */
const FIRST = 2;
const LAST = 7;

const draft = fc.record({
  kind: fc.constantFrom('static', 'imports in its object', 'imports in its object', 'imports in its class'),
  isGlobal: fc.nat({ max: 3 }).map((each) => each > 0),
  imports: fc.array(
    fc.record({ module: fc.integer({ min: 1, max: LAST }), how: fc.constantFrom('itself', 'itself', 'forward', 'promise') }),
    {
      maxLength: 4,
    },
  ),
  placeOfNext: fc.nat({ max: 3 }),
});

/** Modules of all kinds, nested and in circles, most of them global and all with a provider of the same token. */
export const graphOfGlobals: fc.Arbitrary<GraphSpec> = fc
  .tuple(draft, fc.array(draft, { minLength: LAST - FIRST + 1, maxLength: LAST - FIRST + 1 }))
  .map(([hub, drafts]) => {
    const all = [hub, ...drafts];
    const modules = all.map(({ kind, isGlobal, imports, placeOfNext }, position): ModuleSpec => {
      const own = position + 1;
      const others = imports.filter(({ module }, index) => module !== own && imports.findIndex((each) => each.module === module) === index);
      const entries = others.map(({ module, how }): ImportSpec => {
        if (how === 'forward') return { forward: module };
        // NestJS follows promises that lead round in a circle for ever.
        return how === 'promise' && module > own && all[module - 1]?.kind !== 'static' ? { promise: module } : module;
      });
      // Each module imports the next, so that the root reaches them all.
      const next = own < LAST ? [own + 1] : [];
      return {
        ...(kind === 'static' ? {} : { dynamic: true }),
        ...(kind === 'imports in its class' ? { importsInClass: true } : {}),
        imports: [...entries.slice(0, placeOfNext), ...next, ...entries.slice(placeOfNext)],
        ...(position === 0 ? {} : { isGlobal, providers: [{ provide: 't', useFactory: 'sync', ticks: 2 }], exports: ['t'] }),
      };
    });
    // One that is certainly global, whatever the others are.
    const last = modules.pop() as ModuleSpec;
    return {
      modules: [
        { imports: [1], providers: [{ provide: 'taker', useFactory: 'sync', deps: ['t'], ticks: 2 }] },
        ...modules,
        { ...last, isGlobal: true },
      ],
    };
  });
