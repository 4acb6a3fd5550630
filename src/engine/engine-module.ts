import { ConfigurableModuleBuilder, type ConfigurableModuleAsyncOptions } from '../container/configurable-module';
import type { EngineLike } from '../contracts/engine';
import type { DynamicModule } from '../contracts/provider';
import { Module } from '../decorators/module';
import type { EngineFilter } from './engine-filter';
import type { EngineToolOptions } from './to-tool';

/** The options of `EngineModule.forRoot()`. */
export interface EngineModuleOptions extends EngineToolOptions {
  /** Engines that no module provides: instances, decorated or not. */
  readonly engines?: readonly EngineLike[];
  /** Only these are presented as tools: ids, where `*` stands for any characters, or a function. The registry has all of them. */
  readonly include?: EngineFilter;
  /** These are not presented, whatever `include` says. */
  readonly exclude?: EngineFilter;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<EngineModuleOptions>({ moduleName: 'Engine' })
  .setClassMethodName('forRoot')
  .build();

/** Where the options of the module are provided. */
export const ENGINE_MODULE_OPTIONS = MODULE_OPTIONS_TOKEN;

/**
 * Presents the engines of an application as tools: every provider whose class carries `@Engine()`, whichever module has it, and the
 * instances given here. Import it once, anywhere. Engines that are registered in the `EngineRegistry` later follow by themselves.
 */
@Module({})
export class EngineModule extends ConfigurableModuleClass {
  static override forRoot(options: EngineModuleOptions = {}): DynamicModule {
    return super.forRoot(options);
  }

  static override forRootAsync(options: ConfigurableModuleAsyncOptions<EngineModuleOptions>): DynamicModule {
    return super.forRootAsync(options);
  }
}
