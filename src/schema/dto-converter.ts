import type { JsonSchema } from '../contracts/schema-source';
import type { Type } from '../contracts/type';
import type { PropertyFacts } from './class-facts';
import { classLibrary } from './class-library';
import { convertProperty, type ConvertedProperty } from './convert-property';
import { ShapeGraph, type Shape } from './dto-shape';
import { noNotes, type SchemaNotes } from './explained-schema';
import { headerPlaceFault } from './header-rules';
import { initialValues, type InitialValue } from './initial-values';
import type { FieldPlan, InstancePlan } from './instance-plan';
import type { Refuse } from './property-rules';
import type { ChecksByClass, FieldCheck } from './residual-checks';
import { SchemaReport, type SchemaOptions, type SchemaPlace, type SchemaProblems } from './schema-place';

/** A DTO class in its three forms: what is published, how an instance is made, what the schema leaves to check. */
export interface ConvertedClass {
  readonly schema: JsonSchema;
  readonly notes: SchemaNotes;
  readonly plan: InstancePlan;
  /** `undefined` when the schema says everything. */
  readonly checks: ChecksByClass | undefined;
}

/** Converts a DTO class and every class it leads to; all problems are reported together. */
export function convertClass(target: Type, place: SchemaPlace, options: SchemaOptions): ConvertedClass | SchemaProblems {
  return new ClassConversion(new ShapeGraph(target, place.role), place, options).run();
}

type MutablePlan = InstancePlan & { readonly fields: FieldPlan[] };

class ClassConversion {
  private readonly report: SchemaReport;
  private readonly notes = noNotes();
  private readonly plans = new Map<Shape, MutablePlan>();
  private readonly checks = new Map<Type, readonly FieldCheck[]>();
  private readonly definitions = new Map<Shape, string>();
  private readonly $defs: Record<string, JsonSchema> = {};

  constructor(
    private readonly graph: ShapeGraph,
    private readonly place: SchemaPlace,
    private readonly options: SchemaOptions,
  ) {
    this.report = new SchemaReport(place);
  }

  run(): ConvertedClass | SchemaProblems {
    const { root } = this.graph;
    const body = this.objectSchema(root);
    const schema = Object.keys(this.$defs).length === 0 ? body : { ...body, $defs: this.$defs };
    const fault = headerPlaceFault(schema);
    const fix = 'Give each header a name of its own, on properties of the input class or of a nested class.';
    if (fault !== undefined)
      this.report.add('MCP_SCHEMA_UNSUPPORTED', `${nameOf(root.target)}: ${fault}.`, { where: nameOf(root.target), fix });
    const hasWork = [...this.checks.values()].flat().some((each) => each.rules.length > 0 || each.nestedRequired);
    const converted = { schema, notes: this.notes, plan: this.planOf(root), checks: hasWork ? this.checks : undefined };
    return this.report.result ?? converted;
  }

  private refer(shape: Shape): JsonSchema {
    if (shape === this.graph.root) return { $ref: '#' };
    if (!this.graph.isShared(shape)) return this.objectSchema(shape);
    let name = this.definitions.get(shape);
    if (name === undefined) {
      name = this.freeName(shape);
      this.definitions.set(shape, name);
      this.$defs[name] = this.objectSchema(shape);
    }
    return { $ref: `#/$defs/${name}` };
  }

  private freeName(shape: Shape): string {
    const base = nameOf(shape.target).replace(/[^\w.-]/g, '_');
    const taken = new Set(this.definitions.values());
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${count}`;
      if (!taken.has(name)) return name;
    }
  }

  private planOf(shape: Shape): MutablePlan {
    const known = this.plans.get(shape);
    if (known !== undefined) return known;
    const { target, tag } = shape;
    const setsTag = tag?.keep === true && !shape.properties.has(tag.property);
    const plan = { target: target as Type<object>, fields: [], tag: setsTag ? tag : undefined };
    this.plans.set(shape, plan);
    return plan;
  }

  private objectSchema(shape: Shape): JsonSchema {
    const properties = this.convertProperties(shape);
    const { fields } = this.planOf(shape);
    fields.push(...properties.map((each) => each.field));
    this.checks.set(
      shape.target,
      properties.map((each) => each.check),
    );
    const schemas: Record<string, JsonSchema> = Object.fromEntries(properties.map((each) => [each.key, each.schema]));
    const required = properties.filter((each) => each.required).map((each) => each.key);
    if (shape.tag !== undefined) this.addTag(shape.tag, schemas, required);
    return {
      type: 'object',
      properties: schemas,
      ...(required.length === 0 ? {} : { required }),
      ...(this.place.role === 'input' ? { additionalProperties: false } : {}),
    };
  }

  private addTag({ property, name }: { property: string; name: string }, schemas: Record<string, JsonSchema>, required: string[]): void {
    const own = schemas[property];
    const tagged = { ...(own ?? { type: 'string' }), const: name };
    schemas[property] = own?.const === undefined || own.const === name ? tagged : { allOf: [own, { const: name }] };
    if (!required.includes(property)) required.push(property);
  }

  private convertProperties(shape: Shape): ConvertedProperty[] {
    const { target } = shape;
    const fields = this.options.fieldsOf(target);
    const initial = this.initialValuesOf(shape);
    this.reportBareProperties(shape, [...fields.keys()], [...initial.keys()]);
    this.reportHiddenClass(shape);
    const converted: ConvertedProperty[] = [];
    for (const [name, property] of shape.properties) {
      const refuse = this.refuserFor(target, name);
      if (property.facts.excluded) {
        this.refuseExcluded(property.facts, refuse);
        continue;
      }
      const { role } = this.place;
      const refer = (other: Shape): JsonSchema => this.refer(other);
      const planOf = (other: Shape): InstancePlan => this.planOf(other);
      const context = { target, role, notes: this.notes, refer, planOf, refuse, field: fields.get(name), initial: initial.get(name) };
      const result = convertProperty(property, context);
      if (converted.some((each) => each.key === result.key))
        refuse('Expose', 'gives two properties one name', 'Give each a name of its own.');
      converted.push(result);
    }
    return converted;
  }

  private initialValuesOf({ target }: Shape): ReadonlyMap<string, InitialValue> {
    if (this.place.role === 'output') return new Map();
    const fix = 'Give the class a constructor without parameters that cannot fail.';
    const fault = { where: nameOf(target), fix };
    try {
      if (target.length === 0) return initialValues(target);
      this.report.add('MCP_SCHEMA_UNSUPPORTED', `The constructor of ${nameOf(target)} asks for arguments, and a call has none.`, fault);
    } catch (cause) {
      this.report.add('MCP_SCHEMA_UNSUPPORTED', `The constructor of ${nameOf(target)} threw.`, { ...fault, cause });
    }
    return new Map();
  }

  private reportBareProperties(shape: Shape, described: readonly PropertyKey[], initialised: readonly string[]): void {
    const { target, properties } = shape;
    const isBare = (each: PropertyKey): boolean => !properties.has(String(each)) && shape.tag?.property !== each;
    for (const each of described.filter(isBare)) {
      const fix = 'Add a decorator of class-validator, such as @IsString().\nAdd @Allow() if any value will do.';
      this.refuserFor(target, String(each))('Field', 'says nothing about which values are accepted', fix);
    }
    for (const each of initialised.filter(isBare)) {
      const where = `${nameOf(target)}.${each}`;
      const fix = 'Add a decorator of class-validator, such as @IsString().\nAdd @Exclude() if callers may not set it.';
      this.report.add('MCP_FIELD_UNDECORATED', `${where} has an initial value but no decorator, so input that names it would be refused.`, {
        where,
        fix,
      });
    }
    if (properties.size > 0 || described.length > 0) return;
    const fix =
      'Decorate each property.\nRun the code with a compiler that keeps decorators.\nLeave `input` out if there are no arguments.';
    this.report.add('MCP_SCHEMA_UNSUPPORTED', `${nameOf(shape.target)} has no property with a decorator of class-validator.`, {
      where: nameOf(shape.target),
      fix,
    });
  }

  private reportHiddenClass(shape: Shape): void {
    if (classLibrary().transformer.findExcludeMetadata(shape.target, undefined) === undefined) return;
    const fix = 'Remove @Exclude() from the class, and @Expose() from its properties.';
    this.report.add('MCP_SCHEMA_UNSUPPORTED', `@Exclude on ${nameOf(shape.target)} hides its properties.`, {
      where: nameOf(shape.target),
      fix,
    });
  }

  private refuseExcluded({ refused, rules, nested }: PropertyFacts, refuse: Refuse): void {
    for (const { decorator, reason, fix } of refused) refuse(decorator, reason, fix);
    const isValidated = rules.length > 0 || nested !== false;
    if (this.place.role === 'output' || !isValidated) return;
    refuse('Exclude', 'leaves out a property that other decorators validate', 'Remove @Exclude() or the decorators of class-validator.');
  }

  private refuserFor(target: Type, property: string): Refuse {
    const where = `${nameOf(target)}.${property}`;
    return (decorator, reason, fix) => {
      const subject = decorator === '' ? where : `@${decorator} on ${where}`;
      this.report.add('MCP_SCHEMA_UNSUPPORTED', `${subject} ${reason}.`, { where, fix });
    };
  }
}

function nameOf({ name }: Type): string {
  return name === '' ? 'Anonymous' : name;
}
