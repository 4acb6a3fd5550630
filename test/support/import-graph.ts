import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { arrowsOf, type Design } from './rooms';

/** A file of src: its path from there, with forward slashes, and its text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** One import of any form. `specifier` is undefined when it is computed at run time. */
export interface Import {
  readonly specifier: string | undefined;
  readonly line: number;
  readonly typeOnly: boolean;
}

export interface Violation {
  readonly rule: 'room' | 'arrow' | 'package' | 'barrel' | 'cycle' | 'file size' | 'function size' | 'root file' | 'computed import';
  readonly message: string;
}

/** Every TypeScript file under a folder. */
export function readSources(root: string): SourceText[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.ts'))
    .map((each) => ({ path: each.split(path.sep).join('/'), text: readFileSync(path.join(root, each), 'utf8') }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

/** Every import of a file: `import`, `import type`, `import x = require()`, `export from`, `require()`, `import()` and `import('x').T`. */
export function importsOf(file: SourceText): Import[] {
  const tree = parse(file);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const target = importTarget(node);
    if (target !== undefined) {
      const specifier = ts.isStringLiteralLike(target) ? target.text : undefined;
      found.push({ specifier, line: lineOf(tree, node.getStart(tree)), typeOnly: isTypeOnly(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Everything in these files that the design does not allow. */
export function violationsIn(files: readonly SourceText[], design: Design, dependencies: ReadonlySet<string>): Violation[] {
  return [
    ...files.flatMap((file) => [...placeViolations(file, design), ...sizeViolations(file, design)]),
    ...files.flatMap((file) => importsOf(file).flatMap((each) => importViolations(file, each, { files, design, dependencies }))),
    ...cycleViolations(files),
  ];
}

function parse(file: SourceText): ts.SourceFile {
  return ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
}

function lineOf(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

function importTarget(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
  if (ts.isCallExpression(node) && isLoader(node.expression)) return node.arguments[0];
  return undefined;
}

function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === 'require';
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && callee.expression.text === 'require';
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExternalModuleReference(node)) return node.parent.isTypeOnly;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || everyName(node.exportClause);
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return false;
  const { name, namedBindings, phaseModifier } = node.importClause;
  return phaseModifier === ts.SyntaxKind.TypeKeyword || (name === undefined && everyName(namedBindings));
}

function everyName(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (names === undefined || ts.isNamespaceImport(names) || ts.isNamespaceExport(names)) return false;
  return names.elements.length > 0 && [...names.elements].every((each) => each.isTypeOnly);
}

function roomOf(file: string): string | undefined {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
}

function placeViolations(file: SourceText, design: Design): Violation[] {
  const room = roomOf(file.path);
  if (room === undefined && !design.rootFiles.includes(file.path)) {
    return [{ rule: 'root file', message: `src/${file.path} belongs into a room` }];
  }
  if (room !== undefined && !arrowsOf(design).has(room)) return [{ rule: 'room', message: `src/${room}/ is no room of the table` }];
  const isIndex = path.posix.basename(file.path) === 'index.ts';
  if (isIndex && !design.barrels.includes(file.path)) return [{ rule: 'barrel', message: `src/${file.path} is no public entry point` }];
  return parse(file).statements.some((each) => ts.isExportDeclaration(each) && each.exportClause === undefined)
    ? [{ rule: 'barrel', message: `src/${file.path} has an "export *"; a promise is made name by name` }]
    : [];
}

function sizeViolations(file: SourceText, { maxFileLines, maxFunctionLines }: Design): Violation[] {
  const tree = parse(file);
  const found: Violation[] = [];
  const lines = file.text.replace(/\n$/, '').split('\n').length;
  if (lines > maxFileLines) found.push({ rule: 'file size', message: `src/${file.path} has ${lines} lines` });
  const visit = (node: ts.Node): void => {
    const [first, last] = [lineOf(tree, node.getStart(tree)), lineOf(tree, node.getEnd())];
    if (ts.isFunctionLike(node) && 'body' in node && last - first + 1 > maxFunctionLines) {
      found.push({ rule: 'function size', message: `src/${file.path}:${first} has a function of ${last - first + 1} lines` });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

interface Surroundings {
  readonly files: readonly SourceText[];
  readonly design: Design;
  readonly dependencies: ReadonlySet<string>;
}

function importViolations(file: SourceText, each: Import, around: Surroundings): Violation[] {
  const at = `src/${file.path}:${each.line}`;
  if (each.specifier === undefined) return [{ rule: 'computed import', message: `${at} loads a name that no reader can see` }];
  if (!each.specifier.startsWith('.')) return packageViolations(at, { file, each, specifier: each.specifier }, around);
  const target = resolve(file.path, each.specifier, around.files);
  if (path.posix.basename(target) === 'index.ts') return [{ rule: 'barrel', message: `${at} imports ${target}; import the file` }];
  const [from, to] = [roomOf(file.path), roomOf(target)];
  if (from === undefined || from === to || (to !== undefined && arrowsOf(around.design).get(from)?.has(to))) return [];
  return [{ rule: 'arrow', message: `${at} imports ${target}, but ${from} may not import ${to ?? 'the root of src'}` }];
}

interface PackageImport {
  readonly file: SourceText;
  readonly each: Import;
  readonly specifier: string;
}

function packageViolations(at: string, { file, each, specifier }: PackageImport, { design, dependencies }: Surroundings): Violation[] {
  if (isBuiltin(specifier)) return [];
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (!dependencies.has(name)) return [{ rule: 'package', message: `${at} imports ${name}, which package.json does not promise` }];
  const rule = design.packages.find((candidate) => candidate.packages.includes(name));
  const room = roomOf(file.path);
  if (rule === undefined || (room !== undefined && rule.rooms.includes(room)) || (rule.typesAnywhere && each.typeOnly)) return [];
  return [{ rule: 'package', message: `${at} imports ${name}, which belongs to ${rule.rooms.join(', ')}` }];
}

function resolve(from: string, specifier: string, files: readonly SourceText[]): string {
  const base = path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier)).replace(/\/$/, '');
  const candidates = [`${base}.ts`, base === '.' ? 'index.ts' : `${base}/index.ts`, base.replace(/\.js$/, '.ts'), base];
  return candidates.find((candidate) => files.some((file) => file.path === candidate)) ?? base;
}

/** One violation for each ring of files, with the way round. Imports of types count: a ring of types is still a ring to a reader. */
function cycleViolations(files: readonly SourceText[]): Violation[] {
  const targets = new Map(
    files.map((file) => {
      const relative = importsOf(file).flatMap(({ specifier }) => (specifier?.startsWith('.') ? [specifier] : []));
      return [file.path, new Set(relative.map((each) => resolve(file.path, each, files)))] as const;
    }),
  );
  const finished = new Set<string>();
  const found: Violation[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) found.push({ rule: 'cycle', message: [...way.slice(start), file].join(' → ') });
    if (start >= 0 || finished.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...way, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return found;
}
