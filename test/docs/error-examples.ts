import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import {
  AuditSink,
  Complete,
  Engine,
  EngineModule,
  HealthIndicator,
  Inject,
  Injectable,
  jsonSchema,
  McpFactory,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  Policy,
  Requires,
  Roles,
  Scope,
  TokenVerifier,
  UseGuards,
  type SetupCode,
  type Type,
} from 'perch-mcp';
import { Test } from 'perch-mcp/testing';
import { injectAll } from 'tsyringe';
import { loadPeer } from '../../src/errors/load-peer';

/** For each code an application that is wrong in just that way: what it throws is the example of docs/errors.md. */
export const EXAMPLES: Readonly<Record<SetupCode, () => Promise<unknown>>> = {
  MCP_DEPENDENCY_UNRESOLVED() {
    class Greeter {}
    @Injectable()
    class Reception {
      constructor(readonly greeter: Greeter) {}
    }
    @Module({ providers: [Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_NOT_EXPORTED() {
    @Injectable()
    class Greeter {}
    @Module({ providers: [Greeter] })
    class GreeterModule {}
    @Injectable()
    class Reception {
      constructor(readonly greeter: Greeter) {}
    }
    @Module({ imports: [GreeterModule], providers: [Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_ERASED() {
    interface Clock {
      now(): number;
    }
    @Injectable()
    class Reception {
      constructor(readonly clock: Clock) {}
    }
    @Module({ providers: [Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_UNDEFINED() {
    @Injectable()
    class Reception {
      constructor(@Inject(undefined) readonly greeter: object) {}
    }
    @Module({ providers: [Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_UNSUPPORTED() {
    @Injectable()
    class Reception {
      constructor(@injectAll('GREETER') readonly greeters: object[]) {}
    }
    @Module({ providers: [Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_CAPTIVE() {
    @Injectable({ scope: Scope.REQUEST })
    class CurrentUser {}
    @Injectable()
    class AuditLog {
      constructor(readonly user: CurrentUser) {}
    }
    @Module({ providers: [CurrentUser, AuditLog] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_DEPENDENCY_CYCLE() {
    @Injectable()
    class Orders {
      constructor(@Inject('CUSTOMERS') readonly customers: object) {}
    }
    @Injectable()
    class Customers {
      constructor(readonly orders: Orders) {}
    }
    @Module({ providers: [Orders, Customers, { provide: 'CUSTOMERS', useExisting: Customers }] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_METADATA_MISSING() {
    @Injectable()
    class Greeter {}
    @Injectable()
    class Reception {
      constructor(readonly greeter: Greeter) {}
    }
    // What tsx and esbuild leave behind.
    Reflect.deleteMetadata('design:paramtypes', Reception);
    @Module({ providers: [Greeter, Reception] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_MODULE_INVALID() {
    @Injectable()
    class Greeter {}
    @Module({ providers: [Greeter] })
    class GreeterModule {}
    @Module({ imports: [GreeterModule, Greeter] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_MODULE_UNDEFINED() {
    @Module({ imports: [undefined as never] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROVIDER_INVALID() {
    @Module({ providers: [{ provide: 'GREETING' } as never] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROVIDER_DUPLICATE() {
    @Injectable()
    class Greeter {}
    @Module({ providers: [Greeter, { provide: Greeter, useValue: new Greeter() }] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROVIDER_UNREACHED() {
    @McpTool({ name: 'search', description: 'Searches' })
    class SearchTool {
      execute() {}
    }
    @Module({ exports: [SearchTool] })
    class CatalogModule {}
    return start(CatalogModule);
  },
  MCP_PROVIDER_FAILED() {
    @Module({ providers: [{ provide: 'DATABASE', useFactory: () => Promise.reject(new Error('refused')) }] })
    class AppModule {}
    return start(AppModule);
  },
  async MCP_HOOK_FAILED() {
    @Injectable()
    class Cache {
      onModuleInit() {
        throw new Error('refused');
      }
    }
    @Module({ providers: [Cache] })
    class AppModule {}
    const app = await start(AppModule);
    return app.init();
  },
  MCP_EXPORT_UNKNOWN() {
    class Greeter {}
    @Module({ exports: [Greeter] })
    class GreeterModule {}
    return start(GreeterModule);
  },
  MCP_TOOL_DUPLICATE() {
    @McpTool({ name: 'search', description: 'Searches the catalog' })
    class CatalogTool {
      execute() {}
    }
    @McpTool({ name: 'search', description: 'Searches the archive' })
    class ArchiveTool {
      execute() {}
    }
    @Module({ providers: [CatalogTool, ArchiveTool] })
    class AppModule {}
    return start(AppModule);
  },
  async MCP_ENTRY_INVALID() {
    const app = await start(EmptyModule);
    return app.tools.register({ name: 'greet', meta: { since: 10n }, execute: () => 'Hello' });
  },
  MCP_TOOL_NAME() {
    @McpTool({ name: 'say hello', description: 'Greets' })
    class GreetTool {
      execute() {}
    }
    @Module({ providers: [GreetTool] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_ENHANCER_INVALID() {
    @UseGuards(undefined as never)
    @McpTool({ name: 'greet', description: 'Greets' })
    class GreetTool {
      execute(): string {
        return 'Hello';
      }
    }
    @Module({ providers: [GreetTool] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_TOOL_HANDLER() {
    class GreetTool {}
    McpTool({ name: 'greet', description: 'Greets' })(GreetTool as never);
    @Module({ providers: [GreetTool] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_ENGINE_INVALID() {
    @Engine({ id: 'document.summarize' })
    class SummarizeEngine {
      readonly id = 'document.summary';
      execute(): string {
        return '';
      }
    }
    @Module({ imports: [EngineModule.forRoot()], providers: [SummarizeEngine] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_ENGINE_DUPLICATE() {
    @Engine({ id: 'document.summarize' })
    class SummarizeEngine {
      execute(): string {
        return '';
      }
    }
    @Engine({ id: 'document.summarize' })
    class ShortenEngine {
      execute(): string {
        return '';
      }
    }
    @Module({ imports: [EngineModule.forRoot()], providers: [SummarizeEngine, ShortenEngine] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_ENGINE_SCOPE() {
    @Engine({ id: 'document.summarize' })
    @Injectable({ scope: Scope.REQUEST })
    class SummarizeEngine {
      execute(): string {
        return '';
      }
    }
    @Module({ imports: [EngineModule.forRoot()], providers: [SummarizeEngine] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_RESOURCE_DUPLICATE() {
    @McpResource({ uri: 'notes://{id}', name: 'note' })
    class NoteById {
      read({ id }: { id: string }): string {
        return id;
      }
    }
    @McpResource({ uri: 'notes://{name}', name: 'note' })
    class NoteByName {
      read({ name }: { name: string }): string {
        return name;
      }
    }
    @Module({ providers: [NoteById, NoteByName] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_RESOURCE_URI() {
    @McpResource({ uri: 'notes/today', name: 'today' })
    class Today {
      read(): string {
        return '';
      }
    }
    @Module({ providers: [Today] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_RESOURCE_HANDLER() {
    class Today {
      read = (): string => '';
    }
    McpResource({ uri: 'notes://today', name: 'today' })(Today);
    @Module({ providers: [Today] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROMPT_DUPLICATE() {
    @McpPrompt({ name: 'review' })
    class ReviewPrompt {
      get(): string {
        return 'Review this.';
      }
    }
    @McpPrompt({ name: 'review' })
    class AuditPrompt {
      get(): string {
        return 'Audit this.';
      }
    }
    @Module({ providers: [ReviewPrompt, AuditPrompt] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROMPT_NAME() {
    @McpPrompt({ name: '' })
    class ReviewPrompt {
      get(): string {
        return 'Review this.';
      }
    }
    @Module({ providers: [ReviewPrompt] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROMPT_ARGUMENT() {
    class ReviewArgs {
      @IsInt() lines!: number;
    }
    @McpPrompt({ name: 'review', args: ReviewArgs })
    class ReviewPrompt {
      get({ lines }: ReviewArgs): string {
        return `Review ${String(lines)} lines.`;
      }
    }
    @Module({ providers: [ReviewPrompt] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_PROMPT_HANDLER() {
    class ReviewPrompt {
      get = (): string => 'Review this.';
    }
    McpPrompt({ name: 'review' })(ReviewPrompt);
    @Module({ providers: [ReviewPrompt] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_COMPLETE_ARGUMENT() {
    class ReviewArgs {
      @IsString() language!: string;
    }
    @McpPrompt({ name: 'review', args: ReviewArgs })
    class ReviewPrompt {
      get({ language }: ReviewArgs): string {
        return `Review this ${language}.`;
      }
      @Complete('lang')
      languages(): string[] {
        return ['TypeScript'];
      }
    }
    @Module({ providers: [ReviewPrompt] })
    class AppModule {}
    return start(AppModule);
  },
  MCP_SCHEMA_UNSUPPORTED() {
    class Address {
      @IsString() street!: string;
    }
    class GreetInput {
      @ValidateNested() address!: Address;
    }
    return startTool(GreetInput);
  },
  MCP_SCHEMA_INVALID: () => startTool(jsonSchema({ type: 'string' })),
  MCP_FIELD_UNDECORATED() {
    class GreetInput {
      @IsString() name!: string;
      times = 1;
    }
    return startTool(GreetInput);
  },
  MCP_OVERRIDE_UNKNOWN() {
    @Injectable()
    class Greeter {}
    return Test.createTestingModule({ providers: [Greeter] })
      .overrideProvider('Greter')
      .useValue({})
      .compile();
  },
  MCP_PEER_MISSING() {
    const missing = Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' });
    return loadPeer('@modelcontextprotocol/client', 'perch-mcp/testing', () => Promise.reject(missing));
  },
  async MCP_OPTION_INVALID() {
    const app = await start(EmptyModule);
    return app.listen({ transports: ['http'], port: 80_000 });
  },
  async MCP_VERIFIER_INVALID() {
    class JwtVerifier extends TokenVerifier {
      verify(): undefined {}
    }
    class ApiKeyVerifier extends TokenVerifier {
      verify(): undefined {}
    }
    @Module({ providers: [JwtVerifier, ApiKeyVerifier] })
    class AppModule {}
    return start(AppModule);
  },
  async MCP_SINGLETON_REQUIRED() {
    @Injectable({ scope: Scope.REQUEST })
    class AuditTable extends AuditSink {
      write() {}
    }
    @Module({ providers: [{ provide: AuditSink, useClass: AuditTable }] })
    class AppModule {}
    return start(AppModule);
  },
  async MCP_HEALTH_INVALID() {
    class DatabaseHealth {
      isUp() {}
    }
    (HealthIndicator() as ClassDecorator)(DatabaseHealth);
    @Module({ providers: [DatabaseHealth] })
    class AppModule {}
    return start(AppModule);
  },
  async MCP_GUARD_MISSING() {
    @Roles('editor')
    @McpTool({ name: 'publish', description: 'Publishes' })
    class PublishTool {
      execute() {}
    }
    @Module({ providers: [PublishTool] })
    class AppModule {}
    const app = await start(AppModule);
    return app.init();
  },
  MCP_POLICY_UNMET() {
    @Requires({ fsWrite: '/var/notes' })
    @McpTool({ name: 'publish', description: 'Publishes' })
    class PublishTool {
      execute() {}
    }
    @Module({ providers: [PublishTool] })
    class AppModule {}
    const policy = Policy.define({ fsRead: ['/var/notes'] });
    return McpFactory.create(AppModule, { name: 'docs', version: '1.0.0', logger: false, policy, unmetRequirements: 'refuse' });
  },
  async MCP_POLICY_INVALID() {
    return Policy.fromEnv({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: 'data' });
  },
  async MCP_POLICY_CONFLICT() {
    return Policy.fromEnv({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_NETWORK: 'api.example.com', SOX_PERM_NETWORK: 'example.com' });
  },
  async MCP_TRANSPORT_FAILED() {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const app = await start(EmptyModule);
    const { port } = taken.address() as AddressInfo;
    return app.listen({ transports: ['http'], port }).finally(() => taken.close());
  },
};

@Module({})
class EmptyModule {}

function start(module: Type) {
  return McpFactory.create(module, { name: 'wrong', version: '1.0.0', logger: false });
}

function startTool(input: Type<object> | ReturnType<typeof jsonSchema>) {
  @McpTool({ name: 'greet', description: 'Greets', input: input as never })
  class GreetTool {
    execute() {}
  }
  @Module({ providers: [GreetTool] })
  class AppModule {}
  return start(AppModule);
}
