import type { ForwardReference, InjectionToken } from '../contracts/type';
import { updateRecord, type DeclaredToken } from './metadata';

type InjectDecorator = (target: object, property: PropertyKey | undefined, index?: number) => void;

/**
 * Injects what stands under `token` instead of what the parameter's type says; on a property, injects after construction.
 * Without a token the declared type is used, which says so to readers of a property.
 */
export function Inject(...tokens: [token?: InjectionToken | ForwardReference<InjectionToken>]): InjectDecorator {
  const token: DeclaredToken = tokens[0];
  const isUndefined = tokens.length > 0 && token === undefined;
  return (target, property, index) => {
    const declared = isUndefined ? UNDEFINED_TOKEN : token;
    if (typeof index === 'number')
      return updateRecord(target, (own) => ({ ...own, parameterTokens: withEntry(own.parameterTokens, index, declared) }));
    if (property === undefined) throw new TypeError('@Inject() stands on a constructor parameter or on a property.');
    updateRecord(target.constructor, (own) => ({ ...own, propertyTokens: withEntry(own.propertyTokens, property, declared) }));
  };
}

/** Injects `undefined` where nothing provides the token, instead of refusing to start. */
export function Optional(): InjectDecorator {
  return (target, property, index) => {
    if (typeof index === 'number')
      return updateRecord(target, (own) => ({ ...own, optionalParameters: withMember(own.optionalParameters, index) }));
    if (property === undefined) throw new TypeError('@Optional() stands on a constructor parameter or on a property.');
    updateRecord(target.constructor, (own) => ({ ...own, optionalProperties: withMember(own.optionalProperties, property) }));
  };
}

/** Refers to a class that is declared later in the file, or in an import cycle. */
export function forwardRef<T>(reference: () => T): ForwardReference<T> {
  return Object.freeze({ forwardRef: reference });
}

/** What `@Inject(undefined)` records: the import cycle behind it is reported at boot, with the class and the parameter. */
export const UNDEFINED_TOKEN = Symbol.for('perch-mcp:undefined-token');

function withEntry<K>(map: ReadonlyMap<K, DeclaredToken> | undefined, key: K, token: DeclaredToken): ReadonlyMap<K, DeclaredToken> {
  return new Map([...(map ?? []), [key, token] as const]);
}

function withMember<T>(set: ReadonlySet<T> | undefined, member: T): ReadonlySet<T> {
  return new Set([...(set ?? []), member]);
}
