// The code of docs/tools.md. tools-page.test.ts runs it.
import { setTimeout as delay } from 'node:timers/promises';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import {
  Field,
  image,
  Injectable,
  jsonSchema,
  link,
  McpContext,
  McpError,
  McpTool,
  Module,
  text,
  ToolError,
  type McpApplication,
  type ToolHandler,
  type ToolResult,
} from 'perch-mcp';
import { z } from 'zod';

// #region class
class WeatherInput {
  @Field({ description: 'The city' }) @IsString() @MaxLength(80) city!: string;
  @Field({ description: 'How many days ahead' }) @IsInt() @Min(1) @Max(7) days = 1;
}

@Injectable()
class Forecasts {
  of(city: string, days: number) {
    return { city, degrees: Array.from({ length: days }, (_, day) => 20 + day) };
  }
}

@McpTool({ name: 'weather', title: 'Weather', description: 'Forecasts the weather of a city', input: WeatherInput })
class WeatherTool implements ToolHandler<WeatherInput> {
  constructor(private readonly forecasts: Forecasts) {}

  execute({ city, days }: WeatherInput) {
    return this.forecasts.of(city, days);
  }
}
// #endregion class

// #region methods
@Injectable()
class Units {
  @McpTool({ name: 'to_fahrenheit', description: 'Converts degrees', input: z.object({ celsius: z.number() }) })
  fahrenheit({ celsius }: { celsius: number }) {
    return String((celsius * 9) / 5 + 32);
  }

  @McpTool({ name: 'units', description: 'Lists the units there are' })
  all() {
    return ['celsius', 'fahrenheit'];
  }
}
// #endregion methods

// #region raw
const stations = jsonSchema({ type: 'object', properties: { near: { type: 'string' } }, required: ['near'], additionalProperties: false });

@McpTool({ name: 'stations', description: 'Lists weather stations', input: stations })
class StationsTool {
  execute({ near }: Record<string, unknown>) {
    return `${String(near)} 1, ${String(near)} 2`;
  }
}
// #endregion raw

// #region output
class Forecast {
  @IsString() city!: string;
  @IsInt({ each: true }) degrees!: number[];
}

@McpTool({ name: 'forecast', description: 'The forecast as data', input: WeatherInput, output: Forecast })
class ForecastTool implements ToolHandler<WeatherInput, Forecast> {
  constructor(private readonly forecasts: Forecasts) {}

  execute({ city, days }: WeatherInput): Forecast {
    return this.forecasts.of(city, days);
  }
}
// #endregion output

const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

// #region content
@McpTool({ name: 'map', description: 'Draws the weather' })
class MapTool {
  execute(): ToolResult {
    return {
      content: [
        text('Rain from the west.'),
        image(PNG, 'image/png', { annotations: { audience: ['user'] } }),
        link({ uri: 'weather://map/today', name: 'today' }),
      ],
    };
  }
}
// #endregion content

// #region errors
@McpTool({ name: 'history', description: 'The weather of a day gone by', input: z.object({ day: z.string() }) })
class HistoryTool {
  execute({ day }: { day: string }): string {
    if (day > '2026') throw new ToolError(`${day} is not over yet: ask for a day in the past.`);
    if (day < '1900') throw new McpError(-32050, 'There are no records', { first: '1900-01-01' });
    throw new Error('connect ECONNREFUSED db.internal:5432');
  }
}
// #endregion errors

// #region long
@McpTool({
  name: 'simulate',
  description: 'Simulates the weather',
  annotations: { readOnlyHint: true, openWorldHint: false },
  timeoutMs: 5_000,
})
class SimulateTool {
  async execute(_input: object, context: McpContext) {
    for (let step = 1; step <= 3; step += 1) {
      await delay(10, undefined, { signal: context.signal });
      await context.progress(step, { total: 3 });
    }
    await context.log('info', 'simulated', 'weather');
    return 'Sunny.';
  }
}
// #endregion long

// #region module
@Module({ providers: [Forecasts, WeatherTool, Units, StationsTool, ForecastTool, MapTool, HistoryTool, SimulateTool] })
export class WeatherModule {}
// #endregion module

// #region run-time
export function addPlugin(app: McpApplication): void {
  app.tools.register({ name: 'tide', description: 'High or low', execute: () => 'high' });
}
// #endregion run-time
