// The code of docs/modules.md. modules-page.test.ts runs it.
import { Inject, Injectable, McpContext, McpTool, Module, Scope, type DynamicModule } from 'perch-mcp';
import { ConfigurableModuleBuilder } from '../../src/container/configurable-module';
import { INQUIRER } from '../../src/container/inquirer';
import { ModuleRef } from '../../src/container/module-ref';
import type { OnModuleDestroy, OnModuleInit } from '../../src/contracts/lifecycle';

// #region basics
@Injectable()
class Catalogue {
  readonly titles = ['Emma', 'Persuasion'];
}

@Injectable()
class Search {
  constructor(private readonly catalogue: Catalogue) {}

  @McpTool({ name: 'titles', description: 'Lists the titles' })
  titles(): string {
    return this.catalogue.titles.join(', ');
  }
}

@Module({ providers: [Catalogue], exports: [Catalogue] })
class CatalogueModule {}

@Module({ imports: [CatalogueModule], providers: [Search] })
export class AppModule {}
// #endregion basics

// #region dynamic
interface DatabaseOptions {
  readonly url: string;
}

class Connection {
  constructor(readonly url: string) {}

  static async open({ url }: DatabaseOptions): Promise<Connection> {
    await Promise.resolve(); // here a driver would connect
    return new Connection(url);
  }
}

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: 'DATABASE_OPTIONS', useValue: options },
        { provide: Connection, useFactory: Connection.open, inject: ['DATABASE_OPTIONS'] },
      ],
      exports: [Connection],
    };
  }
}

@Injectable()
export class Users {
  constructor(readonly connection: Connection) {} // open by the time it arrives here
}

@Module({ imports: [DatabaseModule.forRoot({ url: 'db://localhost' })], providers: [Users] })
export class UsersModule {}
// #endregion dynamic

// #region configurable
interface MailOptions {
  readonly from: string;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MailOptions>({ moduleName: 'Mail' })
  .setClassMethodName('forRoot')
  .build();

@Injectable()
export class Mailer {
  constructor(@Inject(MODULE_OPTIONS_TOKEN) readonly options: MailOptions) {}
}

@Module({ providers: [Mailer], exports: [Mailer] })
class MailModule extends ConfigurableModuleClass {}

@Module({ imports: [MailModule.forRootAsync({ useFactory: async () => Promise.resolve({ from: 'perch@example.org' }) })] })
export class NewsletterModule {}
// #endregion configurable

// #region request
@Injectable({ scope: Scope.REQUEST })
class Trace {
  readonly #lines: string[] = [];

  constructor(readonly context: McpContext) {}

  note(line: string): number {
    return this.#lines.push(`${this.context.requestId}: ${line}`);
  }

  [Symbol.dispose](): void {
    this.#lines.length = 0;
  }
}

@McpTool({ name: 'visit', description: 'Counts the notes of this call' })
export class VisitTool {
  constructor(private readonly trace: Trace) {}

  execute(): string {
    this.trace.note('first');
    return `notes: ${this.trace.note('second')}`;
  }
}

@Module({ providers: [Trace, VisitTool] })
export class VisitModule {}
// #endregion request

// #region transient
@Injectable({ scope: Scope.TRANSIENT })
class Prefix {
  readonly name: string;

  constructor(@Inject(INQUIRER) owner: object) {
    this.name = owner.constructor.name;
  }
}

@Injectable()
export class Billing {
  constructor(readonly prefix: Prefix) {} // prefix.name is 'Billing'
}
// #endregion transient

@Module({ providers: [Prefix, Billing] })
export class BillingModule {}

// #region life
@Injectable()
export class Poller implements OnModuleInit, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.#timer = setInterval(() => undefined, 60_000);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  get isPolling(): boolean {
    return this.#timer !== undefined;
  }
}
// #endregion life

// #region module-ref
class Report {
  constructor(@Inject('TITLE') readonly title: string) {}
}

@Injectable()
export class Reports {
  constructor(private readonly modules: ModuleRef) {}

  make(): Promise<Report> {
    return this.modules.create(Report);
  }
}

@Module({ providers: [Poller, Reports, { provide: 'TITLE', useValue: 'Weekly' }] })
export class ReportsModule {}
// #endregion module-ref
