/** The headings of a Markdown text. Somebody else's engine: it shares nothing with the document pack. */
export class OutlineEngine {
  readonly id = 'document.outline';
  readonly name = 'Outline';
  readonly description = 'Lists the headings of a Markdown text. Arguments: text, a string.';
  readonly version = '0.1.0';

  execute({ request }: { readonly request: { readonly input: { readonly text?: unknown } } }) {
    const { text } = request.input;
    if (typeof text !== 'string') throw new TypeError('"text" must be a string.');
    const withoutCode = text.replace(/^(```|~~~).*?^\1\s*$/gms, '');
    const headings = [...withoutCode.matchAll(/^(#{1,6}) (.*\S)/gm)];
    return { headings: headings.map(([, marks = '', title = '']) => ({ level: marks.length, title: title.trim() })) };
  }
}
