import type { Type } from '../contracts/type';

/** A constraint as class-validator runs it. */
export interface ConstraintInstance {
  validate(value: unknown, args: ConstraintArguments): unknown;
  defaultMessage?(args: ConstraintArguments): string;
}

/** What class-validator hands a constraint and a message function. */
export interface ConstraintArguments {
  readonly value: unknown;
  readonly constraints: readonly unknown[];
  readonly targetName: string;
  readonly object: object;
  readonly property: string;
}

/** One decorator on one property, as class-validator stores it. */
export interface ValidationMetadata {
  readonly type: string;
  readonly name?: string;
  readonly target: unknown;
  readonly propertyName: PropertyKey;
  readonly constraintCls?: object;
  readonly constraints?: readonly unknown[];
  readonly message?: string | ((args: ConstraintArguments) => string);
  readonly groups?: readonly string[];
  readonly always?: boolean;
  readonly each?: boolean;
  readonly validateIf?: (object: object, value: unknown) => boolean;
}

/** The part of class-validator's storage that Perch reads. */
export interface ValidatorStorage {
  getTargetValidationMetadatas(target: Type, schema: string, always: boolean, strictGroups: boolean): ValidationMetadata[];
  getTargetValidatorConstraints(target: object): { readonly name: string; readonly instance: ConstraintInstance }[];
}

/** What class-transformer stores for one decorator on one property. */
export interface TransformerMetadata {
  readonly propertyName: string | undefined;
  readonly typeFunction?: (options: object) => unknown;
  readonly options?: {
    readonly name?: string;
    readonly since?: number;
    readonly until?: number;
    readonly groups?: readonly string[];
    readonly toClassOnly?: boolean;
    readonly toPlainOnly?: boolean;
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: { readonly property: string; readonly subTypes: readonly { readonly name: string; readonly value: Type }[] };
  };
}

type ByProperty = Map<string | undefined, TransformerMetadata | TransformerMetadata[]>;

/** The part of class-transformer's storage that Perch reads. */
export interface TransformerStorage {
  findTypeMetadata(target: Type, property: string): TransformerMetadata | undefined;
  findExposeMetadata(target: Type, property: string | undefined): TransformerMetadata | undefined;
  findExcludeMetadata(target: Type, property: string | undefined): TransformerMetadata | undefined;
  findTransformMetadatas(target: Type, property: string, direction: 0 | 1): TransformerMetadata[];
  readonly _typeMetadatas: Map<unknown, ByProperty>;
  readonly _exposeMetadatas: Map<unknown, ByProperty>;
  readonly _transformMetadatas: Map<unknown, ByProperty>;
  readonly _excludeMetadatas: Map<unknown, ByProperty>;
}

/** The author's class-validator and class-transformer, loaded when the first DTO class is read. */
export interface ClassLibrary {
  readonly validator: ValidatorStorage;
  readonly transformer: TransformerStorage;
  /** The default message of class-validator's own decorator of this name; `undefined` when it has none of that name. */
  readonly messageOf: (decorator: string) => string | undefined;
}

let loaded: ClassLibrary | undefined;

/** Loads both packages at the first use. */
export function classLibrary(): ClassLibrary {
  return (loaded ??= load());
}

function load(): ClassLibrary {
  const classValidator = require('class-validator') as { getMetadataStorage(): ValidatorStorage };
  // The package exports no way to read its storage.
  const { defaultMetadataStorage } = require('class-transformer/cjs/storage') as { defaultMetadataStorage: TransformerStorage };
  const validator = classValidator.getMetadataStorage();
  return { validator, transformer: defaultMetadataStorage, messageOf: builtInMessages(classValidator as never, validator) };
}

type AnyDecorator = (argument: object) => (target: object, property: string) => void;

function builtInMessages(decorators: Record<string, AnyDecorator>, storage: ValidatorStorage): (name: string) => string | undefined {
  class Probe {}
  const messages = new Map<string, string | undefined>();
  return (name) => {
    if (messages.has(name)) return messages.get(name);
    decorators[name]?.({})(Probe.prototype, name);
    const own = storage.getTargetValidationMetadatas(Probe, '', true, false).find((each) => each.propertyName === name);
    const message = own && defaultMessage(storage, own);
    messages.set(name, message);
    return message;
  };
}

/** The text of a decorator's constraint before any token is replaced, without the prefix that `each` adds. */
export function defaultMessage(storage: ValidatorStorage, metadata: ValidationMetadata): string | undefined {
  const [constraint] = metadata.constraintCls === undefined ? [] : storage.getTargetValidatorConstraints(metadata.constraintCls);
  const args = { value: '', constraints: metadata.constraints ?? [], targetName: '', object: {}, property: '' };
  try {
    return constraint?.instance.defaultMessage?.(args)?.replace('each value in ', '');
  } catch {
    // An author's message function may ask for more than a probe can give; class-validator's own never throws.
    return undefined;
  }
}
