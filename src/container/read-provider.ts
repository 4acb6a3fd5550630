import type { CanActivate, ExceptionFilter, Interceptor, PipeTransform } from '../contracts/enhancers';
import { McpContext } from '../contracts/mcp-context';
import { Scope } from '../contracts/scope';
import { isClass, type InjectionToken, type Type } from '../contracts/type';
import { handlerDeclarations, handlersIn, recordChain, type ClassRecord, type HandlerDeclaration } from '../decorators/metadata';
import type { Dependency } from './dependency';
import type { ProviderDefinition, Recipe } from './provider-definition';
import { classBehind, readDependencies } from './read-dependencies';
import { asParameter, isToken, readToken } from './read-token';

/** Why an entry of `providers` is not a provider. */
export type ProviderFlaw = 'undefined' | 'token' | 'recipe' | 'inject' | 'nothing';

type Fields = Readonly<Record<string, unknown>>;

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
  if (isClass(entry)) return classDefinition(entry);
  if (typeof entry !== 'object' || entry === null || !('provide' in entry)) return 'nothing';
  const fields = entry as Fields;
  if (!isToken(fields['provide'])) return 'token';
  const { provide: token, useClass, scope } = fields as Fields & { provide: InjectionToken; scope: Scope | undefined };
  // The order of the checks is NestJS's: useClass, useValue, useFactory, useExisting.
  if (useClass !== undefined) return isClass(useClass) ? defineClass(token, useClass, scope) : 'recipe';
  const recipe = readRecipe(fields);
  return typeof recipe === 'string' ? recipe : define(token, recipe, scope);
}

/** The definition of a class under its own token. */
export function classDefinition(type: Type): ProviderDefinition {
  return defineClass(type, type, undefined);
}

function readRecipe(fields: Fields): Recipe | ProviderFlaw {
  const { useFactory, useExisting, inject } = fields;
  // The property alone says it, so that `undefined` is a value.
  if ('useValue' in fields) return valueRecipe(fields['useValue']);
  if (useFactory !== undefined) {
    if (inject !== undefined && !Array.isArray(inject)) return 'inject';
    return typeof useFactory === 'function' ? factoryRecipe(useFactory as FactoryFunction, inject) : 'recipe';
  }
  return useExisting === undefined ? 'recipe' : { kind: 'alias', of: readToken(useExisting, false) };
}

type FactoryFunction = (...args: unknown[]) => unknown;

function factoryRecipe(create: FactoryFunction, inject: readonly unknown[] = []): Recipe {
  const dependencies = Array.from(inject, (each, index): Dependency => asParameter(index, readToken(each, false)));
  return { kind: 'factory', create, dependencies };
}

// A promise given as a value is awaited like the promise of a factory, as NestJS does.
function valueRecipe(value: unknown): Recipe {
  return value instanceof Promise ? factoryRecipe(() => value) : { kind: 'value', value };
}

// A boot reads the records of each class once, and its methods by name, which is several times as fast as by a name in a variable.
function defineClass(token: InjectionToken, type: Type, scope: Scope | undefined): ProviderDefinition {
  const records = recordChain(type);
  const { all: dependencies, constructorOwner } = readDependencies(type, records);
  const own = handlersIn(records);
  // A stand-in without handlers of its own, such as a test double, serves those of the class it stands in for.
  const handlers = own.length === 0 && token !== type ? handlersOfToken(token) : own;
  return {
    token,
    recipe: { kind: 'class', type, constructorOwner, dependencies },
    scope: scope ?? declaredScope(type, records),
    handlers,
    mayLift: handlers.some(lifts) || isEnhancer(type.prototype as object),
  };
}

function define(token: InjectionToken, recipe: Recipe, scope: Scope | undefined): ProviderDefinition {
  const handlers = recipe.kind === 'alias' ? [] : handlersOfToken(token);
  // A value is there already, whatever scope is written beside it.
  const effective = recipe.kind === 'value' ? Scope.DEFAULT : (scope ?? Scope.DEFAULT);
  return { token, recipe, scope: effective, handlers, mayLift: handlers.some(lifts) };
}

function handlersOfToken(token: InjectionToken): readonly HandlerDeclaration[] {
  return typeof token === 'function' ? handlerDeclarations(token as Type) : [];
}

// Engines and indicators are singletons.
function lifts({ kind }: HandlerDeclaration): boolean {
  return kind !== 'engine' && kind !== 'health';
}

// A guard that stands among the providers before anything uses it is one all the same.
function isEnhancer(prototype: Partial<CanActivate & PipeTransform & Interceptor & ExceptionFilter>): boolean {
  const { canActivate, transform, intercept, catch: answer } = prototype;
  return (
    typeof canActivate === 'function' || typeof transform === 'function' || typeof intercept === 'function' || typeof answer === 'function'
  );
}

function declaredScope(type: Type, records: readonly ClassRecord[]): Scope {
  const behind = classBehind(type);
  const declared = (behind === type ? records : recordChain(behind)).find(isInjectable);
  return declared?.injectable?.scope ?? Scope.DEFAULT;
}

function isInjectable({ injectable }: ClassRecord): boolean {
  return injectable !== undefined;
}
