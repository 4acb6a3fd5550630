import type { DiscoveredEngine } from '../container/discover-handlers';
import type { EngineLike } from '../contracts/engine';
import type { ToolEntry } from '../contracts/tool';
import type { SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';
import { engineFacts, type EngineFacts } from './engine-facts';
import { compileFilter, exactIds } from './engine-filter';
import type { EngineModuleOptions } from './engine-module';
import { EnginePlaces } from './engine-places';
import type { EngineFollower, EngineRegistry } from './engine-registry';
import { describeTool } from './to-tool';

/** What an application gives the exposure of its engines. */
export interface ExposureParts {
  readonly engines: EngineRegistry;
  readonly tools: ToolRegistry;
  readonly options: EngineModuleOptions;
}

/** Shows the engines of an application among its tools, at boot and from then on. */
export class EngineExposure implements EngineFollower {
  /** Those that modules provide; the registry finds what the class of any other declares. */
  readonly #provided = new Map<EngineLike, DiscoveredEngine>();
  readonly #tools = new Map<string, ToolEntry>();
  readonly #known = new Set<EngineLike>();
  readonly #places: EnginePlaces;
  readonly #isIncluded: (engine: EngineFacts) => boolean;
  readonly #isExcluded: (engine: EngineFacts) => boolean;

  constructor(private readonly parts: ExposureParts) {
    const { engines, tools, options } = parts;
    this.#places = new EnginePlaces(engines, tools);
    this.#isIncluded = compileFilter('include', options.include, true);
    this.#isExcluded = compileFilter('exclude', options.exclude, false);
  }

  /** Presents what is registered, what modules provide and what the options name; returns what is wrong with them. */
  expose(discovered: readonly DiscoveredEngine[]): readonly SetupProblem[] {
    const { engines, options } = this.parts;
    for (const each of discovered) this.#provided.set(each.target.provider.get() as EngineLike, each);
    const problems = engines.list().map((engine) => this.#attempt(engine, 'EngineRegistry.register()', () => this.#show(engine)));
    for (const engine of engines.list()) this.#known.add(engine);
    engines.follow(this);
    for (const [engine, { target, moduleName }] of this.#provided)
      problems.push(this.#register(engine, `@Engine() on ${target.class.name} in ${moduleName}`));
    for (const engine of options.engines ?? []) problems.push(this.#register(engine, 'EngineModule.forRoot({ engines })'));
    return problems.flat();
  }

  /** Ids that `include` or `exclude` names and that no engine has. */
  strayIds(): readonly string[] {
    const { engines, options } = this.parts;
    return [...exactIds(options.include), ...exactIds(options.exclude)].filter((id) => !engines.has(id));
  }

  added(engine: EngineLike, facts: EngineFacts): void {
    if (!this.#isIncluded(facts) || this.#isExcluded(facts)) return;
    const { tools, options } = this.parts;
    const target = this.#provided.get(engine)?.target;
    const tool = describeTool(engine, facts, options);
    this.#tools.set(facts.id, tools.register(target === undefined ? tool : { ...tool, target }));
  }

  removed(id: string): void {
    const { tools } = this.parts;
    const tool = this.#tools.get(id);
    this.#tools.delete(id);
    // Somebody may have unregistered it already, and another may have its name.
    if (tool !== undefined && tools.get(tool.name) === tool) tools.unregister(tool.name);
  }

  /** The same object may be provided and given as an option; it is one engine. */
  #register(engine: EngineLike, where: string): readonly SetupProblem[] {
    if (this.#known.has(engine)) return [];
    this.#known.add(engine);
    return this.#attempt(engine, where, () => this.parts.engines.register(engine, this.#provided.get(engine)?.target.class));
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

  /** What was registered before anything followed. */
  #show(engine: EngineLike): void {
    this.added(engine, engineFacts(engine, this.#provided.get(engine)?.target.class));
  }
}
