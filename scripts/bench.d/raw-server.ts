/** node:http with nothing on top: reads the body, answers the bytes it was given. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { body, headers = ['Content-Type', 'application/json'] } = JSON.parse(process.argv[2] ?? '{}') as {
  body: string;
  headers?: string[];
};
const bytes = Buffer.from(body, 'base64');
const all = [...headers, 'Content-Length', String(bytes.length)];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, all);
    response.end(bytes);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks);
    response.writeHead(200, all);
    response.end(bytes);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
