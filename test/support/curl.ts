import type { HttpQuestion } from './wire';

/** A curl command as this project prints them: an address, headers and a body, each between single quotes where it has spaces. */
export interface CurlCommand extends HttpQuestion {
  readonly url: string;
}

/** Reads a command the way a shell and curl would, so that it can be tried on machines that have no curl. */
export function readCurl(command: string): CurlCommand {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const headers: Record<string, string> = {};
  let url = '';
  let body = '';
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '-H') {
      const [name = '', ...value] = (words[(at += 1)] ?? '').split(': ');
      headers[name.toLowerCase()] = value.join(': ');
    } else if (word === '-d') body = words[(at += 1)] ?? '';
    else if (word.startsWith('http')) url = word;
    else if (!/^-[is]+$/.test(word)) throw new Error(`curl has no "${word}" here`);
  }
  return { url, headers, body };
}
