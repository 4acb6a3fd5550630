export { connect, type ConnectOptions } from './connect';
export { Test } from './test';
export { TestingModuleBuilder, type OverrideBy, type OverrideModuleBy } from './testing-module-builder';
