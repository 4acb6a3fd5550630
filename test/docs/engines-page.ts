// The code of docs/engines.md that is not of samples/04-engines. engines-page.test.ts runs it.
import {
  Engine,
  EngineAdapter,
  EngineModule,
  EngineRegistry,
  EngineRegistryAdapter,
  Injectable,
  jsonSchema,
  McpFactory,
  Module,
  ToolError,
  ToolRegistry,
  toTool,
  UseGuards,
  type CanActivate,
  type EngineContext,
  type McpApplication,
} from 'perch-mcp';
import { z } from 'zod';
import { SummarizeEngine } from '../../samples/04-engines/document-pack/summarize';

// #region provider
@Injectable()
class Rates {
  readonly euroIn = { GBP: 0.85, USD: 1.1 };
}

@Engine()
class ConvertEngine {
  readonly id = 'money.convert';
  readonly description = 'Converts euros. Arguments: amount, a number; currency, GBP or USD.';

  constructor(private readonly rates: Rates) {}

  execute({ request: { input } }: EngineContext<{ amount: number; currency: 'GBP' | 'USD' }>) {
    return { amount: input.amount * this.rates.euroIn[input.currency] };
  }
}

@Module({ imports: [EngineModule.forRoot()], providers: [Rates, ConvertEngine] })
export class MoneyModule {}
// #endregion provider

// #region zod
@Engine({ id: 'text.count', description: 'Counts the words of a text', input: z.object({ text: z.string().max(200_000) }) })
class CountEngine {
  execute({ request: { input } }: EngineContext<{ text: string }>) {
    return input.text.split(/\s+/).filter((word) => word !== '').length;
  }
}
// #endregion zod

// #region raw
@Engine({ input: jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }) })
export class SchemaEngine extends SummarizeEngine {}
// #endregion raw

// #region errors
class StockEngine {
  readonly id = 'stock.find';
  readonly description = 'Finds an article. Arguments: article, a string.';

  execute({ request: { input } }: EngineContext<{ article?: string }>) {
    if (input.article === undefined) throw new ToolError('Name an article.');
    throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
  }
}

@Module({ imports: [EngineModule.forRoot({ engines: [new StockEngine()], exposeErrors: false })] })
export class StockModule {}
// #endregion errors

// #region capabilities
@Injectable()
class LanguageModel {
  readonly capabilities = ['text', 'translation'];

  complete(prompt: string): string {
    return `(${prompt})`; // here a model would answer
  }
}

class TranslateEngine {
  readonly id = 'text.translate';
  readonly requiredCapabilities = ['translation'];

  execute({ request, provider }: EngineContext<{ text: string }> & { readonly provider: LanguageModel }) {
    return provider.complete(`Translate: ${request.input.text}`);
  }
}

@Module({ providers: [LanguageModel], exports: [LanguageModel] })
class ModelModule {}

@Module({
  imports: [
    EngineModule.forRootAsync({
      imports: [ModelModule],
      inject: [LanguageModel],
      useFactory: (provider: LanguageModel) => ({ engines: [new TranslateEngine()], context: { provider } }),
    }),
  ],
})
export class TranslateModule {}
// #endregion capabilities

// #region choosing
class LegacyEngine {
  readonly id = 'Old Report: weekly';
  execute() {
    return 'All is well.';
  }
}

@Module({
  imports: [
    EngineModule.forRoot({
      engines: [new SummarizeEngine(), new StockEngine(), new LegacyEngine()],
      include: ['document.*', 'Old Report: weekly'],
      exclude: ({ id }) => id.endsWith('.internal'),
      toolName: ({ id }) => id.toLowerCase().replace(/[^\w.-]+/g, '_'),
    }),
  ],
})
export class ChosenModule {}
// #endregion choosing

// #region guards
@Injectable()
class Weekdays implements CanActivate {
  canActivate(): boolean {
    return new Date().getUTCDay() % 6 !== 0; // neither Sunday nor Saturday
  }
}

@UseGuards(Weekdays)
@Engine()
class WeekdaySummarizeEngine extends SummarizeEngine {}
// #endregion guards

@Module({ imports: [EngineModule.forRoot()], providers: [Weekdays, WeekdaySummarizeEngine] })
export class WeekdayModule {}

@Module({ imports: [EngineModule.forRoot()], providers: [CountEngine] })
export class CountModule {}

// #region to-tool
@Module({})
class EmptyModule {}

export async function serveOne(): Promise<McpApplication> {
  const app = await McpFactory.create(EmptyModule, { name: 'one', version: '1.0.0', logger: false });
  app.tools.register(toTool(new SummarizeEngine()));
  return app;
}
// #endregion to-tool

// #region adapters
const tools = new ToolRegistry();

const adapter = new EngineAdapter(tools, { exposeErrors: false });
adapter.registerEngine(new StockEngine());
adapter.hasEngine('stock.find'); // true
adapter.clear(); // removes its own tools, and no others

const engines = new EngineRegistry();
engines.register(new SummarizeEngine());
const all = new EngineRegistryAdapter(engines, tools);
all.registerAll(); // again, after the registry has changed, and the tools follow
// #endregion adapters

export const ALONE = { tools, adapter };
