import type { ModuleRef } from '../container/module-ref';
import type { CanActivate, EnhancerKind, ExceptionFilter, Interceptor, PipeTransform } from '../contracts/enhancers';
import type { HealthReport } from '../contracts/health-indicator';
import type { ServerIdentity } from '../contracts/identity';
import type { Principal } from '../contracts/principal';
import type { TransportHandle } from '../contracts/transport';
import type { DynamicModule } from '../contracts/provider';
import type { InjectionToken, Type } from '../contracts/type';
import { throwIfAny } from '../errors/setup-error';
import type { EngineRegistry } from '../engine/engine-registry';
import type { PromptRegistry } from '../registry/prompt-registry';
import type { ResourceRegistry } from '../registry/resource-registry';
import type { ToolRegistry } from '../registry/tool-registry';
import { openMemory, type MemoryConnection } from '../transport/memory';
import { announce } from './announce';
import type { LoggerOption } from './application-logger';
import type { ApplicationParts } from './application-parts';
import { addInstances } from './collect-globals';
import { Health } from './health';
import { resolveListenOptions, type ListenOptions } from './listen-options';
import { OpenDoors } from './open-doors';
import { giveStdoutBackUnless, openTransports } from './open-transports';
import { endProcessAfter } from './process-end';
import { ProcessTies } from './process-ties';

/** Connects a client in memory, for `perch-mcp/testing`. Runs the start hooks first; `close` ends the connection. */
export let connectInMemory: (app: McpApplication, principal?: Principal) => Promise<MemoryConnection>;

/** What functions that take an application work with. */
export let internalsOf: (app: McpApplication) => { readonly parts: ApplicationParts; readonly doors: OpenDoors };

/** A checked and built application. `McpFactory.create` makes it; it serves nothing until `listen`. */
export class McpApplication {
  static {
    connectInMemory = async (app, principal) => {
      await app.init();
      const connection = openMemory(app.#parts.endpoint, principal);
      app.#doors.add([connection.handle]);
      return connection;
    };
    internalsOf = (app) => ({ parts: app.#parts, doors: app.#doors });
  }

  readonly #parts: ApplicationParts;
  readonly #doors: OpenDoors;
  readonly #health: Health;
  readonly #process: ProcessTies;
  #isStarted = false;
  #isListening = false;
  #initialized: Promise<void> | undefined;
  #closed: Promise<number> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ApplicationParts) {
    this.#parts = parts;
    this.#doors = new OpenDoors(parts);
    this.#process = new ProcessTies({ logger: parts.logger, close: (signal) => this.#closeOnce(signal) });
    this.#health = new Health({ indicators: parts.container.indicators(), limitMs: parts.limits.healthMs, logger: parts.logger });
  }

  /** The tools; `app.tools.call(name, input)` runs one in process, through the same pipeline as a client's call. */
  get tools(): ToolRegistry {
    return this.#parts.catalogues.tools.registry;
  }

  /** The resources and templates; `read(uri)` reads one in process, and `notifyUpdated(uri)` tells the clients that follow it. */
  get resources(): ResourceRegistry {
    return this.#parts.catalogues.resources.registry;
  }

  /** The prompts; `getMessages(name, args)` makes one in process. */
  get prompts(): PromptRegistry {
    return this.#parts.catalogues.prompts.registry;
  }

  /** The engines; those that are registered here later become tools too, where `EngineModule.forRoot()` is imported. */
  get engines(): EngineRegistry {
    return this.#parts.engines;
  }

  /** The transports that are open. */
  get handles(): readonly TransportHandle[] {
    return this.#doors.handles;
  }

  /** What clients are told of the server. */
  getMetadata(): ServerIdentity {
    return this.#parts.identity;
  }

  /** True from the moment `listen` has opened its transports until `close`. */
  isStarted(): boolean {
    return this.#isStarted;
  }

  /**
   * Asks the `@HealthIndicator()` providers, as `/health/ready` does; for servers on stdio, and for programs. Never rejects. Down, without
   * asking any, before the start hooks are done and once the end has begun.
   */
  health(): Promise<HealthReport> {
    return this.#health.report();
  }

  /** The instance under a token, from whichever module provides it. Throws when none does. */
  get<T>(token: InjectionToken<T>, options: { readonly strict?: boolean } = {}): T {
    return this.#parts.container.get(token, options);
  }

  /** A new instance of a transient or request-scoped provider, which then belongs to the caller; the singleton otherwise. */
  resolve<T>(token: InjectionToken<T>): Promise<T> {
    return this.#parts.container.resolve(token);
  }

  /** The module of this class, or of this dynamic module object, to look up providers from. Throws for one that is not in the graph. */
  select(module: Type | DynamicModule): ModuleRef {
    return this.#parts.container.select(module);
  }

  /** Runs these guards before every operation, after those provided under `APP_GUARD`. */
  useGlobalGuards(...guards: CanActivate[]): this {
    return this.#use('guards', guards);
  }

  /** Passes every checked input through these pipes, after those provided under `APP_PIPE`. */
  useGlobalPipes(...pipes: PipeTransform[]): this {
    return this.#use('pipes', pipes);
  }

  /** Wraps every operation in these interceptors, inside those provided under `APP_INTERCEPTOR`. */
  useGlobalInterceptors(...interceptors: Interceptor[]): this {
    return this.#use('interceptors', interceptors);
  }

  /** Lets these filters answer what no filter of a class or method does; asked before those provided under `APP_FILTER`. */
  useGlobalFilters(...filters: ExceptionFilter[]): this {
    return this.#use('filters', filters);
  }

  #use(kind: EnhancerKind, instances: readonly object[]): this {
    addInstances(this.#parts.globals, kind, instances);
    return this;
  }

  /** Logs to this from now on, in every part of the application; `false` logs nothing. Throws an `McpSetupError` for what is no logger. */
  useLogger(logger: LoggerOption): this {
    this.#parts.logger.replace(logger);
    return this;
  }

  /**
   * Closes the application on these signals and then exits, as `listen` does on SIGTERM and SIGINT, which are the default; for programs that
   * only `init` or connect. A second signal exits at once. Calling it again adds to what is followed. Errors that nobody catches stay the program's.
   */
  enableShutdownHooks(signals: readonly string[] = []): this {
    this.#mustBeOpen();
    this.#process.follow(signals);
    return this;
  }

  /**
   * Runs the start hooks, once. `listen` calls it. Rejects with an `McpSetupError` when a hook fails, or when an entry carries a security
   * decorator that no guard decides.
   */
  async init(): Promise<this> {
    this.#mustBeOpen();
    this.#initialized ??= this.#start();
    await this.#initialized;
    return this;
  }

  async #start(): Promise<void> {
    throwIfAny(this.#parts.problems());
    await this.#parts.container.init();
    this.#health.isServing = this.#closed === undefined;
  }

  /**
   * Opens the transports and serves until `close`, a signal, or the end of the client's input on stdio. Rejects with an `McpSetupError`
   * when one cannot be opened; then none is left open and the application is closed.
   */
  async listen(options: ListenOptions = {}): Promise<this> {
    this.#mustBeOpen();
    if (this.#isListening) throw new Error('The application listens already. Name all transports in one call of listen().');
    this.#isListening = true;
    const sources = { ...this.#parts, argv: process.argv.slice(2), env: process.env };
    const resolved = await resolveListenOptions(options, sources).catch((error: unknown) => {
      this.#isListening = false;
      throw error;
    });
    try {
      this.#process.listens(resolved);
      await this.init();
      const ownsProcess = resolved.stdio.input === undefined && resolved.transports.includes('stdio');
      giveStdoutBackUnless(resolved);
      const opened = await openTransports(this.#parts.endpoint, { ...resolved, isReady: () => this.#health.isUp() }, () =>
        this.#whenClientGone(ownsProcess),
      );
      await this.#doors.keep(opened);
      this.#mustBeOpen();
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#isStarted = true;
    announce(this.#parts, { handles: this.#doors.handles, options: resolved, env: process.env });
    return this;
  }

  /**
   * Takes nothing new, lets running calls finish within the grace period, answers the rest, runs the end hooks, closes the transports. Once:
   * later calls get the same promise. A hook that awaits it waits for itself, until the limit for hooks.
   */
  close(signal?: string): Promise<void> {
    this.#closing ??= this.#closeOnce(signal).then(() => undefined);
    return this.#closing;
  }

  #mustBeOpen(): void {
    if (this.#closed !== undefined) throw new Error('The application is closed. Create another one.');
  }

  #closeOnce(signal?: string): Promise<number> {
    this.#closed ??= this.#close(signal);
    return this.#closed;
  }

  async #close(signal?: string): Promise<number> {
    this.#health.isServing = false;
    const code = await this.#doors.close(() => this.#parts.container.close(signal, () => this.#doors.closeHandles()));
    this.#process.cut();
    this.#isStarted = false;
    return code;
  }

  /** On the process's own stdin the client is the reason to run, so the process ends with it; injected streams belong to a program. */
  #whenClientGone(ownsProcess: boolean): void {
    const closed = this.#closeOnce();
    if (ownsProcess) endProcessAfter(closed);
  }
}
