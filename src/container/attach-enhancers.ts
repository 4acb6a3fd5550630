import {
  ENHANCER_METHODS,
  type EnhancerKind,
  type EnhancerLists,
  type Enhancers,
  type EnhancerSource,
  type FilterReference,
} from '../contracts/enhancers';
import type { ProviderReference } from '../contracts/provider';
import { describeToken, isClass, type Type } from '../contracts/type';
import { caughtBy, enhancersOf, type HandlerDeclaration } from '../decorators/metadata';
import type { SetupProblem } from '../errors/setup-error';
import { AttachedEnhancers } from './attached-enhancers';
import type { ModuleGraph } from './module-graph';
import type { Overrides } from './overrides';
import type { ProviderNode } from './module-node';
import { classDefinition, readProvider } from './read-provider';

/** The method by which the class of a template names its resources. */
export const LIST = 'list';

/**
 * Finds a provider for every enhancer class that a class with handlers uses: the one its module sees, or else one of its own that the
 * module then builds with what it may inject. What is used as it is, an instance, stands for itself.
 */
export function attachEnhancers(graph: ModuleGraph, overrides: Overrides): readonly SetupProblem[] {
  const problems: SetupProblem[] = [];
  for (const node of graph.nodes()) {
    if (node.type === undefined || node.definition.handlers.length === 0) continue;
    const attaching = new Attaching({ graph, overrides, user: node });
    node.enhancers = attaching.attach(node.type, node.definition.handlers);
    problems.push(...attaching.problems);
  }
  return problems;
}

/** The class of an instance, and what its methods answer. */
export interface KnownClass {
  readonly type: Type;
  readonly declarations: readonly HandlerDeclaration[];
}

/**
 * The same for a class that only an instance made known, when everything is built: its enhancer classes must be among what the module
 * sees, and where one is not, that is a problem and not a handler without its guard.
 */
export function attachBuiltEnhancers(
  graph: ModuleGraph,
  user: ProviderNode,
  { type, declarations }: KnownClass,
): { readonly problems: readonly SetupProblem[]; readonly enhancers: AttachedEnhancers } {
  const attaching = new Attaching({ graph, user });
  const enhancers = attaching.attach(type, declarations);
  return { problems: attaching.problems, enhancers };
}

interface Place {
  readonly graph: ModuleGraph;
  /** Absent once everything is built. */
  readonly overrides?: Overrides;
  readonly user: ProviderNode;
}

class Attaching {
  readonly problems: SetupProblem[] = [];

  constructor(private readonly place: Place) {}

  attach(type: Type, declarations: readonly HandlerDeclaration[]): AttachedEnhancers {
    const methods = new Set(
      declarations.flatMap(({ kind, method, isOfClass }) => (kind === 'resource' && isOfClass ? [method, LIST] : [method])),
    );
    const ofMethods = new Map([...methods].map((method) => [method, this.#resolve(enhancersOf(type, method).ofMethod)] as const));
    return new AttachedEnhancers(this.#resolve(enhancersOf(type, LIST).ofClass), ofMethods);
  }

  #resolve(lists: EnhancerLists): Enhancers {
    const find = (kind: EnhancerKind): readonly ProviderReference[] => lists[kind].flatMap((source) => this.#find(kind, source));
    const filters = lists.filters.flatMap((source) => this.#find('filters', source).map((found) => toFilter(found, source)));
    return { guards: find('guards'), pipes: find('pipes'), interceptors: find('interceptors'), filters };
  }

  #find(kind: EnhancerKind, source: EnhancerSource<unknown>): readonly ProviderReference[] {
    if (!isEnhancer(kind, source)) {
      this.#refuse(
        'MCP_ENHANCER_INVALID',
        `${describe(source)} among the ${kind} of ${this.#user} has no method ${ENHANCER_METHODS[kind]}().`,
        `Give @Use${kindWord(kind)}() a class or an instance with ${ENHANCER_METHODS[kind]}(). If it is undefined, two files import each other.`,
      );
      return [];
    }
    if (!isClass(source)) return [asItIs(source as object)];
    const node = this.#provider(source);
    if (node !== undefined) return [node];
    this.#refuse(
      'MCP_PROVIDER_UNREACHED',
      `${source.name} among the ${kind} of ${this.#user} is not provided, and ${this.#user} was not built by a module, which could build it.`,
      `Add ${source.name} to the providers of ${this.place.user.module.name}, or of a module that it imports and that exports it.`,
    );
    return [];
  }

  #provider(type: Type): ProviderNode | undefined {
    const { graph, overrides, user } = this.place;
    const known = user.module.enhancer(type) ?? graph.find(user.module, type);
    if (known !== undefined) {
      known.mayLift = true;
      return known;
    }
    if (overrides === undefined) return undefined;
    const replaced = overrides.providerFor(type);
    const definition = replaced === undefined ? undefined : readProvider(replaced);
    return user.module.addEnhancer(type, typeof definition === 'object' ? definition : classDefinition(type));
  }

  get #user(): string {
    return this.place.user.name;
  }

  #refuse(code: SetupProblem['code'], problem: string, fix: string): void {
    this.problems.push({ code, problem, where: `${this.#user} in ${this.place.user.module.name}`, fix });
  }
}

/** A filter answers what the class that was named catches, also where a test put another in its place. */
function toFilter(reference: ProviderReference, source: EnhancerSource<unknown>): FilterReference {
  const type = isClass(source) ? source : ((source as object).constructor as Type);
  return {
    name: reference.name,
    catches: caughtBy(type),
    // Whether it lives for one operation is settled after it was attached.
    get isRequestScoped() {
      return reference.isRequestScoped;
    },
    get: (scope) => reference.get(scope),
  };
}

function asItIs(instance: object): ProviderReference {
  return { name: describe(instance), isRequestScoped: false, get: () => instance };
}

function isEnhancer(kind: EnhancerKind, source: unknown): boolean {
  const holder: unknown = isClass(source) ? source.prototype : source;
  return typeof holder === 'object' && holder !== null && typeof (holder as Record<string, unknown>)[ENHANCER_METHODS[kind]] === 'function';
}

function describe(source: unknown): string {
  if (typeof source === 'object' && source !== null) return `an instance of ${describeToken(source.constructor)}`;
  return describeToken(source);
}

function kindWord(kind: EnhancerKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
