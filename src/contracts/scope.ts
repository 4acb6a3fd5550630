/** How long one instance of a provider lives. */
export enum Scope {
  /** One instance for the life of the application. */
  DEFAULT = 0,
  /** One instance for each class that injects it. */
  TRANSIENT = 1,
  /** One instance for each operation, shared by its guards, pipes and handler. */
  REQUEST = 2,
}
