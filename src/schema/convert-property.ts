import type { JsonSchema } from '../contracts/schema-source';
import type { Type } from '../contracts/type';
import type { PropertyFacts, Role } from './class-facts';
import { annotate, messagesOf, ownNodes, type FieldNotes } from './dto-property';
import type { Shape, ShapeProperty } from './dto-shape';
import type { SchemaNotes } from './explained-schema';
import { headerFault } from './header-rules';
import { refusedBy, type InitialValue } from './initial-values';
import { FORBIDDEN_KEYS } from './input-limits';
import { listReader, nestedReader, readDate, unionReader, type FieldPlan, type InstancePlan } from './instance-plan';
import { expressRules, type ExpressedRules, type Refuse } from './property-rules';
import type { NestedType } from './nested-type';
import type { FieldCheck } from './residual-checks';

/** What surrounds the property that is converted. */
export interface PropertyContext {
  readonly target: Type;
  readonly role: Role;
  readonly field: FieldNotes | undefined;
  readonly initial: InitialValue | undefined;
  readonly notes: SchemaNotes;
  readonly refer: (shape: Shape) => JsonSchema;
  readonly planOf: (shape: Shape) => InstancePlan;
  readonly refuse: Refuse;
}

/** A property in all its forms: published, assigned, checked. */
export interface ConvertedProperty {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly field: FieldPlan;
  readonly check: FieldCheck;
}

/** Converts one property; what it cannot express goes to `context.refuse`. */
export function convertProperty(property: ShapeProperty, context: PropertyContext): ConvertedProperty {
  const { facts, type } = property;
  refuseWhatCannotStand(facts, context);
  if (type.kind === 'fault') context.refuse(type.decorator, type.reason, type.fix);
  const rules = expressRules(facts, context.refuse);
  if (!rules.isDescribed && facts.nested === false && !facts.anything) {
    context.refuse(
      '',
      'has no decorator that says which values it accepts',
      'Add one, such as @IsString().\nAdd @Allow() if any value will do.',
    );
  }
  checkInitial(facts, context);
  const depth = listDepth(rules);
  const key = facts.exposedAs ?? facts.property;
  return {
    key,
    schema: publish(property, rules, context),
    required: isRequired(facts, rules, context),
    field: { key, property: facts.property, read: reader(property, depth, context) },
    check: toCheck(facts, rules, key),
  };
}

function refuseWhatCannotStand(facts: PropertyFacts, { target, role, refuse }: PropertyContext): void {
  for (const { decorator, reason, fix } of facts.refused) refuse(decorator, reason, fix);
  const names = [facts.property, facts.exposedAs ?? ''];
  if (names.some((each) => FORBIDDEN_KEYS.has(each))) refuse('', 'has a name that input may never carry', 'Give it another name.');
  if (role === 'output') return;
  const member = memberOf(target, facts.property);
  if (member?.get !== undefined && member.set === undefined)
    refuse('', 'is a getter without a setter', 'Add a setter, or declare a field.');
  if (typeof member?.value === 'function') refuse('', 'is a method', 'Declare a field.');
}

function memberOf({ prototype }: Type, property: string): PropertyDescriptor | undefined {
  for (let each = prototype as object; each !== Object.prototype && each !== null; each = Object.getPrototypeOf(each) as object) {
    const found = Object.getOwnPropertyDescriptor(each, property);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkInitial(facts: PropertyFacts, { initial, refuse }: PropertyContext): void {
  const refusing = initial === undefined ? undefined : refusedBy(facts, initial.value);
  if (refusing === undefined) return;
  const fix = `Give it a value that @${refusing} accepts.\nDeclare it without a value: \`${facts.property}!: …\`.`;
  refuse(refusing, 'refuses the initial value of its own property', fix);
}

/** How many lists stand around one value of the property: `Cell[][]` has two. */
function listDepth({ isList, item }: ExpressedRules): number {
  if (!isList) return 0;
  return item.allowedTypes?.join() === 'array' ? 2 : 1;
}

function isRequired({ optional, conditions, nested }: PropertyFacts, rules: ExpressedRules, { role, initial }: PropertyContext): boolean {
  if (optional || conditions.length > 0) return false;
  if (role === 'input' && initial !== undefined) return false;
  return rules.required || nested !== false;
}

function publish(property: ShapeProperty, rules: ExpressedRules, context: PropertyContext): JsonSchema {
  const { facts } = property;
  const { notes, field, target } = context;
  const note = (node: object, isItem: boolean): void => {
    const spoken = rules.spoken.filter((each) => each.rule.each === isItem);
    for (const each of ownNodes(node)) notes.messages.set(each, messagesOf(spoken, target.name));
  };
  addNested(property, rules, context);
  if (rules.isList) {
    const items = rules.item.finish(false);
    note(items, true);
    if (Object.keys(items).length > 0) rules.whole.add({ items });
  }
  const header = field?.header;
  // A header carries no null, so its schema allows none either.
  const nullable = header === undefined && (facts.optional || facts.conditions.length > 0);
  const initial = context.role === 'input' ? context.initial?.published : undefined;
  const schema = annotate(rules.whole.finish(nullable), field, initial);
  note(schema, false);
  if (rules.whole.impossible || rules.item.impossible) {
    context.refuse('', 'has decorators that contradict each other: no value can satisfy them', 'Remove one of them.');
  }
  const fault = header === undefined ? undefined : headerFault(header, schema);
  if (fault !== undefined) context.refuse('Field', fault, 'Use a header only on a text, whole number or boolean.');
  return schema;
}

function addNested({ type, nested }: ShapeProperty, rules: ExpressedRules, context: PropertyContext): void {
  const depth = listDepth(rules);
  const value = depth === 0 ? rules.whole : rules.item;
  if (type.kind === 'class' || type.kind === 'union') {
    const branches = nested.map(context.refer);
    const schema = type.kind === 'union' ? { type: 'object', oneOf: branches } : (branches[0] ?? {});
    if (type.kind === 'union') noteTag(branches, type, context.notes);
    value.add(depth === 2 ? { type: 'array', items: schema } : schema);
  }
  if (type.kind !== 'primitive') return;
  const agrees = value.allowedTypes?.every((each) => each === type.json || (type.json === 'number' && each === 'integer')) ?? false;
  const fix = 'Remove @Type: the value keeps the type it was sent with.';
  if (!agrees) context.refuse('Type', 'converts values, and no value is converted here', fix);
}

function noteTag(branches: readonly JsonSchema[], type: NestedType & { kind: 'union' }, notes: SchemaNotes): void {
  const [first] = branches;
  if (first !== undefined) notes.tags.set(first, { property: type.property, names: type.branches.map((each) => each.name) });
}

function reader({ type, nested }: ShapeProperty, depth: number, { planOf }: PropertyContext): FieldPlan['read'] {
  let read: FieldPlan['read'];
  const [first] = nested;
  if (type.kind === 'date') read = readDate;
  if (type.kind === 'class' && first !== undefined) read = nestedReader(planOf(first));
  if (type.kind === 'union') {
    const { property, branches } = type;
    const plans = nested.map((shape, index) => [branches[index]?.name ?? '', planOf(shape)] as const);
    read = unionReader(property, new Map(plans));
  }
  for (let each = 0; read !== undefined && each < depth; each++) read = listReader(read);
  return read;
}

function toCheck(facts: PropertyFacts, rules: ExpressedRules, key: string): FieldCheck {
  const { property, optional, conditions, nested } = facts;
  const isConditional = conditions.length > 0;
  return {
    key,
    property,
    optional,
    conditions,
    // Under a condition the schema allows the value to be missing, so every rule has its say.
    rules: isConditional ? facts.rules : rules.residual,
    nested: nested !== false,
    nestedRequired: isConditional && nested !== false,
  };
}
