// A proxy on a loopback port that adds a bearer token and changes nothing else, for programs that cannot send one.
import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';

/** Forwards everything to the origin of `url`. Resolves with the URL to use in its place, and the way to end it. */
export async function addToken(url, token) {
  const { hostname, port, pathname } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const upstream = ask({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    // Who leaves the proxy has left the server.
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${String(server.address().port)}${pathname}`, close };
}
