import {
  APP_GUARD,
  Injectable,
  McpSetupError,
  McpTool,
  Module,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type Interceptor,
  type McpApplication,
  type PipeTransform,
} from 'perch-mcp';
import { connect, Test } from 'perch-mcp/testing';
import { RecordingLogger } from '../support/app';

const open: McpApplication[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

function keep(app: McpApplication): McpApplication {
  open.push(app);
  return app;
}

@Injectable()
class Mailer {
  send(): string {
    return 'sent for real';
  }
}

@Injectable()
class RealGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class RealPipe implements PipeTransform {
  transform(): never {
    throw new Error('real pipe');
  }
}

@Injectable()
class RealInterceptor implements Interceptor {
  intercept(): string {
    return 'real interceptor';
  }
}

@Injectable()
class RealFilter implements ExceptionFilter {
  catch(): string {
    return 'real filter';
  }
}

@Injectable()
class Tools {
  constructor(private readonly mailer: Mailer) {}

  @McpTool({ name: 'mail', description: 'd' })
  mail(): string {
    return this.mailer.send();
  }

  @UseGuards(RealGuard)
  @UsePipes(RealPipe)
  @UseInterceptors(RealInterceptor)
  @UseFilters(RealFilter)
  @McpTool({ name: 'enhanced', description: 'd' })
  enhanced(): string {
    return 'handler';
  }
}

@Module({ providers: [Mailer, Tools] })
class MailModule {}

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

test('overrideProvider puts a value, a class or a factory in the place of a provider, everywhere', async () => {
  const builder = (): ReturnType<typeof Test.createTestingModule> => Test.createTestingModule({ imports: [MailModule] });
  class FakeMailer {
    send(): string {
      return 'class';
    }
  }
  const value = keep(
    await builder()
      .overrideProvider(Mailer)
      .useValue({ send: () => 'value' })
      .compile(),
  );
  const type = keep(await builder().overrideProvider(Mailer).useClass(FakeMailer).compile());
  const factory = keep(
    await builder()
      .overrideProvider(Mailer)
      .useFactory({ factory: async () => ({ send: () => 'factory' }) })
      .compile(),
  );
  expect(await Promise.all([value, type, factory].map(async (app) => text(await app.tools.call('mail'))))).toEqual([
    'value',
    'class',
    'factory',
  ]);
  expect(type.get(Mailer)).toBeInstanceOf(FakeMailer);
});

test('guards, pipes, interceptors and filters that classes use are replaced by their class', async () => {
  const through: Interceptor = { intercept: (_context: ExecutionContext, next: () => Promise<unknown>) => next() };
  const app = keep(
    await Test.createTestingModule({ imports: [MailModule] })
      .overrideGuard(RealGuard)
      .useValue({ canActivate: () => true })
      .overridePipe(RealPipe)
      .useValue({
        transform: () => {
          throw new Error('fake pipe');
        },
      })
      .overrideInterceptor(RealInterceptor)
      .useValue(through)
      .overrideFilter(RealFilter)
      .useValue({ catch: (error: Error) => `fake filter: ${error.message}` })
      .compile(),
  );
  expect(text(await app.tools.call('enhanced'))).toBe('fake filter: fake pipe');
});

test('a global guard is replaced under its token', async () => {
  const app = keep(
    await Test.createTestingModule({ imports: [MailModule], providers: [{ provide: APP_GUARD, useClass: RealGuard }] })
      .overrideProvider(APP_GUARD)
      .useValue({ canActivate: () => true })
      .compile(),
  );
  expect(text(await app.tools.call('mail'))).toBe('sent for real');
});

@Module({ providers: [{ provide: Mailer, useValue: { send: () => 'module' } }], exports: [Mailer] })
class FakeMailModule {}

@Module({})
class RealMailModule {
  static forRoot(): DynamicModule {
    return { module: RealMailModule, providers: [Mailer], exports: [Mailer] };
  }
}

test('overrideModule replaces a module, and by its class the dynamic modules it makes', async () => {
  const app = keep(
    await Test.createTestingModule({ imports: [RealMailModule.forRoot()], providers: [Tools] })
      .overrideModule(RealMailModule)
      .useModule(FakeMailModule)
      .compile(),
  );
  expect(text(await app.tools.call('mail'))).toBe('module');
});

test('useMocker makes what nothing provides', async () => {
  const asked: unknown[] = [];
  const app = keep(
    await Test.createTestingModule({ providers: [Tools] })
      .useMocker((token) => {
        asked.push(token);
        return token === Mailer ? { send: () => 'mocked' } : undefined;
      })
      .compile(),
  );
  expect(text(await app.tools.call('mail'))).toBe('mocked');
  expect(asked).toEqual([Mailer]);
});

test('an override that matches nothing is refused, and the names that are near are listed', async () => {
  const unknown = Test.createTestingModule({ imports: [MailModule] })
    .overrideProvider('mailer')
    .useValue({})
    .compile();
  const error = await unknown.catch((reason: unknown) => reason as McpSetupError);
  expect(error).toMatchObject({ code: 'MCP_OVERRIDE_UNKNOWN', message: expect.stringMatching(/"mailer"[\s\S]*Mailer/) });
  await expect(Test.createTestingModule({}).overrideModule(MailModule).useModule(FakeMailModule).compile()).rejects.toMatchObject({
    code: 'MCP_OVERRIDE_UNKNOWN',
  });
});

test('a value of undefined is a value', async () => {
  const app = keep(
    await Test.createTestingModule({ imports: [MailModule] })
      .overrideProvider(Mailer)
      .useValue(undefined)
      .compile(),
  );
  expect(app.get(Mailer)).toBeUndefined();
});

test('compile runs no hook, init does, and a logger can be given', async () => {
  const seen: string[] = [];
  class Hooks {
    onModuleInit(): void {
      seen.push('init');
    }
    onModuleDestroy(): never {
      throw new Error('on purpose');
    }
  }
  const logger = new RecordingLogger();
  const app = keep(
    await Test.createTestingModule({ providers: [Hooks] })
      .setLogger(logger)
      .compile({ name: 'named' }),
  );
  expect([seen, app.getMetadata().name]).toEqual([[], 'named']);
  await app.init();
  await app.close();
  expect(seen).toEqual(['init']);
  expect(logger.lines.some(({ level, message }) => level === 'error' && message.includes('Hooks'))).toBe(true);
});

test.each(['legacy', 'modern'] as const)('connect gives a real client of the %s era', async (era) => {
  const app = keep(await Test.createTestingModule({ imports: [MailModule] }).compile());
  const client = await connect(app, { era });
  expect(client.getProtocolEra()).toBe(era);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['mail', 'enhanced']);
  expect(text(await client.callTool({ name: 'mail' }))).toBe('sent for real');
  await expect(client.callTool({ name: 'none' })).rejects.toMatchObject({ code: -32602 });
  await client.close();
});

test('several clients of both eras share one application, and closing it closes them', async () => {
  const app = keep(await Test.createTestingModule({ imports: [MailModule] }).compile());
  const clients = await Promise.all([connect(app), connect(app, { era: 'legacy', name: 'second' })]);
  const ended = clients.map((client) => new Promise<void>((resolve) => (client.onclose = resolve)));
  expect(await Promise.all(clients.map(async (client) => text(await client.callTool({ name: 'mail' }))))).toEqual([
    'sent for real',
    'sent for real',
  ]);
  await app.close();
  await Promise.all(ended);
  await expect(clients[0]?.listTools()).rejects.toThrow();
});
