import type { Enhancers } from '../contracts/enhancers';
import type { HandlerTarget } from '../contracts/tool';
import { describeToken, type Type } from '../contracts/type';
import { toolDeclarations, type ToolDeclaration } from '../decorators/metadata';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import type { SetupProblem } from '../errors/setup-error';
import { problemOfToolName } from '../registry/tool-name';
import { attachBuiltEnhancers } from './attach-enhancers';
import type { ModuleGraph } from './module-graph';
import type { ProviderNode } from './provider-node';

/** A decorated tool and the provider's method that serves it. */
export interface DiscoveredTool {
  /** False before the build for what a factory makes: the instance may be of another class, with other enhancers. False for a bad name. */
  readonly isFinal: boolean;
  readonly declaration: ToolDeclaration;
  readonly target: HandlerTarget;
  readonly moduleName: string;
}

/** The tools of a graph, in scan order, and what is wrong with them. */
export interface ToolDiscovery {
  readonly tools: readonly DiscoveredTool[];
  readonly problems: readonly SetupProblem[];
}

/**
 * Finds every decorated tool. A class that several modules provide counts once, for the first of them. Before the build a provider
 * is known by its class or its token; after the build one made by a factory or given as a value is known by its instance too, which
 * may be a proxy or of a subclass.
 */
export function discoverTools(graph: ModuleGraph): ToolDiscovery {
  const discovery = new Discovery(graph);
  for (const node of graph.nodes()) discovery.add(node);
  return discovery;
}

class Discovery implements ToolDiscovery {
  readonly tools: DiscoveredTool[] = [];
  readonly problems: SetupProblem[] = [];
  readonly #owners = new Set<unknown>();
  readonly #byName = new Map<string, DiscoveredTool>();

  constructor(private readonly graph: ModuleGraph) {}

  add(node: ProviderNode): void {
    if (node.recipe.kind === 'alias' || node.recipe.kind === 'context') return;
    const { type, declarations } = toolsOf(node);
    const owner = node.recipe.kind === 'class' ? node.recipe.type : (knownInstance(node) ?? node);
    if (type === undefined || declarations.length === 0 || this.#owners.has(owner)) return;
    this.#owners.add(owner);
    const enhancersOf = this.#enhancersOf(node, type);
    for (const declaration of declarations) {
      this.#addTool(declaration, { class: type, method: declaration.method, provider: node, enhancers: enhancersOf(declaration.method) });
    }
  }

  /** Those that were attached before the build, or, for a class that only the instance made known, those that can be found now. */
  #enhancersOf(node: ProviderNode, type: Type): (method: PropertyKey) => Enhancers {
    const attached = attachBuiltEnhancers(this.graph, node, type);
    const find = (method: PropertyKey): Enhancers => {
      const found = attached.of(method);
      this.problems.push(...attached.problems.splice(0));
      return found;
    };
    return (method) => (type === node.type ? node.enhancers.get(method) : undefined) ?? find(method);
  }

  #addTool(declaration: ToolDeclaration, target: HandlerTarget & { readonly provider: ProviderNode }): void {
    const { name } = declaration.options;
    const { class: type, provider: node } = target;
    const moduleName = node.module.name;
    const badName = problemOfToolName(name, describeToken(type), placeOf({ target, moduleName }));
    if (badName !== undefined) this.problems.push(badName);
    const tool: DiscoveredTool = { isFinal: badName === undefined && isKnown(node), declaration, target, moduleName };
    if (!hasMethod(node, type, declaration.method)) this.problems.push(noHandler(tool));
    const first = this.#byName.get(name);
    if (first !== undefined) {
      this.problems.push(duplicateTool(first, tool));
      return;
    }
    this.#byName.set(name, tool);
    this.tools.push(tool);
  }
}

function toolsOf(node: ProviderNode): { readonly type: Type | undefined; readonly declarations: readonly ToolDeclaration[] } {
  const known = { type: node.type, declarations: node.definition.tools };
  if (node.recipe.kind === 'class') return known;
  const type = constructorOf(knownInstance(node));
  const declarations = type === undefined ? [] : toolDeclarations(type);
  return declarations.length > 0 ? { type, declarations } : known;
}

function knownInstance(node: ProviderNode): unknown {
  return node.recipe.kind === 'value' ? node.recipe.value : node.instance;
}

/** The class of an instance, where there is one to see: a proxy may answer or throw as it likes. */
export function constructorOf(instance: unknown): Type | undefined {
  if (typeof instance !== 'object' || instance === null) return undefined;
  try {
    return typeof instance.constructor === 'function' ? (instance.constructor as Type) : undefined;
  } catch {
    return undefined;
  }
}

// What a factory makes is looked at once it is made; until then its token's class stands for it.
function hasMethod(node: ProviderNode, type: Type, method: PropertyKey): boolean {
  const instance = knownInstance(node) as Record<PropertyKey, unknown> | null | undefined;
  if (node.recipe.kind === 'value' || (node.recipe.kind === 'factory' && node.isBuilt)) return typeof instance?.[method] === 'function';
  for (let each: unknown = type.prototype; each !== null && each !== undefined; each = Object.getPrototypeOf(each)) {
    const property = Object.getOwnPropertyDescriptor(each, method);
    if (property !== undefined) return typeof property.value === 'function';
  }
  return false;
}

function noHandler(tool: DiscoveredTool): SetupProblem {
  const { declaration, target } = tool;
  const method = String(declaration.method);
  return {
    code: 'MCP_TOOL_HANDLER',
    problem: `Tool "${declaration.options.name}" has nothing to call: ${describeProvider(target)} has no method ${method}().`,
    where: placeOf(tool),
    fix: `Add the method: ${method}(input, context) { … }. A property that holds a function does not count.`,
  };
}

function duplicateTool(first: DiscoveredTool, second: DiscoveredTool): SetupProblem {
  const { name } = second.declaration.options;
  const cause = new DuplicateRegistrationError('Tool', name);
  return {
    code: 'MCP_TOOL_DUPLICATE',
    problem: `${cause.message}. It is declared by both ${describeDeclarer(first)} and ${describeDeclarer(second)}.`,
    where: `@McpTool() on ${describeToken(second.target.class)} in ${second.moduleName}`,
    fix: 'Give one another name in @McpTool({ name }).',
    cause,
  };
}

function isKnown({ recipe, isBuilt, isRequestScoped }: ProviderNode): boolean {
  return recipe.kind === 'class' || recipe.kind === 'value' || isBuilt || isRequestScoped;
}

function placeOf({ target, moduleName }: Pick<DiscoveredTool, 'target' | 'moduleName'>): string {
  return `@McpTool() on ${describeToken(target.class)} in ${moduleName}`;
}

function describeDeclarer({ target, declaration, moduleName }: DiscoveredTool): string {
  return `${describeProvider(target)}.${String(declaration.method)} in ${moduleName}`;
}

function describeProvider(target: HandlerTarget): string {
  const type = describeToken(target.class);
  return target.provider.name === type ? type : `${type} (provided as ${target.provider.name})`;
}
