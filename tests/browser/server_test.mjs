// `pawl studio` asked as pages of others would ask it: foreign Host, Origin and token, paths that
// lead out of the folder, symbolic links, files that have changed meanwhile.
// Usage: PAWL=program WORK=folder node --test server_test.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const { PAWL, WORK } = process.env;
const folder = join(WORK, 'models'),
  page = join(WORK, 'page');
let server, port, token;

before(async () => {
  rmSync(WORK, { recursive: true, force: true });
  for (const f of [folder, page, join(folder, 'sub'), join(folder, '.hidden'), join(WORK, 'outside')]) mkdirSync(f, { recursive: true });
  for (const name of ['index.html', 'main.js', 'engine.wasm', 'secret.txt']) writeFileSync(join(page, name), name);
  writeFileSync(join(folder, 'one.toml'), 'format = 1\n');
  writeFileSync(join(folder, 'sub', 'two words.toml'), 'format = 1 # two\n');
  writeFileSync(join(folder, 'notes.txt'), 'no model');
  writeFileSync(join(folder, '.hidden', 'three.toml'), 'hidden');
  writeFileSync(join(WORK, 'outside', 'secret.toml'), 'secret');
  symlinkSync(join(WORK, 'outside', 'secret.toml'), join(folder, 'link.toml'));
  symlinkSync(join(WORK, 'outside'), join(folder, 'linked'));
  server = spawn(PAWL, ['studio', folder, '--page', page, '--port', '0', '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise((done) => {
    let text = '';
    server.stdout.on('data', (part) => (text += part).includes('Ctrl-C') && done(text));
  });
  [, port, token] = /http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{32})\n/.exec(said);
});
after(() => {
  server?.kill();
  rmSync(WORK, { recursive: true, force: true });
});

// The path as it is written: no client tidies it up.
function ask(path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((done, fail) => {
    const r = request({ host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => (text += part));
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    r.on('error', fail);
    r.end(body);
  });
}
const files = (path, more = {}) => ask(path, { ...more, headers: { 'x-pawl-token': token, ...more.headers } });

test('the page comes with its policy, and nothing else of its folder', async () => {
  const answer = await ask('/');
  assert.equal(answer.status, 200);
  assert.equal(answer.text, 'index.html');
  assert.match(answer.headers['content-security-policy'], /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; .*frame-ancestors 'none'/);
  assert.ok(!/unsafe-inline|'unsafe-eval'/.test(answer.headers['content-security-policy']));
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.equal((await ask('/engine.wasm')).headers['content-type'], 'application/wasm');
  for (const path of ['/secret.txt', '/../models/one.toml', '/%2e%2e/models/one.toml', '/..%2fmodels%2fone.toml']) assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask('/main.js', { headers: { 'service-worker': 'script' } })).status, 403);
});

test('models are listed and read, with the token alone', async () => {
  const list = JSON.parse((await files('/files')).text);
  assert.deepEqual(list, { folder: 'models', files: ['one.toml', 'sub/two words.toml'] });
  assert.equal((await files('/files/sub/two%20words.toml')).text, 'format = 1 # two\n');
  for (const headers of [{}, { 'x-pawl-token': '' }, { 'x-pawl-token': token.slice(1) }, { 'x-pawl-token': token.replace(/./g, '0') }]) {
    assert.equal((await ask('/files', { headers })).status, 403);
    assert.equal((await ask('/files/one.toml', { headers })).status, 403);
    assert.equal((await ask('/files/one.toml', { method: 'PUT', body: 'x', headers })).status, 403);
  }
  assert.equal((await ask(`/files?token=${token}`)).status, 403);
  assert.equal(readFileSync(join(folder, 'one.toml'), 'utf8'), 'format = 1\n');
});

test('other hosts, origins and sites are refused, for the page too', async () => {
  for (const path of ['/', '/files'])
    for (const headers of [
      { host: 'evil.example' }, { host: `evil.example:${port}` }, { host: '127.0.0.1' }, { host: `127.0.0.1:${port}.evil.example` },
      { origin: 'http://evil.example' }, { origin: 'null' }, { origin: `https://127.0.0.1:${port}` }, { origin: `http://localhost:${port}` },
      { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await files(path, { headers })).status, 403, JSON.stringify(headers));
  assert.equal((await files('/files', { headers: { host: `localhost:${port}`, origin: `http://localhost:${port}` } })).status, 200);
  // A link of another page leads to the page, not to files.
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  assert.equal((await ask('/', { headers: link })).status, 200);
  assert.equal((await files('/files', { headers: link })).status, 403);
  assert.equal((await ask('/', { headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status, 403);
  const preflight = await ask('/files/one.toml', { method: 'OPTIONS', headers: { origin: 'http://evil.example', 'access-control-request-method': 'PUT' } });
  assert.equal(preflight.status, 403);
  assert.equal(preflight.headers['access-control-allow-origin'], undefined);
});

test('no path leads out of the folder', async () => {
  const out = ['../outside/secret.toml', '..%2foutside%2fsecret.toml', '%2e%2e/outside/secret.toml', 'sub/../../outside/secret.toml', '/etc/passwd.toml', '//etc/hosts.toml',
    `${encodeURIComponent(join(WORK, 'outside', 'secret.toml'))}`, 'sub\\..\\..\\outside\\secret.toml', '.hidden/three.toml', 'one.toml%00.toml', 'a%0ab.toml', 'notes.txt', 'sub', '', '.toml', 'link.toml', 'linked/secret.toml'];
  for (const path of out) {
    const read = await files('/files/' + path),
      write = await files('/files/' + path, { method: 'PUT', body: 'x', headers: { 'if-none-match': '*' } });
    assert.equal(read.status, 403, `${path}: ${read.text}`);
    assert.ok(!read.text.includes('secret\n') && read.text !== 'secret', path);
    assert.equal(write.status, 403, `${path}: ${write.text}`);
  }
  assert.match((await files('/files/link.toml')).text, /symbolic link/);
  assert.equal(readFileSync(join(WORK, 'outside', 'secret.toml'), 'utf8'), 'secret');
  assert.deepEqual(readdirSync(join(WORK, 'outside')), ['secret.toml']);
  assert.equal((await files('/files/none.toml')).status, 404);
});

test('a file is saved, and not over what another has written meanwhile', async () => {
  const first = await files('/files/new.toml', { method: 'PUT', body: 'a', headers: { 'if-none-match': '*' } });
  assert.equal(first.status, 204);
  assert.equal(readFileSync(join(folder, 'new.toml'), 'utf8'), 'a');
  assert.equal((await files('/files/new.toml', { method: 'PUT', body: 'b', headers: { 'if-none-match': '*' } })).status, 412);
  assert.equal((await files('/files/new.toml', { method: 'PUT', body: 'b' })).status, 428);
  const second = await files('/files/new.toml', { method: 'PUT', body: 'b', headers: { 'if-match': first.headers.etag } });
  assert.equal(second.status, 204);
  writeFileSync(join(folder, 'new.toml'), 'by another');
  const third = await files('/files/new.toml', { method: 'PUT', body: 'c', headers: { 'if-match': second.headers.etag } });
  assert.equal(third.status, 412);
  assert.equal(readFileSync(join(folder, 'new.toml'), 'utf8'), 'by another');
  assert.equal((await files('/files/new.toml')).headers.etag, third.headers.etag);
  assert.equal((await files('/files/nowhere/x.toml', { method: 'PUT', body: 'c', headers: { 'if-none-match': '*' } })).status, 404);
  assert.ok(!existsSync(join(folder, 'nowhere')));
  assert.equal((await files('/files/large.toml', { method: 'PUT', body: 'x'.repeat(9 << 20), headers: { 'if-none-match': '*' } }).catch(() => ({ status: 413 }))).status, 413);
  assert.ok(!existsSync(join(folder, 'large.toml')));
});

test('nonsense on the line does not end it', async () => {
  for (const text of ['\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', `GET /${'a'.repeat(20000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '\0\0\0\0'])
    await new Promise((done) => {
      const line = connect(port, '127.0.0.1', () => line.end(text));
      line.on('close', done).on('error', done);
      line.resume();
      setTimeout(done, 500);
    });
  assert.equal((await ask('/')).status, 200);
});

test('what cannot be served is said, with a way out', () => {
  const run = (...words) => spawnSync(PAWL, ['studio', ...words, '--no-browser'], { encoding: 'utf8', timeout: 10_000 });
  const busy = run(folder, '--page', page, '--port', port);
  assert.equal(busy.status, 2);
  assert.match(busy.stderr, /port \d+ is in use.*--port \d+/);
  assert.match(run(join(WORK, 'nowhere'), '--page', page).stderr, /no folder/);
  const unbuilt = run(folder, '--page', join(WORK, 'outside'));
  assert.equal(unbuilt.status, 2);
  assert.match(unbuilt.stderr, /\.\/dev studio/);
});
