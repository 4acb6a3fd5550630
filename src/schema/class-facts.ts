import { isClass, type Type } from '../contracts/type';
import {
  classLibrary,
  defaultMessage,
  type ClassLibrary,
  type ConstraintInstance,
  type TransformerMetadata,
  type ValidationMetadata,
} from './class-library';
import { CONSTRAINTS } from './constraint-table';

/** A class describes what comes in or what goes out; class-transformer's options may be for one direction only. */
export type Role = 'input' | 'output';

/** One constraint decorator on a property. */
export interface RuleFacts {
  /** `IsInt`, or the name of a custom constraint. */
  readonly decorator: string;
  /** False for custom constraints, also for one that borrows the name of a decorator of class-validator. */
  readonly builtIn: boolean;
  /** False for a class without `@ValidatorConstraint`: class-validator has nothing to run. */
  readonly isKnown: boolean;
  readonly args: readonly unknown[];
  readonly each: boolean;
  readonly metadata: ValidationMetadata;
  /** From class-validator's container, asked when they are first needed. */
  readonly instances: () => readonly ConstraintInstance[];
}

/** The function of a `@ValidateIf`. */
export type Condition = (object: object, value: unknown) => boolean;

/** Everything that decorators say about one property of a class. */
export interface PropertyFacts {
  readonly property: string;
  readonly rules: readonly RuleFacts[];
  /** `@ValidateNested`: `'each'` with that option. */
  readonly nested: false | 'one' | 'each';
  readonly optional: boolean;
  /** `@ValidateIf` conditions. */
  readonly conditions: readonly Condition[];
  /** `@Allow`. */
  readonly anything: boolean;
  /** Decorators that no property may carry here, with the reason. */
  readonly refused: readonly { readonly decorator: string; readonly reason: string; readonly fix: string }[];
  readonly type: TransformerMetadata | undefined;
  /** The name in JSON, from `@Expose({ name })`. */
  readonly exposedAs: string | undefined;
  readonly excluded: boolean;
}

/** Reads what class-validator and class-transformer know about a class, with what it inherits. */
export function readClass(target: Type, role: Role): ReadonlyMap<string, PropertyFacts> {
  const library = classLibrary();
  const byProperty = new Map<string, ValidationMetadata[]>();
  for (const metadata of parentsFirst(library.validator.getTargetValidationMetadatas(target, '', true, false))) {
    const property = String(metadata.propertyName);
    byProperty.set(property, [...(byProperty.get(property) ?? []), metadata]);
  }
  for (const property of transformedProperties(target, library)) if (!byProperty.has(property)) byProperty.set(property, []);
  return new Map([...byProperty].map(([property, metadata]) => [property, readProperty({ target, role, library, property }, metadata)]));
}

function parentsFirst(metadata: readonly ValidationMetadata[]): readonly ValidationMetadata[] {
  return [...metadata].sort((a, b) => (isParent(a.target, b.target) ? -1 : Number(isParent(b.target, a.target))));
}

function isParent(parent: unknown, child: unknown): boolean {
  return isClass(parent) && isClass(child) && child.prototype instanceof parent;
}

interface Reading {
  readonly target: Type;
  readonly role: Role;
  readonly library: ClassLibrary;
  readonly property: string;
}

function transformedProperties({ prototype }: Type, { transformer }: ClassLibrary): ReadonlySet<string> {
  const properties = new Set<string>();
  const { _typeMetadatas, _exposeMetadatas, _transformMetadatas, _excludeMetadatas } = transformer;
  const stores = [_typeMetadatas, _exposeMetadatas, _transformMetadatas, _excludeMetadatas];
  for (let each = prototype as object | null; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    for (const store of stores) {
      for (const property of store.get(each.constructor)?.keys() ?? []) if (property !== undefined) properties.add(property);
    }
  }
  return properties;
}

function readProperty(reading: Reading, metadata: readonly ValidationMetadata[]): PropertyFacts {
  const { target, library, property } = reading;
  const ofType = (type: string): readonly ValidationMetadata[] => metadata.filter((each) => each.type === type);
  const conditional = ofType('conditionalValidation');
  const nested = ofType('nestedValidation');
  const exposed = library.transformer.findExposeMetadata(target, property);
  return {
    property,
    rules: [...ofType('isDefined'), ...ofType('customValidation')].map((each) => readRule(each, library)),
    nested: nested.length > 0 && (nested.some((each) => each.each) ? 'each' : 'one'),
    optional: conditional.some((each) => each.name === 'isOptional'),
    conditions: conditional.filter((each) => each.name !== 'isOptional').map((each) => each.constraints?.[0] as Condition),
    anything: ofType('whitelistValidation').length > 0,
    refused: [...refusedValidators(metadata), ...refusedTransforms(reading, exposed)],
    type: library.transformer.findTypeMetadata(target, property),
    exposedAs: applies(exposed, reading.role) ? exposed?.options?.name : undefined,
    excluded: applies(library.transformer.findExcludeMetadata(target, property), reading.role),
  };
}

function readRule(metadata: ValidationMetadata, { validator, messageOf }: ClassLibrary): RuleFacts {
  const decorator = metadata.name === undefined ? '' : decoratorOf(metadata.name);
  const builtIn = decorator !== '' && messageOf(decorator) === defaultMessage(validator, metadata);
  const constraints = metadata.constraintCls === undefined ? [] : validator.getTargetValidatorConstraints(metadata.constraintCls);
  const custom =
    [metadata.name, constraints[0]?.name, isClass(metadata.constraintCls) ? metadata.constraintCls.name : ''].find(Boolean) ?? 'Validate';
  let instances: readonly ConstraintInstance[] | undefined;
  return {
    decorator: builtIn ? decorator : custom,
    builtIn,
    isKnown: constraints.length > 0,
    args: metadata.constraints ?? [],
    each: metadata.each === true,
    metadata,
    instances: () => (instances ??= constraints.map((each) => each.instance)),
  };
}

/** class-validator stores `isInt` for `@IsInt`, and for some decorators other capitals. */
function decoratorOf(name: string): string {
  decoratorNames ??= new Map(Object.keys(CONSTRAINTS).map((each) => [each.toLowerCase(), each]));
  return decoratorNames.get(name.toLowerCase()) ?? SPELLED_OTHERWISE[name] ?? '';
}
let decoratorNames: ReadonlyMap<string, string> | undefined;
const SPELLED_OTHERWISE: Readonly<Record<string, string>> = { isLength: 'Length' };

type Refused = PropertyFacts['refused'][number];

function refusedValidators(metadata: readonly ValidationMetadata[]): readonly Refused[] {
  const refused: Refused[] = [];
  for (const { name, type, groups, always, propertyName } of metadata) {
    const decorator = name ?? type;
    if (typeof propertyName === 'symbol') refused.push({ decorator, ...REFUSALS.symbol });
    if (type === 'promiseValidation') refused.push({ decorator: 'ValidatePromise', ...REFUSALS.promise });
    if ((groups?.length ?? 0) > 0 && always !== true) refused.push({ decorator, ...REFUSALS.groups });
  }
  return refused;
}

function refusedTransforms({ target, role, library, property }: Reading, exposed: TransformerMetadata | undefined): readonly Refused[] {
  const { transformer } = library;
  const refused: Refused[] = [];
  const transforms = transformer.findTransformMetadatas(target, property, role === 'input' ? 0 : 1);
  if (transforms.length > 0) refused.push({ decorator: 'Transform', ...REFUSALS.transform });
  const { name, groups, since, until } = exposed?.options ?? {};
  if (groups !== undefined || since !== undefined || until !== undefined) refused.push({ decorator: 'Expose', ...REFUSALS.version });
  if (role === 'input') return refused;
  if (name !== undefined && applies(exposed, role)) refused.push({ decorator: 'Expose', ...REFUSALS.renamed });
  if (applies(transformer.findExcludeMetadata(target, property), role)) refused.push({ decorator: 'Exclude', ...REFUSALS.hidden });
  return refused;
}

const REFUSALS = {
  symbol: { reason: 'stands on a symbol, which JSON cannot name', fix: 'Name the property with a text.' },
  promise: { reason: 'waits for a promise, and JSON carries none', fix: 'Remove it.' },
  groups: {
    reason: 'belongs to validation groups, and nothing chooses a group here',
    fix: 'Remove `groups`.\nWrite one class for each group.',
  },
  transform: {
    reason: 'changes the value by code that a schema cannot describe',
    fix: 'Transform the value in the handler or in a pipe.',
  },
  version: { reason: 'depends on a group or a version, and nothing chooses one here', fix: 'Use `@Expose({ name })` alone.' },
  renamed: {
    reason: 'renames a property of a result, and results are not transformed',
    fix: 'Give the property the name that clients read.',
  },
  hidden: {
    reason: 'hides a property of a result, and results are not transformed',
    fix: 'Leave the property out of the class and out of the result.',
  },
};

function applies(metadata: TransformerMetadata | undefined, role: Role): boolean {
  if (metadata === undefined) return false;
  const { toClassOnly, toPlainOnly } = metadata.options ?? {};
  if (toClassOnly === toPlainOnly) return true;
  return role === 'input' ? toClassOnly === true : toPlainOnly === true;
}
