import { Allow, ValidateBy } from 'class-validator';
import {
  APP_GUARD,
  Engine,
  EngineModule,
  Injectable,
  McpFactory,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  Requires,
  Scopes,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type EngineContext,
  type ExecutionContext,
  type Interceptor,
  type PipeTransform,
  type Type,
} from 'perch-mcp';
import { openDoors } from './raw-doors';

let trace: string[] = [];

const guard = (name: string): CanActivate => ({
  canActivate: () => (trace.push(`guard ${name}`), true),
  canList: () => (trace.push(`canList ${name}`), true),
});
const pipe: PipeTransform = { transform: (value) => (trace.push('pipe'), value) };
const interceptor = (name: string): Interceptor => ({
  intercept: async (_context: ExecutionContext, next) => {
    trace.push(`before ${name}`);
    const result = await next();
    trace.push(`after ${name}`);
    return result;
  },
});

class Input {
  @ValidateBy({ name: 'traced', validator: { validate: () => (trace.push('validation'), true), defaultMessage: () => '' } })
  @Allow()
  id: unknown;
}

/** Puts everything that can stand before a method on the class and on these methods. */
function surround(type: Type, ...methods: readonly string[]): void {
  const requires = Requires({ network: () => (trace.push('requires'), []) });
  for (const method of methods) {
    const descriptor = Object.getOwnPropertyDescriptor(type.prototype, method) as PropertyDescriptor;
    for (const each of [UseGuards(guard('method')), UseInterceptors(interceptor('method')), Scopes('docs'), requires])
      each(type.prototype as object, method, descriptor);
  }
  for (const each of [UseGuards(guard('class')), UseInterceptors(interceptor('class')), UsePipes(pipe)]) each(type);
}

@Injectable()
class Handlers {
  @McpTool({ name: 'tool', description: 'd', input: Input })
  tool(): string {
    return (trace.push('handler'), 'done');
  }
  @McpPrompt({ name: 'prompt', args: Input })
  prompt(): string {
    return (trace.push('handler'), 'done');
  }
  @McpResource({ uri: 'x://it', name: 'x' })
  resource(): string {
    return (trace.push('handler'), 'done');
  }
}

@Engine({ input: Input })
class TracedEngine {
  readonly id = 'engine';
  readonly name = 'n';
  readonly description = 'd';
  readonly version = '1';
  async execute(_context: EngineContext): Promise<string> {
    return Promise.resolve((trace.push('handler'), 'done'));
  }
}

const SEEN = ['canList APP', 'canList class', 'canList method'];
const BEFORE = ['guard APP', 'guard class', 'guard method', 'before class', 'before method'];
const AFTER = ['pipe', 'requires', 'handler', 'after method', 'after class'];

test('F7: canList, scopes, guards, interceptors, validation, pipes, requirements and the handler come in this order for every kind at every door', async () => {
  surround(Handlers, 'tool', 'prompt', 'resource');
  surround(TracedEngine, 'execute');
  @Module({ imports: [EngineModule.forRoot()], providers: [Handlers, TracedEngine, { provide: APP_GUARD, useValue: guard('APP') }] })
  class AppModule {}
  const app = await McpFactory.create(AppModule, { name: 't', version: '1', logger: false });
  const questions = [
    ['tools/call', { name: 'tool', arguments: { id: 'x' } }, ['validation']],
    ['tools/call', { name: 'engine', arguments: { id: 'x' } }, ['validation']],
    ['prompts/get', { name: 'prompt', arguments: { id: 'x' } }, ['validation']],
    ['resources/read', { uri: 'x://it' }, []],
  ] as const;
  try {
    for (const door of await openDoors(app)) {
      const hasScope = door.principal?.scopes.includes('docs') === true;
      for (const [method, params, validation] of questions) {
        trace = [];
        const answer = await door.ask(method, params);
        expect([door.name, params, trace]).toEqual([door.name, params, hasScope ? [...SEEN, ...BEFORE, ...validation, ...AFTER] : SEEN]);
        expect(answer).toContain(hasScope ? 'done' : method === 'tools/call' ? '"Forbidden"' : 'Unknown');
      }
    }
  } finally {
    await app.close();
  }
});
