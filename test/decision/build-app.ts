import { IsString } from 'class-validator';
import {
  APP_GUARD,
  AuditSink,
  Complete,
  Engine,
  EngineModule,
  Injectable,
  McpFactory,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  Policy,
  Requires,
  Roles,
  RolesGuard,
  Scope,
  Scopes,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type McpApplication,
  type Type,
} from 'perch-mcp';
import type { EntrySpec, GraphSpec, GuardSpec, Rule } from './graph-spec';
import { admits } from './graph-spec';

/** What happened since it was last emptied: each guard by its specification when it has decided, and each handler by its entry. */
export const trace: (readonly [spec: GuardSpec | string, answer: boolean])[] = [];

/** How clients ask for an entry, or for one like it that does not exist. */
export function namesOf({ kind }: Pick<EntrySpec, 'kind'>, key: string): { name: string; uri: string } {
  return { name: key, uri: kind === 'template' ? `${key}://{id}` : `${key}://it` };
}

function answer(rule: Rule, context: ExecutionContext): unknown {
  if (rule === 'throws') throw new Error('SECRET');
  if (rule === 'rejects') return Promise.reject(new Error('SECRET'));
  if (rule === 'truthy') return 1;
  if (rule === 'undefined') return undefined;
  const admitted = admits(rule, context.switchToMcp().context.principal);
  return rule === 'later' ? new Promise((resolve) => setImmediate(() => resolve(admitted))) : admitted;
}

function defineGuard(spec: GuardSpec): Type<CanActivate> {
  const { decides, lists, isRequestScoped, isField } = spec;
  const canList = (context: ExecutionContext): boolean => answer(lists as Rule, context) as boolean;
  class Guard implements CanActivate {
    constructor() {
      if (lists !== undefined && isField) Object.assign(this, { canList });
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const admitted = (await answer(decides, context)) as boolean;
      trace.push([spec, admitted]);
      return admitted;
    }
  }
  if (lists !== undefined && !isField) Object.assign(Guard.prototype, { canList });
  Injectable({ scope: isRequestScoped ? Scope.REQUEST : Scope.DEFAULT })(Guard);
  return Guard;
}

class PromptArgs {
  @IsString() id!: string;
}

/** A class that serves one entry, with everything that its specification puts before it. */
function defineHandler(spec: EntrySpec, key: string): Type {
  const entered = (): string => (trace.push([key, true]), 'done');
  const method = spec.kind === 'engine' ? 'execute' : 'read';
  const served = defineServed(spec, key, entered);
  if (spec.ofClass.length > 0) UseGuards(...spec.ofClass.map(defineGuard))(served);
  for (const guard of spec.ofMethod) decorate(UseGuards(defineGuard(guard)), served, method);
  restrict(spec, served, method);
  return spec.ofChild === undefined ? served : override(served, method, spec.ofChild);
}

function defineServed(spec: EntrySpec, key: string, entered: () => string): Type {
  const { name, uri } = namesOf(spec, key);
  if (spec.kind === 'engine') return defineEngine(name, entered);
  class Served {
    read(): string {
      return entered();
    }
    complete(): string[] {
      return [entered()];
    }
  }
  Injectable()(Served);
  if (spec.kind === 'tool') decorate(McpTool({ name, description: 'd' }), Served, 'read');
  else if (spec.kind === 'prompt') decorate(McpPrompt({ name, args: PromptArgs }), Served, 'read');
  else if (spec.kind === 'resource') decorate(McpResource({ uri, name }), Served, 'read');
  else {
    Object.assign(Served.prototype, { list: () => [{ uri: `${key}://1`, name: `${key} 1` }] });
    McpResource({ uri, name })(Served);
  }
  if (spec.kind === 'prompt' || spec.kind === 'template') decorate(Complete('id'), Served, 'complete');
  return Served;
}

function defineEngine(key: string, entered: () => string): Type {
  class Served {
    readonly id = key;
    readonly name = key;
    readonly description = 'd';
    readonly version = '1';
    async execute(): Promise<string> {
      return Promise.resolve(entered());
    }
  }
  Engine()(Served);
  return Served;
}

function restrict({ scopes, needsAdmin, requires }: EntrySpec, type: Type, method: string): void {
  if (scopes === 'told') decorate(Scopes('docs'), type, method);
  if (scopes === 'hidden') Scopes('docs', { hide: true })(type);
  if (needsAdmin) for (const each of [UseGuards(RolesGuard), Roles('admin', 'root')]) each(type);
  if (requires === 'allowed') decorate(Requires({ network: 'allowed.example' }), type, method);
  if (requires === 'denied') decorate(Requires({ network: 'denied.example' }), type, method);
}

/** A subclass that overrides the method without a word of ours: what its parent demands stays demanded. */
function override(parent: Type, method: string, guards: readonly GuardSpec[]): Type {
  class Child extends (parent as Type<Record<string, () => unknown>>) {}
  Object.defineProperty(Child.prototype, method, {
    value(this: Record<string, unknown>, ...args: unknown[]): unknown {
      return (parent.prototype as Record<string, (...all: unknown[]) => unknown>)[method]?.apply(this, args);
    },
  });
  Injectable()(Child);
  if (guards.length > 0) UseGuards(...guards.map(defineGuard))(Child);
  for (const guard of guards) decorate(UseGuards(defineGuard(guard)), Child, method);
  return Child;
}

function decorate(decorator: unknown, { prototype }: Type, method: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  (decorator as MethodDecorator)(prototype as object, method, descriptor as never);
}

/** Serves a graph. Besides its entries there is a tool, and an engine, registered after the start. */
export async function buildApp({ importedBy, provided, added, entries }: GraphSpec): Promise<McpApplication> {
  const modules = [0, ...importedBy].map(() => class GraphModule {});
  const last = modules.length - 1;
  modules.forEach((type, index) =>
    Module({
      imports: [
        ...(index === 0 ? [EngineModule.forRoot()] : []),
        ...modules.filter((_each, other) => other > 0 && importedBy[other - 1] === index && other > index),
      ],
      providers: [
        ...entries.flatMap((each, number) => (Math.min(each.module, last) === index ? [defineHandler(each, `e${String(number)}`)] : [])),
        ...(index === 0 ? [{ provide: AuditSink, useValue: { write: () => undefined } }] : []),
        ...(index === last ? provided.map((spec) => ({ provide: APP_GUARD, useClass: defineGuard(spec) })) : []),
      ],
    })(type),
  );
  const policy = Policy.define({ network: ['allowed.example'] });
  const app = await McpFactory.create(modules[0] as Type, { name: 't', version: '1', logger: false, policy });
  for (const spec of added) app.useGlobalGuards(new (defineGuard(spec))());
  await app.init();
  app.tools.register({ name: 'late', execute: () => (trace.push(['late', true]), 'done') });
  return app;
}
