import type { ProviderReference } from '../contracts/provider';
import type { HandlerTarget } from '../contracts/tool';
import { securityOf, type EngineDeclaration, type HandlerDeclaration, type HealthDeclaration } from '../decorators/metadata';
import { linkOverrides } from '../decorators/reflector';
import type { SetupProblem } from '../errors/setup-error';
import { attachBuiltEnhancers, LIST, type KnownClass } from './attach-enhancers';
import type { AttachedEnhancers } from './attached-enhancers';
import { problemsOfCompleters } from './completer-problems';
import { badKey, duplicate, identityOf, noHandler, type HandlerPlace, type RegisteredDeclaration } from './handler-problems';
import { handlersOf, hasMethod, isKnown, knownInstance } from './handlers-of';
import { noCheck, scopedIndicator } from './indicator-problems';
import type { ModuleGraph } from './module-graph';
import type { ProviderNode } from './module-node';

/** A decorated handler and the provider's method that serves it. */
export interface DiscoveredHandler extends HandlerPlace {
  /** False before the build for what a factory makes: the instance may be of another class, with other enhancers. False for a bad name. */
  readonly isFinal: boolean;
  readonly declaration: RegisteredDeclaration;
  /** The method `list` of a template's class. */
  readonly lister: HandlerTarget | undefined;
  /** What its class completes, by argument. */
  readonly completers: ReadonlyMap<string, HandlerTarget>;
}

/** A provider whose class carries `@Engine()`, and the method by which it is called. */
export interface DiscoveredEngine {
  readonly target: HandlerTarget;
  readonly moduleName: string;
}

/** A provider whose class carries `@HealthIndicator()`. */
export interface DiscoveredIndicator {
  readonly name: string;
  readonly provider: ProviderReference;
}

/** The handlers of a graph, in scan order, and what is wrong with them. */
export interface HandlerDiscovery {
  readonly handlers: readonly DiscoveredHandler[];
  readonly engines: readonly DiscoveredEngine[];
  readonly indicators: readonly DiscoveredIndicator[];
  readonly problems: readonly SetupProblem[];
}

/**
 * Finds every decorated handler. A class that several modules provide counts once, for the first of them. Before the build a provider
 * is known by its class or its token; after the build one made by a factory or given as a value is known by its instance too, which
 * may be a proxy or of a subclass.
 */
export function discoverHandlers(graph: ModuleGraph): HandlerDiscovery {
  const discovery = new Discovery(graph);
  for (const node of graph.nodes()) discovery.add(node);
  return discovery;
}

/** A provider whose class has handlers. */
interface Owner extends KnownClass {
  readonly node: ProviderNode;
  readonly enhancers: AttachedEnhancers;
}

class Discovery implements HandlerDiscovery {
  readonly handlers: DiscoveredHandler[] = [];
  readonly engines: DiscoveredEngine[] = [];
  readonly indicators: DiscoveredIndicator[] = [];
  readonly problems: SetupProblem[] = [];
  readonly #owners = new Set<unknown>();
  readonly #byIdentity = new Map<string, DiscoveredHandler>();

  constructor(private readonly graph: ModuleGraph) {}

  add(node: ProviderNode): void {
    const { recipe, definition } = node;
    if (recipe.kind === 'alias' || recipe.kind === 'context') return;
    // Most providers are classes that answer nothing, and a boot looks at all of them more than once.
    if (recipe.kind === 'class' && definition.handlers.length === 0) return;
    const { type, declarations } = handlersOf(node);
    const identity = recipe.kind === 'class' ? recipe.type : (knownInstance(node) ?? node);
    if (type === undefined || declarations.length === 0 || this.#owners.has(identity)) return;
    this.#owners.add(identity);
    const owner = { node, type, declarations, enhancers: this.#enhancersOf(node, { type, declarations }) };
    for (const declaration of declarations) {
      if (declaration.kind === 'engine') this.#addEngine(declaration, owner);
      else if (declaration.kind === 'health') this.#addIndicator(declaration, owner);
      else if (declaration.kind !== 'completer') this.#addHandler(declaration, owner);
    }
    this.problems.push(...problemsOfCompleters({ type, moduleName: node.module.name, declarations }));
  }

  /** Those that were attached before the build, or, for a class that only the instance made known, those that can be found now. */
  #enhancersOf(node: ProviderNode, known: KnownClass): AttachedEnhancers {
    if (known.type === node.type && node.enhancers !== undefined) return node.enhancers;
    const { enhancers, problems } = attachBuiltEnhancers(this.graph, node, known);
    this.problems.push(...problems);
    return enhancers;
  }

  #addEngine({ method }: EngineDeclaration, owner: Owner): void {
    const { node } = owner;
    const moduleName = node.module.name;
    if (node.isRequestScoped || node.isTransient) this.problems.push(scopedEngine(node, moduleName));
    this.engines.push({ target: targetOf(owner, method), moduleName });
  }

  #addIndicator({ method, options }: HealthDeclaration, { node, type }: Owner): void {
    const place = { name: node.name, where: `@HealthIndicator() on ${node.name} in ${node.module.name}` };
    if (node.isRequestScoped || node.isTransient) this.problems.push(scopedIndicator(place));
    else if (!hasMethod(node, type, method)) this.problems.push(noCheck(place));
    this.indicators.push({ name: options.name ?? type.name, provider: node });
  }

  #addHandler(declaration: RegisteredDeclaration, owner: Owner): void {
    const { node, type } = owner;
    const target = targetOf(owner, declaration.method);
    const place = { declaration, target, moduleName: node.module.name };
    const problem = badKey(place, declaration);
    if (problem !== undefined) this.problems.push(problem);
    const handler = {
      ...place,
      isFinal: problem === undefined && isKnown(node),
      lister: listerOf(owner, declaration),
      completers: completersOf(owner, declaration),
    };
    if (!hasMethod(node, type, declaration.method)) this.problems.push(noHandler(place, declaration));
    const identity = identityOf(declaration);
    const first = this.#byIdentity.get(identity);
    if (first !== undefined) {
      this.problems.push(duplicate(first, handler, declaration));
      return;
    }
    this.#byIdentity.set(identity, handler);
    this.handlers.push(handler);
  }
}

/** A method of the provider, with the enhancers of its class, then those of these methods. */
function targetOf({ node, type, enhancers }: Owner, method: PropertyKey, ...guardedAs: readonly PropertyKey[]): HandlerTarget {
  linkOverrides(type, method);
  const methods = [...guardedAs, method];
  return { class: type, method, provider: node, enhancers: enhancers.of(...methods), security: securityOf(type, ...methods) };
}

/** The same, with the guards of another method before its own, and nothing else of that method's. */
function guardedLike(owner: Owner, method: PropertyKey, other: PropertyKey): HandlerTarget {
  const target = targetOf(owner, method);
  const { guards } = owner.enhancers.of(other, method);
  return { ...target, enhancers: { ...target.enhancers, guards }, security: securityOf(owner.type, other, method) };
}

/** Who may not read may not have it listed either. */
function listerOf(owner: Owner, { kind, isOfClass, method }: HandlerDeclaration): HandlerTarget | undefined {
  return kind === 'resource' && isOfClass && hasMethod(owner.node, owner.type, LIST) ? guardedLike(owner, LIST, method) : undefined;
}

function completersOf(owner: Owner, { kind, method }: HandlerDeclaration): ReadonlyMap<string, HandlerTarget> {
  const declared = kind === 'tool' || kind === 'engine' ? [] : owner.declarations.filter((each) => each.kind === 'completer');
  // Who may not read or get it may not have it completed either.
  return new Map(declared.map((each) => [each.options.argument, targetOf(owner, each.method, method)]));
}

/** There is one instance of an engine, and its registry lists it. */
function scopedEngine({ name }: ProviderNode, moduleName: string): SetupProblem {
  return {
    code: 'MCP_ENGINE_SCOPE',
    problem: `The engine ${name} is not a singleton, and engines are.`,
    where: `@Engine() on ${name} in ${moduleName}`,
    fix: 'Leave its scope at Scope.DEFAULT. What belongs to one call reaches an engine through its context.',
  };
}
