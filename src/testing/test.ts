import type { ModuleMetadata } from '../contracts/provider';
import { TestingModuleBuilder } from './testing-module-builder';

/** Begins a test module, as in NestJS. */
export class Test {
  /** Takes what `@Module()` takes. Nothing is built before `compile()`. */
  static createTestingModule(metadata: ModuleMetadata): TestingModuleBuilder {
    return new TestingModuleBuilder(metadata);
  }
}
