import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { packageJson, repository } from '../support/scratch-project';

jest.setTimeout(60_000);

const LIST = path.join(__dirname, 'surface.txt');

/** Each exported name of each entry point on a line of its own: the entry point, the name, and whether it is there at run time. */
function surface(): string[] {
  const { config } = ts.readConfigFile(path.join(repository, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
  const entries = Object.entries<{ default?: string }>(packageJson.exports).flatMap(([name, target]) =>
    target.default === undefined ? [] : [{ name: path.posix.join('perch-mcp', name), file: sourceOf(target.default) }],
  );
  const program = ts.createProgram({ rootNames: entries.map((each) => each.file), options });
  return entries.flatMap(({ name, file }) => exportsOf(program, file).map((each) => `${name} ${each}`)).sort();
}

function sourceOf(built: string): string {
  return path.join(repository, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
}

function exportsOf(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) return [];
  return checker.getExportsOfModule(module).map((symbol) => {
    const isTypeOnly = symbol.declarations?.some(
      (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
    );
    const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return flags & ts.SymbolFlags.Value && isTypeOnly !== true ? symbol.name : `type ${symbol.name}`;
  });
}

// A name added here is a promise, and removing one is a major version. After a decision, write the list anew:
//   UPDATE_SURFACE=1 npx jest test/package/surface
test('the entry points export what test/package/surface.txt promises, name by name', () => {
  const names = surface();
  if (process.env['UPDATE_SURFACE'] === '1') writeFileSync(LIST, names.map((each) => `${each}\n`).join(''));
  expect(names).toEqual(readFileSync(LIST, 'utf8').trim().split('\n'));
});

test('the main entry point exports values and types', () => {
  const names = surface();
  expect(names).toContain('perch-mcp McpTool');
  expect(names).toContain('perch-mcp type ToolHandler');
});
