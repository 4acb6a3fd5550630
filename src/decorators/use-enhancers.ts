import type {
  CanActivate,
  EnhancerKind,
  EnhancerLists,
  EnhancerSource,
  ExceptionFilter,
  Interceptor,
  PipeTransform,
} from '../contracts/enhancers';
import { isClass } from '../contracts/type';
import { NO_ENHANCERS, updateRecord } from './metadata';

/** Runs these guards, in order, before every operation of the class or of the method. The first that does not admit ends it. */
export function UseGuards(...guards: EnhancerSource<CanActivate>[]): ClassDecorator & MethodDecorator {
  return use('guards', guards);
}

/** Passes the checked input through these pipes, in order, before the handler gets it. */
export function UsePipes(...pipes: EnhancerSource<PipeTransform>[]): ClassDecorator & MethodDecorator {
  return use('pipes', pipes);
}

/** Wraps every operation of the class or of the method in these interceptors, the first one outermost. */
export function UseInterceptors(...interceptors: EnhancerSource<Interceptor>[]): ClassDecorator & MethodDecorator {
  return use('interceptors', interceptors);
}

/** Lets these filters answer errors: the nearest to the handler that catches the error's type, and only that one. */
export function UseFilters(...filters: EnhancerSource<ExceptionFilter>[]): ClassDecorator & MethodDecorator {
  return use('filters', filters);
}

function use<K extends EnhancerKind>(kind: K, added: EnhancerLists[K]): ClassDecorator & MethodDecorator {
  const append = (lists: EnhancerLists = NO_ENHANCERS): EnhancerLists =>
    Object.freeze({ ...lists, [kind]: Object.freeze([...lists[kind], ...added]) });
  return (target: object, method?: PropertyKey): void => {
    if (method === undefined) return updateRecord(target, (own) => ({ ...own, enhancers: append(own.enhancers) }));
    if (isClass(target))
      throw new TypeError(`An enhancer stands on the static method ${target.name}.${String(method)}. Put it on an instance method.`);
    updateRecord(target.constructor, (own) => ({
      ...own,
      methodEnhancers: new Map([...(own.methodEnhancers ?? []), [method, append(own.methodEnhancers?.get(method))] as const]),
    }));
  };
}
