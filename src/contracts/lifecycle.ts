/** Called once every provider of the application is built, dependencies first. A failure stops the start. */
export interface OnModuleInit {
  onModuleInit(): unknown;
}

/** Called once every `onModuleInit` is done, before a transport opens. A failure stops the start. */
export interface OnApplicationBootstrap {
  onApplicationBootstrap(): unknown;
}

/** Called when the application ends, dependencies last; on a request-scoped instance, when its operation ends. */
export interface OnModuleDestroy {
  onModuleDestroy(): unknown;
}

/** Called once every `onModuleDestroy` is done, with the name of the signal that ended the application, if one did. */
export interface BeforeApplicationShutdown {
  beforeApplicationShutdown(signal?: string): unknown;
}

/** Called last of all, when the transports are closed. */
export interface OnApplicationShutdown {
  onApplicationShutdown(signal?: string): unknown;
}
