// One tool, alone or behind one guard, one interceptor and one filter, decorated as a compiler would.
import 'reflect-metadata';
import { createRequire } from 'node:module';

// The built package as CommonJS, which is what it is.
const { jsonSchema, McpFactory, McpTool, Module, UseFilters, UseGuards, UseInterceptors } = createRequire(import.meta.url)('perch-mcp');

class Guard {
  canActivate() {
    return true;
  }
}
class Interceptor {
  intercept(_context, next) {
    return next();
  }
}
class Filter {
  catch(error) {
    throw error;
  }
}

/** Creates the application, with a tool of this kind: `bare` or `guarded`. */
export function create(kind) {
  class SummarizeTool {
    execute(request) {
      return { summary: request.text.slice(0, 80) };
    }
  }
  const input = jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
  McpTool({ name: 'document.summarize.0', description: 'Summarizes a document', input })(SummarizeTool);
  if (kind === 'guarded')
    for (const decorate of [UseGuards(Guard), UseInterceptors(Interceptor), UseFilters(Filter)]) decorate(SummarizeTool);
  class AppModule {}
  Module({ providers: [SummarizeTool] })(AppModule);
  return McpFactory.create(AppModule, { name: 'bench', version: '1.0.0', logger: false });
}
