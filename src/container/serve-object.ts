import type { HandlerTarget } from '../contracts/tool';
import { Scope } from '../contracts/scope';
import type { Type } from '../contracts/type';
import { handlerDeclarations, securityOf, type HandlerDeclaration } from '../decorators/metadata';
import { linkOverrides } from '../decorators/reflector';
import type { SetupProblem } from '../errors/setup-error';
import { attachBuiltEnhancers } from './attach-enhancers';
import type { ModuleGraph } from './module-graph';
import { ProviderNode, type ModuleNode } from './module-node';

/** An object that no module provides, and the method of its that answers clients. */
export interface HandlingObject {
  readonly instance: object;
  readonly type: Type;
  readonly method: PropertyKey;
}

/** How such an object is called, and what keeps it from being. */
export interface ServedObject {
  readonly target: HandlerTarget;
  readonly problems: readonly SetupProblem[];
}

/** Finds the enhancers of such an object among what the root module sees. Nothing is added to the graph. */
export function serveObject(graph: ModuleGraph, { instance, type, method }: HandlingObject): ServedObject {
  const provider = standIn(graph.root ?? graph.core, type, instance);
  const declared = handlerDeclarations(type).filter((each) => each.method === method);
  const declarations =
    declared.length > 0 ? declared : [{ kind: 'engine', method, isOfClass: true, options: {} } satisfies HandlerDeclaration];
  const { enhancers, problems } = attachBuiltEnhancers(graph, provider, { type, declarations });
  linkOverrides(type, method);
  return { target: { class: type, method, provider, enhancers: enhancers.of(method), security: securityOf(type, method) }, problems };
}

function standIn(module: ModuleNode, type: Type, instance: object): ProviderNode {
  const node = new ProviderNode(module, {
    token: type,
    recipe: { kind: 'value', value: instance },
    scope: Scope.DEFAULT,
    handlers: [],
    mayLift: false,
  });
  node.instance = instance;
  node.isBuilt = true;
  return node;
}
