import { ENHANCER_METHODS } from '../contracts/enhancers';
import { McpContext } from '../contracts/mcp-context';
import { Scope } from '../contracts/scope';
import { isClass, type InjectionToken, type Type } from '../contracts/type';
import { handlerDeclarations, recordChain, type HandlerDeclaration } from '../decorators/metadata';
import type { Dependency } from './dependency';
import type { ProviderDefinition, Recipe } from './provider-definition';
import { classBehind, readDependencies } from './read-dependencies';
import { isToken, readToken } from './read-token';

/** Why an entry of `providers` is not a provider. */
export type ProviderFlaw = 'undefined' | 'token' | 'recipe' | 'inject' | 'nothing';

type Fields = Readonly<Record<string, unknown>>;

const METHODS = Object.values(ENHANCER_METHODS);

/** The operation itself, injectable in request scope. */
export const CONTEXT_DEFINITION: ProviderDefinition = {
  token: McpContext,
  recipe: { kind: 'context' },
  scope: Scope.REQUEST,
  handlers: [],
  mayLift: false,
};

/** Reads an entry of `providers`; a class stands for `{ provide: X, useClass: X }`. */
export function readProvider(entry: unknown): ProviderDefinition | ProviderFlaw {
  if (entry === undefined) return 'undefined';
  if (isClass(entry)) return define(entry, classRecipe(entry), undefined);
  if (typeof entry !== 'object' || entry === null || !('provide' in entry)) return 'nothing';
  const fields = entry as Fields;
  if (!isToken(fields['provide'])) return 'token';
  const recipe = readRecipe(fields);
  return typeof recipe === 'string' ? recipe : define(fields['provide'], recipe, fields['scope'] as Scope | undefined);
}

/** The definition of a class under its own token. */
export function classDefinition(type: Type): ProviderDefinition {
  return define(type, classRecipe(type), undefined);
}

// The order of the checks is NestJS's: useClass, useValue (an own property, so that `undefined` is a value), useFactory, useExisting.
function readRecipe(fields: Fields): Recipe | ProviderFlaw {
  const { useClass, useFactory, useExisting, inject } = fields;
  if (useClass !== undefined) return isClass(useClass) ? classRecipe(useClass) : 'recipe';
  if ('useValue' in fields) return valueRecipe(fields['useValue']);
  if (useFactory !== undefined) {
    if (inject !== undefined && !Array.isArray(inject)) return 'inject';
    return typeof useFactory === 'function' ? factoryRecipe(useFactory as FactoryFunction, inject) : 'recipe';
  }
  return useExisting === undefined ? 'recipe' : { kind: 'alias', of: readToken(useExisting, false) };
}

type FactoryFunction = (...args: unknown[]) => unknown;

function factoryRecipe(create: FactoryFunction, inject: readonly unknown[] = []): Recipe {
  const dependencies = Array.from(inject, (each, index): Dependency => ({ index, ...readToken(each, false) }));
  return { kind: 'factory', create, dependencies };
}

// A promise given as a value is awaited like the promise of a factory, as NestJS does.
function valueRecipe(value: unknown): Recipe {
  return value instanceof Promise ? factoryRecipe(() => value) : { kind: 'value', value };
}

function classRecipe(type: Type): Recipe {
  const { all, constructorOwner } = readDependencies(type);
  return { kind: 'class', type, constructorOwner, dependencies: all };
}

function define(token: InjectionToken, recipe: Recipe, scope: Scope | undefined): ProviderDefinition {
  const handlers = recipe.kind === 'alias' ? [] : declaredHandlers(token, recipe);
  // A value is there already, whatever scope is written beside it.
  const effective = recipe.kind === 'value' ? Scope.DEFAULT : (scope ?? classScope(recipe));
  return { token, recipe, scope: effective, handlers, mayLift: handlers.some(({ kind }) => kind !== 'engine') || isEnhancer(recipe) };
}

// A guard that stands among the providers before anything uses it is one all the same.
function isEnhancer(recipe: Recipe): boolean {
  const prototype = recipe.kind === 'class' ? (recipe.type.prototype as Record<string, unknown>) : {};
  return METHODS.some((method) => typeof prototype[method] === 'function');
}

// A stand-in without handlers of its own, such as a test double, serves those of the class it stands in for.
function declaredHandlers(token: InjectionToken, recipe: Recipe): readonly HandlerDeclaration[] {
  const own = recipe.kind === 'class' ? handlerDeclarations(recipe.type) : [];
  return own.length === 0 && typeof token === 'function' ? handlerDeclarations(token as Type) : own;
}

function classScope(recipe: Recipe): Scope {
  if (recipe.kind !== 'class') return Scope.DEFAULT;
  const declared = recordChain(classBehind(recipe.type)).find((record) => record.injectable !== undefined);
  return declared?.injectable?.scope ?? Scope.DEFAULT;
}
