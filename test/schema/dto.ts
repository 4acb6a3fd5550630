import { Type as TypeDecorator } from 'class-transformer';
import type { Type } from '../../src/contracts/type';
import type { SetupProblem } from '../../src/errors/setup-error';
import { fieldsOf } from '../../src/decorators/metadata';
import { compileInput, type BoundInput, type CompiledInput } from '../../src/schema/input-schema';
import { compileOutput, type CompiledOutput } from '../../src/schema/output-schema';

export const OPTIONS = { fieldsOf, maxDepth: 64, maxElements: 10_000 };

type Source = Parameters<typeof compileInput>[0];

/** Compiles an input that must convert. */
export function inputOf(source: Source): CompiledInput {
  const compiled = compileInput(source, { owner: 'Tool', role: 'input' }, OPTIONS);
  if (compiled.problems !== undefined) throw new Error(compiled.problems.map((each) => each.problem).join('\n'));
  return compiled;
}

/** Compiles an output that must convert. */
export function outputOf(source: NonNullable<Source>): CompiledOutput {
  const compiled = compileOutput(source, { owner: 'Tool', role: 'output' }, OPTIONS);
  if (compiled.problems !== undefined) throw new Error(compiled.problems.map((each) => each.problem).join('\n'));
  return compiled;
}

/** The problems of a source that must not convert. */
export function problemsOf(source: Source, role: 'input' | 'output' = 'input'): readonly SetupProblem[] {
  const place = { owner: 'Tool', role };
  const compiled = role === 'input' ? compileInput(source, place, OPTIONS) : compileOutput(source as NonNullable<Source>, place, OPTIONS);
  return compiled.problems ?? [];
}

/** Binds a value that needs no asynchronous check. */
export function bound(source: Source, raw: unknown): BoundInput {
  const result = inputOf(source).binder.bind(raw);
  if (result instanceof Promise) throw new Error('asynchronous');
  return result;
}

/** The texts for a refused value; `[]` for an accepted one. */
export function refusals(source: Source, raw: unknown): readonly string[] {
  return bound(source, raw).problems ?? [];
}

/** The value of an accepted input. */
export function valueOf(source: Source, raw: unknown): any {
  const result = bound(source, raw);
  if (result.problems !== undefined) throw new Error(result.problems.join('\n'));
  return result.value;
}

/** A new class with these decorators on its properties. */
export function dtoOf(properties: Readonly<Record<string, readonly PropertyDecorator[]>>, name = 'Dto'): Type<object> {
  const dto = { [name]: class {} }[name] as Type<object>;
  for (const [property, decorators] of Object.entries(properties)) for (const each of decorators) each(dto.prototype, property);
  return dto;
}

/** `@Type(() => Date)` for the decorators that want dates. */
export const asDate: PropertyDecorator = TypeDecorator(() => Date);
