import 'reflect-metadata';

export { McpFactory } from './bootstrap/mcp-factory';
export type { AuditOptions, McpApplicationOptions } from './bootstrap/application-options';
export { authMiddleware } from './bootstrap/auth-middleware';
export {
  connectSse,
  connectStdio,
  connectStreamableHttp,
  connectUds,
  type HttpConnection,
  type SocketConnection,
  type StdioConnection,
} from './bootstrap/connect-transport';
export { formatToolError, type ToolErrorOptions } from './bootstrap/format-tool-error';
export { serve, type BesideTools, type ServeOptions } from './bootstrap/serve';
export { buildToolDispatch, type ListedTool, type ToolDispatch, type ToolDispatchOptions } from './bootstrap/tool-dispatch';
export type { Middleware } from './transport/http/auth-middleware';
export type { ListenOptions, UnhandledRejections } from './bootstrap/listen-options';
export { isLoopback, resolveBindHost, validateBindAuth } from './bootstrap/settings/bind-auth';
export type { DoorOptions, SettingSources, TransportName } from './bootstrap/settings/door-options';
export { resolveTransportMode, resolveTransports, serves } from './bootstrap/settings/transports';
export type { SessionOptions } from './transport/http/session-options';
export { McpApplication } from './bootstrap/mcp-application';
export {
  ConfigurableModuleBuilder,
  type ConfigurableModuleAsyncOptions,
  type ConfigurableModuleBuilderOptions,
  type ConfigurableModuleClass,
  type ConfigurableModuleHost,
} from './container/configurable-module';
export {
  DiscoveryService,
  type DiscoverableDecorator,
  type DiscoveredProvider,
  type DiscoveryOptions,
} from './container/discovery-service';
export { INQUIRER } from './container/inquirer';
export { ModuleRef, type GetOptions } from './container/module-ref';
export { NotBuiltError, ScopedProviderError, UnknownElementError } from './container/provider-errors';
export { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from './contracts/app-tokens';
export type { Question, Root, SampleParams, SampleResult } from './contracts/asking';
export type { LoggingLevel } from './contracts/client-channel';
export {
  audio,
  embedded,
  image,
  link,
  text,
  type ContentAnnotations,
  type ContentOptions,
  type LinkedResource,
  type ResourceContents,
} from './contracts/content';
export { AuditSink, type AuditOutcome, type AuditRecord } from './contracts/audit';
export type {
  ArgumentMetadata,
  CanActivate,
  EnhancerSource,
  ExceptionFilter,
  Interceptor,
  PipeTransform,
  SecurityDecorator,
} from './contracts/enhancers';
export type { ExecutionContext, McpArgumentsHost, Operation } from './contracts/execution-context';
export type { EngineContext, EngineLike } from './contracts/engine';
export type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from './contracts/lifecycle';
export type { HealthReport, HealthStatus } from './contracts/health-indicator';
export { FLOW_STORE, type FlowStore, type RoundOutcome } from './contracts/flow-store';
export type { Limits } from './contracts/limits';
export type { ServerIdentity } from './contracts/identity';
export type { LoggerService, LogLevel } from './contracts/logger';
export { McpContext, type ClientInfo, type Era, type HttpContext, type TransportKind } from './contracts/mcp-context';
export type { Principal } from './contracts/principal';
export type { ResourceMetadataOptions } from './contracts/resource-metadata';
export type { PolicyDemand, RateDemand, Requirement, ScopeDemand, Security } from './contracts/security';
export type { PolicyDenial, PolicyQuestions } from './contracts/policy-questions';
export type {
  ClassProvider,
  DynamicModule,
  ExistingProvider,
  FactoryDependency,
  FactoryProvider,
  ModuleExport,
  ModuleImport,
  ModuleMetadata,
  Provider,
  ValueProvider,
} from './contracts/provider';
export type { PromptAnswer, PromptDefinition, PromptEntry, PromptHandler, PromptMessage, PromptResult } from './contracts/prompt';
export type {
  Completer,
  ListedResource,
  ReadResult,
  ResourceDefinition,
  ResourceEntry,
  ResourceHandler,
  UriVariables,
} from './contracts/resource';
export {
  jsonSchema,
  type InputOf,
  type JsonSchema,
  type OutputOf,
  type RawJsonSchema,
  type SchemaSource,
  type StandardSchema,
} from './contracts/schema-source';
export { Scope } from './contracts/scope';
export type { ContentBlock, Icon, ToolAnnotations, ToolDefinition, ToolEntry, ToolHandler, ToolResult } from './contracts/tool';
export { TokenVerifier } from './contracts/token-verifier';
export type { TransportHandle } from './contracts/transport';
export type { Abstract, ForwardReference, InjectionToken, Type } from './contracts/type';
export { applyDecorators } from './decorators/apply-decorators';
export { Catch } from './decorators/catch';
export { Complete, type CompleteDecorator } from './decorators/complete';
export { defineTool, type FunctionSchema, type FunctionTool } from './decorators/define-tool';
export { Engine } from './decorators/engine';
export { Field } from './decorators/field';
export { HealthIndicator } from './decorators/health-indicator';
export { forwardRef, Inject, Optional } from './decorators/inject';
export { Injectable, type InjectableOptions } from './decorators/injectable';
export { McpPrompt, type McpPromptDecorator, type McpPromptOptions } from './decorators/mcp-prompt';
export { McpResource, type McpResourceDecorator, type McpResourceOptions, type VariablesOf } from './decorators/mcp-resource';
export { McpTool, type McpToolDecorator, type McpToolOptions } from './decorators/mcp-tool';
export type { EngineOptions, FieldOptions, HealthIndicatorOptions } from './decorators/metadata';
export { Global, Module } from './decorators/module';
export { RateLimit } from './decorators/rate-limit';
export { Reflector, type ReflectableDecorator } from './decorators/reflector';
export { Requires, type RequiresOptions } from './decorators/requires';
export { Roles } from './decorators/roles';
export { Scopes, type ScopesOptions } from './decorators/scopes';
export { SetMetadata, type MetadataDecorator } from './decorators/set-metadata';
export { UseFilters, UseGuards, UseInterceptors, UsePipes } from './decorators/use-enhancers';
export { EngineAdapter } from './engine/engine-adapter';
export type { EngineFacts } from './engine/engine-facts';
export type { EngineFilter } from './engine/engine-filter';
export { EngineModule, type EngineModuleOptions } from './engine/engine-module';
export { EngineRegistry, type EngineFollower } from './engine/engine-registry';
export { EngineRegistryAdapter } from './engine/engine-registry-adapter';
export { ENGINE_VERSION, toTool, type EngineToolOptions } from './engine/to-tool';
export { EngineNotFoundError, InvalidEngineError, MissingCapabilityError } from './errors/engine-errors';
export { AccessError, type AccessFailure } from './errors/access-error';
export { InputDeclined, InputPending } from './errors/input-errors';
export { ErrorCode, McpError } from './errors/mcp-error';
export { DuplicateRegistrationError, PromptNotFoundError, ResourceNotFoundError, ToolNotFoundError } from './errors/registry-errors';
export type { SetupCode } from './errors/setup-codes';
export { McpSetupError, type SetupProblem } from './errors/setup-error';
export { ToolError } from './errors/tool-error';
export { checkFsAccess, checkNetworkAccess, checkSocketAccess, getPolicy } from './policy/check-access';
export { PolicyGuard } from './policy/guards/policy-guard';
export { RateLimitGuard, type RateLimiter, type RateLimiterOptions, type RateLimitOptions } from './policy/guards/rate-limit-guard';
export { RolesGuard } from './policy/guards/roles-guard';
export { ScopesGuard } from './policy/guards/scopes-guard';
export { GuardedFetch, type GuardedFetchInit, type GuardedFetchOptions } from './policy/network/guarded-fetch';
export { GuardedFs, type GuardedEntry, type GuardedFsLimits, type GuardedStats } from './policy/paths/guarded-fs';
export { Policy } from './policy/policy';
export type { PolicyLists } from './policy/policy-lists';
export { PromptRegistry } from './registry/prompt-registry';
export { ResourceRegistry } from './registry/resource-registry';
export { ToolRegistry } from './registry/tool-registry';
