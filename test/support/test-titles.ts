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

/** `test(…)` and `test.each(…)(…)`, and no other member of it. */
function isTest(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return called.text === 'test';
  const isEach = ts.isCallExpression(called) && ts.isPropertyAccessExpression(called.expression) && called.expression.name.text === 'each';
  return isEach && isTest(called.expression.expression);
}
