import type { DiscoveredEngine } from '../container/discover-handlers';
import type { ServedObject } from '../container/serve-object';
import type { EngineLike } from '../contracts/engine';
import type { HandlerTarget } from '../contracts/tool';
import type { Type } from '../contracts/type';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';
import { EngineAdapter } from './engine-adapter';
import { constructorOf, engineFacts, type EngineFacts } from './engine-facts';
import { compileFilter, exactIds } from './engine-filter';
import type { EngineModuleOptions } from './engine-module';
import { EnginePlaces } from './engine-places';
import type { EngineFollower, EngineRegistry } from './engine-registry';

/** What an application gives the exposure of its engines. */
export interface ExposureParts {
  readonly engines: EngineRegistry;
  readonly tools: ToolRegistry;
  readonly options: EngineModuleOptions;
  /** Finds the enhancers of an engine that no module provides. */
  readonly serve: (instance: object, type: Type, method: PropertyKey) => ServedObject;
}

/** Shows the engines of an application among its tools, at boot and from then on. */
export class EngineExposure implements EngineFollower {
  readonly #targets = new WeakMap<object, HandlerTarget>();
  readonly #known = new Set<EngineLike>();
  readonly #places: EnginePlaces;
  readonly #adapter: EngineAdapter;
  readonly #isIncluded: (engine: EngineFacts) => boolean;
  readonly #isExcluded: (engine: EngineFacts) => boolean;

  constructor(private readonly parts: ExposureParts) {
    const { tools, options } = parts;
    this.#places = new EnginePlaces(tools);
    this.#adapter = new EngineAdapter(tools, { ...options, targetOf: (engine) => this.#targetOf(engine) });
    this.#isIncluded = compileFilter(options.include, true);
    this.#isExcluded = compileFilter(options.exclude, false);
  }

  /** Presents what is registered, what modules provide and what the options name; returns what is wrong with them. */
  expose(discovered: readonly DiscoveredEngine[]): readonly SetupProblem[] {
    const { engines, options } = this.parts;
    const problems = engines.list().map((engine) => this.#attempt(engine, 'EngineRegistry.register()', () => this.added(engine)));
    for (const engine of engines.list()) this.#known.add(engine);
    engines.follow(this);
    for (const { target, moduleName } of discovered) {
      const engine = target.provider.get() as EngineLike;
      this.#targets.set(engine, target);
      problems.push(this.#register(engine, `@Engine() on ${target.class.name} in ${moduleName}`));
    }
    for (const engine of options.engines ?? []) problems.push(this.#register(engine, 'EngineModule.forRoot({ engines })'));
    return problems.flat();
  }

  /** Ids that `include` or `exclude` names and that no engine has. */
  strayIds(): readonly string[] {
    const { engines, options } = this.parts;
    return [...exactIds(options.include), ...exactIds(options.exclude)].filter((id) => !engines.has(id));
  }

  added(engine: EngineLike): void {
    const facts = engineFacts(engine);
    if (this.#isIncluded(facts) && !this.#isExcluded(facts)) this.#adapter.registerEngine(engine);
  }

  removed(id: string): void {
    this.#adapter.unregisterEngine(id);
  }

  /** The same object may be provided and given as an option; it is one engine. */
  #register(engine: EngineLike, where: string): readonly SetupProblem[] {
    const { engines } = this.parts;
    if (this.#known.has(engine)) return [];
    this.#known.add(engine);
    return this.#attempt(engine, where, () => engines.register(engine));
  }

  #attempt(engine: EngineLike, where: string, register: () => void): readonly SetupProblem[] {
    try {
      register();
    } catch (error) {
      return this.#places.problemsOf(error, { engine, where });
    }
    this.#places.keep(engine, where);
    return [];
  }

  /** Closed when in doubt: an engine whose guards cannot be found is not registered. */
  #targetOf(engine: EngineLike): HandlerTarget | undefined {
    const known = this.#targets.get(engine);
    const type = constructorOf(engine);
    if (known !== undefined || type === undefined) return known;
    const { target, problems } = this.parts.serve(engine, type, 'execute');
    throwIfAny(problems);
    return target;
  }
}
