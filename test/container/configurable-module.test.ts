import { bootContainer } from './boot';
import { ConfigurableModuleBuilder } from '../../src/container/configurable-module';
import { Inject } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { Module } from '../../src/decorators/module';

interface HttpOptions {
  readonly url: string;
}

const built = new ConfigurableModuleBuilder<HttpOptions>({ moduleName: 'HttpClient' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('makeOptions')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

@Injectable()
class Client {
  constructor(@Inject(built.MODULE_OPTIONS_TOKEN) readonly options: HttpOptions) {}
}

@Module({ providers: [Client], exports: [Client] })
class HttpModule extends built.ConfigurableModuleClass {}

test('the options are injected without the extras, and the extras change the module', async () => {
  @Module({ providers: [{ provide: 'seen', useFactory: (client: Client) => client.options, inject: [Client] }] })
  class Consumer {}
  const container = await bootContainer({ imports: [HttpModule.forRoot({ url: 'x', isGlobal: true }), Consumer] });
  expect(container.get('seen')).toEqual({ url: 'x' });
  expect(built.MODULE_OPTIONS_TOKEN).toBe('HTTP_CLIENT_MODULE_OPTIONS');
});

test('each call makes a module of its own', async () => {
  const container = await bootContainer({ imports: [HttpModule.forRoot({ url: 'a' }), HttpModule.forRoot({ url: 'b' })] });
  expect(container.get(Client, { each: true }).map((each) => each.options.url)).toEqual(['a', 'b']);
});

test('the options come from an asynchronous factory, a class of the module, or a provider of an imported module', async () => {
  @Injectable()
  class Source {
    makeOptions(): Promise<HttpOptions> {
      return Promise.resolve({ url: 'source' });
    }
  }
  @Module({ providers: [Source], exports: [Source] })
  class SourceModule {}
  const useFactory = async (url: string): Promise<HttpOptions> => Promise.resolve({ url });
  const provideInjectionTokensFrom = [
    { provide: 'other', useValue: 0 },
    { provide: 'url', useExisting: 'real' },
    { provide: 'real', useValue: 'factory' },
  ];
  const container = await bootContainer({
    imports: [
      HttpModule.forRootAsync({ useFactory, inject: ['url'], provideInjectionTokensFrom }),
      HttpModule.forRootAsync({ useClass: Source }),
      HttpModule.forRootAsync({ imports: [SourceModule], useExisting: Source, isGlobal: true }),
    ],
  });
  expect(container.get(Client, { each: true }).map((each) => each.options.url)).toEqual(['factory', 'source', 'source']);
  expect(() => container.get('other')).toThrow();
  expect(() => HttpModule.forRootAsync({})).toThrow('The options of a module need one of "useFactory", "useClass" and "useExisting".');
});

test('without names the method is register, and the token is a symbol', async () => {
  const plain = new ConfigurableModuleBuilder<HttpOptions>().build();
  @Module({})
  class Plain extends plain.ConfigurableModuleClass {}
  const container = await bootContainer({ imports: [Plain.register({ url: 'y' })] });
  expect(container.get(plain.MODULE_OPTIONS_TOKEN)).toEqual({ url: 'y' });
  expect(() => plain.OPTIONS_TYPE.url).toThrow('OPTIONS_TYPE is for "typeof" only');
});
