// The same work as tool classes and as engines, decorated as a compiler would.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { IsString } from 'class-validator';

// The built package as CommonJS, which is what it is.
export const perch = createRequire(import.meta.url)('perch-mcp');
const { Engine, EngineModule, jsonSchema, McpTool, Module } = perch;

const ANY_OBJECT = jsonSchema({ type: 'object', additionalProperties: true });

/** A module with this many tools, `tool` or `engine`, and with an input class for each if `withInput`. */
export function makeModule(kind, count, withInput) {
  const providers = Array.from({ length: count }, (_, index) =>
    MAKE[kind](`document.summarize.${index}`, withInput ? makeInput() : undefined),
  );
  class AppModule {}
  Module({ imports: kind === 'engine' ? [EngineModule.forRoot()] : [], providers })(AppModule);
  return AppModule;
}

const MAKE = {
  tool(name, input = ANY_OBJECT) {
    class SummarizeTool {
      execute(request) {
        return { summary: request.text.slice(0, 80) };
      }
    }
    McpTool({ name, title: 'Summarize', description: 'Summarizes a document', input, meta: { version: '1.2.0' } })(SummarizeTool);
    return SummarizeTool;
  },
  engine(id, input) {
    class SummarizeEngine {
      id = id;
      name = 'Summarize';
      description = 'Summarizes a document';
      version = '1.2.0';
      execute({ request }) {
        return { summary: request.input.text.slice(0, 80) };
      }
    }
    Engine(input === undefined ? {} : { input })(SummarizeEngine);
    return SummarizeEngine;
  },
};

function makeInput() {
  class Input {}
  Reflect.defineMetadata('design:type', String, Input.prototype, 'text');
  IsString()(Input.prototype, 'text');
  return Input;
}

/** Creates the application of such a module. */
export function create(...module) {
  return perch.McpFactory.create(makeModule(...module), { name: 'bench', version: '1.0.0', logger: false });
}
