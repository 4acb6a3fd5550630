import { IsString } from 'class-validator';
import {
  APP_GUARD,
  Injectable,
  McpContext,
  McpPrompt,
  McpResource,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExecutionContext,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

let trace: string[] = [];

const guard = (name: string): CanActivate => ({
  canActivate: (context: ExecutionContext) => {
    const { operation, name: subject } = context.switchToMcp();
    trace.push(`guard ${name} of ${operation} ${subject}`);
    return true;
  },
});
const pipe = { transform: (value: unknown) => (trace.push('pipe'), value) };
const interceptor = {
  intercept: async (_context: ExecutionContext, next: () => Promise<unknown>) => {
    trace.push('before');
    const result = await next();
    trace.push(`after ${String(result)}`);
    return result;
  },
};

class Args {
  @IsString() id!: string;
}

@UseGuards(guard('class'))
@UsePipes(pipe)
@UseInterceptors(interceptor)
@Injectable()
class Both {
  @UseGuards(guard('method'))
  @McpResource({ uri: 'x://{id}', name: 'x' })
  read({ id }: { id: string }): string {
    trace.push('handler');
    return id;
  }

  @UseGuards(guard('method'))
  @McpPrompt({ name: 'p', args: Args })
  get({ id }: Args): string {
    trace.push('handler');
    return id;
  }
}

test.each([
  ['resources/read', { uri: 'x://1' }, 'read x://1'],
  ['prompts/get', { name: 'p', arguments: { id: '1' } }, 'get p'],
])('F7: %s runs through guards, interceptors, pipes and the handler in this order on every transport', async (method, params, subject) => {
  const app = await createApp([Both, { provide: APP_GUARD, useValue: guard('APP') }]);
  for (const door of await everyDoor(app)) {
    trace = [];
    expect((await door.ask(method, params)).error).toBeUndefined();
    expect([door.name, trace]).toEqual([
      door.name,
      [`guard APP of ${subject}`, `guard class of ${subject}`, `guard method of ${subject}`, 'before', 'pipe', 'handler', 'after 1'],
    ]);
  }
});

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  constructor(private readonly context: McpContext) {}
  get id(): string {
    return String(this.context.requestId);
  }
}

@McpResource({ uri: 'tenant://{id}', name: 'tenant' })
class TenantResource {
  constructor(private readonly tenant: Tenant) {}

  read(_variables: { id: string }, { requestId }: McpContext): object {
    return { own: this.tenant.id === String(requestId) };
  }

  list({ requestId }: McpContext): { uri: string; name: string }[] {
    return [{ uri: 'tenant://1', name: String(this.tenant.id === String(requestId)) }];
  }
}

@McpPrompt({ name: 'tenant' })
class TenantPrompt {
  constructor(private readonly tenant: Tenant) {}

  get(_args: object, { requestId }: McpContext): string {
    return String(this.tenant.id === String(requestId));
  }
}

test('B15: resources, their lists and prompts that need request scope get an instance for each operation', async () => {
  for (const door of await everyDoor(await createApp([Tenant, TenantResource, TenantPrompt]))) {
    expect((await door.ask('resources/read', { uri: 'tenant://1' })).result).toMatchObject({ contents: [{ text: '{"own":true}' }] });
    expect((await door.ask('resources/list')).result).toMatchObject({ resources: [{ name: 'true' }] });
    expect((await door.ask('prompts/get', { name: 'tenant' })).result).toMatchObject({ messages: [{ content: { text: 'true' } }] });
  }
});

@Injectable()
class Filtered {
  @UseFilters({ catch: () => 'filtered' })
  @McpResource({ uri: 'x://fails', name: 'x' })
  read(): never {
    throw new Error('SECRET');
  }
}

test('what a filter answers for an error is the resource', async () => {
  for (const door of await everyDoor(await createApp([Filtered]))) {
    expect((await door.ask('resources/read', { uri: 'x://fails' })).result).toMatchObject({
      contents: [{ uri: 'x://fails', text: 'filtered' }],
    });
  }
});
