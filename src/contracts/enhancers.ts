import type { ExecutionContext } from './execution-context';
import type { ProviderReference } from './provider';
import type { Abstract, Type } from './type';

/** Decides whether an operation may run. */
export interface CanActivate {
  /** Admits by returning exactly `true`; anything else, a throw and a hang deny. A thrown `ToolError` denies with its own text. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean>;
  /**
   * For a guard that can decide without arguments: whether the caller may know of the entry at all. Anything but exactly `true` hides it,
   * and a hidden entry answers every operation like one that does not exist. Asked about each entry of a list, and before every operation;
   * `context.switchToMcp()` then says `list` and has no arguments.
   */
  canList?(context: ExecutionContext): boolean | Promise<boolean>;
  /** The security decorators that this guard decides. An entry that carries one which none of its guards decides stops the boot. */
  readonly enforces?: readonly SecurityDecorator[];
}

/** A decorator that means nothing without a guard: `@Roles()` and `@RateLimit()`. */
export type SecurityDecorator = 'roles' | 'rates';

/** What a pipe is told of the value it gets. */
export interface ArgumentMetadata {
  readonly type: 'input';
  /** The DTO class, where the input is one. */
  readonly metatype: Type | undefined;
}

/** Changes or refuses the input after it was checked. */
export interface PipeTransform<T = unknown, R = unknown> {
  /** What it returns goes to the next pipe and then to the handler; what it throws is the answer. */
  transform(value: T, metadata: ArgumentMetadata): R | Promise<R>;
}

/** Wraps an operation. */
export interface Interceptor {
  /** `next` validates the input and runs the handler; what this returns is the result. */
  intercept(context: ExecutionContext, next: () => Promise<unknown>): unknown;
}

/** Answers errors. */
export interface ExceptionFilter<T = unknown> {
  /** What it returns becomes the result; what it throws is answered in place of the error. */
  catch(error: T, host: ExecutionContext): unknown;
}

/** A class that the container builds for the module it is used in, or an instance that is used as it is. */
export type EnhancerSource<T> = Type<T> | T;

/** An error class, as `@Catch()` takes it. */
export type ErrorType = Type | Abstract;

/** The four kinds, by the names under which a class carries them. */
export interface EnhancerLists {
  readonly guards: readonly EnhancerSource<CanActivate>[];
  readonly pipes: readonly EnhancerSource<PipeTransform>[];
  readonly interceptors: readonly EnhancerSource<Interceptor>[];
  readonly filters: readonly EnhancerSource<ExceptionFilter>[];
}

/** One of the four kinds. */
export type EnhancerKind = keyof EnhancerLists;

/** The method that makes a class or an instance one of the kind. */
export const ENHANCER_METHODS: Readonly<Record<EnhancerKind, string>> = Object.freeze({
  guards: 'canActivate',
  pipes: 'transform',
  interceptors: 'intercept',
  filters: 'catch',
});

/** A filter and the errors it answers; every error for an empty list. */
export interface FilterReference extends ProviderReference {
  readonly catches: readonly ErrorType[];
}

/** The enhancers of one handler, found in the graph, each kind in binding order. */
export interface Enhancers {
  readonly guards: readonly ProviderReference[];
  readonly pipes: readonly ProviderReference[];
  readonly interceptors: readonly ProviderReference[];
  readonly filters: readonly FilterReference[];
}
