import type { DynamicModule, ModuleImport, Provider } from '../../src/contracts/provider';
import { Scope } from '../../src/contracts/scope';
import { Inject, Optional, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { Module } from '../../src/decorators/module';

/** A graph in plain data: which modules there are, and what each provider asks for by token. */
export type GraphSketch = readonly ModuleSketch[];

export interface ModuleSketch {
  readonly isGlobal: boolean;
  /** Positions in the graph; those beyond its end are left out. */
  readonly imports: readonly number[];
  readonly providers: readonly ProviderSketch[];
  readonly exportsAll: boolean;
  /** Exports what it imports. */
  readonly reexports: boolean;
}

export interface ProviderSketch {
  readonly token: string;
  readonly kind: string;
  readonly scope: Scope;
  readonly dependencies: readonly { readonly token: string; readonly isForward: boolean; readonly isOptional: boolean }[];
}

/** What every provider of a sketch builds. */
export interface Built {
  /** `M<module>/<token>` */
  readonly id: string;
  readonly args: readonly (Built | undefined)[];
}

/**
 * The modules of a sketch; the first is the root, and every other one is imported by it, so that the scan meets them all. Imports stand on
 * the classes, and each module is one entry wherever it is imported: then the scan is depth first and nothing else.
 */
export function makeRoot(sketch: GraphSketch): DynamicModule {
  const modules = sketch.map((_, index): DynamicModule => ({ module: named(`M${index}`) }));
  const entries = modules.map((each, index) => (index === 0 ? each : forwardRef(() => each)));
  for (const [index, module] of modules.entries()) {
    const { providers, isGlobal, exportsAll, reexports } = sketch[index] as ModuleSketch;
    const imports = importsOf(sketch, index);
    const imported = imports.map((each) => modules[each] as DynamicModule);
    Module({ imports: imports.map((each) => entries[each] as ModuleImport) })(module.module);
    Object.assign(module, {
      global: isGlobal,
      providers: providers.map((each) => makeProvider(`M${index}`, each)),
      exports: [...(exportsAll ? providers.map((each) => each.token) : []), ...(reexports ? imported : [])],
    });
  }
  return modules[0] as DynamicModule;
}

function importsOf(sketch: GraphSketch, index: number): readonly number[] {
  const own = sketch[index]?.imports.filter((each) => each < sketch.length && each !== index) ?? [];
  return index === 0 ? [...new Set([...own, ...sketch.keys()])].filter((each) => each !== 0) : own;
}

function makeProvider(module: string, { token, kind, scope, dependencies }: ProviderSketch): Provider {
  const id = `${module}/${token}`;
  if (kind === 'class') return { provide: token, useClass: makeClass(id, { token, kind, scope, dependencies }) };
  const make = (...args: (Built | undefined)[]): Built => ({ id, args });
  const inject = dependencies.map((each) => ({
    token: each.isForward ? (forwardRef(() => each.token) as never) : each.token,
    optional: each.isOptional,
  }));
  return {
    provide: token,
    scope,
    inject,
    useFactory: kind === 'async' ? async (...args) => Promise.resolve(make(...(args as Built[]))) : make,
  };
}

function makeClass(id: string, { scope, dependencies }: ProviderSketch): new (...args: (Built | undefined)[]) => Built {
  class Sketched implements Built {
    readonly id = id;
    readonly args: readonly (Built | undefined)[];
    constructor(...args: (Built | undefined)[]) {
      this.args = args;
    }
  }
  for (const [index, { token, isForward, isOptional }] of dependencies.entries()) {
    Inject(isForward ? forwardRef(() => token) : token)(Sketched, undefined, index);
    if (isOptional) Optional()(Sketched, undefined, index);
  }
  Injectable({ scope })(Sketched);
  Object.defineProperty(Sketched, 'name', { value: id });
  return Sketched;
}

function named(name: string): new () => object {
  const type = class {};
  Object.defineProperty(type, 'name', { value: name });
  return type;
}

/** What a container must make of a sketch, worked out naively. */
export interface Expectation {
  readonly problems: readonly string[];
  /** The ids of what each provider receives. */
  readonly links: ReadonlyMap<string, readonly (string | undefined)[]>;
}

interface Node {
  readonly id: string;
  readonly module: number;
  readonly sketch: ProviderSketch;
}

export function expectationOf(sketch: GraphSketch): Expectation {
  const order = scanOrder(sketch);
  const nodes = new Map(
    order.flatMap((module) =>
      (sketch[module]?.providers ?? []).map((each) => [
        `M${module}/${each.token}`,
        { id: `M${module}/${each.token}`, module, sketch: each },
      ]),
    ),
  );
  const links = new Map(
    [...nodes.values()].map((node) => [node.id, node.sketch.dependencies.map(({ token }) => find(sketch, order, node.module, token))]),
  );
  const missing = [...nodes.values()].flatMap((node) =>
    node.sketch.dependencies.flatMap(({ token, isOptional }, index) => {
      if (isOptional || links.get(node.id)?.[index] !== undefined) return [];
      const code = [...nodes.values()].some((each) => each.sketch.token === token)
        ? 'MCP_DEPENDENCY_NOT_EXPORTED'
        : 'MCP_DEPENDENCY_UNRESOLVED';
      const place =
        node.sketch.kind === 'class'
          ? `${node.id} in M${node.module}, constructor parameter [${index}]`
          : `"${node.sketch.token}" in M${node.module}, "inject" at index [${index}]`;
      return [`${code} ${place}`];
    }),
  );
  const circles = hasCircle(nodes, links) ? ['MCP_DEPENDENCY_CYCLE'] : [];
  return { problems: [...new Set([...missing, ...circles, ...captives(nodes, links)])], links };
}

/** Depth first through the imports, as NestJS scans. */
function scanOrder(sketch: GraphSketch, from = 0, seen: number[] = []): readonly number[] {
  if (seen.includes(from)) return seen;
  seen.push(from);
  for (const each of importsOf(sketch, from)) scanOrder(sketch, each, seen);
  return seen;
}

function find(sketch: GraphSketch, order: readonly number[], module: number, token: string): string | undefined {
  if (sketch[module]?.providers.some((each) => each.token === token) === true) return `M${module}/${token}`;
  const globals = order.filter((each) => sketch[each]?.isGlobal);
  const holder = exporter(sketch, importsOf(sketch, module), token) ?? exporter(sketch, globals, token);
  return holder === undefined ? undefined : `M${holder}/${token}`;
}

function exporter(sketch: GraphSketch, modules: readonly number[], token: string, seen = new Set<number>()): number | undefined {
  for (const module of modules) {
    if (seen.has(module)) continue;
    seen.add(module);
    const { exportsAll, providers, reexports } = sketch[module] as ModuleSketch;
    if (exportsAll && providers.some((each) => each.token === token)) return module;
    const deeper = reexports ? exporter(sketch, importsOf(sketch, module), token, seen) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

type Nodes = ReadonlyMap<string, Node>;
type Links = Expectation['links'];

function hasCircle(nodes: Nodes, links: Links): boolean {
  // Takes away, again and again, every provider whose dependencies are all gone; what stays is in a circle or needs one.
  const left = new Set(nodes.keys());
  const canWait = (id: string, index: number, target: string): boolean => {
    const { kind, scope } = nodes.get(target)?.sketch ?? { kind: '', scope: Scope.DEFAULT };
    return nodes.get(id)?.sketch.dependencies[index]?.isForward === true && kind === 'class' && scope !== Scope.TRANSIENT;
  };
  const isFree = (id: string): boolean =>
    (links.get(id) ?? []).every((target, index) => target === undefined || !left.has(target) || canWait(id, index, target));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const id of left) if (isFree(id)) left.delete(id);
  }
  return left.size > 0;
}

function captives(nodes: Nodes, links: Links): readonly string[] {
  const scoped = new Set([...nodes.values()].filter((each) => each.sketch.scope === Scope.REQUEST).map((each) => each.id));
  const needsScoped = (id: string): boolean => (links.get(id) ?? []).some((target) => target !== undefined && scoped.has(target));
  for (let before = -1; before !== scoped.size;) {
    before = scoped.size;
    for (const { id, sketch } of nodes.values()) if (sketch.scope === Scope.TRANSIENT && needsScoped(id)) scoped.add(id);
  }
  return [...nodes.values()]
    .filter(({ id, sketch }) => sketch.scope === Scope.DEFAULT && needsScoped(id))
    .map(({ id, module, sketch }) => `MCP_DEPENDENCY_CAPTIVE ${sketch.kind === 'class' ? id : `"${sketch.token}"`} in M${module}`);
}
