import ts from 'typescript';

/** The titles of this source's tests. A comment, a text inside a test or a test that is left out is none. */
export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.ES2022));
  return titles;
}

/** The titles of this source's tests and of the groups that hold some, as far as they stand in the source: `${…}` ends one. */
export function titlesAndGroupsIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): boolean => {
    const isGroup = ts.isCallExpression(node) && isCallOf('describe', node.expression);
    const isOne = ts.isCallExpression(node) && isCallOf('test', node.expression);
    // A group that holds no test proves nothing, and a node ends its visit at the first child that returns true.
    const within: boolean[] = [];
    ts.forEachChild(node, (child) => void within.push(visit(child)));
    const holds = isOne || within.includes(true);
    if (isOne || (isGroup && holds)) titles.push(textOf(node.arguments[0]));
    return holds;
  };
  visit(ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.ES2022));
  return titles;
}

function textOf(title: ts.Expression | undefined): string {
  if (title === undefined) return '';
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.head.text : '';
}

/** `test(…)` and `test.each(…)(…)`, and no other member of it. */
function isTest(called: ts.Expression): boolean {
  return isCallOf('test', called);
}

function isCallOf(word: 'test' | 'describe', called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === word;
  const isEach = ts.isCallExpression(called) && ts.isPropertyAccessExpression(called.expression) && called.expression.name.text === 'each';
  return isEach && isCallOf(word, called.expression.expression);
}
